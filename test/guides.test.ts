import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { blocksOf, looksLike, runGuide } from './support/guide.ts';
import { isNight } from './support/night.ts';
import { cleanUp, freePort, newFolder, ROOT } from './support/running.ts';

const GUIDES = ['first-integration', 'crm-sync', 'reliable-receiver'];
/** Carrying out one guide takes half a minute. By day it is the first one that integrators follow. */
const CARRIED_OUT = isNight ? GUIDES : GUIDES.slice(0, 1);
const read = (guide: string): string => readFileSync(join(ROOT, 'docs', 'guides', `${guide}.md`), 'utf8');

afterEach(cleanUp);

describe.each(GUIDES)('docs/guides/%s.md', (guide) => {
  test('every block of code is a command, a file that a command uses, or what a command prints', () => {
    const blocks = blocksOf(read(guide));
    expect(read(guide).match(/^```/gm)!.length).toBe(2 * blocks.length);
    const commands = blocks.filter(({ language, file }) => language === 'sh' && file === null);
    expect(commands.length).toBeGreaterThan(0);
    for (const [at, { language, file, text }] of blocks.entries()) {
      if (file !== null)
        expect(
          commands.some((one) => one.text.includes(basename(file))),
          file,
        ).toBe(true);
      else if (language === 'text') expect(blocks[at - 1]!.language, text).toBe('sh');
      else expect(language, text).toBe('sh');
    }
  });
});

describe.each(CARRIED_OUT)('docs/guides/%s.md, carried out', (guide) => {
  test('does what it says', async () => {
    const folder = newFolder();
    const [port, receiver] = [String(await freePort()), String(await freePort())];
    const run = await runGuide(
      read(guide),
      folder,
      { PORT: port, DATA_DIR: join(folder, 'data'), TURNOUT: ROOT, PATH: pathWith(dirname(process.execPath)) },
      { 'localhost:3000': `localhost:${port}`, '8443': receiver },
    );
    expect(run.code, `${run.stderr}\n${JSON.stringify(run.outputs, null, 2)}`).toBe(0);
    for (const { command, printed, shown } of run.outputs) {
      if (shown !== null)
        expect(looksLike(shown, printed), `${command}\nprinted\n${printed}\nbut not\n${shown}`).toBe(true);
    }
  }, 300_000);
});

const pathWith = (folder: string): string => `${folder}:${process.env.PATH}`;

describe('the runner of guides', () => {
  const page = (text: string) => text.replaceAll("'''", '```');

  test('finds a command that fails, and an output that is not the one shown', async () => {
    const failing = await runGuide(
      page("'''sh\necho one\n'''\n'''sh\nfalse\n'''\n'''sh\necho two\n'''\n"),
      newFolder(),
      {},
    );
    expect([failing.code, failing.outputs.map(({ printed }) => printed)]).toEqual([1, ['one\n', '', '']]);
    const other = await runGuide(page("'''sh\necho one\n'''\n\n'''text\ntwo\n'''\n"), newFolder(), {});
    expect(other.outputs).toEqual([{ command: 'echo one\n', printed: 'one\n', shown: 'two\n' }]);
    expect(looksLike('two\n', 'one\n')).toBe(false);
  });

  test('saves files, and keeps what a block has set for the next', async () => {
    const text = page("'''ts title=\"a.ts\"\nconsole.log(40 + 2);\n'''\n'''sh\nN=a.ts\n'''\n'''sh\ncat $N\n'''\n");
    expect((await runGuide(text, newFolder(), {})).outputs[1]!.printed).toBe('console.log(40 + 2);\n');
  });

  test.each([
    ['a … c', 'a b\nb c', true],
    ['a … c', 'a b', false],
    ['{"a":[1]}', '{"a":[1]}\n', true],
    ['a.c', 'abc', false],
  ])('%j for %j: %s', (shown, printed, same) => expect(looksLike(shown, printed)).toBe(same));
});
