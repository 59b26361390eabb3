import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { longestStall } from '../../../../test/support/stall.ts';
import { recording } from '../../../../test/support/statements.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { people, yearEvent } from '../../../../test/support/year-event.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { promoteWaitlists } from './jobs.ts';

// Large registrations take seconds, and many more on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const post = (path: string, body?: unknown) => t.call('POST', `/v1${path}`, { key, body });
const register = (event: string, attendees: object[], more: object = {}) =>
  post(`/events/${event}/registrations`, { attendees, send_emails: false, ...more });
const count = async (table: 'tickets' | 'attendees' | 'registrations', event: string): Promise<number> =>
  (
    await t.system((tx) =>
      tx.one<{ count: number }>(
        table === 'tickets'
          ? sql`select count(*)::int as count from tickets t join events e on e.id = t.event_id where e.code = ${event}`
          : table === 'attendees'
            ? sql`select count(*)::int as count from attendees t join events e on e.id = t.event_id where e.code = ${event}`
            : sql`select count(*)::int as count from registrations t join events e on e.id = t.event_id where e.code = ${event}`,
      ),
    )
  ).count;

/** Copies rows with other values in some columns. */
async function copyRows(table: string, which: string, values: string, copies: string, given: unknown[]) {
  const admin = (text: string, values: unknown[]) => runSql(t.database.adminUrl, text, values);
  const columns = await admin(
    `select column_name as name from information_schema.columns where table_name = $1 and is_generated = 'NEVER'`,
    [table],
  );
  const list = columns.map(({ name }) => name).join(', ');
  await admin(
    `insert into ${table} (${list}) select ${list} from (
      select (jsonb_populate_record(one, jsonb_build_object(${values}))).* from ${table} one, ${copies} where ${which}) as made`,
    given,
  );
}

describe('a registration with a ticket for each day', () => {
  test('is refused if it would make more than 5,000 tickets, and nothing is made', async () => {
    const days = await yearEvent(t, key, 'year', {});
    const reply = await register('year', people(200, days));
    expect(reply.status).toBe(400);
    expect(reply.body.error.code).toBe('validation_failed');
    expect(reply.body.error.details).toEqual([
      {
        path: 'attendees',
        message:
          'would make 73,200 tickets, and one registration has at most 5,000: register fewer people or fewer days at a time, in several registrations',
      },
    ]);
    expect(await count('registrations', 'year')).toBe(0);
    // The day beyond the bound is refused, the day before it is not.
    expect((await register('year', [...people(13, days), ...people(1, days.slice(0, 243))])).status).toBe(400);
  });

  test('names the bound beside its other faults', async () => {
    const days = await yearEvent(t, key, 'named', { days: 50 });
    const reply = await register('named', people(200, days), { unknown: 1 });
    expect(reply.status).toBe(400);
    const paths = reply.body.error.details.map((fault: { path: string }) => fault.path);
    expect(paths.sort()).toEqual(['attendees', 'unknown']);
  });

  test('of 5,000 tickets is made, and then grows no more; it may become smaller', async () => {
    const days = await yearEvent(t, key, 'full', { days: 50 });
    const made = await register('full', people(100, days));
    expect(made.status, made.text.slice(0, 300)).toBe(201);
    expect(await count('tickets', 'full')).toBe(5000);
    const at = `/events/full/registrations/${made.body.id}`;
    const added = await post(`${at}/attendees`, people(1, ['d0'])[0]);
    expect(added.status).toBe(400);
    expect(added.body.error.details).toEqual([
      { path: 'days', message: expect.stringContaining('would make 5,001 tickets') },
    ]);
    const [first] = made.body.attendees;
    const change = (body: object) => t.call('PATCH', `/v1/events/full/attendees/${first.id}`, { key, body });
    expect((await change({ days: days.slice(0, 49) })).status).toBe(200);
    expect((await change({ days })).status).toBe(200);
    expect((await t.call('GET', `/v1${at}`, { key })).body.attendees).toHaveLength(100);
  });
});

test('people times days have a bound where tickets are few', async () => {
  const days = await yearEvent(t, key, 'shared', { ticketing: 'shared' });
  const reply = await register('shared', people(55, days));
  expect(reply.status).toBe(400);
  expect(reply.body.error.details).toEqual([
    { path: 'attendees', message: expect.stringContaining('would take 20,130 places (people times days)') },
  ]);
  expect(await count('attendees', 'shared')).toBe(0);
  expect((await register('shared', people(54, days))).status).toBe(201);
});

test('approving makes at most 5,000 tickets, also if the ticketing was changed since', async () => {
  const days = await yearEvent(t, key, 'changed', { days: 100, ticketing: 'per_person', approval: true });
  const made = await register('changed', people(51, days));
  expect(made.body.status, made.text.slice(0, 300)).toBe('pending_approval');
  const changed = await t.call('PATCH', '/v1/events/changed', { key, body: { ticketing: 'per_day' } });
  expect(changed.status, changed.text).toBe(200);
  const approve = () => post(`/events/changed/registrations/${made.body.id}/approve`);
  const refused = await approve();
  expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
  expect(refused.body.error.message).toContain('5,100 tickets');
  expect(await count('tickets', 'changed')).toBe(0);
  expect((await post(`/events/changed/attendees/${made.body.attendees[0].id}/cancel`)).status).toBe(200);
  expect((await approve()).status).toBe(200);
  expect(await count('tickets', 'changed')).toBe(5000);
});

test('a registration keeps at most 20,000 tickets with its voided ones, and people can still be cancelled', async () => {
  await yearEvent(t, key, 'reissued', { days: 2 });
  const made = (await register('reissued', people(2, ['d0']))).body;
  const [one, other] = made.attendees;
  const [ticket] = one.tickets;
  await copyRows(
    'tickets',
    'one.id = $1',
    `'id', gen_random_uuid(), 'code', 'T' || n, 'status', 'voided', 'void_reason', 'reissued', 'voided_at', now()`,
    'generate_series(1, 19997) n',
    [toUuid(ticket.id)],
  );
  const reissue = async (id: string) => post(`/tickets/${id}/reissue`, {});
  expect((await reissue(ticket.id)).status, 'the last one').toBe(201);
  const refused = [
    await reissue(other.tickets[0].id),
    await post('/events/reissued/tickets', { attendee: one.id }),
    await t.call('PATCH', `/v1/events/reissued/attendees/${one.id}`, { key, body: { days: ['d1'] } }),
    await post(`/events/reissued/registrations/${made.id}/attendees`, people(1, ['d0'])[0]),
  ];
  for (const { status, body } of refused) {
    expect([status, body.error.code]).toEqual([409, 'invalid_state']);
    expect(body.error.message).toContain('has had 20,000 tickets');
  }
  expect((await post(`/events/reissued/attendees/${other.id}/cancel`)).status).toBe(200);
});

test('a waitlist gets at most 5,000 tickets in one transaction, and the rest in the next', async () => {
  const days = await yearEvent(t, key, 'waits', { days: 50 });
  const patch = (body: object) => t.call('PATCH', '/v1/events/waits', { key, body });
  expect((await patch({ capacity: 1, registration: { waitlist: true } })).status).toBe(200);
  for (let n = 0; n < 3; n += 1) {
    expect((await register('waits', people(60, days))).body.status).toBe('waitlisted');
  }
  expect((await patch({ capacity: 1000 })).status).toBe(200);
  const made = [];
  for (let n = 0; n < 3; n += 1) {
    await promoteWaitlists(t.pool, t.clock);
    made.push(await count('tickets', 'waits'));
  }
  expect(made).toEqual([3000, 6000, 9000]);
});

describe('whoever gives a place back', () => {
  const patch = (event: string, body: object) => t.call('PATCH', `/v1/events/${event}`, { key, body });
  const statusOf = async (event: string, id: string): Promise<string> =>
    (await t.call('GET', `/v1/events/${event}/registrations/${id}`, { key })).body.status;

  /** An event with room for one, who is in it. So many registrations of 200 people wait, and behind them one of one. */
  async function crowdedEvent(event: string, crowds: number): Promise<{ inside: string; last: string }> {
    const days = await yearEvent(t, key, event, { days: 1 });
    expect((await patch(event, { capacity: 1, registration: { waitlist: true } })).status).toBe(200);
    const inside = (await register(event, people(1, days))).body;
    const crowd = (await register(event, people(200, days))).body;
    const last = (await register(event, people(1, days))).body;
    expect([inside.status, crowd.status, last.status]).toEqual(['confirmed', 'waitlisted', 'waitlisted']);
    // The other crowds are copies: registering them would take a minute.
    const ids = Array.from({ length: crowds - 1 }, () => randomUUID());
    const copies = `unnest($2::uuid[]) as copy(id)`;
    await copyRows('registrations', `one.id = $1`, `'id', copy.id, 'code', copy.id`, copies, [toUuid(crowd.id), ids]);
    const newIds = `'id', gen_random_uuid(), 'registration_id', copy.id`;
    await copyRows('attendees', `one.registration_id = $1`, newIds, copies, [toUuid(crowd.id), ids]);
    return { inside: inside.id, last: last.id };
  }

  test('loads at most 5,000 people of the waitlist; the job that runs every minute looks at the others', async () => {
    const { inside, last } = await crowdedEvent('crowded', 25);
    expect((await post(`/events/crowded/registrations/${inside}/cancel`)).status).toBe(200);
    expect(await statusOf('crowded', last)).toBe('waitlisted');
    await promoteWaitlists(t.pool, t.clock);
    expect(await statusOf('crowded', last)).toBe('confirmed');
  });

  test('the control: behind fewer people, the one who fits is promoted at once', async () => {
    const { inside, last } = await crowdedEvent('emptier', 24);
    expect((await post(`/events/emptier/registrations/${inside}/cancel`)).status).toBe(200);
    expect(await statusOf('emptier', last)).toBe('confirmed');
  });

  test('together with many others does not have the waitlist loaded for each of them', async () => {
    const { inside, last } = await crowdedEvent('together', 1);
    const started = await post('/events/together/bulk', { action: 'cancel', ids: [inside] });
    expect(started.status, started.text).toBe(202);
    const statements = await recording(() => t.step.jobs());
    expect(await statusOf('together', inside)).toBe('cancelled');
    expect(statements.filter(({ text }) => text.includes('order by waitlisted_at'))).toEqual([]);
    await promoteWaitlists(t.pool, t.clock);
    expect(await statusOf('together', last)).toBe('confirmed');
  });
});

test('the largest registration lets others go first: no piece of its work is most of it', async () => {
  const days = await yearEvent(t, key, 'pieces', { days: 50 });
  const shares: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    const { user, system } = process.threadCpuUsage();
    const stall = await longestStall(() => register('pieces', people(100, days)));
    const spent = process.threadCpuUsage({ user, system });
    shares.push(stall / ((spent.user + spent.system) / 1000));
  }
  expect(Math.min(...shares)).toBeLessThan(0.4);
});
