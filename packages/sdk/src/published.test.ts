import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Turnout } from './client.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'turnout-sdk-')));
const project = join(folder, 'project');
const installed = join(project, 'node_modules/@turnout/sdk');
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const run = (command: string, args: string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** A program as an integrator writes it. It never runs: what it does must only compile. */
const PROGRAM = `
import { ApiError, type Attendee, DayFullError, type Envelope, SignatureError, Turnout, verify } from '@turnout/sdk';

export async function sync(key: string | undefined, store: Map<string, Attendee>, since?: string): Promise<string | undefined> {
  const turnout: Turnout = new Turnout({ key, baseUrl: 'https://tickets.example.org', timeout: 5000 });
  for await (const { items, since: next } of turnout.attendees.changes('fair', { since, status: 'confirmed' })) {
    for (const item of items) store.set(item.id, item);
    since = next;
  }
  for await (const event of turnout.events.list({ status: 'published' })) console.log(event.code satisfies string);
  const { data, page } = await turnout.registrations.list('fair', { limit: 10 });
  if (page.has_more) console.log(data.length);
  try {
    const made = await turnout.registrations.create(
      'fair',
      { attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', email: undefined }] },
      { idempotencyKey: 'x', signal: AbortSignal.timeout(1000) },
    );
    // A word may be added to the answer, so this list is open.
    const status: string = made.status;
    console.log(status === 'confirmed', made.attendees[0]?.tickets[0]?.code?.length);
  } catch (error) {
    if (error instanceof DayFullError) console.log(error.code satisfies 'day_full', error.requestId);
    else if (error instanceof ApiError) console.log(error.details.map(({ path }) => path), error.retryAfter);
    else throw error;
  }
  // @ts-expect-error an attendee needs a name
  turnout.registrations.create('fair', { attendees: [{ attendee_type: 'adult' }] });
  // @ts-expect-error there is no such filter
  turnout.events.list({ stauts: 'draft' });
  // @ts-expect-error following changes has an order of its own
  turnout.attendees.changes('fair', { order: 'name' });
  const pdf: Uint8Array = await turnout.tickets.pdf('x');
  const job = await turnout.jobs.wait(await turnout.imports.create('fair', new Blob(['…']), { query: { preview: true } }));
  console.log(pdf.length, job.counts);
  return since;
}

export async function receive(body: Uint8Array, header: string | null): Promise<number> {
  try {
    const envelope: Envelope = await verify(body, header, 'whsec_x');
    if (envelope.type === 'ticket.reissued') console.log(envelope.data.replaces satisfies string);
    return 204;
  } catch (error) {
    return error instanceof SignatureError ? 400 : 500;
  }
}
`;

/** The programs of the README, in one file. What they take from the reader's own program is declared. */
const README = `
declare const process: { env: { TURNOUT_KEY: string | undefined } };
declare const store: { bookmark(): Promise<string | undefined>; save(items: object[], since: string): Promise<void> };
declare const request: Request;
declare const rawBody: Uint8Array;
declare const secret: string;
${[...readFileSync(join(root, 'packages/sdk/README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join('')}
export {};
`;

const STRICTEST = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  isolatedDeclarations: true,
  declaration: true,
  erasableSyntaxOnly: true,
  skipLibCheck: false,
};

beforeAll(() => {
  const dist = join(folder, 'dist');
  run(process.execPath, [join(root, 'packages/sdk/scripts/build.mjs'), dist], root);
  const [packed] = JSON.parse(run('npm', ['pack', dist, '--json', '--pack-destination', folder], folder)) as [
    { filename: string },
  ];
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  run('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed.filename)], project);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('installed from its tarball in an empty project', () => {
  test('it has modules, types, the vectors and its license, and neither sources nor dependencies', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' });
    expect(files).toEqual(
      expect.arrayContaining(['index.js', 'index.d.ts', 'README.md', 'LICENSE', 'webhook-vectors.json']),
    );
    expect(files.filter((path) => /(?<!\.d)\.ts$|\.test\.|support|tsconfig|test-data/.test(path))).toEqual([]);
    const {
      dependencies,
      private: hidden,
      exports,
    } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));
    expect({ dependencies, hidden }).toEqual({ dependencies: undefined, hidden: undefined });
    expect(exports['.']).toEqual({ types: './index.d.ts', default: './index.js' });
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@turnout']);
  });

  test('it uses nothing that only Node has', () => {
    for (const path of readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((one) =>
      one.endsWith('.js'),
    )) {
      const text = readFileSync(join(installed, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
      expect(text.match(/\bnode:|\bprocess\b|\bBuffer\b|\brequire\(|\b__dirname\b/g), path).toBeNull();
    }
  });

  test.each(['nodenext', 'bundler'])(
    'a program and those of the README compile with the strictest settings: moduleResolution %s',
    (resolution) => {
      const at = join(project, resolution);
      mkdirSync(at);
      writeFileSync(join(at, 'main.ts'), PROGRAM);
      expect(README).toContain('DayFullError');
      writeFileSync(join(at, 'readme.ts'), README);
      const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
      const compilerOptions = { ...STRICTEST, module, moduleResolution: resolution, outDir: 'out' };
      writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      const said = (() => {
        try {
          return run(process.execPath, [tsc, '-p', at], at);
        } catch (error) {
          return (error as { stdout: string }).stdout;
        }
      })();
      expect(said).toBe('');
    },
  );

  test('a program runs in plain Node', () => {
    writeFileSync(
      join(project, 'run.mjs'),
      `import { ApiError, Turnout, sign, verify } from '@turnout/sdk';
      const answer = () => Response.json({ error: { code: 'not_found', message: 'No.', request_id: 'r' } }, { status: 404 });
      const turnout = new Turnout({ key: 'svc_test_x', baseUrl: 'https://tickets.example.org', fetch: async () => answer() });
      const error = await turnout.events.get('x').catch((one) => one);
      const body = '{"id":"evt_1"}';
      const envelope = await verify(body, await sign(body, 'whsec_x'), 'whsec_x');
      console.log(error instanceof ApiError, error.name, envelope.id, typeof turnout.jobs.wait);`,
    );
    expect(run(process.execPath, ['run.mjs'], project)).toBe('true NotFoundError evt_1 function\n');
  });
});

/** Bytes with gzip of a program that a bundler makes. The limits are about twice what it was when they were set. */
describe.each([
  ['the verifier alone', "export { verify } from '@turnout/sdk';", 2400],
  ['the whole client', "export { Turnout, verify } from '@turnout/sdk';", 17_000],
])('the size of %s', (what, contents, limit) => {
  test(`is below ${limit} bytes with gzip`, async () => {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: project },
      bundle: true,
      minify: true,
      write: false,
      format: 'esm',
      target: 'es2022',
    });
    const { text } = outputFiles[0]!;
    const gzipped = gzipSync(text).length;
    console.info(`the SDK, ${what}: ${text.length} bytes, ${gzipped} gzipped`);
    expect(gzipped).toBeLessThan(limit);
    expect(text.includes('needs a key')).toBe(what === 'the whole client');
  });
});

test('the sources of the workspace are what was built', () => {
  expect(readFileSync(join(installed, 'client.js'), 'utf8')).toContain(`class ${Turnout.name} `);
});
