import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES, type EventType, sampleEnvelope } from '@turnout/contract';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { Secrets } from '../../common/secrets.ts';
import type { Attempt } from '../../outside/https.ts';
import { sql } from '../../store/sql.ts';
import { dueEndpoints, LEASE } from './claim.ts';
import { Deliverer } from './deliver.ts';
import { type Hooks, startHooks } from './hooks.support.ts';
import { CAPS, type Caps } from './slots.ts';

// Everything in there works as always, and its calls can be counted.
vi.mock('./claim.ts', { spy: true });

let hooks: Hooks;
beforeAll(async () => {
  hooks = await startHooks();
  for (const group of [
    { code: 'north', name: 'North' },
    { code: 'hill', name: 'Hill', parent: 'north' },
    { code: 'south', name: 'South' },
  ])
    await hooks.post('/groups', group);
});
afterAll(() => hooks.stop());
beforeEach(async () => {
  hooks.receiver.answer(200);
  hooks.receiver.got.length = 0;
  await hooks.t.system(async (tx) => {
    await tx.run(sql`delete from webhook_queue`);
    await tx.run(sql`update webhook_endpoints set deleted_at = ${hooks.clock.now()} where deleted_at is null`);
  });
});

const secrets = new Secrets(Buffer.alloc(32, 7));
/** A deliverer of its own. `post` replaces the network where a test must hold up attempts. */
const worker = (
  post?: (url: string, headers: Record<string, string>, body: Uint8Array) => Promise<Attempt>,
  caps: Caps = CAPS,
) =>
  new Deliverer({
    caps,
    pool: hooks.t.pool,
    clock: hooks.clock,
    secrets,
    outbound: post === undefined ? hooks.receiver.outbound() : { post },
    log: pino({ level: 'silent' }),
  });
const GOOD: Attempt = { status: 200, answer: null, cause: null, durationMs: 1 };
function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

describe('which endpoints get an occurrence', () => {
  const group = async (code: string) => toUuid((await hooks.get(`/groups/${code}`)).body.id);
  const heard = async (id: string) => (await hooks.deliveries(id)).map((one) => one.type).toSorted();

  // claim: endpoint-types
  test('those that subscribe to its type, or to `*`', async () => {
    const some = await hooks.endpoint({ events: ['ticket.issued', 'checkin.undone'] });
    const all = await hooks.endpoint();
    for (const type of EVENT_TYPES) await hooks.occur(1, { type });
    expect(await heard(some.id)).toEqual(['checkin.undone', 'ticket.issued']);
    expect(await heard(all.id)).toEqual([...EVENT_TYPES].toSorted());
  });

  // claim: endpoint-types
  test('`*` includes types that are added later', async () => {
    const all = await hooks.endpoint();
    await hooks.occur(1, { type: 'ticket.framed' as EventType });
    expect(
      await hooks.t.system((tx) =>
        tx.all(
          sql`select type from webhook_deliveries where endpoint_id = ${toUuid(all.id)} and type = 'ticket.framed'`,
        ),
      ),
    ).toHaveLength(1);
    await hooks.t.system((tx) => tx.run(sql`delete from webhook_deliveries where type = 'ticket.framed'`));
  });

  // claim: endpoint-filters
  test('those of its group and of the groups above it', async () => {
    const north = await hooks.endpoint({ group: 'north' });
    const hill = await hooks.endpoint({ group: 'hill' });
    await hooks.occur(1, { type: 'ticket.issued', group: await group('north') });
    await hooks.occur(1, { type: 'ticket.voided', group: await group('hill') });
    await hooks.occur(1, { type: 'payment.failed', group: await group('south') });
    await hooks.occur(1, { type: 'checkin.undone' });
    expect(await heard(north.id)).toEqual(['ticket.issued', 'ticket.voided']);
    expect(await heard(hill.id)).toEqual(['ticket.voided']);
  });

  // claim: endpoint-filters
  test('those that are limited to its event', async () => {
    const ids: string[] = [];
    for (const code of ['mine', 'other']) ids.push((await hooks.post('/events', { code, name: code })).body.id);
    const only = await hooks.endpoint({ event: 'mine' });
    await hooks.occur(1, { type: 'ticket.issued', event: toUuid(ids[0]!) });
    await hooks.occur(1, { type: 'ticket.voided', event: toUuid(ids[1]!) });
    expect(await heard(only.id)).toEqual(['ticket.issued']);
    expect(await hooks.deliveries(only.id, '&event=mine')).toHaveLength(1);
    expect(await hooks.deliveries(only.id, '&event=other')).toHaveLength(0);
  });

  test('only those that existed before it happened', async () => {
    await hooks.t.system(async (tx) => {
      const { writeOutbox } = await import('../../road/write/record.ts');
      writeOutbox(tx, hooks.org, [{ type: 'ticket.issued', event: null, group: null, livemode: true, data: {} }]);
    });
    hooks.clock.advance(1);
    const late = await hooks.endpoint();
    await hooks.occur(1, { type: 'ticket.voided' });
    expect(await heard(late.id)).toEqual(['ticket.voided']);
  });

  test('none of another organization', async () => {
    await hooks.t.org('other');
    const { secret } = await hooks.t.key('other');
    const { body } = await hooks.post('/webhooks', { url: hooks.receiver.url, events: ['*'] }, secret);
    await hooks.occur();
    expect((await hooks.get(`/webhooks/${body.id}/deliveries`, secret)).body.data).toEqual([]);
  });
});

describe('the delivery log', () => {
  // claim: answer-1-kb, delivery-details
  test('shows the exact bytes, the last signature, the first 1 KB of the answer and the cause of the failure', async () => {
    const { id, secret } = await hooks.endpoint();
    hooks.receiver.answer(503, `busy ${'ü'.repeat(2000)}`);
    await hooks.occur();
    await hooks.deliver();
    const [delivery] = await hooks.deliveries(id);
    const { body } = await hooks.get(`/webhooks/deliveries/${delivery!.id}`);
    const [got] = hooks.receiver.got;
    expect(body.envelope).toBe(got!.body.toString());
    expect(body.last_signature).toBe(got!.headers['service-signature']);
    expect(body.last_webhook_signature).toBe(got!.headers['webhook-signature']);
    expect(Buffer.byteLength(body.last_answer)).toBeLessThanOrEqual(1026); // a character that was cut in two is shown as U+FFFD
    expect(body.last_answer).toMatch(/^busy ü+/);
    expect(body.attempt_log).toMatchObject([{ number: 1, status_code: 503, cause: expect.stringContaining('503') }]);
    expect(JSON.stringify(body)).not.toContain(secret);
  });

  test('shows the other signature for as long as a secret that made it is known, also of the overlap of two', async () => {
    const { id } = await hooks.endpoint();
    const rotate = () => hooks.post(`/webhooks/${id}/rotate-secret`);
    const details = async () => {
      const [delivery] = await hooks.deliveries(id);
      return (await hooks.get(`/webhooks/deliveries/${delivery!.id}`)).body;
    };
    await rotate();
    await hooks.occur();
    await hooks.deliver();
    const sent = hooks.receiver.got.at(-1)!.headers['webhook-signature'];
    expect(sent).toMatch(/^v1,\S+ v1,\S+$/);
    expect((await details()).last_webhook_signature).toBe(sent);
    // The older of the two secrets is gone, so the header cannot be told any more.
    await rotate();
    const { last_signature, last_webhook_signature } = await details();
    expect([typeof last_signature, last_webhook_signature]).toEqual(['string', null]);
    hooks.clock.advance(25 * HOUR);
    await hooks.occur();
    await hooks.deliver();
    const alone = hooks.receiver.got.at(-1)!.headers['webhook-signature'];
    expect(alone).toMatch(/^v1,\S+$/);
    await rotate();
    expect((await details()).last_webhook_signature).toBe(alone);
    // A secret that cannot be decrypted is one that is not known.
    await hooks.t.system((tx) =>
      tx.run(sql`update webhook_endpoints set secret = 'nonsense', old_secret = 'nonsense' where id = ${toUuid(id)}`),
    );
    expect((await details()).last_webhook_signature).toBeNull();
  });

  // claim: deliveries-filtered
  test('is listed newest first by status and by type, page by page', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur(3, { type: 'ticket.issued' });
    await hooks.deliver();
    hooks.receiver.answer(200);
    await hooks.occur(4, { type: 'ticket.voided' });
    await hooks.deliver();
    expect(await hooks.deliveries(id, '&status=failed')).toHaveLength(3);
    expect(await hooks.deliveries(id, '&status=delivered')).toHaveLength(4);
    expect(await hooks.deliveries(id, '&event=ticket.voided')).toHaveLength(4);
    expect(await hooks.deliveries(id, '&event=ticket.issued&status=delivered')).toHaveLength(0);
    const all = await hooks.deliveries(id);
    expect(all.map((one) => one.id)).toEqual(
      all
        .map((one) => one.id)
        .toSorted()
        .toReversed(),
    );
    const first = (await hooks.get(`/webhooks/${id}/deliveries?limit=5`)).body;
    const rest = (await hooks.get(`/webhooks/${id}/deliveries?limit=5&cursor=${first.page.next_cursor}`)).body;
    expect([...first.data, ...rest.data]).toEqual(all);
    expect(rest.page).toEqual({ next_cursor: null, has_more: false });
  });

  test.each(['', '&status=delivered', '&status=dead', '&status=pending', '&status=failed'])(
    'lists the deliveries of a time%s',
    async (status) => {
      const { id } = await hooks.endpoint();
      await hooks.occur(2);
      const between = hooks.clock.now().getTime() + 60_000;
      hooks.clock.advance(120_000);
      await hooks.occur(3);
      if (status === '&status=delivered') await hooks.deliver();
      const count = async (query: string) => (await hooks.deliveries(id, `&${query}${status}`)).length;
      const at = new Date(between).toISOString();
      const there = ['', '&status=delivered', '&status=pending'].includes(status);
      expect([await count(`from=${at}`), await count(`to=${at}`), await count(`from=${at}&to=${at}`)]).toEqual(
        there ? [3, 2, 0] : [0, 0, 0],
      );
    },
  );

  test('an unknown event in the filter is 400 with its path', async () => {
    const { id } = await hooks.endpoint();
    const { status, body } = await hooks.get(`/webhooks/${id}/deliveries?event=nowhere`);
    expect([status, body.error.details[0].path]).toEqual([400, 'event']);
  });

  test('a key limited to a group sees only what happened inside it, even if the endpoint had a wider filter before', async () => {
    const { secret } = await hooks.t.key('acme', { group: 'north' });
    const north = toUuid((await hooks.get('/groups/north')).body.id);
    const { id } = await hooks.endpoint();
    await hooks.occur(1, { type: 'ticket.issued', group: north });
    await hooks.occur(2, { type: 'ticket.voided' });
    const all = await hooks.deliveries(id);
    await hooks.t.call('PATCH', `/v1/webhooks/${id}`, { key: hooks.key, body: { group: 'north' } });
    const seen = (await hooks.get(`/webhooks/${id}/deliveries`, secret)).body.data;
    expect(seen.map((one: { type: string }) => one.type)).toEqual(['ticket.issued']);
    for (const one of all.filter((row) => row.type === 'ticket.voided'))
      expect((await hooks.get(`/webhooks/deliveries/${one.id}`, secret)).status).toBe(404);
  });
});

describe('what is sent', () => {
  // claim: envelope-fields, envelope-id, signature-one-byte, webhooks-signed
  test('an envelope in UTF-8 with signatures over its bytes, ours and those of Standard Webhooks', async () => {
    hooks.clock.jump(new Date()); // the library of Standard Webhooks uses the clock of the machine
    const { secret } = await hooks.endpoint();
    await hooks.occur(1, { data: { name: 'Zoë 王小明 👋', empty: {} } });
    await hooks.deliver();
    const [{ body, headers }] = hooks.receiver.got as [(typeof hooks.receiver.got)[number]];
    const sent = JSON.parse(body.toString());
    expect(Object.keys(sent)).toEqual(['id', 'type', 'api_version', 'created_at', 'livemode', 'data']);
    expect(sent).toMatchObject({
      id: expect.stringMatching(/^evt_[0-9A-HJKMNP-TV-Z]{26}$/),
      api_version: '2026-11-01',
      livemode: true,
      data: { name: 'Zoë 王小明 👋', empty: {} },
    });
    expect(headers['content-type']).toContain('application/json');
    expect(headers['webhook-id']).toBe(sent.id);
    const standard = new Webhook(secret);
    expect(standard.verify(body.toString(), headers as Record<string, string>)).toEqual(sent);
    expect(() => standard.verify(`${body.toString()} `, headers as Record<string, string>)).toThrow();
    hooks.clock.jump('2028-01-01T12:00:00Z');
  });
});

// claim: delivery-never-fails-work
test('an endpoint that fails does not fail the work that it is told of', async () => {
  const { id } = await hooks.endpoint();
  hooks.receiver.answer(500);
  const made = await hooks.post('/events', { code: 'calm', name: 'Calm' });
  await hooks.post('/events/calm/days', { code: 'd1', date: '2031-01-01' });
  await hooks.post('/events/calm/attendee-types', { code: 'adult', name: 'Adult' });
  await hooks.post('/events/calm/publish');
  const attendees = [{ attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['d1'] }];
  const registered = await hooks.post('/events/calm/registrations', { attendees, send_emails: false });
  expect([made.status, registered.status, registered.body.status]).toEqual([201, 201, 'confirmed']);
  while ((await hooks.t.step.relay()) > 0);
  await hooks.deliver();
  const deliveries = await hooks.deliveries(id);
  expect(deliveries.map(({ type }) => type)).toContain('registration.confirmed');
  expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['failed']));
  const after = await hooks.get(`/events/calm/registrations/${registered.body.id}`);
  expect(after.body).toEqual(registered.body);
});

describe('several workers', () => {
  test('share the work: nothing is sent twice, and nothing is left', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur(200);
    const sent: string[] = [];
    const workers = Array.from({ length: 3 }, () =>
      worker(async (_url, headers) => {
        sent.push(headers['webhook-id']!);
        await new Promise((resolve) => setTimeout(resolve, 2));
        return GOOD;
      }),
    );
    for (let left = 1; left > 0; )
      left = (await Promise.all(workers.map((one) => one.step()))).reduce((sum, one) => sum + one, 0);
    expect(sent).toHaveLength(200);
    expect(new Set(sent).size).toBe(200);
    expect(await hooks.deliveries(id, '&status=delivered')).toHaveLength(200);
  });

  test('a lease keeps others away; when it is over they take over, and a later outcome of the first one does not count', async () => {
    const { id } = await hooks.endpoint();
    await hooks.occur();
    const { open, opened } = gate();
    let begun = () => {};
    const reached = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const stuck = worker(async () => {
      begun();
      await opened;
      return { status: 500, answer: null, cause: 'too late', durationMs: 1 };
    }).step();
    await reached;
    const other = worker(async () => GOOD);
    hooks.clock.advance(LEASE - 1);
    expect(await other.step()).toBe(0);
    hooks.clock.advance(1);
    expect(await other.step()).toBe(1);
    open();
    await stuck;
    expect(await hooks.deliveries(id)).toMatchObject([{ status: 'delivered', attempts: 1 }]);
    expect(await hooks.health(id)).toMatchObject({ failures_in_a_row: 0 });
  });

  test('a single endpoint has all of its slots; many endpoints are served at once', async () => {
    const running = new Map<string, number>();
    let most = 0;
    let together = 0;
    const busy = worker(
      async (url) => {
        const now = (running.get(url) ?? 0) + 1;
        running.set(url, now);
        most = Math.max(most, now);
        together = Math.max(together, running.size);
        await sleep(5);
        if (now === 1) running.delete(url);
        else running.set(url, running.get(url)! - 1);
        return GOOD;
      },
      { ...CAPS, organization: 12, endpoint: 10 },
    );
    await hooks.endpoint();
    await hooks.occur(40);
    while ((await busy.step()) > 0);
    expect([most, together]).toEqual([10, 1]);
    for (let i = 1; i < 12; i += 1) await hooks.endpoint({ url: `${hooks.receiver.url}/${i}` });
    await hooks.occur(40);
    while ((await busy.step()) > 0);
    expect(together).toBe(12);
  });

  test('three endpoints that hang do not take the slots of nine that answer, however often these have nothing left to send', async () => {
    const { open, opened } = gate();
    let answered = 0;
    const busy = worker(
      async (url) => {
        if (url.includes('hangs')) await opened;
        else answered += 1;
        return GOOD;
      },
      { ...CAPS, organization: 12, ahead: 4 },
    );
    for (let i = 0; i < 12; i += 1)
      await hooks.endpoint({ url: `${hooks.receiver.url}/${i % 4 === 0 ? 'hangs' : 'answers'}-${i}` });
    await hooks.occur(40);
    busy.start();
    try {
      await vi.waitFor(() => expect(answered).toBe(9 * 40), { timeout: 45_000 });
    } finally {
      open();
      await busy.stop();
    }
  });

  test('endpoints that hang before the others have anything to send leave a turn to each of these', async () => {
    const { open, opened } = gate();
    let [hanging, answered] = [0, 0];
    const busy = worker(
      async (url) => {
        if (url.includes('hangs')) hanging += 1;
        else answered += 1;
        if (url.includes('hangs')) await opened;
        return GOOD;
      },
      { ...CAPS, organization: 12, ahead: 4 },
    );
    for (let i = 0; i < 3; i += 1) await hooks.endpoint({ url: `${hooks.receiver.url}/hangs-${i}` });
    await hooks.occur(40);
    busy.start();
    try {
      await vi.waitFor(() => expect(hanging).toBeGreaterThanOrEqual(11), { timeout: 20_000 });
      for (let i = 0; i < 3; i += 1) await hooks.endpoint({ url: `${hooks.receiver.url}/answers-${i}` });
      await hooks.occur(10);
      busy.wake();
      await vi.waitFor(() => expect(answered).toBe(3 * 10), { timeout: 45_000 });
      expect(hanging).toBe(11);
    } finally {
      open();
      await busy.stop();
    }
  });

  test('a delivery that commits late, and stands before what was read already, is sent as well', async () => {
    const { id } = await hooks.endpoint();
    hooks.clock.advance(2 * MINUTE);
    await hooks.occur(300);
    const { open, opened } = gate();
    let sent = 0;
    const running = worker(
      async () => {
        sent += 1;
        if (sent > 100) await opened;
        return GOOD;
      },
      { ...CAPS, organization: 8, endpoint: 8, ahead: 8 },
    );
    running.start();
    try {
      await vi.waitFor(() => expect(sent).toBeGreaterThan(100), { timeout: 45_000 });
      hooks.clock.advance(-MINUTE);
      await hooks.occur(1, { type: 'ticket.issued' });
      hooks.clock.advance(MINUTE);
      open();
      await vi.waitFor(
        async () => expect((await hooks.deliveries(id, '&status=delivered&event=ticket.issued')).length).toBe(1),
        { timeout: 45_000 },
      );
      await vi.waitFor(() => expect(sent).toBe(301), { timeout: 45_000 });
    } finally {
      open();
      await running.stop();
    }
  });

  test('an endpoint whose secret cannot be decrypted fails with a cause and does not delay others', async () => {
    const damaged = await hooks.endpoint();
    const well = await hooks.endpoint();
    await hooks.t.system((tx) =>
      tx.run(sql`update webhook_endpoints set secret = 'nonsense' where id = ${toUuid(damaged.id)}`),
    );
    await hooks.occur(20);
    await hooks.deliver();
    expect(await hooks.deliveries(well.id, '&status=delivered')).toHaveLength(20);
    const failed = await hooks.deliveries(damaged.id, '&status=failed');
    expect(failed).toHaveLength(20);
    expect((await hooks.get(`/webhooks/deliveries/${failed[0]!.id}`)).body).toMatchObject({
      last_signature: null,
      attempt_log: [{ number: 1, status_code: null, cause: 'it could not be signed' }],
    });
  });

  test('one endpoint that hangs delays no other', async () => {
    const hanging = await hooks.endpoint({ url: 'https://hangs.example.org/' });
    const well = await hooks.endpoint({ url: 'https://well.example.org/' });
    await hooks.occur(300);
    const { open, opened } = gate();
    const running = worker(async (url) => {
      if (url.includes('hangs')) await opened;
      return GOOD;
    });
    running.start();
    await expect
      .poll(async () => (await hooks.get(`/webhooks/${well.id}/deliveries?status=pending`)).body.data.length, {
        timeout: 15_000,
      })
      .toBe(0);
    expect((await hooks.deliveries(hanging.id, '&status=delivered')).length).toBe(0);
    open();
    await running.stop();
  });

  test('pausing and a new URL also apply to what was read from the queue already', async () => {
    const { id } = await hooks.endpoint({ url: 'https://one.example.org/' });
    await hooks.occur(100);
    const { open, opened } = gate();
    const sent: string[] = [];
    const running = worker(async (url) => {
      sent.push(url);
      if (sent.length <= 16) await opened;
      return GOOD;
    });
    running.start();
    await expect.poll(() => sent.length, { timeout: 45_000 }).toBe(16);
    await hooks.post(`/webhooks/${id}/pause`);
    // A survey that began after the pause has ended when the one after it begins.
    const surveys = vi.mocked(dueEndpoints).mock.calls;
    const before = surveys.length;
    await expect.poll(() => surveys.length, { timeout: 45_000 }).toBeGreaterThan(before + 1);
    open();
    await expect
      .poll(async () => (await hooks.deliveries(id, '&status=delivered')).length, { timeout: 45_000 })
      .toBe(16);
    await hooks.t.call('PATCH', `/v1/webhooks/${id}`, { key: hooks.key, body: { url: 'https://two.example.org/' } });
    await hooks.post(`/webhooks/${id}/enable`);
    await expect.poll(() => sent.length, { timeout: 45_000 }).toBe(100);
    expect(sent.slice(16).every((url) => url === 'https://two.example.org/')).toBe(true);
    await running.stop();
  });

  test('a first attempt is not starved by a thousand retries', async () => {
    const { id } = await hooks.endpoint();
    hooks.receiver.answer(500);
    await hooks.occur(1000, { type: 'ticket.voided' });
    await hooks.t.system((tx) => tx.run(sql`update webhook_queue set attempts = 1`));
    hooks.clock.advance(MINUTE);
    await hooks.occur(1, { type: 'ticket.issued' });
    await hooks.t.step.deliveries();
    expect(await hooks.deliveries(id, '&event=ticket.issued')).toMatchObject([{ attempts: 1 }]);
    hooks.clock.advance(40 * DAY);
  });
});

test('erasing an attendee empties the envelopes: what waits is not sent, and a replay is refused with 409', async () => {
  const { id } = await hooks.endpoint({ events: ['registration.created'] });
  const { post } = hooks;
  await post('/events', { code: 'party', name: 'Party' });
  await post('/events/party/days', { code: 'd1', date: '2055-08-01' });
  await post('/events/party/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/party/publish');
  const person = { attendee_type: 'adult', first_name: 'Grace', last_name: 'Secretname', days: ['d1'] };
  const sent = (await post('/events/party/registrations', { attendees: [person] })).body;
  await hooks.t.step.relay();
  await hooks.deliver();
  expect(hooks.receiver.got[0]!.body.toString()).toContain('Secretname');
  await post(`/webhooks/${id}/pause`);
  const waiting = (await post('/events/party/registrations', { attendees: [{ ...person, first_name: 'Other' }] })).body;
  await hooks.t.step.relay();
  for (const one of [sent, waiting]) expect((await post(`/contacts/${one.contact.id}/erase`)).status).toBe(200);
  await post(`/webhooks/${id}/enable`);
  hooks.receiver.got.length = 0;
  await hooks.deliver();
  const all = await hooks.deliveries(id, '&event=registration.created');
  expect(all.map((one) => one.status)).toEqual(['dead', 'delivered']);
  for (const one of all) {
    expect((await hooks.get(`/webhooks/deliveries/${one.id}`)).body.envelope).toBeNull();
    const refused = await post(`/webhooks/deliveries/${one.id}/replay`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
  }
  expect(hooks.receiver.got.map(({ body }) => body.toString()).join()).not.toContain('Secretname');
});

describe('the samples', () => {
  // claim: all-types-raised, check-in-webhook, data-in-own-shapes
  test('have the same fields as what is really sent', async () => {
    await hooks.endpoint();
    const { post } = hooks;
    await post('/events', {
      code: 'gala',
      name: 'Gala',
      capacity: 2,
      registration: { waitlist: true, approval: true },
    });
    await post('/events/gala/days', { code: 'd1', date: hooks.clock.now().toISOString().slice(0, 10) });
    await post('/events/gala/attendee-types', { code: 'adult', name: 'Adult', price_minor: 100 });
    await post('/events/gala/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    await post('/events/gala/publish');
    const ada = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', days: ['d1'] };
    const make = async () => (await post('/events/gala/registrations', { attendees: [ada] })).body;
    const act = async (path: string, body?: object) => {
      const reply = await post(`/events/gala/registrations/${path}`, body);
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    };
    const [one, two, waits] = [await make(), await make(), await make()];
    await act(`${two.id}/decline`, { reason: 'Full' });
    await act(`${one.id}/approve`);
    const paid = await act(`${one.id}/payments`, { amount_minor: 100, method: 'cash' });
    const { tickets } = (await hooks.get(`/events/gala/attendees/${one.attendees[0].id}`)).body;
    const scan = { code: tickets[0].code, check_in_point: 'gate', client_uuid: crypto.randomUUID() };
    const scanned = (await post('/events/gala/scan', scan)).body;
    const again = (await post('/events/gala/scan', { ...scan, client_uuid: crypto.randomUUID() })).body;
    const cookie = `turnout_session=${await hooks.t.session('acme', 'owner')}`;
    const door = (path: string, body: object) => hooks.t.call('POST', `/app/api${path}`, { headers: { cookie }, body });
    expect(
      (await door(`/checkins/${again.checkins[0].id}/override`, { reason: 'Knows the band' })).status,
    ).toBeLessThan(300);
    expect((await door(`/checkins/${scanned.checkins[0].id}/undo`, {})).status).toBeLessThan(300);
    await post(`/payments/${paid.id}/refund`, { amount_minor: 50 });
    const ticket = (await post(`/tickets/${tickets[0].id}/reissue`)).body;
    await post(`/tickets/${ticket.id}/void`, { reason: 'Lost' });
    await hooks.t.call('PATCH', '/v1/events/gala', { key: hooks.key, body: { capacity: 10 } });
    const added = await act(`${one.id}/attendees`, { ...ada, first_name: 'Eve' });
    await post(`/events/gala/attendees/${added.id}/cancel`);
    await act(`${waits.id}/cancel`, {});
    while ((await hooks.t.step.relay()) > 0);
    await hooks.deliver();
    const sent = new Map(
      hooks.receiver.got.map(({ body }) => {
        const envelope = JSON.parse(body.toString());
        return [envelope.type as EventType, envelope];
      }),
    );
    // Only a payment provider can make a payment fail.
    expect(EVENT_TYPES.filter((type) => !sent.has(type))).toEqual(['payment.failed']);
    for (const [type, envelope] of sent) {
      const sample = sampleEnvelope(type);
      expect([type, Object.keys(envelope)]).toEqual([type, Object.keys(sample)]);
      expect([type, Object.keys(envelope.data).toSorted()]).toEqual([type, Object.keys(sample.data).toSorted()]);
    }
  });
});
