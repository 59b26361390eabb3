import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import type * as Clocks from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { book, handOutAs } from './hand-outs.support.ts';

/**
 * Two devices that give the last unit away at the same instant: exactly one may. What guarantees it is one line: handing out holds the
 * event's clock until it commits. Here that line can be switched off, with everything else unchanged.
 */
const guard = vi.hoisted(() => ({ on: true }));
vi.mock('../../store/clocks.ts', async (importOriginal) => {
  const real = await importOriginal<typeof Clocks>();
  const unguarded = async (tx: Tx): Promise<string> =>
    (await tx.one<{ at: string }>(sql`select clock_timestamp() as at`)).at;
  return {
    ...real,
    stampEvent: (tx: Tx, org: Id, event: Id) => (guard.on ? real.stampEvent(tx, org, event) : unguarded(tx)),
  };
});

const DEVICES = 12;
const PEOPLE = 25;

let processes: TestTurnout[];
let key: string;
let people: string[];
beforeAll(async () => {
  const first = await startTest({ clock: noonClock() });
  processes = [first, await startTest({ database: first.database, clock: first.clock })];
  await first.org('acme');
  await first.plan('acme', 'scale', [['api_rate_per_min', '10000000']]);
  key = (await first.key('acme', { rpm: 10_000_000 })).secret;
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  await post('/events/fair/days', { code: 'today', date: first.clock.now().toISOString().slice(0, 10) });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/products', { code: 'lunch', name: 'Lunch', max: 5 });
  await post('/events/fair/publish');
}, 60_000);
afterAll(async () => {
  for (const one of [...processes].reverse()) await one.stop();
});

async function post(path: string, body: unknown = {}) {
  const reply = await processes[0]!.call('POST', `/v1${path}`, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

/** People who have two lunches each, of which one was handed out before. */
async function guests(): Promise<string[]> {
  const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Racer' };
  const { attendees } = await post('/events/fair/registrations', {
    attendees: Array.from({ length: PEOPLE }, () => person),
    send_emails: false,
  });
  const ids = attendees.map((one: { id: string }) => one.id) as string[];
  for (const attendee of ids)
    await book(processes[0]!, key, { attendee }, [{ product: 'lunch', quantity: 2, handed_out: 1 }]);
  return ids;
}

/** All devices hand out the last lunch of one person after the other; how many may, for each person. */
async function rush(over: readonly TestTurnout[]): Promise<number[]> {
  people = await guests();
  const given: number[] = [];
  for (const attendee of people) {
    const replies = await Promise.all(
      Array.from({ length: DEVICES }, (_, i) =>
        handOutAs(over[i % over.length]!, key, { attendee, client_uuid: randomUUID() }),
      ),
    );
    const kinds = new Set(replies.map(({ status, body }) => (status === 201 ? 201 : body.error.code)));
    expect([...kinds].every((kind) => kind === 201 || kind === 'nothing_to_hand_out')).toBe(true);
    given.push(replies.filter(({ status }) => status === 201).length);
  }
  return given;
}
const rows = () =>
  processes[0]!.system((tx) => tx.one<{ n: number }>(sql`select count(*)::int as n from hand_outs where not surplus`));

describe(`the last unit of ${PEOPLE} people, handed out by ${DEVICES} devices at once`, () => {
  test.each([
    ['one process', 1],
    ['two processes', 2],
  ])(
    '%s: exactly one may',
    async (_name, count) => {
      const before = (await rows()).n;
      expect(await rush(processes.slice(0, count))).toEqual(Array(PEOPLE).fill(1));
      expect((await rows()).n - before).toBe(PEOPLE);
    },
    60_000,
  );

  test('the control: without the event’s clock, units are given away twice', async () => {
    guard.on = false;
    const given = await rush(processes).finally(() => {
      guard.on = true;
    });
    expect(given.some((count) => count > 1)).toBe(true);
  }, 60_000);
});

test('one tap that is sent by two processes at once is one hand-out, with one answer', async () => {
  for (const attendee of await guests()) {
    const client_uuid = randomUUID();
    const replies = await Promise.all(processes.map((one) => handOutAs(one, key, { attendee, client_uuid })));
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
  }
}, 60_000);
