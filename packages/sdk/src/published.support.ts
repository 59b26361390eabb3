import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Projects of others that install the packed SDK, and the programs that they contain. */

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Returns what a program prints. If it fails, the error says what it complained about. */
export function run(command: string, args: string[], cwd: string): string {
  try {
    // A switch of the test's own process is no business of the programs that it starts.
    const { NODE_OPTIONS: _, ...env } = process.env;
    return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (error) {
    const { stdout, stderr } = error as { stdout?: string; stderr?: string };
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}\n${error}`);
  }
}

/** Packs the SDK as its README says, and installs it, and other packages by name and version, in an empty project. */
export function installPacked(project: string, packages: string[] = []): void {
  mkdirSync(project, { recursive: true });
  const packed = run('npm', ['pack', '--silent', join(root, 'packages/sdk')], project).trim();
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true }));
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const offline = packages.length === 0 ? ['--offline'] : ['--prefer-offline'];
  run('npm', ['install', ...options, ...offline, `./${packed}`, ...packages], project);
}

/** What every program below prints if it finds the SDK as it should be. */
export const PRINTED = 'true NotFoundError evt_1 function';
const WORK = `
  const answer = () => Response.json({ error: { code: 'not_found', message: 'No.', request_id: 'r' } }, { status: 404 });
  const turnout = new Turnout({ key: 'svc_test_x', baseUrl: 'https://tickets.example.org', fetch: async () => answer() });
  const error = await turnout.events.get('x').catch((one) => one);
  const body = '{"id":"evt_1"}';
  const envelope = await verify(body, await sign(body, 'whsec_x'), 'whsec_x');
  return [error instanceof ApiError, error.name, envelope.id, typeof turnout.jobs.wait].join(' ');
`;
const IMPORT = "import { ApiError, Turnout, sign, verify } from '@turnout/sdk';";
const REQUIRE = "const { ApiError, Turnout, sign, verify } = require('@turnout/sdk');";
const main = (print: string) => `async function main() {${WORK}}\n${print}`;
const jest = `test('the SDK', async () => expect(await main()).toBe('${PRINTED}'));`;

/** Programs in JavaScript, by file. Those of Jest are tests. */
export const PROGRAMS = {
  'run.mjs': `${IMPORT}\n${main('console.log(await main());')}`,
  'run.cjs': `${REQUIRE}\n${main('main().then(console.log);')}`,
  'jest.cjs': `${REQUIRE}\n${main(jest)}`,
  'jest.mjs': `${IMPORT}\n${main(jest)}`,
};

/** A program as an integrator writes it. It never runs: what it does must only compile. */
export const PROGRAM: string = `
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
export const README: string = `
declare const process: { env: { TURNOUT_KEY: string | undefined } };
declare const store: { bookmark(): Promise<string | undefined>; save(items: object[], removed: string[], since: string): Promise<void> };
declare const request: Request;
declare const rawBody: Uint8Array;
declare const secret: string;
${[...readFileSync(join(root, 'packages/sdk/README.md'), 'utf8').matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text]) => text).join('')}
export {};
`;

/** Settings that every supported compiler knows. The types of the SDK are checked as well. */
export const STRICT: Record<string, unknown> = {
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
  isolatedModules: true,
  declaration: true,
  skipLibCheck: false,
};

/** `moduleResolution`, with the `module` that belongs to it. */
export const RESOLUTIONS = { node16: 'node16', nodenext: 'nodenext', bundler: 'esnext', node10: 'commonjs' };

/**
 * Compiles the programs in a folder of the project and returns the compiler's complaints. The folder's package.json decides whether
 * the programs, and with them the SDK, are ES modules or CommonJS.
 */
export function compile(
  project: string,
  tsc: string,
  resolution: keyof typeof RESOLUTIONS,
  type: 'module' | 'commonjs',
  options: Record<string, unknown> = {},
): string {
  const at = join(project, `${resolution}-${type}`);
  mkdirSync(at, { recursive: true });
  writeFileSync(join(at, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(at, 'main.ts'), PROGRAM);
  // Programs of the README wait at the top level, which only a module can do.
  if (type === 'module') writeFileSync(join(at, 'readme.ts'), README);
  const compilerOptions = { ...STRICT, module: RESOLUTIONS[resolution], moduleResolution: resolution, outDir: 'out' };
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...compilerOptions, ...options } }));
  try {
    return run(process.execPath, [tsc, '-p', at, '--pretty', 'false'], at);
  } catch (error) {
    return (error as Error).message;
  }
}
