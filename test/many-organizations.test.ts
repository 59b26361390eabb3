import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fillBounds, keepFilters } from '../server/src/areas/events/answer-filters.ts';
import { removeFiles } from '../server/src/areas/jobs/files.ts';
import { refundDuplicates } from '../server/src/areas/registrations/duplicates.ts';
import { sumUpHeld } from '../server/src/areas/registrations/held-mails.ts';
import { acrossOrganizationsPromotable } from '../server/src/areas/registrations/jobs.ts';
import { dueEndpoints, type Place } from '../server/src/areas/webhooks/claim.ts';
import { type Id, newId } from '../server/src/common/ids.ts';
import type { JobParts } from '../server/src/road/for-areas/job.ts';
import type { Tx } from '../server/src/store/tx.ts';
import { relayStep } from '../server/src/work/relay.ts';
import { inLine } from '../server/src/work/shares.ts';
import { runSql } from './support/database.ts';
import { explain, nodesOf, recording } from './support/statements.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * What one process does for all organizations is fair among them, and a turn costs no more where thousands of them have something waiting.
 * The relay, jobs, mails and deliveries have tests of their own beside them (relay.test.ts, jobs-fair.test.ts, mail-turns.test.ts,
 * slots.test.ts); here is the rest.
 */
let t: TestTurnout;
/** In the order of their ids: whoever goes through organizations in that order comes to `lone` last. */
const FLOOD = '01990000-0000-7000-8000-000000000001' as Id;
const LONE = '01990000-0000-7000-8000-00000000ffff' as Id;
const ORGANIZATIONS = 2000;
const admin = (text: string, values: unknown[] = []) => runSql(t.database.adminUrl, text, values);

beforeAll(async () => {
  t = await startTest();
  await admin(`insert into organizations (id, code, name, plan, created_at, updated_at)
    select ('01990000-0000-7000-8000-' || lpad(to_hex(case n when ${ORGANIZATIONS} then 65535 else n end), 12, '0'))::uuid, 'org' || n, 'Org ' || n, 'scale', now(), now()
    from generate_series(1, ${ORGANIZATIONS}) n`);
  await admin(`insert into events (org_id, id, code, name, status, test, timezone, currency, ticketing, language, registration, created_at, updated_at)
    select id, id, 'fair', 'Fair', 'published', false, 'UTC', 'EUR', 'per_person', 'en', '{}', now(), now() from organizations`);
});
afterAll(() => t.stop());

const system = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => t.system(work);

describe('files of erased people', () => {
  const removed: string[] = [];
  const parts = () =>
    ({
      pool: t.pool,
      clock: t.clock,
      outside: { files: { delete: async (key: string) => removed.push(key) > 0 }, mail: {} },
    }) as unknown as JobParts;
  beforeEach(async () => {
    removed.length = 0;
    await admin('delete from files_to_remove');
    for (const [org, count] of [
      [FLOOD, 300],
      [LONE, 1],
    ] as const) {
      await admin(
        `insert into files_to_remove (org_id, id, kept_by, key)
           select $1::uuid, ('01990000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'files', $1::uuid || ' ' || n from generate_series(1, $2::int) n`,
        [org, count],
      );
    }
  });

  test('one file behind 300 of another organization is among the first', async () => {
    expect(await removeFiles(parts())).toBe(301);
    expect(removed.indexOf(`${LONE} 1`)).toBeLessThan(20);
    expect(new Set(removed).size).toBe(301);
    expect(await admin('select 1 from files_to_remove')).toEqual([]);
  });

  test('the control: in the order of the key it comes last', async () => {
    const inOrder = await admin('select key from files_to_remove order by org_id, id');
    expect(inOrder.findIndex((row) => row.key === `${LONE} 1`)).toBe(300);
  });

  test('what is not found stays noted, and is not asked for again in the same run', async () => {
    const lost = { ...parts(), clock: t.clock } as JobParts;
    Object.assign(lost.outside.files, { delete: async (key: string) => removed.push(key) < 0 });
    await admin(
      `update files_to_remove set id = ('${newId(t.clock.now()).slice(0, 23)}-' || right(id::text, 12))::uuid`,
    );
    expect(await removeFiles(lost)).toBe(0);
    expect(removed).toHaveLength(301);
  });
});

test('second payments of one organization do not keep those of another from being refunded', async () => {
  const client = new pg.Client({ connectionString: t.database.adminUrl });
  await client.connect();
  // Without registrations: the provider refuses here, and nothing of them is read.
  await client.query('set session_replication_role = replica');
  for (const [org, count] of [
    [FLOOD, 120],
    [LONE, 1],
  ] as const) {
    const at = new Date(t.clock.now().getTime() - 1000 * count);
    await client.query(
      `with paid as (
         insert into payments (org_id, id, event_id, registration_id, amount_minor, currency, method, status, test, provider, provider_reference, created_at, updated_at)
         select $1::uuid, gen_random_uuid(), $1::uuid, gen_random_uuid(), 100, 'EUR', 'card', 'received', false, 'stripe', $1::text || ' ' || n, $3::timestamptz, $3::timestamptz
         from generate_series(1, $2::int) n returning org_id, id, event_id)
       insert into duplicate_payments (org_id, payment_id, event_id, noted_at, next_attempt_at)
       select org_id, id, event_id, $3::timestamptz, $3::timestamptz from paid`,
      [org, count, at],
    );
  }
  await client.end();
  const asked: string[] = [];
  const payments = {
    name: 'stripe',
    refund: async ({ reference }: { reference: string }) => {
      asked.push(reference);
      throw new Error('not now');
    },
  };
  const log = { warn: () => {} };
  await refundDuplicates({ pool: t.pool, clock: t.clock, log, outside: { payments } } as never);
  expect(asked).toHaveLength(50);
  expect(asked).toContain(`${LONE} 1`);
  // The control: the fifty that have waited longest are all of the other one.
  const oldest = await admin('select org_id from duplicate_payments order by noted_at limit 50');
  expect(new Set(oldest.map((row) => row.org_id))).toEqual(new Set([FLOOD]));
  await admin('delete from duplicate_payments');
});

test('held mails to very many addresses of one organization do not keep those of another back', async () => {
  const at = new Date(t.clock.now().getTime() - 60_000);
  for (const [org, count] of [
    [FLOOD, 60],
    [LONE, 1],
  ] as const) {
    await admin(
      `insert into mails (org_id, id, kind, recipient, subject, text, status, next_attempt_at, created_at)
         select $1, uuidv7(), 'note', 'a' || n || '@example.org', 'Hello', 'Hello', 'held', $3, $3 from generate_series(1, $2::int) n`,
      [org, count, at],
    );
  }
  expect(await sumUpHeld(t.pool, t.clock, 20)).toBe(20);
  const queued = await admin(
    `select org_id, count(*)::int as n from mails where status = 'queued' group by 1 order by 1`,
  );
  expect(queued).toEqual([
    { org_id: FLOOD, n: 19 },
    { org_id: LONE, n: 1 },
  ]);
  await admin('delete from mails');
});

test('a filter of one organization gets its next step before those of another get their second', async () => {
  const before = { ...fillBounds };
  fillBounds.removed = 2;
  try {
    for (const [org, count] of [
      [FLOOD, 3],
      [LONE, 1],
    ] as const) {
      await admin(
        `insert into answer_filters (org_id, id, event_id, ready, ended) select $1::uuid, gen_random_uuid(), $1::uuid, true, true from generate_series(1, $2::int)`,
        [org, count],
      );
    }
    const client = new pg.Client({ connectionString: t.database.adminUrl });
    await client.connect();
    await client.query('set session_replication_role = replica');
    await client.query(`insert into attendee_answers (org_id, attendee_id, filter_id, value, name_key, updated_at)
      select f.org_id, gen_random_uuid(), f.id, 'yes', 'a', now() from answer_filters f, generate_series(1, 9)`);
    await client.end();
    const sent = await recording(() => keepFilters(t.pool, t.clock));
    const steps = sent
      .filter(({ text }) => text.includes('delete from attendee_answers'))
      .map(({ values }) => values[0]);
    expect(steps).toHaveLength(20);
    // Four steps of each, then one that finds nothing left.
    expect(steps.slice(0, 4).filter((org) => org === LONE)).toHaveLength(1);
    expect(steps.lastIndexOf(LONE)).toBeGreaterThan(steps.indexOf(FLOOD, 4));
    expect(await admin('select 1 from attendee_answers')).toEqual([]);
  } finally {
    Object.assign(fillBounds, before);
  }
});

test('of the events with a waitlist, only those in which something has room are opened every minute', async () => {
  await admin('update events set capacity = 100');
  await admin('insert into places select id, id, id, false, 100, 5 from organizations');
  expect(await system(acrossOrganizationsPromotable)).toEqual([]);
  await admin('update events set capacity = 101 where org_id = $1', [LONE]);
  await admin('update events set capacity = null where org_id = $1', [FLOOD]);
  const found = await system(acrossOrganizationsPromotable);
  expect(found.map((row) => row.org_id).sort()).toEqual([FLOOD, LONE]);
  // Something that is waited for and exists no more holds nobody back.
  await admin(`update places set scope_id = gen_random_uuid() where org_id <> $1 and org_id <> $2 and taken = 100`, [
    FLOOD,
    LONE,
  ]);
  expect(await system(acrossOrganizationsPromotable)).toHaveLength(ORGANIZATIONS);
});

describe('endpoints in the queue', () => {
  const WORKER = '02990000-0000-7000-8000-000000000001' as Id;
  beforeAll(async () => {
    await admin(`insert into webhook_endpoints (org_id, id, url, events, status, secret, secret_last4, since, created_at, updated_at)
      select id, ('03990000-0000-7000-8000-' || right(id::text, 12))::uuid, 'https://example.org/', '{*}', 'healthy', '', '0000', now(), now(), now() from organizations`);
    await admin(
      `insert into webhook_queue (org_id, endpoint_id, delivery_id, envelope_id, test_event, attempts, due_at)
         select org_id, id, gen_random_uuid(), gen_random_uuid(), false, 1, $1::timestamptz + interval '1 hour' from webhook_endpoints`,
      [t.clock.now()],
    );
    await admin(`update webhook_queue set due_at = $1 where org_id = $2`, [t.clock.now(), LONE]);
  });
  const look = (after: Place | null, raised: Id[] = [], most = 600) =>
    system((tx) => dueEndpoints(tx, WORKER, t.clock.now(), { after, ours: [], raised }, most));

  test('a survey looks at a part of them, and the next ones at the rest', async () => {
    const found: Id[] = [];
    let looks = 0;
    for (let after: Place | null = null; ; ) {
      const { due, next } = await look(after);
      looks += 1;
      found.push(...due.map((one) => one.org_id));
      after = next;
      if (next === null) break;
    }
    expect([looks, found]).toEqual([4, [LONE]]);
  });

  test('the endpoints of an organization of which something was just raised are looked at first; without that they are not', async () => {
    expect((await look(null)).due).toEqual([]);
    expect((await look(null, [LONE])).due.map((one) => one.org_id)).toEqual([LONE]);
  });

  test('so are those to which this process sends', async () => {
    const place = { org_id: LONE, endpoint_id: LONE.replace('01990000', '03990000') as Id };
    const { due } = await system((tx) =>
      dueEndpoints(tx, WORKER, t.clock.now(), { after: null, ours: [place], raised: [] }, 600),
    );
    expect(due.map((one) => one.id)).toEqual([place.endpoint_id]);
  });
});

describe('jobs', () => {
  beforeAll(() =>
    admin(
      `insert into jobs (org_id, id, kind, status, test, actor, due_at, created_at, updated_at)
         select id, uuidv7(), 'export', 'queued', false, '{}', $1, $1, $1 from organizations, generate_series(1, 3)`,
      [t.clock.now()],
    ),
  );

  test('where very many organizations wait, each comes once before one comes again', async () => {
    const seen: Id[] = [];
    let after: Id | null = null;
    for (let looks = 0; looks < ORGANIZATIONS / 200; looks += 1) {
      const { orgs, next } = await system((tx) => inLine(tx, t.clock.now(), after, 200));
      seen.push(...orgs);
      after = next;
    }
    expect(seen).toHaveLength(ORGANIZATIONS);
    expect(new Set(seen).size).toBe(ORGANIZATIONS);
  });

  test('where few wait, all of them are looked at from the beginning each time', async () => {
    const { orgs, next } = await system((tx) => inLine(tx, t.clock.now(), null, ORGANIZATIONS + 1));
    expect([orgs.length, next]).toEqual([ORGANIZATIONS, null]);
  });
});

describe('what a turn reads', () => {
  /** Nobody has counted the rows since the tables were empty: the worst moment for a plan. */
  const plansOf = async (work: () => Promise<unknown>, which: RegExp, before: string) => {
    const sent = (await recording(work)).filter(({ text }) => which.test(text));
    expect(sent.length).toBeGreaterThan(0);
    const reader = new pg.Client({ connectionString: t.database.adminUrl });
    await reader.connect();
    try {
      const nodes = [];
      for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
        for (const one of sent) {
          const plan = await explain(reader, FLOOD, one, { mode, before, analyze: true, role: 'turnout_system' });
          nodes.push(...nodesOf(plan));
        }
      }
      return nodes.map((node) => ({
        step: `${node['Node Type']} ${node['Relation Name'] ?? ''}`.trim(),
        met: ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1),
      }));
    } finally {
      await reader.end();
    }
  };
  const OFF = 'set local enable_seqscan = off; set local enable_bitmapscan = off';
  const all = (nodes: { step: string; met: number }[], table: string) => ({
    scans: nodes.filter(({ step }) => step.startsWith('Seq Scan') && step.endsWith(table)),
    met: Math.max(...nodes.filter(({ step }) => step.endsWith(` ${table}`)).map(({ met }) => met)),
  });

  test('the relay: as many rows as it takes, of 20,000 that one organization has waiting and one of each other', async () => {
    await admin('delete from outbox');
    await admin(
      `insert into outbox (org_id, id, type, livemode, data, created_at, head)
      select $1, uuidv7(), 'registration.created', true, '{}', now(), '' from generate_series(1, 20000)`,
      [FLOOD],
    );
    await admin(`insert into outbox (org_id, id, type, livemode, data, created_at, head)
      select id, uuidv7(), 'registration.created', true, '{}', now(), '' from organizations`);
    const step = relayStep(t.pool, t.clock, async () => {});
    const nodes = await plansOf(step, /from outbox/, OFF);
    expect(all(nodes, 'outbox').scans).toEqual([]);
    expect(all(nodes, 'outbox').met).toBeLessThanOrEqual(500);
    // The control: what the plan would be without the guard.
    const unguarded = await plansOf(
      step,
      /from outbox/,
      'set local enable_indexscan = off; set local enable_indexonlyscan = off',
    );
    expect(all(unguarded, 'outbox').met).toBeGreaterThan(10_000);
    await admin('delete from outbox');
  });

  test('jobs: as many as the organizations that it looks at, of 6,000 that wait', async () => {
    const nodes = await plansOf(() => system((tx) => inLine(tx, t.clock.now(), null)), /from jobs/, OFF);
    expect(all(nodes, 'jobs').scans).toEqual([]);
    expect(all(nodes, 'jobs').met).toBeLessThanOrEqual(200);
  });

  test('deliveries: as many endpoints as one survey looks at, of 2,000 in the queue', async () => {
    const survey = () =>
      system((tx) => dueEndpoints(tx, FLOOD, t.clock.now(), { after: null, ours: [], raised: [LONE] }));
    const nodes = await plansOf(
      survey,
      /from webhook_queue/,
      `${OFF}; set local enable_hashjoin = off; set local enable_mergejoin = off`,
    );
    expect(all(nodes, 'webhook_queue').scans).toEqual([]);
    expect(all(nodes, 'webhook_queue').met).toBeLessThanOrEqual(1001);
  });
});
