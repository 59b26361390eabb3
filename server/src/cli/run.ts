import { parseArgs } from 'node:util';
import { Refusal } from '../common/refusal.ts';
import { ConfigError, readConfig } from '../config.ts';
import { EmbeddedError } from '../embedded/index.ts';
import { DatabaseRefused } from '../store/database-refused.ts';
import type { Command, OptionValues } from './command.ts';
import { allCommands, commandsFor } from './commands.ts';

async function usage(): Promise<string> {
  const lines = (await allCommands()).flatMap((command) => [
    `  turnout ${command.words}${command.argument ? ` ${command.argument}` : ''}`.padEnd(34) + command.summary,
    ...Object.entries(command.options).map(
      ([name, option]) => `      --${name}`.padEnd(22) + option.says + (option.required ? '' : ' (optional)'),
    ),
  ]);
  return ['Turnout, the operator’s command line.', '', ...lines].join('\n');
}

async function find(words: string[]): Promise<{ command: Command; rest: string[] } | null> {
  const commands = await commandsFor(words[0]!);
  for (const length of [2, 1]) {
    const command = commands.find((one) => one.words === words.slice(0, length).join(' '));
    if (command) return { command, rest: words.slice(length) };
  }
  return null;
}

function parseOptions(command: Command, rest: string[]): { given: OptionValues; argument: string | undefined } {
  const { values, positionals } = parseArgs({
    args: rest,
    allowPositionals: command.argument !== undefined,
    options: Object.fromEntries(
      Object.keys(command.options).map((name) => [
        name,
        {
          type: command.options[name]!.flag === true ? ('boolean' as const) : ('string' as const),
          multiple: command.options[name]!.many ?? false,
        },
      ]),
    ),
  });
  const missing = Object.entries(command.options).filter(
    ([name, option]) => option.required && values[name] === undefined,
  );
  if (missing.length > 0) throw new Error(`missing: ${missing.map(([name]) => `--${name}`).join(', ')}`);
  if (command.argument !== undefined && positionals.length !== 1)
    throw new Error(`${command.words} takes one ${command.argument}`);
  return { given: values as OptionValues, argument: positionals[0] };
}

/**
 * Runs a command of the operator with these settings, and returns its exit code: 1 if the command failed, and 2 if the command line was not
 * understood. The answer is JSON on standard output, apart from the few commands that answer people; everything else goes to standard error.
 */
export async function runCommandLine(words: string[], env: NodeJS.ProcessEnv): Promise<number> {
  if (words.length === 0 || ['help', '--help', '-h'].includes(words[0]!)) {
    console.log(await usage());
    return 0;
  }
  const found = await find(words);
  if (found === null) {
    console.error(`turnout: there is no command "${words.slice(0, 2).join(' ')}". See turnout help.`);
    return 2;
  }
  let parsed: ReturnType<typeof parseOptions>;
  try {
    parsed = parseOptions(found.command, found.rest);
  } catch (error) {
    console.error(`turnout ${found.command.words}: ${(error as Error).message}`);
    return 2;
  }
  try {
    const answer = await found.command.run(readConfig(env), parsed.given, parsed.argument);
    const text = found.command.text?.(answer as never, parsed.given) ?? null;
    if (answer !== undefined) console.log(text ?? JSON.stringify(answer, null, 2));
    return (answer as { ok?: boolean } | undefined)?.ok === false ? 1 : 0;
  } catch (error) {
    const known =
      error instanceof Refusal ||
      error instanceof ConfigError ||
      error instanceof EmbeddedError ||
      error instanceof DatabaseRefused;
    console.error(`turnout ${found.command.words}: ${known ? (error as Error).message : explain(error)}`);
    return 1;
  }
}

const explain = (error: unknown): string => {
  const { code, message } = error as { code?: string; message?: string };
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND') return `the database cannot be reached (${message}).`;
  return (error as Error).stack ?? String(error);
};
