import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { statementLimits } from '../../store/kinds.ts';
import { type Sql, sql, unprepared } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { KEY_LENGTH, keysOf, wordsOf } from '../contacts/index.ts';

/** What a search costs grows no faster than the people it looks at, whatever their names are. */

/** NFKD makes 18 letters of it, in four words. */
const LONG = '\u{fdfa}';
const SMALL = 50;
const LARGE = 200;

const usual = { ...statementLimits };
let t: TestTurnout;
let org: Id;
let key: string;
const sent: { text: string; values: unknown[] }[] = [];

beforeAll(async () => {
  Object.assign(statementLimits, { read: 600_000, write: 600_000 }); // rows are counted here, not seconds
  t = await startTest();
  t.pool.on('acquire', record);
  org = await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const people of [SMALL, LARGE]) {
    const event = `fair-${people}`;
    await t.call('POST', '/v1/events', { key, body: { code: event, name: 'Fair' } });
    await t.call('POST', `/v1/events/${event}/days`, { key, body: { code: 'd1', date: '2036-12-01' } });
    await t.call('POST', `/v1/events/${event}/attendee-types`, { key, body: { name: 'Adult' } });
    await t.call('POST', `/v1/events/${event}/publish`, { key });
    for (let i = 0; i < 2; i += 1) {
      const attendees = Array.from({ length: people }, () => ({
        attendee_type: 'adult',
        first_name: LONG.repeat(99),
        last_name: LONG.repeat(99),
      }));
      const made = await t.call('POST', `/v1/events/${event}/registrations`, { key, body: { attendees } });
      expect(made.status).toBe(201);
    }
  }
  await t.system((tx) => tx.run(sql`analyze attendees`)).catch(() => {});
});
afterAll(async () => {
  Object.assign(statementLimits, usual);
  await t.stop();
});

const recorded = new WeakSet<pg.PoolClient>();
/** Remembers the statements of a connection. */
function record(client: pg.PoolClient): void {
  if (recorded.has(client)) return;
  recorded.add(client);
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  client.query = ((...given: unknown[]) => {
    if (typeof given[0] === 'object') sent.push(given[0] as (typeof sent)[number]);
    return query(...given);
  }) as typeof client.query;
}

interface Node {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
}
const rowsIn = (node: Node): number =>
  node['Actual Loops'] *
    (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsIn(plan), 0);

/** How many rows all steps of the search's statements handle, as PostgreSQL counts them. */
async function rowsHandled(path: string): Promise<number> {
  sent.length = 0;
  const reply = await t.call('GET', path, { key });
  expect([reply.status, reply.body.data.length]).toEqual([200, 2]);
  const statements = sent.filter(({ text }) => text.includes('attendees q'));
  expect(statements.length).toBeGreaterThan(0);
  let rows = 0;
  for (const { text, values } of statements) {
    const explained = await transaction(t.pool, t.clock, { role: 'app', org }, (tx) =>
      tx.one<{ 'QUERY PLAN': [{ Plan: Node }] }>(explain(text, values)),
    );
    rows += rowsIn(explained['QUERY PLAN'][0].Plan);
  }
  return rows;
}
const explain = (text: string, values: unknown[]): Sql => {
  const base = sql``;
  const parts = text.split(/\$\d+/);
  const order = [...text.matchAll(/\$(\d+)/g)].map(([, number]) => values[Number(number) - 1]);
  const Made = base.constructor as new (parts: readonly string[], values: readonly unknown[]) => Sql;
  return unprepared(new Made([`explain (analyze, format json) ${parts[0]}`, ...parts.slice(1)], order));
};

describe('a search among the people of one registration', () => {
  const words = encodeURIComponent(`${LONG.repeat(5)}`);
  test.each(['', '&order=name', '&order=newest'])('handles rows in proportion to them (%s)', async (order) => {
    const path = (people: number) => `/v1/events/fair-${people}/registrations?search=${words}${order}`;
    const [small, large] = [await rowsHandled(path(SMALL)), await rowsHandled(path(LARGE))];
    expect(large / small).toBeLessThan((1.5 * LARGE) / SMALL);
  });
});

test('no key is longer than its bound, and no letter is cut in two', async () => {
  const { name_key, given_key, email_key } = keysOf({
    first_name: LONG.repeat(99),
    last_name: `${'x'.repeat(KEY_LENGTH - 1)}\u{1d7d8}\u{1f600}`,
    email: LONG.repeat(99),
    phone: null,
  });
  expect([name_key.length, given_key.length, email_key!.length].every((one) => one <= 2 * KEY_LENGTH + 1)).toBe(true);
  expect(name_key.isWellFormed() && given_key.isWellFormed()).toBe(true);
  expect(wordsOf(`a${'\u{1f600}'.repeat(150)}`).every((word) => word.isWellFormed())).toBe(true);
  const stored = await t.system((tx) =>
    tx.one<{ longest: number }>(
      sql`select max(greatest(length(name_key), length(given_key))) as longest from attendees`,
    ),
  );
  expect(stored.longest).toBeLessThanOrEqual(2 * KEY_LENGTH + 1);
});

test('a name in Korean, each of whose syllables becomes three letters, is found by its last word', async () => {
  const last = `${'각'.repeat(90)} 흙값`;
  const attendees = [{ attendee_type: 'adult', first_name: '각'.repeat(99), last_name: last }];
  await t.call('POST', '/v1/events/fair-50/registrations', { key, body: { attendees } });
  const found = await t.call('GET', `/v1/events/fair-50/registrations?search=${encodeURIComponent('흙값')}`, { key });
  expect(found.body.data.map((one: { attendees: { last_name: string }[] }) => one.attendees[0]!.last_name)).toEqual([
    last,
  ]);
});
