import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { stampEvent } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { type Importing, openImporting } from './import.support.ts';
import { isWaitedFor } from './import-queries.ts';

let x: Importing;
/** A second server on the same database. */
let other: TestTurnout;
beforeAll(async () => {
  x = await openImporting();
  other = await startTest({ database: x.t.database });
});
afterAll(async () => {
  await other.stop();
  await x.t.stop();
});

// That the guard is needed is shown in registrations/places.race.test.ts: without the event's clock the same book oversells.
test('two imports on two servers and registrations at the same time never exceed a capacity, and fill it', async () => {
  const event = await x.event();
  await x.t.call('PATCH', `/v1/events/${event}/days/fri`, { key: x.key, body: { capacity: 150 } });
  const file = (name: string) =>
    `First name,Last name,Type,Day,ID\n${Array.from({ length: 100 }, (_, n) => `${name},${n},adult,fri,${name}${n}\n`).join('')}`;
  const path = `/v1/events/${event}/imports`;
  const person = { attendee_type: 'adult', first_name: 'Form', last_name: 'Person', days: ['fri'] };
  const [here, there, ...forms] = await Promise.all([
    x.t.call('POST', path, { key: x.key, body: { csv: file('a') } }),
    other.call('POST', path, { key: x.key, body: { csv: file('b') } }),
    ...Array.from({ length: 30 }, () =>
      other.call('POST', `/v1/events/${event}/registrations`, { key: x.key, body: { attendees: [person] } }),
    ),
  ]);
  const created = here.body.counts.created + there.body.counts.created;
  const registered = forms.filter((reply) => reply.status === 201).length;
  expect(created + registered).toBe(150);
  expect(await x.count('attendees', event)).toBe(150);
  expect(here.body.counts.rejected + there.body.counts.rejected).toBe(200 - created);
});

test('a transaction can tell whether somebody waits for its locks', async () => {
  const event = await x.event();
  const { id } = await x.t.system((tx) => tx.one<{ id: Id }>(sql`select id from events where code = ${event}`));
  const authority = { role: 'app', org: x.org } as const;
  let next: Promise<string> | undefined;
  await transaction(x.t.pool, x.t.clock, authority, async (tx) => {
    await stampEvent(tx, x.org, id);
    expect(await isWaitedFor(tx)).toBe(false);
    next = transaction(other.pool, other.clock, authority, (second) => stampEvent(second, x.org, id));
    await expect.poll(() => isWaitedFor(tx)).toBe(true);
  });
  await next;
});
