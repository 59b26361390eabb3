import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
const clock = new HeldClock(Date.parse('2031-05-10T12:00:00Z'));
beforeAll(async () => {
  t = await startTest({ clock });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  // On Saturday in Berlin the first day is over, and the second is open until half past ten in the evening.
  await must('POST', '/events', { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin' });
  await must('POST', '/events/fair/days', { code: 'fri', date: '2031-05-09' });
  await must('POST', '/events/fair/days', { code: 'sat', date: '2031-05-10', closes_at: '2031-05-10T20:30:00Z' });
  await must('POST', '/events/fair/days', { code: 'sun', date: '2031-05-11' });
  for (const type of [
    { code: 'adult', name: 'Adult' },
    { code: 'opening', name: 'Opening night', days: ['fri'] },
    { code: 'pass', name: 'Two-day pass', pass_days: 2 },
    { code: 'whole', name: 'Three-day pass', pass_days: 3 },
  ])
    await must('POST', '/events/fair/attendee-types', type);
  await must('POST', '/events/fair/publish');
});
afterAll(() => t.stop());

const call = (method: string, path: string, body?: unknown) => t.call(method, `/v1${path}`, { key, body });
async function must(method: string, path: string, body?: unknown) {
  const reply = await call(method, path, body);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}
const ADA = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' };
const register = (more: object, and: object = {}) =>
  call('POST', '/events/fair/registrations', { attendees: [{ ...ADA, ...more }], ...and });
const daysOf = async (more: object, and: object = {}) => {
  const { status, body } = await register(more, and);
  return status === 201 ? body.attendees[0].days : body.error.code;
};

describe('422 day_not_available', () => {
  test('a day that is over cannot be registered for, unless the caller says that it is a late entry', async () => {
    expect(await daysOf({ days: ['fri'] })).toBe('day_not_available');
    expect(await daysOf({ days: ['fri', 'sat'] })).toBe('day_not_available');
    expect(await daysOf({ attendee_type: 'opening' })).toBe('day_not_available');
    expect(await daysOf({ days: ['fri'] }, { past_days: true })).toEqual(['fri']);
    expect(await daysOf({ attendee_type: 'opening' }, { past_days: true })).toEqual(['fri']);
    const { body } = await register({ days: ['fri'] });
    expect(body.error.message).toContain('`past_days: true`');
  });

  test('a pass is for the days that are left, and gone when too few of them are', async () => {
    expect(await daysOf({ attendee_type: 'pass' })).toEqual(['sat', 'sun']);
    expect(await daysOf({ attendee_type: 'whole' })).toBe('day_not_available');
    expect(await daysOf({ attendee_type: 'whole' }, { past_days: true })).toEqual(['fri', 'sat', 'sun']);
  });

  test('a day is over at its closes_at, and by default at local midnight', async () => {
    clock.jump('2031-05-10T20:29:59.999Z');
    expect(await daysOf({ days: ['sat'] })).toEqual(['sat']);
    clock.jump('2031-05-10T20:30:00Z');
    expect(await daysOf({ days: ['sat'] })).toBe('day_not_available');
    // The only day that is left need not be named.
    expect(await daysOf({})).toEqual(['sun']);
    clock.jump('2031-05-11T21:59:59.999Z');
    expect(await daysOf({})).toEqual(['sun']);
    clock.jump('2031-05-11T22:00:00Z');
    expect(await daysOf({})).toBe('day_not_available');
    clock.jump('2031-05-10T12:00:00Z');
  });

  test('somebody who is added or changed gets no day that is over, and keeps those they have', async () => {
    const { body: made } = await register({ days: ['fri'] }, { past_days: true });
    const people = `/events/fair/registrations/${made.id}/attendees`;
    const bob = { attendee_type: 'adult', first_name: 'Bob', last_name: 'B', days: ['fri'] };
    expect((await call('POST', people, bob)).body.error.code).toBe('day_not_available');
    expect((await call('POST', people, { ...bob, past_days: true })).body.days).toEqual(['fri']);

    const ada = `/events/fair/attendees/${made.attendees[0].id}`;
    expect((await must('PATCH', ada, { days: ['fri', 'sun'] })).days).toEqual(['fri', 'sun']);
    expect((await must('PATCH', ada, { attendee_type: 'whole' })).days).toEqual(['fri', 'sat', 'sun']);
    expect((await must('PATCH', ada, { attendee_type: 'adult', days: ['sun'] })).days).toEqual(['sun']);
    const back = await call('PATCH', ada, { days: ['fri', 'sun'] });
    expect([back.status, back.body.error?.code]).toEqual([422, 'day_not_available']);
    expect((await must('PATCH', ada, { days: ['fri', 'sun'], past_days: true })).days).toEqual(['fri', 'sun']);
  });
});

test('an import may bring people for days that are over', async () => {
  await must('POST', '/events/fair/imports', { csv: 'First name,Last name,Type,Days\nCleo,C,adult,fri\n' });
  const { data } = await must('GET', '/events/fair/attendees?search=Cleo');
  expect(data.map(({ days }: { days: string[] }) => days)).toEqual([['fri']]);
});
