import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Removed } from '@turnout/contract';
import { pino } from 'pino';
import { request } from 'undici';
import {
  acrossOrganizationsFind,
  addMember,
  createKey,
  createOrganization,
  setPlan,
} from '../../server/src/areas/access/index.ts';
import { openSession } from '../../server/src/areas/accounts/index.ts';
import { MovedClock } from '../../server/src/clock.ts';
import type { Id } from '../../server/src/common/ids.ts';
import { readConfig } from '../../server/src/config.ts';
import { Outbound } from '../../server/src/outside/https.ts';
import type { Operation } from '../../server/src/road/operation.ts';
import { bodyCheck, type Check } from '../../server/src/road/request/validate.ts';
import { type StartOptions, startTurnout, type Turnout } from '../../server/src/start/app.ts';
import { jobTransaction, type Tx } from '../../server/src/store/tx.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';

export interface CallOptions {
  key?: string | null;
  body?: unknown;
  headers?: Record<string, string>;
  /** For a POST: a new one if left out, none if null. */
  idempotencyKey?: string | null;
  /** On `/app/api`: the organization in the address. If left out, the one that the session was made for. */
  org?: string;
}
export interface Reply {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  body: any;
  text: string;
}

export interface TestTurnout extends Turnout {
  clock: MovedClock;
  database: TestDatabase;
  dataDir: string;
  /** One call over real HTTP; `path` starts with its mount (`/v1/…`). */
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  org(code: string, plan?: string): Promise<Id>;
  key(org: string, options?: Partial<Parameters<typeof createKey>[2]>): Promise<{ id: string; secret: string }>;
  session(org: string, role: string): Promise<string>;
  plan(org: string, plan?: string, limits?: [string, string][]): Promise<void>;
  system<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

const checks = new Map<Operation, Check>();
const checkRemoved = bodyCheck(Removed);
/** The rows of a list for what is not in it any more (`include=removed`). They have a shape of their own. */
const removedIn = (body: unknown): unknown[] => {
  const { data } = (body ?? {}) as { data?: unknown };
  return Array.isArray(data) ? data.filter((row) => row?.removed === true) : [];
};
const withoutRemoved = (body: unknown): unknown => {
  const removed = removedIn(body);
  if (removed.length === 0) return body;
  const list = body as { data: unknown[] };
  return { ...list, data: list.data.filter((row) => !removed.includes(row)) };
};
/** Every reply of every test is checked against its published schema, so that the two cannot differ. */
function checkReply(operation: Operation, body: unknown): void {
  if (operation.reply === null) return;
  let check = checks.get(operation);
  if (check === undefined) {
    check = bodyCheck(operation.reply);
    checks.set(operation, check);
  }
  const faults = [...check(withoutRemoved(body)), ...removedIn(body).flatMap((row) => checkRemoved(row))];
  if (faults.length > 0)
    throw new Error(`An answer of ${operation.id} does not match its schema: ${JSON.stringify(faults)}`);
}

let serial = 0;

/** The organization that `session` made each token for. */
const organizationOf = new Map<string, string>();
/**
 * Operations of members stand below their organization (`/app/api/{org}/…`). Tests leave it out: it is the one that the session in
 * the cookie was made for.
 */
export function inOrganization(path: string, cookie: string | undefined, org?: string): string {
  const token = /turnout_session=([\w-]+)/.exec(cookie ?? '')?.[1] ?? '';
  return path.replace(/^\/app\/api\/(?!-\/)/, `/app/api/${org ?? organizationOf.get(token) ?? 'nobody'}/`);
}

export async function startTest(
  options: StartOptions & { env?: Record<string, string>; database?: TestDatabase } = {},
): Promise<TestTurnout> {
  const database = options.database ?? (await cloneDatabase());
  const dataDir = mkdtempSync(join(tmpdir(), 'turnout-data-'));
  const clock = (options.clock as MovedClock | undefined) ?? new MovedClock();
  const config = readConfig({
    PORT: '0',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    FILES_URL: database.files,
    SANDBOX: 'off',
    ROLES: 'api',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    // Enough for tests that hold many transactions of one kind open at once (server/src/store/places.ts).
    DATABASE_POOL: '40',
    // Nothing listens there, so that no test asks another machine for a name.
    DNS_SERVERS: '127.0.0.1:9',
    ...options.env,
  });
  const turnout = await startTurnout(config, {
    log: pino({ level: process.env.TEST_LOG ?? 'silent' }),
    checkReply,
    // No name is resolved, so that no test reaches another machine.
    webhooks: new Outbound({ resolve: async () => [] }),
    ...options,
    clock,
  });
  const system = <T>(work: (tx: Tx) => Promise<T>) => jobTransaction(turnout.pool, clock, { role: 'system' }, work);
  return {
    ...turnout,
    clock,
    database,
    dataDir,
    system,
    call: (method, path, given = {}) => call(turnout.url, method, path, given),
    org: (code, plan = 'scale') =>
      system(
        async (tx) =>
          (await createOrganization(tx, { code, name: `${code} events`, plan, timezone: 'Europe/Berlin' })).id,
      ),
    key: (org, wanted = {}) =>
      system(async (tx) =>
        createKey(tx, (await acrossOrganizationsFind(tx, org)).id, {
          name: `key ${++serial}`,
          mode: 'live',
          scopes: ['read', 'write', 'admin', 'scanner'],
          rpm: 100_000,
          ...wanted,
        }),
      ),
    session: (org, role) =>
      system(async (tx) => {
        const { id } = await acrossOrganizationsFind(tx, org);
        const member = await addMember(tx, id, { email: `m${++serial}@example.org`, role });
        const token = await openSession(tx, { account: member.account, method: 'password', secondFactor: false });
        organizationOf.set(token, org);
        return token;
      }),
    plan: (org, plan, limits = []) =>
      system(async (tx) => {
        await setPlan(tx, await acrossOrganizationsFind(tx, org), plan, limits);
      }),
    stop: async () => {
      await turnout.stop();
      rmSync(dataDir, { recursive: true, force: true });
      if (options.database === undefined) await database.drop();
    },
  };
}

export async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const headers: Record<string, string> = { ...options.headers };
  if (options.key != null) headers.authorization = `Bearer ${options.key}`;
  if (method === 'POST' && options.idempotencyKey !== null) {
    headers['idempotency-key'] = options.idempotencyKey ?? `k${Date.now()}-${++serial}-${Math.random()}`;
  }
  if (options.body !== undefined && headers['content-type'] === undefined) headers['content-type'] = 'application/json';
  // As a browser says it of a page of ours.
  if (path.startsWith('/app/api/')) headers['sec-fetch-site'] ??= 'same-origin';
  const {
    status,
    headers: given,
    text,
  } = await send(new URL(url + inOrganization(path, headers.cookie, options.org)), {
    method: method as 'GET',
    headers,
    body: options.body === undefined || typeof options.body === 'string' ? options.body : JSON.stringify(options.body),
  });
  let body: unknown = null;
  try {
    body = JSON.parse(text);
  } catch {
    // not JSON; the test reads `text`
  }
  return { status, headers: given, body, text };
}

/** What `fetch` says of itself. */
const AS_FETCH = { accept: '*/*', 'accept-language': '*', 'sec-fetch-mode': 'cors', 'user-agent': 'node' };
const MOVED = [301, 302, 303, 307, 308];

/** Does what `fetch` does, which took a quarter more of the processor for each call; the tests make tens of thousands (measured). */
async function send(
  url: URL,
  wanted: { method: 'GET'; headers: Record<string, string>; body: string | undefined },
): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = await request(url, {
    method: wanted.method,
    headers: { ...AS_FETCH, ...Object.fromEntries(new Headers(wanted.headers)) },
    body: wanted.body ?? null,
  });
  const text = await answer.body.text();
  const headers = new Headers();
  for (const [name, values] of Object.entries(answer.headers)) {
    for (const value of [values ?? []].flat()) headers.append(name, value);
  }
  const elsewhere = headers.get('location');
  if (wanted.method === 'GET' && elsewhere !== null && MOVED.includes(answer.statusCode))
    return send(new URL(elsewhere, url), wanted);
  return { status: answer.statusCode, headers, text };
}
