import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme', { rpm: 600 })).secret;
  await makeEvent('fair');
  await make('/events/fair/attendee-types', { code: 'child', name: 'Child' });
  await make('/events/fair/questions', { code: 'diet', label: 'Diet', kind: 'text' });
  await make('/events/fair/questions', { code: 'essay', label: 'Essay', kind: 'long_text' });
  await make('/events/fair/questions', { code: 'toy', label: 'Toy', kind: 'text', attendee_types: ['child'] });
  await publish('fair');
});
afterAll(() => t.stop());

async function make(path: string, body: object): Promise<void> {
  expect([path, (await t.call('POST', `/v1${path}`, { key, body })).status]).toEqual([path, 201]);
}
async function makeEvent(code: string): Promise<void> {
  await make('/events', { code, name: code });
  await make(`/events/${code}/days`, { code: 'd1', date: '2036-12-01' });
  await make(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
}
async function publish(code: string): Promise<void> {
  expect((await t.call('POST', `/v1/events/${code}/publish`, { key })).status).toBe(200);
}

const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace' };
const register = (attendee: object) =>
  t.call('POST', '/v1/events/fair/registrations', { key, body: { attendees: [{ ...person, ...attendee }] } });
const attendeeOf = async (attendee: object = {}) => (await register(attendee)).body.attendees[0];
const patch = (id: string, body: object) => t.call('PATCH', `/v1/events/fair/attendees/${id}`, { key, body });
const importing = async (csv: string) => {
  const job = (await t.call('POST', '/v1/events/fair/imports', { key, body: { csv } })).body;
  const link = job.rejects_url === null ? null : new URL(job.rejects_url);
  const rejects = link === null ? '' : (await t.call('GET', link.pathname + link.search)).text;
  return { counts: job.counts, rejects };
};
const faults = (reply: { body: { error: { details: { path: string; message: string }[] } } }) =>
  reply.body.error.details.map(({ path, message }) => `${path} ${message}`);

describe('answers follow the same rules on every way in', () => {
  /** Each way in, with the path that its faults name for the answers. */
  const WAYS: [string, string, (answers: unknown) => Promise<Awaited<ReturnType<typeof t.call>>>][] = [
    ['POST registration', 'attendees/0/answers', (answers) => register({ answers })],
    [
      'POST attendee',
      'answers',
      async (answers) => {
        const { registration_id } = await attendeeOf();
        const path = `/v1/events/fair/registrations/${registration_id}/attendees`;
        return t.call('POST', path, { key, body: { ...person, answers } });
      },
    ],
    ['PATCH attendee', 'answers', async (answers) => patch((await attendeeOf()).id, { answers })],
  ];
  const nested = JSON.parse(`${'['.repeat(20)}1${']'.repeat(20)}`);
  describe.each(WAYS)('%s', (_way, path, send) => {
    test.each([
      ['a question that nobody asks', { colour: 'red' }, '/colour is not a question'],
      ['a question for others', { toy: 'ball' }, '/toy is not a question'],
      ['another kind of value', { diet: { a: 1 } }, '/diet must be text'],
      ['a nested value', { diet: nested }, '/diet must be text'],
      ['a nested value to no question', { x: nested }, '/x is not a question'],
      ['a long value', { diet: 'x'.repeat(501) }, '/diet must have at most 500 characters'],
      ['__proto__', JSON.parse('{"__proto__":{"diet":"x"}}'), '/__proto__ is not a question'],
    ])('refuses %s', async (_what, answers, fault) => {
      const reply = await send(answers);
      expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
      expect(faults(reply)[0]).toContain(path + fault);
    });

    test('accepts answers to the event’s questions', async () => {
      const reply = await send({ Diet: 'none' });
      expect(reply.status).toBeLessThan(300);
      const attendees = reply.body.attendees ?? [reply.body];
      expect(attendees.at(-1).answers).toEqual({ diet: 'none' });
    });
  });

  test('5,000 levels of JSON are refused and never cause an error of the server', async () => {
    const { id } = await attendeeOf();
    const body = `{"answers":{"x":${'['.repeat(5000)}${']'.repeat(5000)}}}`;
    for (const [method, path, text] of [
      ['PATCH', `/v1/events/fair/attendees/${id}`, body],
      [
        'POST',
        '/v1/events/fair/registrations',
        `{"attendees":[${JSON.stringify(person).slice(0, -1)},${body.slice(1)}]}`,
      ],
    ]) {
      const reply = await t.call(method!, path!, { key, body: text });
      expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    }
  });

  test('what an import kept under a heading stays, and can be changed as text and removed', async () => {
    await importing('First name,Last name,Type,Shoe size\nImre,Kept,adult,42\n');
    const { data } = (await t.call('GET', '/v1/events/fair/attendees?search=Kept', { key })).body;
    const { id } = data[0];
    expect((await patch(id, { answers: { diet: 'none' } })).body.answers).toEqual({ 'Shoe size': '42', diet: 'none' });
    expect((await patch(id, { answers: { 'Shoe size': '43' } })).body.answers['Shoe size']).toBe('43');
    expect(faults(await patch(id, { answers: { 'Shoe size': { eu: 43 } } }))).toEqual([
      'answers/Shoe size must be text',
    ]);
    expect((await patch(id, { answers: { 'Shoe size': null } })).body.answers).toEqual({ diet: 'none' });
  });

  test('all answers of an attendee together are bounded, even if several rows bring them', async () => {
    const headings = (from: number) => Array.from({ length: 15 }, (_, i) => `Column ${from + i}`);
    const cells = Array(15).fill('x'.repeat(4000)).join();
    const row = (from: number) =>
      importing(`First name,Last name,Type,ID,${headings(from).join()}\nWide,Person,adult,w1,${cells}\n`);
    expect((await row(0)).counts).toMatchObject({ created: 1 });
    const second = await row(100);
    expect(second.counts).toMatchObject({ updated: 0, rejected: 1 });
    expect(second.rejects).toContain('bytes');
    const [{ answers }] = (await t.call('GET', '/v1/events/fair/attendees?search=Person', { key })).body.data;
    expect(Object.keys(answers).length).toBe(15);
  });
});

describe('identity', () => {
  const BLANK = [
    ' ',
    '\t\n',
    '\u00a0\u2003',
    '\u200b\u200d',
    '\u202e',
    '\u3164',
    '\u2800',
    '\u115f',
    '\ufe0f',
    '\u{e0041}',
  ];

  test.each(BLANK)('an invisible name is refused: %j', async (blank) => {
    const message = 'must have at least one character that can be seen';
    for (const field of ['first_name', 'last_name']) {
      expect(faults(await register({ [field]: blank }))).toEqual([`attendees/0/${field} ${message}`]);
    }
    for (const [method, path, body] of [
      ['POST', '/events', { name: blank }],
      ['POST', '/groups', { name: blank }],
      ['PATCH', '/events/fair', { name: blank }],
      ['POST', '/events/fair/days', { name: blank, date: '2036-12-02' }],
      ['POST', '/events/fair/attendee-types', { name: blank }],
      ['POST', '/events/fair/check-in-points', { name: blank, kind: 'entry' }],
    ] as const) {
      expect(faults(await t.call(method, `/v1${path}`, { key, body }))).toEqual([`name ${message}`]);
    }
    const { rejects } = await importing(`First name,Last name,Type\nAda,"${blank}",adult\n`);
    expect(rejects).toMatch(/invalid_value|name_required/);
  });

  test.each(['Ж', '名', '‏עדה', 'O’Neil', '👩‍🔬'])('a name in any script is accepted: %s', async (name) => {
    expect((await register({ first_name: name })).status).toBe(201);
  });

  test.each(BLANK)('blank text counts as absent where a person is identified: %j', async (blank) => {
    const made = await attendeeOf({ external_id: blank, phone: blank });
    expect([made.external_id, made.phone]).toEqual([null, null]);
    await patch(made.id, { external_id: 'x1', phone: '+49 30 1' });
    const changed = (await patch(made.id, { external_id: blank, phone: blank })).body;
    expect([changed.external_id, changed.phone]).toEqual([null, null]);
  });

  test('a currency must exist', async () => {
    const make = (currency: string) => t.call('POST', '/v1/events', { key, body: { name: 'x', currency } });
    for (const currency of ['EUR', 'JPY', 'UYW', 'VED']) expect((await make(currency)).status).toBe(201);
    for (const currency of ['ZZZ', 'XYZ', 'eur', 'EURO'])
      expect(faults(await make(currency))[0]).toMatch(/^currency must/);
  });
});

describe('stored dates and times lie in the years 1900 to 2200', () => {
  const TIMES = [
    '0001-01-01T00:00:00Z',
    '0050-06-01T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '1900-01-01T00:30:00+01:00',
    '2201-01-01T00:00:00Z',
    '2200-12-31T23:30:00-01:00',
    '2200-12-31T23:59:59.9999999Z',
    '9999-12-31T23:59:59.9999999Z',
  ];
  const DATES = ['0001-01-01', '0099-12-31', '1899-12-31', '2201-01-01', '9999-12-31'];

  test.each(TIMES)('%s', async (at) => {
    for (const [method, path, body] of [
      ['POST', '/events', { name: 'x', starts_at: at }],
      ['PATCH', '/events/fair', { ends_at: at }],
      ['PATCH', '/events/fair', { registration: { closes_at: at } }],
      ['POST', '/events/fair/days', { date: '2036-12-03', opens_at: at }],
      ['PATCH', '/events/fair/days/d1', { closes_at: at }],
      ['POST', '/events/fair/days/d1/lock', { at }],
      ['POST', '/events/fair/communications', { subject: 'x', text: 'x', send_at: at }],
    ] as const) {
      expect(faults(await t.call(method, `/v1${path}`, { key, body }))[0]).toContain('1900 to 2200');
    }
  });

  test.each(DATES)('%s', async (date) => {
    for (const [method, path, body] of [
      ['POST', '/events/fair/days', { date }],
      ['PATCH', '/events/fair/days/d1', { date }],
    ] as const) {
      expect(faults(await t.call(method, `/v1${path}`, { key, body }))[0]).toContain('1900 to 2200');
    }
    expect(faults(await register({ date_of_birth: date }))[0]).toContain('1900 to 2200');
    const { rejects } = await importing(`First name,Last name,Type,Date of birth\nAda,King,adult,${date}\n`);
    expect(rejects).toContain('invalid_value');
  });

  test('the first and the last of them are accepted and given back as valid dates', async () => {
    // An event of its own: one with several days asks everybody to choose.
    await makeEvent('edges');
    await publish('edges');
    for (const [i, date] of ['1900-01-01', '2200-12-31'].entries()) {
      const made = await t.call('POST', '/v1/events/edges/days', { key, body: { code: `edge${i}`, date } });
      expect([made.status, made.body.date]).toEqual([201, date]);
    }
    const last = { closes_at: '2200-12-31T23:59:59.999999Z' };
    const changed = await t.call('PATCH', '/v1/events/edges/days/d1', { key, body: last });
    expect(changed.body.closes_at).toBe(last.closes_at);
    expect((await t.call('GET', '/v1/events/edges/days', { key })).status).toBe(200);
  });

  test('a template cannot be moved out of them', async () => {
    await makeEvent('long');
    await make('/events/long/days', { code: 'last', date: '2200-12-31' });
    await publish('long');
    const template = (await t.call('GET', '/v1/events/long/template', { key })).body;
    const body = { template, event: { first_day: '2150-01-01' } };
    const reply = await t.call('POST', '/v1/event-templates/imports', { key, body });
    expect([reply.status, faults(reply)[0]]).toEqual([400, expect.stringContaining('event/first_day moves a date')]);
  });
});
