import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { toUlid } from '../../common/ids.ts';
import { type Fair, openFair } from './fair.support.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let fair: Fair;
let member: string;
beforeAll(async () => {
  fair = await openFair();
  member = await fair.t.session('acme', 'door');
});
afterAll(() => fair.t.stop());

/** What a member at the door sends. */
const scan = (body: object): Promise<Reply> =>
  fair.app(member, 'POST', '/events/fair/scan', { check_in_point: 'gate', client_uuid: randomUUID(), ...body });
const batch = (scans: object[]): Promise<Reply> =>
  fair.app(member, 'POST', '/events/fair/scan/batch', {
    scans: scans.map((one) => ({ check_in_point: 'gate', client_uuid: randomUUID(), ...one })),
  });
const listed = async (ticket: string, query = ''): Promise<Row[]> =>
  (await fair.app(member, 'GET', `/events/fair/checkins?limit=200${query}`)).body.data.filter(
    (row: Row) => row.ticket_id === ticket,
  );

describe('ticket_id', () => {
  test('names the ticket as its code does, and counts as the same scan', async () => {
    const { ticket, code } = await fair.register();
    const client_uuid = randomUUID();
    const first = await scan({ ticket_id: ticket, client_uuid });
    expect([first.status, first.body.result, first.body.ticket.id]).toEqual([200, 'accepted', ticket]);
    // The same scan, sent again with the code, gets the first answer; another scan is a duplicate.
    const again = await scan({ code, client_uuid });
    expect([again.status, again.body.result, again.body.checkins]).toEqual([200, 'accepted', first.body.checkins]);
    expect((await scan({ code })).body.result).toBe('duplicate');
    expect((await scan({ ticket_id: ticket })).body.result).toBe('duplicate');
    expect(await listed(ticket)).toHaveLength(3);
    const other = await fair.register();
    expect((await scan({ ticket_id: other.ticket, client_uuid })).body.error.code).toBe('client_uuid_reused');
  });

  test('that no ticket of the event has is unknown', async () => {
    expect((await scan({ ticket_id: toUlid(randomUUID() as never) })).body.result).toBe('unknown');
  });

  test('can be sent in a batch, beside codes', async () => {
    const [one, two] = [await fair.register(), await fair.register()];
    const { status, body } = await batch([{ ticket_id: one.ticket }, { code: two.code }, { ticket_id: two.ticket }]);
    expect([status, body.results.map((row: Row) => row.result)]).toEqual([200, ['accepted', 'accepted', 'duplicate']]);
  });

  test('is not sent together with a code, and one of them is', async () => {
    const { ticket, code } = await fair.register();
    const paths = (reply: Reply) => [reply.status, reply.body.error.details.map((one: Row) => one.path)];
    expect(paths(await scan({ ticket_id: ticket, code }))).toEqual([400, ['ticket_id']]);
    expect(paths(await scan({}))).toEqual([400, ['code']]);
    expect(paths(await scan({ check_in_point: undefined }))[1]).toEqual(
      expect.arrayContaining(['check_in_point', 'code']),
    );
    const { body } = await batch([{ ticket_id: ticket, code }, {}, { code }]);
    expect(body.results.map((row: Row) => row.error?.details[0].path ?? row.result)).toEqual([
      'ticket_id',
      'code',
      'accepted',
    ]);
  });

  test('is not for keys', async () => {
    const { ticket, code } = await fair.register();
    const key = async (body: object) => {
      const reply = await fair.post('/events/fair/scan', {
        check_in_point: 'gate',
        client_uuid: randomUUID(),
        ...body,
      });
      return [reply.status, reply.body.error?.details.map((one: Row) => one.path)];
    };
    expect(await key({ ticket_id: ticket })).toEqual([400, ['ticket_id', 'code']]);
    expect(await key({ code, test: true })).toEqual([400, ['test']]);
    expect(await key({ code, test: false })).toEqual([400, ['test']]);
    expect(await listed(ticket)).toEqual([]);
    expect(await listed(ticket, '&test=true')).toEqual([]);
    expect(await key({ code })).toEqual([200, undefined]);
    const reply = await fair.t.call('GET', '/v1/events/fair/checkins?test=true', { key: fair.key });
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'test']);
  });
});

describe('test: true', () => {
  test('admits, but is left out of what is live; a second one is a duplicate among tests only', async () => {
    const { ticket, code, people } = await fair.register();
    const first = await scan({ ticket_id: ticket, test: true });
    expect([first.body.result, first.body.test]).toEqual(['accepted', true]);
    expect((await scan({ code, test: true })).body.result).toBe('duplicate');
    const attendee = await fair.t.call('GET', `/v1/events/fair/attendees/${people[0]}`, { key: fair.key });
    expect(attendee.body.checked_in).toBe(false);
    expect(await listed(ticket)).toEqual([]);
    expect((await listed(ticket, '&test=true')).map((row) => row.result)).toEqual(['duplicate', 'accepted']);
    expect((await scan({ code })).body).toMatchObject({ result: 'accepted', test: false });
    // What a test key has scanned and what a member has scanned as a test are the same tests.
    expect((await fair.scan(code, {}, fair.testKey)).body.result).toBe('duplicate');
    const counts = async (query: string) =>
      (await fair.app(member, 'GET', `/events/fair/checkins/counts${query}`)).body.data.length;
    expect([await counts(''), await counts('?test=true')]).toEqual([expect.any(Number), 1]);
  });

  test('the same client_uuid is one scan live and another as a test', async () => {
    const { code } = await fair.register();
    const client_uuid = randomUUID();
    const [live, tested] = [await scan({ code, client_uuid }), await scan({ code, client_uuid, test: true })];
    expect([live.body.result, live.body.test]).toEqual(['accepted', false]);
    expect([tested.body.result, tested.body.test]).toEqual(['accepted', true]);
  });

  test('live scans and tests can be in one batch, in the order of their times', async () => {
    const { code } = await fair.register();
    const { body } = await batch([{ code, test: true }, { code }, { code, test: true }, { code }]);
    expect(body.results.map((row: Row) => [row.result, row.test])).toEqual([
      ['accepted', true],
      ['accepted', false],
      ['duplicate', true],
      ['duplicate', false],
    ]);
  });

  test('many at once, live and as tests, admit one each', async () => {
    const { code } = await fair.register();
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => scan({ code, test: n % 2 === 0 })));
    const admitted = replies.filter((one) => one.body.admitted).map((one) => one.body.test);
    expect(admitted.sort()).toEqual([false, true]);
  });
});
