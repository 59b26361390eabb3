import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { AgentAbuse } from './support/abuse/agents.ts';
import { isPaged } from './support/abuse/lists.ts';
import { type Page, pageRows } from './support/abuse/pages.ts';
import { longRows, type Row, rowsOf, type Victim, victimOf } from './support/abuse/rows.ts';
import { Siege } from './support/abuse/siege.ts';
import { mountsOf } from './support/matrix/calls.ts';
import { HOME, World } from './support/matrix/world.ts';

/**
 * Sends the worst possible requests to every operation: bodies of the worst shapes, and addresses and headers, all as large as they
 * may be, while a caller of another organization sends `GET /v1/me`. They are generated from the declarations, so a new operation
 * gets its own. No answer may be 5xx, none may be longer than necessary, and afterwards the memory must be free again. Here, only
 * a request that holds up the server for seconds fails; `npm run bench -- abuse` measures how long the other caller waits.
 */

const MB = 1_048_576;
/** How many megabytes of text are sent in each string field. If the server kept them after refusing them, it would hold more than `MORE`. */
const TIMES = 5;
const MORE = 3 * MB;
/** How much more memory the server may use after all tests: for compiled code and prepared statements. */
const MORE_IN_ALL = 48 * MB;
/** Background work of requests that were accepted may go on for this long. */
const SETTLES_WITHIN_MS = 30_000;
/** The requests of an operation take seconds, and many more on a busy machine. */
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
  { method: 'GET', path: '/o/:org' },
  { method: 'GET', path: '/o/:org/events.json' },
  { method: 'GET', path: '/o/:org/:event' },
  { method: 'GET', path: '/o/:org/:event/register' },
  { method: 'POST', path: '/o/:org/:event/register' },
  { method: 'POST', path: '/o/:org/my' },
  { method: 'GET', path: '/o/:org/my/:token' },
];

let world: World;
let siege: Siege;
let atFirst = 0;

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
// However many of the tests ran, and in whatever order: afterwards the memory must be free again.
afterAll(async () => {
  const held = await siege?.target.heldAtLast(atFirst + MORE_IN_ALL, SETTLES_WITHIN_MS);
  await siege?.stop();
  await world?.stop();
  expect(held, 'memory in use after all tests').toBeLessThan(atFirst + MORE_IN_ALL);
});

/** A real cursor of the list. A forged one must begin with the same mark, or it is refused at once. */
async function cursorOf(victim: Victim): Promise<string | null> {
  if (!isPaged(victim.op)) return null;
  const { text } = await siege.send(victim.send({ query: 'limit=1' }));
  const cursor = (JSON.parse(text) as { page?: { next_cursor: string | null } }).page?.next_cursor;
  expect(typeof cursor, `a cursor to forge: ${text.slice(0, 200)}`).toBe('string');
  return cursor!;
}

/** Sends the rows so often that the server would hold too much if it kept them. */
async function expectNothingKept(rows: (times: number) => Row[]): Promise<void> {
  // What is compiled and prepared for these requests stays in memory, so they are sent once before it is measured.
  expect(await siege.run(rows(1))).toEqual([]);
  const before = await siege.target.held();
  expect(await siege.run(rows(TIMES))).toEqual([]);
  expect(await siege.target.heldAtLast(before + MORE, SETTLES_WITHIN_MS)).toBeLessThan(before + MORE);
}

/** An operation has one event of its own, so what is made there is made once. */
const victims = new Map<Operation, Promise<Victim>>();
function victimFor(op: Operation): Promise<Victim> {
  const made = victims.get(op) ?? victimOf(world, op);
  victims.set(op, made);
  return made;
}

// What only the registration pages call is tried through them.
const mounted = operations.filter((op) => mountsOf(op).length > 0);
describe.each(mounted.map((op) => [`${op.method} ${op.path} (${op.id})`, op] as const))('%s', (_name, op) => {
  let victim: Victim;
  beforeAll(async () => {
    victim = await victimFor(op);
  }, timeout);

  test('withstands the worst requests', { timeout }, async () => {
    const rows = rowsOf(victim, await cursorOf(victim));
    expect(rows.length).toBeGreaterThan(op.method === 'GET' || op.body === undefined ? 4 : 30);
    expect(await siege.run(rows)).toEqual([]);
  });

  if (op.body === undefined) return;
  test('keeps nothing of what was sent in memory', { timeout }, async () => {
    await expectNothingKept((times) => longRows(victim, times));
  });
});

describe.each(PAGES.map((page) => [`${page.method} ${page.path}`, page] as const))('%s', (_name, page) => {
  test('withstands the worst requests', { timeout }, async () => {
    expect(world.t.app.hasRoute({ method: page.method, url: page.path })).toBe(true);
    expect(await siege.run(pageRows(page))).toEqual([]);
  });
});

describe('POST /mcp', () => {
  let agents: AgentAbuse;
  beforeAll(async () => {
    await world.t.system((tx) => tx.run(sql`update organizations set agents = true where code = ${HOME.org}`));
    agents = new AgentAbuse(await victimFor(operations.find(({ id }) => id === 'createRegistration')!));
  }, timeout);

  test('withstands the worst messages', { timeout }, async () => {
    // What the bad messages are made from is not refused for another reason.
    for (const message of agents.validMessages()) {
      const { text } = await siege.send(message);
      expect(JSON.parse(text).result?.structuredContent?.attendees, text).toHaveLength(1);
    }
    expect(await siege.run(agents.rows())).toEqual([]);
  });

  test('keeps nothing of what was sent in memory', { timeout }, async () => {
    await expectNothingKept((times) => agents.longRows(times));
  });
});
