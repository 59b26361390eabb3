import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import type * as Clocks from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { promoteWaitlists } from './index.ts';

/**
 * "Capacity is never exceeded, whatever the concurrency, and no place is lost." The guard is one statement: a transaction that changes
 * an event's attendees first advances the event clock, and holds that row until the commit (store/clocks.ts). These tests can
 * switch it off and leave everything else as it is: then two processes read the same places, and both give them away.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
    stampCounted: async (tx: Tx, org: Id, event: Id) =>
      guard.on ? real.stampCounted(tx, org, event) : { at: await unguarded(tx), counted: true },
  };
});

let processes: TestTurnout[];
let keys: string[];
beforeAll(async () => {
  const first = await startTest();
  processes = [first, await startTest({ database: first.database, clock: first.clock })];
  await first.org('acme');
  await first.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  keys = [(await first.key('acme')).secret, (await first.key('acme', { mode: 'test' })).secret];
});
afterAll(async () => {
  for (const one of [...processes].reverse()) await one.stop();
});

/** A fixed seed: only the order of arrival differs between runs. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const LIMITS: Record<string, number> = { event: 20, d1: 14, d2: 14, adult: 16, child: 8 };
let serial = 0;
async function makeEvent(waitlist: boolean): Promise<{ code: string; id: Id }> {
  const code = `race${++serial}`;
  const make = async (path: string, body?: object) => {
    const reply = await processes[0]!.call('POST', `/v1/events${path}`, { key: keys[0]!, body });
    if (reply.status >= 300) throw new Error(reply.text);
    return reply.body;
  };
  const { id } = await make('', { code, name: code, capacity: LIMITS.event, registration: { waitlist } });
  for (const day of ['d1', 'd2'])
    await make(`/${code}/days`, { code: day, date: `2030-06-0${day[1]}`, capacity: LIMITS[day] });
  for (const type of ['adult', 'child'])
    await make(`/${code}/attendee-types`, { code: type, name: type, capacity: LIMITS[type] });
  await make(`/${code}/publish`);
  return { code, id: toUuid(id) };
}

interface Counts {
  scope: string;
  test: boolean;
  taken: number;
  waiting: number;
}
const sorted = (counts: Counts[]) =>
  counts
    .filter(({ taken, waiting }) => taken > 0 || waiting > 0)
    .sort((a, b) => (`${a.test} ${a.scope}` < `${b.test} ${b.scope}` ? -1 : 1));

/** The places counted from the rows: attendees whose status holds places, by event, type and day, and registrations that wait, by scope. */
async function recount(event: Id): Promise<Counts[]> {
  return sorted(
    await processes[0]!.system((tx) =>
      tx.all<Counts>(sql`
        with held as (
          select scope_id, a.test, count(*)::int as taken from attendees a,
            lateral unnest(array[a.event_id, a.attendee_type_id] || a.day_ids) as scope_id
          where a.event_id = ${event} and a.status in ('pending_approval', 'pending_payment', 'confirmed') group by 1, 2
        ), waits as (
          select scope_id, r.test, count(*)::int as waiting from registrations r, lateral unnest(r.waiting_for) as scope_id
          where r.event_id = ${event} and r.status = 'waitlisted' group by 1, 2
        )
        select coalesce(d.code, y.code, 'event') as scope, test, coalesce(taken, 0) as taken, coalesce(waiting, 0) as waiting
        from held full join waits using (scope_id, test)
        left join days d on d.id = scope_id left join attendee_types y on y.id = scope_id`),
    ),
  );
}

async function written(event: Id): Promise<Counts[]> {
  return sorted(
    await processes[0]!.system((tx) =>
      tx.all<Counts>(sql`
        select coalesce(d.code, y.code, 'event') as scope, test, taken, waiting from places p
        left join days d on d.id = p.scope_id left join attendee_types y on y.id = p.scope_id where p.event_id = ${event}`),
    ),
  );
}

const over = (counts: Counts[]) =>
  counts.filter(({ scope, taken }) => taken > LIMITS[scope]!).map(({ scope, taken }) => `${scope}: ${taken}`);

/** Twelve clients at once, half of them on each process: they register, add, move and cancel attendees, and cancel registrations. */
async function race(
  event: { code: string; id: Id },
  rounds: number,
): Promise<{ oversold: string[]; answers: string[] }> {
  const answers = new Set<string>();
  const oversold = new Set<string>();
  const open: { id: string; test: number; people: string[] }[] = [];
  const note = (reply: Reply) => {
    answers.add(`${reply.status} ${reply.body?.error?.code ?? reply.body?.status ?? ''}`.trim());
    return reply;
  };

  const worker = async (number: number) => {
    const turnout = processes[number % 2]!;
    const roll = dice(number + 1);
    const act = async (path: string, test: number, body?: object) =>
      note(await turnout.call('POST', `/v1/events/${event.code}${path}`, { key: keys[test]!, body }));
    const person = () => ({
      attendee_type: ['adult', 'adult', 'child'][roll(3)],
      first_name: 'Ada',
      last_name: `Racer${number}`,
      days: [['d1'], ['d2'], ['d1', 'd2']][roll(3)],
    });
    for (let round = 0; round < rounds; round += 1) {
      const one = open[roll(Math.max(1, open.length))];
      const what = one === undefined ? 0 : roll(12);
      if (what < 5) {
        const test = roll(5) === 4 ? 1 : 0;
        const attendees = Array.from({ length: 1 + roll(3) }, person);
        const { status, body } = await act('/registrations', test, { attendees });
        if (status === 201)
          open.push({ id: body.id, test, people: body.attendees.map((each: { id: string }) => each.id) });
      } else if (what < 7) {
        const { status, body } = await act(`/registrations/${one!.id}/attendees`, one!.test, person());
        if (status === 201) one!.people.push(body.id);
      } else if (what < 9) await act(`/attendees/${one!.people[roll(one!.people.length)]}/cancel`, one!.test);
      else if (what < 11) {
        const { attendee_type, days } = person();
        const path = `/v1/events/${event.code}/attendees/${one!.people[roll(one!.people.length)]}`;
        note(await turnout.call('PATCH', path, { key: keys[one!.test]!, body: { attendee_type, days } }));
      } else await act(`/registrations/${one!.id}/cancel`, one!.test, {});
    }
  };

  // Meanwhile somebody lists the attendees, and the job that runs every minute goes through the waitlist.
  let racing = true;
  const watcher = async () => {
    for (let look = 0; racing; look += 1) {
      for (const line of over(await recount(event.id))) oversold.add(line);
      const { pool, clock } = processes[look % 2]!;
      if (look % 5 === 0) await promoteWaitlists(pool, clock);
      await pause(5);
    }
  };
  const watching = watcher();
  await Promise.all(Array.from({ length: 12 }, (_, number) => worker(number)));
  racing = false;
  await watching;
  for (const line of over(await recount(event.id))) oversold.add(line);
  return { oversold: [...oversold], answers: [...answers].sort() };
}

describe('two processes, one event', () => {
  test('never more attendees than places, and the stored count agrees with the rows', async () => {
    const event = await makeEvent(false);
    const { oversold, answers } = await race(event, 25);
    expect(oversold).toEqual([]);
    // The control: every limit refused somebody.
    for (const met of ['201 confirmed', '409 event_full', '409 type_full', '409 day_full', '200 cancelled']) {
      expect(answers).toContain(met);
    }
    expect(answers.filter((answer) => answer.startsWith('5'))).toEqual([]);
    expect(await written(event.id)).toEqual(await recount(event.id));
  });

  test('with a waitlist no place is lost, and nobody waits for one that is free', async () => {
    const event = await makeEvent(true);
    const { oversold, answers } = await race(event, 25);
    expect(oversold).toEqual([]);
    expect(answers).toEqual(expect.arrayContaining(['201 confirmed', '201 waitlisted']));
    expect(answers.filter((answer) => answer.startsWith('5'))).toEqual([]);
    expect(await written(event.id)).toEqual(await recount(event.id));

    // The jobs of both processes go through the list at once. Whoever still waits after that does not fit.
    await Promise.all(processes.map((one) => promoteWaitlists(one.pool, one.clock)));
    expect(await promoteWaitlists(processes[0]!.pool, processes[0]!.clock)).toBe(0);
    const counts = await recount(event.id);
    expect(await written(event.id)).toEqual(counts);
    expect(over(counts)).toEqual([]);
    const first = await processes[0]!.call(
      'GET',
      `/v1/events/${event.code}/registrations?status=waitlisted&limit=200`,
      {
        key: keys[0]!,
      },
    );
    for (const { id, attendees } of first.body.data) {
      const refused = await processes[0]!.call('POST', `/v1/events/${event.code}/registrations/${id}/promote`, {
        key: keys[0]!,
      });
      expect([refused.status, attendees.length > 0]).toEqual([409, true]);
    }
  });

  test('of 60 at once for the 14 places of a day exactly 14 get one', async () => {
    const event = await makeEvent(false);
    const replies = await rush(event.code);
    expect(replies.filter((status) => status === 201)).toHaveLength(LIMITS.d1!);
    expect(replies.filter((status) => status === 409)).toHaveLength(60 - LIMITS.d1!);
    expect(await written(event.id)).toEqual(await recount(event.id));
  });
});

describe('the control: with the guard off', () => {
  beforeAll(() => {
    guard.on = false;
  });
  afterAll(() => {
    guard.on = true;
  });

  test('the same race oversells', async () => {
    const { oversold } = await race(await makeEvent(false), 25);
    expect(oversold).not.toEqual([]);
  });

  test('the same rush oversells, and the recount finds that the stored count is wrong', async () => {
    const event = await makeEvent(false);
    const replies = await rush(event.code);
    expect(replies.filter((status) => status === 201).length).toBeGreaterThan(LIMITS.d1!);
    const counts = await recount(event.id);
    expect(over(counts)).not.toEqual([]);
    expect(await written(event.id)).not.toEqual(counts);
  });
});

/** 60 registrations of one attendee each for the day d1, all at once. */
async function rush(code: string): Promise<number[]> {
  const replies = await Promise.all(
    Array.from({ length: 60 }, (_, i) =>
      processes[i % 2]!.call('POST', `/v1/events/${code}/registrations`, {
        key: keys[0]!,
        body: { attendees: [{ attendee_type: 'adult', first_name: 'Ada', last_name: `Rush${i}`, days: ['d1'] }] },
      }),
    ),
  );
  return replies.map((reply) => reply.status);
}
