import { EVENT_TYPES, type WebhookEnvelope } from '@turnout/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());
const post = async (path: string, body: object = {}) => (await t.call('POST', `/v1${path}`, { key, body })).body;

/** Every time in a value, with the name of its field. */
function times(value: unknown, field = ''): [string, string][] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\dT/.test(value) ? [[field, value]] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => times(part, Array.isArray(value) ? field : name));
}
/** `updated_at` always has six decimals, so that it can be compared as text. Other times have as many decimals as they need. */
const asTheApiWrites = ([field, time]: [string, string]): boolean =>
  field === 'updated_at' ? /:\d\d\.\d{6}Z$/.test(time) : /:\d\d(\.(?!000)\d{3}|\.\d{0,5}[1-9])?Z$/.test(time);

/** The envelopes that are really sent. */
async function envelopes(): Promise<WebhookEnvelope[]> {
  await post('/events', { code: 'fair', name: 'Fair' });
  await post('/events/fair/days', { code: 'day', date: '2099-05-01' });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await post('/events/fair/publish');
  const person = {
    attendee_type: 'adult',
    first_name: 'Ada',
    last_name: 'Byron',
    email: 'ada@example.org',
    days: ['day'],
  };
  const { id, attendees } = await post('/events/fair/registrations', { attendees: [person] });
  const code = attendees[0].tickets[0].code;
  await post('/events/fair/scan', {
    code,
    check_in_point: 'gate',
    client_uuid: '0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a10',
  });
  await post(`/events/fair/registrations/${id}/cancel`);
  const rows = await t.system((tx) => tx.all<{ body: string }>(sql`select head || data || '}' as body from outbox`));
  return rows.map(({ body }) => JSON.parse(body));
}

// claim: times-in-utc
test('times in the samples have the same format as in real envelopes', async () => {
  const real = await envelopes();
  expect(new Set(real.map((one) => one.type)).size).toBeGreaterThan(5);
  expect(real.flatMap((one) => times(one)).filter((one) => !asTheApiWrites(one))).toEqual([]);

  const { data } = (await t.call('GET', '/v1/webhooks/event-types', { key })).body;
  expect(data).toHaveLength(EVENT_TYPES.length);
  for (const { type, sample } of data as { type: string; sample: WebhookEnvelope }[]) {
    const found = times(sample);
    expect(found.length, type).toBeGreaterThan(1);
    expect([type, found.filter((one) => !asTheApiWrites(one))]).toEqual([type, []]);
  }
});
