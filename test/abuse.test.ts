import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import { isPaged } from './support/abuse/lists.ts';
import { type Page, pageRows } from './support/abuse/pages.ts';
import { longRows, rowsOf, type Victim, victimOf } from './support/abuse/rows.ts';
import { Siege } from './support/abuse/siege.ts';
import { World } from './support/matrix/world.ts';

/**
 * Every operation, abused: bodies at its limit made of the worst shapes, addresses and headers at theirs, all generated from
 * the declarations, while somebody of another organization asks `GET /v1/me`. An operation gets its rows by being declared.
 * No answer is 5xx, none is longer than it has to be, and memory is back to where it was. How long the other caller waits is
 * `npm run bench -- abuse`; here only what holds up the server for seconds fails.
 */

const MB = 1_048_576;
/** Megabytes of text that each string field is sent, one by one: whatever keeps what was refused holds more than `MORE`. */
const TIMES = 5;
const MORE = 3 * MB;
/** In all, after everything: code that was compiled, statements that were prepared, what PostgreSQL told of them. */
const MORE_IN_ALL = 48 * MB;
/** Work in the background, of requests that were taken, may go on for as long. */
const SETTLES_WITHIN_MS = 30_000;
/** An operation takes seconds; on a machine that others use, many. */
const timeout = 600_000;

const PAGES: Page[] = [
  { method: 'POST', path: '/api/v1/devices/pair' },
  { method: 'GET', path: '/links/unsubscribe/:token' },
  { method: 'POST', path: '/links/unsubscribe/:token', limit: 10_000 },
  { method: 'GET', path: '/links/jobs/:token' },
  { method: 'GET', path: '/links/roster/:token' },
  { method: 'GET', path: '/healthz' },
  { method: 'GET', path: '/v1/openapi.json' },
  { method: 'GET', path: '/docs' },
];

let world: World;
let siege: Siege;
let atFirst = 0;
/** How many requests each operation was sent. */
const sent = new Map<string, number>();

beforeAll(async () => {
  world = await World.small();
  const env = {
    PORT: '0',
    DATA_DIR: world.t.dataDir,
    DATABASE_URL: world.t.database.url,
    DATABASE_POOL: '12',
    SANDBOX: 'off',
    ROLES: 'api,worker',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  siege = await Siege.start(env, (await world.t.key('other')).secret);
  atFirst = await siege.target.held();
});
afterAll(async () => {
  await siege?.stop();
  await world?.stop();
});

/** A cursor that the list itself gave: a forged one must carry its mark to get anywhere. */
async function cursorOf(victim: Victim): Promise<string | null> {
  if (!isPaged(victim.op)) return null;
  const { text } = await siege.send(victim.send({ query: 'limit=1' }));
  const cursor = (JSON.parse(text) as { page?: { next_cursor: string | null } }).page?.next_cursor;
  expect(typeof cursor, `a cursor to forge: ${text.slice(0, 200)}`).toBe('string');
  return cursor!;
}

describe.each(operations.map((op) => [`${op.method} ${op.path} (${op.id})`, op] as const))('%s', (_name, op) => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await victimOf(world, op);
  }, timeout);

  test('withstands the worst requests', { timeout }, async () => {
    const rows = rowsOf(victim, await cursorOf(victim));
    sent.set(op.id, rows.length);
    expect(await siege.run(rows)).toEqual([]);
  });

  if (op.body === undefined) return;
  test('holds on to nothing of what was sent', { timeout }, async () => {
    expect(await siege.run(longRows(victim, 1))).toEqual([]);
    const before = await siege.target.held();
    expect(await siege.run(longRows(victim, TIMES))).toEqual([]);
    expect(await siege.target.held(before + MORE, SETTLES_WITHIN_MS)).toBeLessThan(before + MORE);
  });
});

describe.each(PAGES.map((page) => [`${page.method} ${page.path}`, page] as const))('%s', (_name, page) => {
  test('withstands the worst requests', { timeout }, async () => {
    expect(world.t.app.hasRoute({ method: page.method, url: page.path })).toBe(true);
    expect(await siege.run(pageRows(page))).toEqual([]);
  });
});

describe('after all of it', () => {
  test('every operation had its rows', () => {
    for (const { id, method, body } of operations) {
      expect(sent.get(id), id).toBeGreaterThan(method === 'GET' || body === undefined ? 4 : 30);
    }
  });

  test('memory is back to where it was', { timeout }, async () => {
    expect(await siege.target.held(atFirst + MORE_IN_ALL, SETTLES_WITHIN_MS)).toBeLessThan(atFirst + MORE_IN_ALL);
  });
});
