import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { noonClock } from '../../../../test/support/clock.ts';
import { endProcesses, startProcess } from '../../../../test/support/scan-process.ts';
import { call, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { book, handedOut } from './hand-outs.support.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ clock: noonClock() }); // to set up the event and look at the database; the calls go to the child processes
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  await post('/events/fair/days', { code: 'today', date: t.clock.now().toISOString().slice(0, 10) });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/products', { code: 'lunch', name: 'Lunch', max: 5 });
  await post('/events/fair/publish');
});
afterAll(async () => {
  endProcesses();
  await t.stop();
});

async function post(path: string, body: unknown = {}) {
  const reply = await t.call('POST', `/v1${path}`, { key, body });
  if (reply.status >= 300) throw new Error(reply.text);
  return reply.body;
}

/** The rows of a unit, what its audit row says, and how many the line counts. */
const traces = async (attendee: string, client_uuid: string) => {
  const { rows, audit } = await t.system((tx) =>
    tx.one<{ rows: number; audit: number }>(sql`
      select count(*)::int as rows, (select count(*)::int from audit_log a where a.action = 'hand_out.recorded'
        and a.object_id in (select id from hand_outs where client_uuid = ${client_uuid})) as audit
      from hand_outs where client_uuid = ${client_uuid}`),
  );
  return { rows, audit, line: (await handedOut(t, key, attendee))[0] };
};

test.each([
  ['before-commit', false],
  ['before-answer', false],
  ['before-commit', true],
  ['before-answer', true],
] as const)(
  'kill -9 %s (queued offline: %s), then a retry: one unit is handed out',
  async (where, offline) => {
    const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Visitor' };
    const { attendees } = await post('/events/fair/registrations', { attendees: [person], send_emails: false });
    const attendee = attendees[0].id as string;
    await book(t, key, { attendee }, [{ product: 'lunch', quantity: 2 }]);
    const body = { attendee, product: 'lunch', client_uuid: randomUUID(), ...(offline && { offline }) };
    const path = '/api/v1/events/fair/hand-outs';
    const doomed = await startProcess(t, where);
    await expect(call(doomed.url, 'POST', path, { key, body })).rejects.toThrow();
    expect(await doomed.gone).toBe('SIGKILL');
    // The control: at that moment the work really was committed, or really was not.
    const done = where === 'before-answer' ? 1 : 0;
    expect(await traces(attendee, body.client_uuid)).toEqual({ rows: done, audit: done, line: done });

    const next = await startProcess(t);
    // Each retry has an Idempotency-Key of its own, so only the `client_uuid` tells that it is one.
    const [first, again] = [
      await call(next.url, 'POST', path, { key, body }),
      await call(next.url, 'POST', path, { key, body }),
    ];
    expect([first.status, again.body]).toEqual([201, first.body]);
    expect(await traces(attendee, body.client_uuid)).toEqual({ rows: 1, audit: 1, line: 1 });
    next.child.kill('SIGTERM');
    expect(await next.gone).toBeNull();
  },
  60_000,
);
