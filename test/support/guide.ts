import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { complete } from './running.ts';

/** A block of code in a guide: its language, the name of the file that a reader saves it as, and its text. */
export interface Block {
  language: string;
  file: string | null;
  text: string;
}

export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)(?: title="([\w./-]+)")?\n([\s\S]*?)^```$/gm)].map(([, language, file, text]) => ({
    language: language!,
    file: file ?? null,
    text: text!,
  }));
}

/** What stands between the outputs of two blocks. */
const MARK = '\u001d';

/**
 * The script that does what a reader of the guide does, from top to bottom: saves the blocks that have a title as files, and types
 * the blocks of shell commands into one terminal. The first command that fails ends it.
 */
function scriptOf(blocks: readonly Block[], folder: string): string {
  const lines = ['set -euo pipefail'];
  for (const { language, file, text } of blocks) {
    if (file !== null) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    } else if (language === 'sh') lines.push(text, `printf '${MARK}'`);
  }
  return `${lines.join('\n')}\n`;
}

/** Whether an output is the one that the guide shows. `…` in the guide stands for anything, also for several lines. */
export function looksLike(shown: string, printed: string): boolean {
  const parts = shown
    .trim()
    .split('…')
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`).test(printed.trim());
}

export interface GuideRun {
  code: number | null;
  /** For each block of commands what it printed, and what the guide shows as its output, if it does. */
  outputs: { command: string; printed: string; shown: string | null }[];
  stderr: string;
}

/** Runs a guide in a folder. Every `from` in it becomes `to`: the port that the guide names may be in use here. */
export async function runGuide(
  page: string,
  folder: string,
  env: Record<string, string>,
  replaced: Readonly<Record<string, string>> = {},
): Promise<GuideRun> {
  const text = Object.entries(replaced).reduce((all, [from, to]) => all.replaceAll(from, to), page);
  const blocks = blocksOf(text);
  const script = join(folder, 'guide.sh');
  writeFileSync(script, scriptOf(blocks, folder));
  chmodSync(script, 0o755);
  const { code, stdout, stderr } = await complete(['bash', script], env, folder);
  const printed = stdout.split(MARK);
  const commands = blocks.flatMap((block, at) => (block.language === 'sh' ? [{ block, next: blocks[at + 1] }] : []));
  return {
    code,
    stderr,
    outputs: commands.map(({ block, next }, at) => ({
      command: block.text,
      printed: printed[at] ?? '',
      shown: next?.language === 'text' ? next.text : null,
    })),
  };
}
