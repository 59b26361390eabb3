import { expect, test } from 'vitest';
import { mergeUnits, type Tap, unitsOf } from './hand-out-units.ts';

const line = (booked_by: 'attendee' | 'registration', left: number) => ({
  ...{ product: 'shirt', option: 'm', name: 'T-shirt', option_name: 'Medium' },
  ...{ booked_by, left },
});
const ADA = { id: 'ada', to_hand_out: [line('attendee', 2)] };
const AS_OF = '2030-05-04T10:00:00.000000Z';
const LATER = '2030-05-04T10:00:05.000000Z';
const SOONER = '2030-05-04T09:59:55.000000Z';

const tap = (more: Partial<Tap> = {}, row: Partial<Tap['row']> = {}): Tap => ({
  row: {
    ...{ device: 'd', client_uuid: 'one', at: 0, point: 'gate', attendee: 'ada', product: 'shirt', option: 'm' },
    ...{ offline: false, sent: false, ...row },
  },
  ...{ answer: null, undoneAt: null, ...more },
});
const answer = (updated_at: string, surplus = false) => ({ id: 'h', updated_at, surplus });
const left = (...taps: Tap[]) => unitsOf('7Q2M', ADA, taps, AS_OF).map((unit) => [unit.left, unit.given.length]);

test.each([
  ['nothing was handed out here', [], [2, 0]],
  ['a tap that waits', [tap()], [1, 1]],
  ['one that the server recorded after the roster', [tap({ answer: answer(LATER) })], [1, 1]],
  ['one that the roster knows', [tap({ answer: answer(SOONER) })], [2, 1]],
  ['one that was too much counts for nobody', [tap({ answer: answer(LATER, true) })], [2, 1]],
  ['one taken back before the server heard of it', [tap({}, { sent: true, undone: 'slip' })], [2, 0]],
  ['one that the roster knows, taken back since', [tap({ answer: answer(SOONER), undoneAt: LATER })], [3, 0]],
  ['one recorded and taken back since', [tap({ answer: answer(LATER), undoneAt: LATER })], [2, 0]],
])('%s', (_name, taps, expected) => {
  expect(left(...taps)).toEqual([expected]);
});

test('the last unit can still be taken back when the roster has it no more', () => {
  const [unit] = unitsOf('7Q2M', ADA, [], AS_OF);
  const given = tap({ answer: answer(SOONER), unit: unit! });
  const [shown] = unitsOf('7Q2M', { id: 'ada', to_hand_out: [] }, [given], AS_OF);
  expect(shown).toMatchObject({ left: 0, given: [{ client_uuid: 'one', sent: true }] });
});

test('what was booked for a registration as a whole is shown once, and not without its code', () => {
  const people = ['ada', 'bo'].map((id) => ({ id, to_hand_out: [line('registration', 1)] }));
  const all = people.flatMap((person) => unitsOf('7Q2M', person, [], AS_OF));
  expect(mergeUnits(all)).toMatchObject([{ attendee: null, registration: '7Q2M', left: 1 }]);
  expect(unitsOf(null, people[0]!, [], AS_OF)).toEqual([]);
});
