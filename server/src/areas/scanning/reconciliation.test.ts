import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Fair, openFair } from './fair.support.ts';

/** Offline scans whose result at the door differs from the server's. */
let fair: Fair;
beforeAll(async () => {
  fair = await openFair();
});
afterAll(() => fair.t.stop());

const upload = (scans: object[], as = fair.key) =>
  fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: as, body: { scans } });
const made = (code: string, more: object = {}) => ({
  code,
  check_in_point: 'gate',
  client_uuid: randomUUID(),
  scanned_at: fair.t.clock.now().toISOString(),
  ...more,
});
const listed = async (uuid: string, as = fair.key) =>
  (await fair.get('/events/fair/checkins/reconciliation?limit=200', as)).body.data.filter(
    (row: { client_uuid: string }) => row.client_uuid === uuid,
  );
const NOBODY = 'N0SUCHT1CKET';

test('an unknown code that was admitted offline is listed once, without the code', async () => {
  const scan = made(NOBODY, { offline_result: 'accepted' });
  expect((await upload([scan])).body.results[0].result).toBe('unknown');
  expect((await upload([scan])).body.results[0].result).toBe('unknown');
  const row = {
    result: 'unknown',
    admitted: false,
    reason: 'code_unknown',
    offline_result: 'accepted',
    check_in_point: 'gate',
    attendee_id: null,
    ticket_id: null,
    day: null,
    test: false,
    skewed: false,
    actor: { kind: 'key' },
  };
  expect(await listed(scan.client_uuid)).toMatchObject([row]);
  // It is not a check-in, so it is in no list and no count of check-ins.
  const checkins = (await fair.get('/events/fair/checkins?limit=200')).body.data;
  expect(checkins.some((one: { client_uuid: string }) => one.client_uuid === scan.client_uuid)).toBe(false);
  const kept = await fair.t.system((tx) => tx.all(sql`select u::text as row from unknown_scans u`));
  expect(JSON.stringify(kept)).not.toContain(NOBODY);
});

test('an unknown code that the door also refused is not listed', async () => {
  const scans = [made(NOBODY, { offline_result: 'unknown' }), made(NOBODY)];
  await upload(scans);
  for (const { client_uuid } of scans) expect(await listed(client_uuid)).toEqual([]);
});

test('both kinds share one list, newest first, page by page', async () => {
  const { code } = await fair.register();
  const scans = [
    made(code, { offline_result: 'duplicate' }),
    made(NOBODY, { offline_result: 'accepted' }),
    made(code, { offline_result: 'accepted' }),
    made(NOBODY, { offline_result: 'zone_entered' }),
  ];
  for (const scan of scans) await upload([scan]);
  const found: string[] = [];
  let cursor = '';
  do {
    const { body } = await fair.get(`/events/fair/checkins/reconciliation?limit=1${cursor}`);
    found.push(...body.data.map((row: { client_uuid: string }) => row.client_uuid));
    cursor = body.page.has_more ? `&cursor=${encodeURIComponent(body.page.next_cursor)}` : '';
  } while (cursor !== '' && found.length < 20);
  expect(found.slice(0, 4)).toEqual(scans.map((scan) => scan.client_uuid).toReversed());
});

test('a scan that is sent again with the offline result is listed once, for a ticket and for an unknown code', async () => {
  const { code } = await fair.register();
  await fair.scan(code); // admitted elsewhere meanwhile
  for (const [one, result] of [
    [code, 'duplicate'],
    [NOBODY, 'unknown'],
  ] as const) {
    const scan = made(one);
    expect((await fair.scan(one, scan)).body.result).toBe(result);
    expect(await listed(scan.client_uuid)).toEqual([]);
    expect((await upload([{ ...scan, offline_result: 'accepted' }])).body.results[0].result).toBe(result);
    await upload([{ ...scan, offline_result: 'closed' }]);
    expect(await listed(scan.client_uuid)).toMatchObject([{ result, offline_result: 'accepted' }]);
  }
});

// claim: test-scans-left-out
test('test mode has a list of its own, and clearing tests empties it', async () => {
  const scan = made(NOBODY, { offline_result: 'accepted' });
  await upload([scan], fair.testKey);
  expect(await listed(scan.client_uuid)).toEqual([]);
  expect(await listed(scan.client_uuid, fair.testKey)).toMatchObject([{ test: true }]);
  const cleared = await fair.t.call('DELETE', '/v1/events/fair/checkins/test', { key: fair.key });
  expect(cleared.status).toBe(204);
  expect(await listed(scan.client_uuid, fair.testKey)).toEqual([]);
});

test('a key limited to a group sees unknown codes only in an event of that group', async () => {
  const scan = made(NOBODY, { offline_result: 'accepted' });
  await upload([scan]);
  const north = (await fair.t.key('acme', { group: 'north' })).secret;
  expect(await listed(scan.client_uuid, north)).toEqual([]);
  const moved = await fair.t.call('PATCH', '/v1/events/fair', { key: fair.key, body: { group: 'hill' } });
  expect(moved.status).toBe(200);
  expect(await listed(scan.client_uuid, north)).toHaveLength(1);
});
