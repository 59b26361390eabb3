import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { numberBounds } from './search-numbers.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
const usual = { ...numberBounds };
let ann: Row;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  await done('POST', '/groups', { code: 'north', name: 'North' });
  north = (await t.key('acme', { group: 'north' })).secret;
  for (const event of ['fair', 'other']) {
    await done('POST', '/events', { code: event, name: event });
    await done('POST', `/events/${event}/days`, { code: 'd1', date: '2030-06-01' });
    await done('POST', `/events/${event}/attendee-types`, { code: 'adult', name: 'Adult' });
    await done('POST', `/events/${event}/publish`);
  }
  const people = [
    {
      first_name: 'Ann',
      last_name: 'Müller',
      email: 'ann7@example.org',
      phone: '+49 170 555-1234',
      external_id: 'M-0042',
    },
    { first_name: 'Ben', last_name: 'Studio 54', phone: '+49 170 555-9999', group: 'north' },
    { first_name: 'Cem', last_name: 'Kaya', phone: '0170 5551234', external_id: '12345', group: 'north' },
  ];
  for (const one of people) {
    const made = await done('POST', '/events/fair/registrations', {
      attendees: [{ attendee_type: 'adult', ...one }],
      send_emails: false,
    });
    ann ??= made;
  }
  await done('POST', '/events/other/registrations', {
    attendees: [
      { attendee_type: 'adult', first_name: 'Eve', last_name: 'Else', external_id: '777', phone: '12345678' },
    ],
    send_emails: false,
  });
});
afterEach(() => Object.assign(numberBounds, usual));
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown, as = key): Promise<Row> {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
const find = async (text: string, more = '', as = key): Promise<string[]> =>
  (await done('GET', `/events/fair/attendees?search=${encodeURIComponent(text)}${more}`, undefined, as)).data
    .map((one: Row) => one.first_name)
    .sort();

describe('one field finds an attendee by', () => {
  test.each([
    ['a word of the name', 'mull', ['Ann']],
    ['a word of the name with a digit', '54', ['Ben']],
    ['the beginning of the e-mail address', 'ann7@ex', ['Ann']],
    ['the ID', 'm-0042', ['Ann']],
    ['an ID of digits', '12345', ['Cem']],
    ['the phone number', '+49 (170) 555-1234', ['Ann']],
    ['the phone number as it is dialled at home', '0170-555 1234', ['Cem']],
    ['the beginning of the phone number', '+49 170 555', ['Ann', 'Ben']],
    ['too little of the phone number', '+4917', []],
    ['an ID of another event', '777', []],
    ['a phone number of another event', '12345678', []],
  ])('%s', async (_by, text, found) => {
    expect(await find(text)).toEqual(found);
    expect(await find(text, '&order=name')).toEqual(found);
    expect(await find(text, '&order=newest')).toEqual(found);
  });

  test('the code of the registration and of the ticket', async () => {
    expect(await find(ann.code.toLowerCase())).toEqual(['Ann']);
    expect(await find(ann.attendees[0].tickets[0].code)).toEqual(['Ann']);
  });
});

test('a key limited to a group finds nobody else by a number', async () => {
  expect(await find('M-0042', '', north)).toEqual([]);
  expect(await find('+49 170 555', '', north)).toEqual(['Ben']);
  expect(await find('12345', '', north)).toEqual(['Cem']);
});

test('a beginning that too many share counts only as a whole number', async () => {
  numberBounds.sharing = 1;
  expect(await find('+49 170 555')).toEqual([]);
  expect(await find('+49 170 555-1234')).toEqual(['Ann']);
});

test('filters apply to whoever is found by a number', async () => {
  expect(await find('12345', '&group=north')).toEqual(['Cem']);
  expect(await find('M-0042', '&group=north')).toEqual([]);
  expect(await find('M-0042', '&checked_in=true')).toEqual([]);
});
