import { createHash, randomUUID } from 'node:crypto';
import { ticketCode } from '@turnout/checkin';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Fair, openFair } from './fair.support.ts';

/** What people at the door read, type and see. */
let fair: Fair;
let at: (time: string) => string;
beforeAll(async () => {
  fair = await openFair();
  const today = fair.t.clock.now().toISOString().slice(0, 10);
  at = (time) => `${today}T${time}:00Z`;
  const gate2 = { code: 'gate2', name: 'Garden gate', kind: 'entry' };
  expect((await fair.post('/events/fair/check-in-points', gate2)).status).toBe(201);
});
afterAll(() => fair.t.stop());

const inFours = (code: string, between: string) => code.match(/.{1,4}/g)!.join(between);
const printed = [' ', '-', '\u00a0', '\u2013', '\u2212', ' \u2014 '];

describe('a code as it is printed', () => {
  test.each(printed)(
    'with %j between its groups can be scanned, alone and in a batch, and counts once',
    async (between) => {
      const { code } = await fair.register();
      const typed = inFours(code, between).toLowerCase();
      const first = { client_uuid: randomUUID(), scanned_at: at('09:00') };
      expect((await fair.scan(typed, first)).body.result).toBe('accepted');
      // The same scan with the code as a machine reads it: it is not another code.
      expect((await fair.scan(code, first)).body.result).toBe('accepted');
      const scan = { code: typed, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: at('09:30') };
      const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', {
        key: fair.key,
        body: { scans: [scan] },
      });
      expect(batch.body.results[0].result).toBe('duplicate');
    },
  );

  test.each(printed)('with %j between its groups is found in lists and searches', async (between) => {
    const { id, ticket, code, people } = await fair.register();
    const typed = encodeURIComponent(inFours(code, between).toLowerCase());
    const v1 = (path: string) => fair.t.call('GET', `/v1/events/fair${path}`, { key: fair.key });
    const ids = (reply: { body: { data: { id: string }[] } }) => reply.body.data.map((one) => one.id);
    expect(ids(await v1(`/tickets?code=${typed}`))).toEqual([ticket]);
    expect(ids(await v1(`/attendees?search=${typed}`))).toEqual(people);
    const registration = (await v1(`/registrations/${id}`)).body.code;
    const reference = encodeURIComponent(inFours(registration, between));
    expect(ids(await v1(`/registrations?code=${reference}`))).toEqual([id]);
    expect((await v1(`/registrations/${reference}`)).body.id).toBe(id);
    expect(ids(await v1(`/attendees?search=${reference}`))).toEqual(people);
  });

  test('is found in a roster by the SHA-256 of the code as it is stored', async () => {
    const { code } = await fair.register();
    const { roster } = (await fair.get('/events/fair/scan/manifest')).body;
    const entries = (await (await fetch(fair.t.url + new URL(roster.url).pathname)).json()).data as {
      code_sha256: string;
    }[];
    const hash = createHash('sha256')
      .update(ticketCode(inFours(code, ' – ')))
      .digest('hex');
    expect(entries.some((entry) => entry.code_sha256 === hash)).toBe(true);
  });
});

describe('a duplicate', () => {
  const seen = (reply: { body: { people: { result: string; first_admission: unknown }[] } }) =>
    reply.body.people.map((one) => [one.result, one.first_admission]);

  test('tells when and where the person was admitted before, also at another gate', async () => {
    const { code } = await fair.register();
    const first = await fair.scan(code, { check_in_point: 'gate2', scanned_at: at('09:12') });
    expect(seen(first)).toEqual([['accepted', null]]);
    const again = await fair.scan(code, { scanned_at: at('10:00') });
    const admission = { at: expect.stringContaining('T09:12:00'), check_in_point: 'gate2', day: 'd1' };
    expect(seen(again)).toEqual([['duplicate', admission]]);
    expect(again.body.person.first_admission).toEqual(admission);
    expect(again.body.message).toEqual({
      title: 'Already admitted',
      text: 'Admitted at 09:12, Garden gate.',
      tone: 'warning',
    });
  });

  test('on a shared ticket names the first admission of each person, also from earlier in the same batch', async () => {
    const { code, people } = await fair.register({ people: 2 });
    const scan = (time: string, check_in_point: string, who?: string[]) => ({
      code,
      check_in_point,
      client_uuid: randomUUID(),
      scanned_at: at(time),
      ...(who && { people: who }),
    });
    const batch = await fair.t.call('POST', '/api/v1/events/fair/scan/batch', {
      key: fair.key,
      body: {
        scans: [scan('12:00', 'gate'), scan('09:00', 'gate', [people[0]!]), scan('10:00', 'gate2', [people[1]!])],
      },
    });
    expect(seen({ body: batch.body.results[0] })).toEqual([
      ['duplicate', { at: expect.stringContaining('T09:00'), check_in_point: 'gate', day: 'd1' }],
      ['duplicate', { at: expect.stringContaining('T10:00'), check_in_point: 'gate2', day: 'd1' }],
    ]);
  });

  test('in test mode does not mention live admissions', async () => {
    const { code } = await fair.register();
    await fair.scan(code, { scanned_at: at('08:00') });
    await fair.scan(code, { check_in_point: 'gate2', scanned_at: at('09:00') }, fair.testKey);
    const again = await fair.scan(code, { scanned_at: at('10:00') }, fair.testKey);
    expect(again.body.person.first_admission).toMatchObject({ check_in_point: 'gate2' });
  });
});

describe('a voided ticket', () => {
  const asPdf = (ticket: string) => fair.t.call('GET', `/v1/tickets/${ticket}/pdf`, { key: fair.key });

  test('is not printed, and the refusal names the ticket that replaced it', async () => {
    const { ticket } = await fair.register();
    expect((await asPdf(ticket)).status).toBe(200);
    const next = await fair.post(`/tickets/${ticket}/reissue`);
    const refused = await asPdf(ticket);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
    expect(refused.body.error.message).toContain(next.body.id);
    expect((await asPdf(next.body.id)).status).toBe(200);
  });

  test('is neither printed nor mailed if no ticket replaced it', async () => {
    const { ticket } = await fair.register();
    expect((await fair.post(`/tickets/${ticket}/void`, { reason: 'lost' })).status).toBe(200);
    for (const reply of [await asPdf(ticket), await fair.post(`/tickets/${ticket}/send`)]) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
      expect(reply.body.error.message).toBe('The ticket was voided (lost) and admits nobody.');
    }
  });
});

test('a batch for an archived event is refused as a whole, and accepted once the event is reopened', async () => {
  // A fair of its own: the event is reopened for scans, and stays closed for registrations.
  const own = await openFair();
  onTestFinished(() => own.t.stop());
  const { code } = await own.register();
  const scanned_at = own.t.clock.now().toISOString();
  const scans = [{ code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at }];
  const upload = (items: unknown[]) =>
    own.t.call('POST', '/api/v1/events/fair/scan/batch', { key: own.key, body: { scans: items } });
  expect((await own.post('/events/fair/archive')).status).toBe(200);
  for (const items of [scans, [...scans, { code: 1 }], [{ code: 1 }]]) {
    const refused = await upload(items);
    expect([refused.status, refused.body.error?.code]).toEqual([409, 'invalid_state']);
  }
  expect((await own.post('/events/fair/close')).status).toBe(200);
  expect((await upload(scans)).body.results[0].result).toBe('accepted');
});
