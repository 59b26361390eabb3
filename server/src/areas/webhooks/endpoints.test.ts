import { EVENT_TYPES } from '@turnout/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { Outbound } from '../../outside/https.ts';
import { sql } from '../../store/sql.ts';
import { HeldClock } from '../scanning/fair.support.ts';
import { removeDeleted } from './jobs.ts';

const NOON = '2027-03-01T12:00:00Z';
const clock = new HeldClock(Date.parse(NOON));
/** The names that this test's resolver knows. */
const names: Record<string, string> = { 'inward.example.org': '10.0.0.3', 'public.example.org': '203.0.112.7' };
let t: TestTurnout;
let key: string;
let north: string;
beforeAll(async () => {
  const resolve = async (host: string) =>
    names[host] === undefined ? [] : [{ address: names[host], family: 4 as const }];
  t = await startTest({ clock, webhooks: new Outbound({ resolve }) });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  for (const group of [
    { code: 'north', name: 'North' },
    { code: 'hill', name: 'Hill', parent: 'north' },
    { code: 'south', name: 'South' },
  ])
    expect((await post('/groups', group)).status).toBe(201);
  north = (await t.key('acme', { group: 'north' })).secret;
  expect((await post('/events', { code: 'fair', name: 'Fair' })).status).toBe(201);
});
afterAll(() => t.stop());
// Whoever moved it on must not be noticed by the other tests.
afterEach(() => clock.jump(NOON));

const post = (path: string, body?: unknown, as = key) => t.call('POST', `/v1${path}`, { key: as, body });
const patch = (path: string, body: unknown, as = key) => t.call('PATCH', `/v1${path}`, { key: as, body });
const get = (path: string, as = key) => t.call('GET', `/v1${path}`, { key: as });
const code = (reply: Reply) => [reply.status, reply.body?.error?.code];
const url = 'https://hooks.example.org/turnout';
async function endpoint(more: object = {}, as = key) {
  const { status, body, text } = await post('/webhooks', { url, events: ['*'], ...more }, as);
  if (status !== 201) throw new Error(text);
  return body;
}
const audited = async (id: string) =>
  (await get(`/audit-log?limit=200`)).body.data.filter((one: { object: { id: string } }) => one.object?.id === id);

describe('the signing secret', () => {
  // claim: webhook-secret-once
  test('is shown when the endpoint is created; afterwards only its last four characters are', async () => {
    const { id, secret } = await endpoint();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const read = await get(`/webhooks/${id}`);
    expect(read.body).toMatchObject({ id, url, events: ['*'], status: 'healthy', secret_last4: secret.slice(-4) });
    expect(read.body).not.toHaveProperty('secret');
    expect((await get('/webhooks')).text).not.toContain(secret);
    expect(JSON.stringify(await audited(id))).not.toContain(secret);
  });

  test('is stored nowhere in plain text, and a retry of the creating call shows it again', async () => {
    const options = { key, body: { url, events: ['*'] }, idempotencyKey: 'secret-once' };
    const first = await t.call('POST', '/v1/webhooks', options);
    const again = await t.call('POST', '/v1/webhooks', options);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const stored = await t.system((tx) =>
      tx.all<{ row: string }>(sql`
        select row_to_json(w)::text as row from webhook_endpoints w
        union all select row_to_json(i)::text from idempotency i
        union all select row_to_json(a)::text from audit_log a`),
    );
    const { secret } = first.body;
    for (const spelled of [secret, Buffer.from(secret).toString('hex'), secret.slice(6)])
      expect(stored.filter(({ row }) => row.includes(spelled))).toEqual([]);
  });

  // claim: rotation
  test('a rotation shows the new one once and says how long the old one still signs', async () => {
    const { id, secret } = await endpoint();
    const { status, body } = await post(`/webhooks/${id}/rotate-secret`);
    expect(status).toBe(200);
    expect(body.secret).toMatch(/^whsec_/);
    expect(body.secret).not.toBe(secret);
    expect(body).toMatchObject({ secret_last4: body.secret.slice(-4), old_secret_until: '2027-03-02T12:00:00Z' });
    clock.advance(24 * 3_600_000);
    expect((await get(`/webhooks/${id}`)).body.old_secret_until).toBeNull();
  });
});

describe('422 webhook_url_refused', () => {
  // claim: private-addresses-refused, webhook-https
  test.each([
    'http://hooks.example.org/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://hooks.example.org./',
    'https://localhost/',
    'https://intranet/',
    'https://printer.local/',
    'https://inward.example.org/',
    'https://user:secret@hooks.example.org/',
    'hooks',
  ])('%s, when it is made and when it is changed', async (refused) => {
    const made = await post('/webhooks', { url: refused, events: ['*'] });
    expect(code(made)).toEqual([422, 'webhook_url_refused']);
    expect(made.body.error.message).toMatch(/^Webhooks cannot be sent to this URL: .+\.$/);
    const { id } = await endpoint();
    expect(code(await patch(`/webhooks/${id}`, { url: refused }))).toEqual([422, 'webhook_url_refused']);
    expect((await get(`/webhooks/${id}`)).body.url).toBe(url);
  });

  test('a public address and a name that does not resolve yet are accepted', async () => {
    for (const fine of ['https://public.example.org/x', 'https://203.0.112.7/', 'https://soon.example.org:8443/a?b=c'])
      expect((await endpoint({ url: fine })).url).toBe(fine);
  });

  test('a retry gets the same refusal', async () => {
    const options = { key, body: { url: 'https://10.0.0.1/', events: ['*'] }, idempotencyKey: 'refused-url' };
    const first = await t.call('POST', '/v1/webhooks', options);
    expect((await t.call('POST', '/v1/webhooks', options)).text).toBe(first.text);
  });
});

describe('400 validation_failed', () => {
  test.each([
    [{ events: ['*'] }, ['url']],
    [{ url, events: [] }, ['events']],
    [{ url, events: ['registration.exploded'] }, ['events/0']],
    [{ url, events: ['*', 'ticket.issued'] }, ['events']],
    [{ url, events: ['ticket.issued', 'ticket.issued'] }, ['events']],
    [{ url, events: ['*'], event: 'nowhere' }, ['event']],
    [{ url, events: ['*'], group: 'nobody' }, ['group']],
    [{ url, events: ['*'], secret: 'whsec_mine' }, ['secret']],
  ])('%j', async (body, paths) => {
    const reply = await post('/webhooks', body);
    expect(code(reply)).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details.map((one: { path: string }) => one.path)).toEqual(paths);
  });
});

describe('a key that is limited to a group', () => {
  // claim: webhooks-inside-group
  test('creates endpoints inside it; the filter defaults to the group, and a wider one is refused', async () => {
    expect((await endpoint({}, north)).group).toBe('north');
    expect((await endpoint({ group: 'hill' }, north)).group).toBe('hill');
    for (const group of ['south', null])
      expect(code(await post('/webhooks', { url, events: ['*'], group }, north))).toEqual([400, 'validation_failed']);
    const { id } = await endpoint({ group: 'hill' }, north);
    for (const group of ['south', null])
      expect(code(await patch(`/webhooks/${id}`, { group }, north))).toEqual([400, 'validation_failed']);
  });

  test('sees neither endpoints of the whole organization nor those of another group', async () => {
    const others = [await endpoint(), await endpoint({ group: 'south' })];
    const mine = await endpoint({ group: 'hill' });
    const seen = (await get('/webhooks?limit=200', north)).body.data.map((one: { id: string }) => one.id);
    expect(seen).toContain(mine.id);
    for (const { id } of others) {
      expect(seen).not.toContain(id);
      expect(code(await get(`/webhooks/${id}`, north))).toEqual([404, 'not_found']);
      expect(code(await get(`/webhooks/${id}/deliveries`, north))).toEqual([404, 'not_found']);
    }
  });

  // claim: webhooks-inside-group
  test('and so does a member', async () => {
    const { id } = await t.system((tx) => tx.one<{ id: string }>(sql`select id from groups where code = 'south'`));
    const session = await t.session('acme', 'developer');
    await t.system((tx) => tx.run(sql`update members set group_id = ${id} where role = 'developer'`));
    const made = await t.call('POST', '/app/api/webhooks', {
      headers: { cookie: `turnout_session=${session}` },
      body: { url, events: ['ticket.issued'] },
    });
    expect([made.status, made.body.group]).toEqual([201, 'south']);
  });
});

// claim: webhook-actions, webhook-actions-audited
test('pausing, enabling, rotating, testing, changing and deleting are audited with the key as actor', async () => {
  const { id } = await endpoint();
  await patch(`/webhooks/${id}`, { description: 'Printer', events: ['ticket.issued'], event: 'fair' });
  await post(`/webhooks/${id}/pause`);
  await post(`/webhooks/${id}/enable`);
  await post(`/webhooks/${id}/rotate-secret`);
  await post(`/webhooks/${id}/test`, {});
  await t.call('DELETE', `/v1/webhooks/${id}`, { key });
  const rows = await audited(id);
  expect(rows.map((one: { action: string }) => one.action).toReversed()).toEqual([
    'webhook_endpoint.created',
    'webhook_endpoint.changed',
    'webhook_endpoint.paused',
    'webhook_endpoint.enabled',
    'webhook_endpoint.secret_rotated',
    'webhook_endpoint.tested',
    'webhook_endpoint.deleted',
  ]);
  for (const one of rows) expect(one).toMatchObject({ source: 'api', actor: { kind: 'key' } });
});

// claim: endpoint-deleted
test('deleting hides the endpoint and its deliveries at once, and a job removes them', async () => {
  const { id } = await endpoint();
  const { body: delivery } = await post(`/webhooks/${id}/test`, {});
  expect((await t.call('DELETE', `/v1/webhooks/${id}`, { key })).status).toBe(204);
  for (const path of [`/webhooks/${id}`, `/webhooks/${id}/deliveries`, `/webhooks/deliveries/${delivery.id}`])
    expect(code(await get(path))).toEqual([404, 'not_found']);
  const rows = () =>
    t.system((tx) =>
      tx.one<{ endpoints: number; deliveries: number; queued: number }>(sql`
        select (select count(*)::int from webhook_endpoints where deleted_at is not null) as endpoints,
          (select count(*)::int from webhook_deliveries d where not exists (
            select 1 from webhook_endpoints w where w.id = d.endpoint_id and w.deleted_at is null)) as deliveries,
          (select count(*)::int from webhook_queue q where not exists (
            select 1 from webhook_endpoints w where w.id = q.endpoint_id and w.deleted_at is null)) as queued`),
    );
  expect((await rows()).deliveries).toBeGreaterThan(0);
  clock.advance(120_000);
  await removeDeleted(t.pool, clock);
  expect(await rows()).toEqual({ endpoints: 0, deliveries: 0, queued: 0 });
});

test('the list continues page by page and shows what has changed since', async () => {
  const { updated_at: before } = await endpoint();
  const made = [await endpoint(), await endpoint(), await endpoint()].map((one) => one.id);
  const page = (await get('/webhooks?limit=2')).body;
  const rest = (await get(`/webhooks?limit=200&cursor=${page.page.next_cursor}`)).body;
  const all = (await get('/webhooks?limit=200')).body.data;
  expect([...page.data, ...rest.data]).toEqual(all);
  await patch(`/webhooks/${made[0]}`, { description: 'last' });
  const since = (await get(`/webhooks?updated_since=${before}`)).body.data.map((one: { id: string }) => one.id);
  expect(since.filter((id: string) => made.includes(id))).toEqual([made[1], made[2], made[0]]);
});

// claim: event-types
test('event-types: all 19, each with a sample envelope', async () => {
  const { body } = await get('/webhooks/event-types');
  expect(body.data.map((one: { type: string }) => one.type)).toEqual(EVENT_TYPES);
  expect(body.data).toHaveLength(19);
  for (const { type, sample } of body.data)
    expect(sample).toMatchObject({ type, livemode: false, api_version: '2026-11-01' });
});

test('the sandbox sends no webhooks, because everybody has its key', async () => {
  await t.org('play');
  await t.system((tx) =>
    tx.run(sql`insert into sandbox_usage (org_id) select id from organizations where code = 'play'`),
  );
  const { secret } = await t.key('play', { mode: 'test' });
  expect(code(await post('/webhooks', { url, events: ['*'] }, secret))).toEqual([409, 'invalid_state']);
});

test('a group cannot be deleted while it has an endpoint', async () => {
  expect((await post('/groups', { code: 'club', name: 'Club' })).status).toBe(201);
  const { id } = await endpoint({ group: 'club' });
  const refused = await t.call('DELETE', '/v1/groups/club', { key });
  expect(code(refused)).toEqual([409, 'invalid_state']);
  expect(refused.body.error.message).toContain('1 webhook endpoint.');
  await t.call('DELETE', `/v1/webhooks/${id}`, { key });
  expect((await t.call('DELETE', '/v1/groups/club', { key })).status).toBe(204);
});
