import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountOperations, operations } from '../server/src/areas/index.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { Abuser } from './support/abuse/abuser.ts';
import { accountVictim } from './support/abuse/accounts.ts';
import { AgentAbuse } from './support/abuse/agents.ts';
import { make, openEvent, type Registered, registrationBody } from './support/abuse/attacks/attack.ts';
import { groundIn } from './support/abuse/attacks/test-ground.ts';
import { isPaged } from './support/abuse/lists.ts';
import { otherParts } from './support/abuse/others.ts';
import { type Page, pageRows } from './support/abuse/pages.ts';
import { addressesOf } from './support/abuse/routes.ts';
import { longRows, type Row, rowsOf, type Victim, victimOf } from './support/abuse/rows.ts';
import { Siege } from './support/abuse/siege.ts';
import { mountsOf } from './support/matrix/calls.ts';
import { HOME, World } from './support/matrix/world.ts';

/**
 * Sends the worst possible requests to every operation: bodies of the worst shapes, and addresses and headers, all as large as they
 * may be, while people of another organization send `GET /v1/me`, scans and `/readyz`. They are generated from the declarations and from
 * the routes, so a new operation or page gets its own. No answer may be 5xx, none may be longer than necessary, and afterwards the
 * memory must be free again. Here, only a request that holds up the server or PostgreSQL for seconds fails; `npm run bench -- abuse`
 * measures how long the others wait. What costs much only after it was stored is tried in abuse-products.test.ts.
 */

const MB = 1_048_576;
/** How many megabytes of text are sent in each string field. If the server kept them after refusing them, it would hold more than `MORE`. */
const TIMES = 5;
const MORE = 3 * MB;
/** How often they are sent before they count as kept. */
const ROUNDS = 3;
/** How much more memory the server may use after all tests: for compiled code and prepared statements. */
const MORE_IN_ALL = 48 * MB;
/** Background work of requests that were accepted may go on for this long. */
const SETTLES_WITHIN_MS = 30_000;
/** The requests of an operation take seconds, and many more on a busy machine. */
const timeout = 600_000;

/** Addresses that are not tried as pages, with the reason. */
const NO_PAGES: Record<string, string> = {
  '/mcp': 'It takes messages of its own, which are tried below.',
  '/app/api/:org/events/:event/live': 'It is a stream that does not end.',
};

/** With it, there is an address to which a provider reports payments. */
const STRIPE = { STRIPE_SECRET_KEY: 'sk_test_abuse', STRIPE_WEBHOOK_SECRET: 'whsec_abuse' };

let world: World;
let siege: Siege;
let atFirst = 0;

beforeAll(async () => {
  world = await World.small([], STRIPE);
  const env = {
    PORT: '0',
    DATA_DIR: world.t.dataDir,
    DATABASE_URL: world.t.database.url,
    FILES_URL: world.t.database.files,
    DATABASE_POOL: '12',
    SANDBOX: 'off',
    ROLES: 'api,worker',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    // Each stranger has an address of their own.
    TRUSTED_PROXIES: '127.0.0.1',
    ...STRIPE,
  };
  const abuser = new Abuser(world.t.url, timeout);
  const others = await otherParts(await groundIn(world.t, 'other', (outgoing) => abuser.send(outgoing)));
  await abuser.close();
  siege = await Siege.start(env, world.t.database.adminUrl, others);
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

/**
 * Sends the rows so often that the server would hold too much if it kept them. Something else may begin to take memory meanwhile, and keep
 * it: what is compiled for the others, or one more connection with its statements. But that happens once, while bodies that are kept add
 * as much whenever as many are sent. So if there was more, new ones are sent, and the server keeps them only if each round added as much.
 */
async function expectNothingKept(rows: (times: number, from: number) => Row[]): Promise<void> {
  // What is compiled and prepared for these requests stays in memory, so they are sent once before it is measured.
  expect(await siege.run(rows(1, 0))).toEqual([]);
  const grown: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await siege.target.held();
    expect(await siege.run(rows(TIMES, 1 + round * TIMES))).toEqual([]);
    grown.push((await siege.target.heldAtLast(before + MORE, SETTLES_WITHIN_MS)) - before);
    if (grown.at(-1)! < MORE) return;
  }
  const megabytes = grown.map((bytes) => (bytes / MB).toFixed(1));
  expect.fail(`each time that ${TIMES} texts were sent in each field, it held more: ${megabytes.join(', ')} MB`);
}

/** Every address that is neither an operation nor in NO_PAGES, with each method that it takes. */
function pagesOf(app: FastifyInstance): Page[] {
  const offered = new Set([
    ...operations.flatMap((op) => mountsOf(op).map((mount) => mount.prefix + op.path)),
    ...accountOperations.map((op) => `/app/api/-${op.path}`),
  ]);
  const isPage = (path: string): boolean =>
    !offered.has(path.replace('/app/api/:org/', '/app/api/').replaceAll(/:(\w+)/g, '{$1}')) && !(path in NO_PAGES);
  return addressesOf(app)
    .filter(({ path }) => isPage(path))
    .flatMap(({ path, methods }) =>
      (['GET', 'POST'] as const).filter((method) => methods.includes(method)).map((method) => ({ method, path })),
    );
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
    await expectNothingKept((times, from) => longRows(victim, times, from));
  });
});

describe.each(accountOperations.map((op) => [`${op.method} ${op.path} (${op.id})`, op] as const))('%s', (_name, op) => {
  test('withstands the worst requests', { timeout }, async () => {
    expect(await siege.run(rowsOf(await accountVictim(world, op), null))).toEqual([]);
  });
});

describe('the pages', () => {
  /** What stands in the variable parts of their paths: an event that can be registered for, and a registration. */
  let values: Record<string, string>;
  let pages: Page[];
  beforeAll(async () => {
    const ground = await groundIn(world.t, HOME.org, siege.send);
    const event = await openEvent(ground);
    const path = `/events/${event}/registrations`;
    const registration = await make<Registered>(ground, 'POST', path, registrationBody([{}]));
    const token = (await ground.linkTo(registration)).split('/').at(-1)!;
    values = { org: HOME.org, event, token, attendee: registration.attendees[0]!.id };
    pages = pagesOf(world.t.app);
  }, timeout);

  test('are all addresses that are no operation', () => {
    expect(pages).toEqual(
      expect.arrayContaining([
        { method: 'POST', path: '/o/:org/my' },
        { method: 'POST', path: '/o/:org/:event/register' },
        { method: 'POST', path: '/links/unsubscribe/:token' },
        { method: 'POST', path: '/provider/stripe/webhook' },
        { method: 'POST', path: '/api/v1/devices/pair' },
      ]),
    );
    expect(pages.length).toBeGreaterThan(50);
  });

  test('withstand the worst forms and bodies', { timeout }, async () => {
    for (const page of pages.filter(({ method }) => method === 'POST')) {
      // The body may be read before or after somebody looks whether there is such an organization.
      if (!page.path.includes(':token')) expect(await tried(page, {})).toEqual([]);
      expect(await tried(page, values)).toEqual([]);
    }
  });

  test('withstand the worst addresses and headers', { timeout }, async () => {
    for (const page of pages.filter(({ method }) => method === 'GET')) expect(await tried(page, values)).toEqual([]);
  });

  const tried = async (page: Page, filled: Record<string, string>): Promise<string[]> =>
    (await siege.run(pageRows(page, filled))).map((trouble) => `${page.method} ${page.path}: ${trouble}`);
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
    await expectNothingKept((times, from) => agents.longRows(times, from));
  });
});
