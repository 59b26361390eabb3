import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  explain,
  nodesOf,
  type PlanNode,
  READS,
  recording,
  type Statement,
} from '../../../../test/support/statements.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { SESSION_COOKIE } from '../../road/router.ts';
import { Reader } from '../live/live.support.ts';

/*
 * Every statement of a report and of a live page reads the rows of its own event by an index, in an organization whose other events
 * have thirty times as many. Planned for the values of the call, and as the generic plan that PostgreSQL may choose later.
 */

const BIG = ['attendees', 'registrations', 'payments', 'checkins'];
const EACH = 1000;
const OTHERS = 30;

let t: TestTurnout;
let org: Id;
let key: string;
let limited: string;
let reader: pg.Client;

beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  key = (await t.key('acme')).secret;
  const make = async (path: string, body: object) => {
    const reply = await t.call('POST', `/v1${path}`, { key, body });
    expect(reply.status, reply.text).toBeLessThan(300);
    return toUuid(reply.body.id);
  };
  const group = await make('/groups', { code: 'north', name: 'North' });
  limited = (await t.key('acme', { group: 'north' })).secret;
  const event = await make('/events', { code: 'big', name: 'Big' });
  const day = await make('/events/big/days', { code: 'd1', date: '2026-06-01' });
  const type = await make('/events/big/attendee-types', { code: 'adult', name: 'Adult' });
  const product = await make('/events/big/products', { code: 'tea', name: 'Tea' });
  const point = await make('/events/big/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/big/check-in-points', { code: 'hall', name: 'Hall', kind: 'zone' });
  await make('/events/big/check-in-points', { code: 'out', name: 'Out', kind: 'exit' });
  const admin = new pg.Client({ connectionString: t.database.adminUrl });
  await admin.connect();
  // Without checks of foreign keys: the other events exist only in their rows.
  await admin.query('set session_replication_role = replica');
  const at = `timestamptz '2026-05-01T08:00:00Z' + n * interval '3 minutes'`;
  const ids = `select e.event, n, gen_random_uuid() as r, gen_random_uuid() as a, ${at} as at
    from (select '${event}'::uuid as event union all select gen_random_uuid() from generate_series(1, ${OTHERS})) e, generate_series(1, ${EACH}) n`;
  await admin.query(`create temp table made as ${ids}`);
  const line = {
    product_id: product,
    option_id: null,
    quantity: 2,
    price_minor: 100,
    discount_minor: 0,
    handed_out: 0,
  };
  const booked = JSON.stringify([line]);
  const insert = (text: string, values: unknown[]) => admin.query(text, values);
  await insert(
    `insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails, confirmed_at, created_at, updated_at,
       products, discount_id, discount_code)
     select $1, r, event, n::text, 'confirmed', 'api', false, 'EUR', 1000, n % 3 * 500, false, at, at, at,
       case when n % 10 = 0 then $2::jsonb else '[]' end, case when n % 4 = 0 then event end, case when n % 4 = 0 then 'FRIENDS' end from made`,
    [org, booked],
  );
  await insert(
    `insert into attendees (org_id, id, event_id, registration_id, position, attendee_type_id, group_id, day_ids, first_name, last_name, answers,
       price_minor, status, test, name_key, given_key, created_at, updated_at, products, discount_id)
     select $1, a, event, r, 0, $2, case when n % 5 = 0 then $3::uuid end, array[$4::uuid], 'Pat', 'No' || n, '{}', 1000, 'confirmed', false,
       'no' || n, 'pat', at, at, case when n % 3 = 0 then $5::jsonb else '[]' end, case when n % 4 = 0 then event end from made`,
    [org, type, group, day, booked],
  );
  await insert(
    `insert into payments (org_id, id, event_id, registration_id, amount_minor, currency, method, status, test, created_at, updated_at)
     select $1, gen_random_uuid(), event, r, 500, 'EUR', 'cash', 'received', false, at, at from made`,
    [org],
  );
  await insert(
    `insert into checkins (org_id, id, event_id, attendee_id, ticket_id, check_in_point_id, kind, day_id, result, admitted, reason, scanned_at,
       recorded_at, test, skewed, actor_kind, actor_name)
     select $1, gen_random_uuid(), event, a, gen_random_uuid(), case when event = $4 then $2::uuid else event end, 'entry', $3,
       case when n % 10 = 0 then 'duplicate' else 'accepted' end, n % 10 <> 0, case when n % 10 = 0 then 'already_used' end, at, at, false,
       false, 'key', 'gate' from made`,
    [org, point, day, event],
  );
  await admin.query(`update event_clocks set at = timestamptz '2026-05-20T00:00:00Z'`);
  await admin.query('analyze');
  await admin.end();
  reader = new pg.Client({ connectionString: t.database.url });
  await reader.connect();
});
afterAll(async () => {
  await reader?.end();
  await t.stop();
});

/** How many rows a step met. Reading by the organization's part of an index meets those of all events, without a sequential scan. */
const metBy = (node: PlanNode): number =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)) *
  (node['Actual Loops'] ?? 1);
const MAX_ROWS_READ = 3 * EACH;

/** The statements over the large tables that met more rows than their own event has. */
async function scansOf(statements: readonly Statement[]): Promise<string[]> {
  const reads = statements.filter(({ text }) => READS.test(text) && BIG.some((table) => text.includes(`${table} `)));
  expect(reads.length).toBeGreaterThan(0);
  const found: string[] = [];
  for (const mode of ['force_custom_plan', 'force_generic_plan'] as const) {
    for (const statement of reads) {
      const nodes = nodesOf(await explain(reader, org, statement, { mode, analyze: true }));
      for (const node of nodes) {
        const isScan = BIG.includes(node['Relation Name'] ?? '') || node['Node Type'] === 'Bitmap Index Scan';
        if (isScan && metBy(node) > MAX_ROWS_READ) found.push(`${mode}: ${metBy(node)} rows in ${statement.text}`);
      }
    }
  }
  return found;
}

describe.each(['registrations', 'registrations?by=hour', 'attendance', 'refusals', 'money', 'sales'])(
  'the report %s',
  (what) => {
    test('reads its own event by an index, for everybody and for a key limited to a group', async () => {
      for (const as of [() => key, () => limited]) {
        const sent = await recording(async () => {
          const reply = await t.call('GET', `/v1/events/big/reports/${what}`, { key: as() });
          expect(reply.status, reply.text).toBe(200);
        });
        expect(await scansOf(sent)).toEqual([]);
      }
    });
  },
);

test('the control: a statement that reads the rows of all events is found', async () => {
  const text = 'select count(*) from checkins k where k.reason is null';
  expect(await scansOf([{ text, values: [] }])).toHaveLength(2);
});

test('a live page reads its own event by an index, at first and after a change', async () => {
  const session = await t.session('acme', 'owner');
  const sent = await recording(async () => {
    const live = new Reader(`${t.url}/app/api/acme/events/big/live`, `${SESSION_COOKIE}=${session}`);
    await live.whenShown((shown) => shown.check_in_points[0]!.admissions === EACH * 0.9);
    // Another check-in of somebody who was refused, recorded later than all others.
    const admin = new pg.Client({ connectionString: t.database.adminUrl });
    await admin.connect();
    await admin.query(`with late as (update event_clocks set at = at + interval '1 second' returning at)
      insert into checkins (org_id, id, event_id, attendee_id, ticket_id, check_in_point_id, kind, day_id, result, admitted, scanned_at, recorded_at,
        test, skewed, actor_kind, actor_name)
      select c.org_id, gen_random_uuid(), c.event_id, c.attendee_id, c.ticket_id, c.check_in_point_id, 'entry', c.day_id, 'accepted', true, late.at,
        late.at, false, false, 'key', 'gate' from checkins c join events e on e.id = c.event_id, late where not c.admitted limit 1`);
    await admin.end();
    await live.whenShown((shown) => shown.check_in_points[0]!.admissions === EACH * 0.9 + 1);
    live.close();
    await live.whenEnded();
  });
  expect(sent.some(({ text }) => /k\.recorded_at > \$/.test(text))).toBe(true);
  expect(await scansOf(sent)).toEqual([]);
});
