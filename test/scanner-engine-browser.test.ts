import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import type { Told } from '../web/scan/src/engine/index.ts';
import { ONLY_SERVER_MS } from '../web/scan/src/engine/times.ts';
import { openBrowser } from './support/apps.ts';
import { Device } from './support/scanner/device.ts';
import { type Asked, buildScanPage, type Fault, PASS } from './support/scanner/gate.ts';
import type { ScanPage } from './support/scanner/page.ts';
import { hasTool } from './support/tools.ts';

declare const scan: ScanPage;

const DROP: Fault = { do: 'drop' };
const PORTAL: Fault = { do: 'answer', status: 200, type: 'text/html', body: '<h1>Welcome to the hotel</h1>' };
const DOWN: Fault = {
  do: 'answer',
  status: 503,
  type: 'application/json',
  body: '{"error":{"code":"unavailable","message":"Down."}}',
};
const isScan = ({ path }: Asked) => path.endsWith('/scan');
const isBatch = ({ path }: Asked) => path.endsWith('/scan/batch');

/** Runs in the page: fills the storage of its origin until not even a small row fits any more. */
async function fill(): Promise<void> {
  const db = await new Promise<IDBDatabase>((resolve, reject) => {
    const opening = indexedDB.open('filler');
    opening.onupgradeneeded = () => opening.result.createObjectStore('rows', { autoIncrement: true });
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const fits = (bytes: number) =>
    new Promise<boolean>((resolve) => {
      const tx = db.transaction('rows', 'readwrite', { durability: 'strict' });
      tx.objectStore('rows').add(crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536))));
      tx.oncomplete = () => resolve(true);
      tx.onabort = () => resolve(false);
    });
  for (let bytes = 65_536; bytes >= 16; bytes /= 2) while (await fits(bytes));
  db.close();
}

describe.skipIf(!hasTool('chromium'))('the scanner’s engine', { timeout: 90_000 }, () => {
  let fair: Fair;
  let browser: Browser;
  let page: Awaited<ReturnType<typeof buildScanPage>>;
  let manager: string;
  const devices: Device[] = [];
  beforeAll(async () => {
    page = await buildScanPage();
    fair = await openFair();
    manager = await fair.t.session('acme', 'owner');
    browser = await openBrowser();
  }, 240_000);
  afterEach(async () => {
    const errors = devices.flatMap((one) => one.errors);
    await Promise.all(devices.splice(0).map((one) => one.stop()));
    expect(errors).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    await fair?.t.stop();
    page?.remove();
  });

  const pairingCode = async (session = manager, event = 'fair'): Promise<string> => {
    const made = await fair.app(session, 'POST', `/events/${event}/devices/pairing-codes`, {});
    expect(made.status).toBe(201);
    return made.body.code;
  };
  /** A member who is limited to a group, and so are the devices that they pair. */
  const memberOf = async (group: string): Promise<string> => {
    const members = async (): Promise<{ id: string }[]> => (await fair.app(manager, 'GET', '/members')).body.data;
    const before = new Set((await members()).map(({ id }) => id));
    const session = await fair.t.session('acme', 'manager');
    const made = (await members()).find(({ id }) => !before.has(id))!;
    expect((await fair.app(manager, 'PATCH', `/members/${made.id}`, { group })).status).toBe(200);
    return session;
  };
  const device = async (options: { session?: string; answerMs?: number | null } = {}): Promise<Device> => {
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    return one.ready(await pairingCode(options.session), options);
  };
  /** A device that the server does not answer, and that has noticed it. */
  const offline = async (one: Device, fault: Fault = DROP): Promise<void> => {
    one.gate.fault = () => fault;
    await one.page.evaluate(() => dispatchEvent(new Event('online')));
    await one.until(({ connection }) => connection === 'offline');
  };
  const online = async (one: Device): Promise<void> => {
    one.gate.fault = () => PASS;
    await one.page.evaluate(() => dispatchEvent(new Event('online')));
    await one.until(({ connection, queue }) => connection === 'online' && queue === 0);
  };
  /** What is on record about one scan. */
  const recorded = async (client_uuid: string, key = fair.key) => {
    const { body } = await fair.get('/events/fair/checkins?limit=100', key);
    return body.data.filter((row: { client_uuid: string }) => row.client_uuid === client_uuid);
  };
  const reconciliation = async () => (await fair.get('/events/fair/checkins/reconciliation')).body.data;
  const told = (answer: unknown) => answer as Told;

  test('online, the server answers, and nothing stays in the queue', async () => {
    const { code, people } = await fair.register();
    const one = await device();
    const first = told(await one.scan({ code }));
    expect(first).toMatchObject({
      by: 'server',
      result: 'accepted',
      admitted: true,
      tone: 'success',
      point_kind: 'entry',
    });
    expect(first.people).toMatchObject([{ id: people[0], attendee_type: 'Adult', result: 'accepted' }]);
    expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'duplicate', tone: 'warning' });
    expect(await one.status()).toMatchObject({ connection: 'online', queue: 0 });
    expect(await recorded(first.client_uuid)).toHaveLength(1);
  });

  describe('the server does not answer', () => {
    test('silent for longer than 400 ms: the device decides, and the scan goes up once, with what was told', async () => {
      const { code } = await fair.register();
      const one = await device({ answerMs: null });
      one.gate.fault = (asked) => (isScan(asked) ? { do: 'delay', ms: 3000 } : isBatch(asked) ? DROP : PASS);
      const answer = told(await one.scan({ code }));
      expect(answer).toMatchObject({ by: 'device', result: 'accepted', admitted: true });
      expect((await one.status()).queue).toBe(1);
      one.gate.fault = () => PASS;
      await one.until(({ queue }) => queue === 0);
      const rows = await recorded(answer.client_uuid);
      expect(rows).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
      const sent = one.gate.calls.filter(isBatch).map(({ body }) => JSON.parse(body).scans);
      expect(sent.at(-1)).toMatchObject([{ client_uuid: answer.client_uuid, offline_result: 'accepted' }]);
      expect(await one.disagreements()).toEqual([]);
    });

    test('after two calls without an answer it is not asked before deciding, and the first answer brings it back', async () => {
      const [a, b] = [await fair.register(), await fair.register()];
      const one = await device();
      await offline(one);
      const before = one.gate.calls.filter(isScan).length;
      expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'device', result: 'accepted' });
      expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'device', result: 'duplicate' });
      expect(one.gate.calls.filter(isScan).length).toBe(before);
      expect((await one.status()).queue).toBe(2);
      await online(one);
      expect(told(await one.scan({ code: b.code }))).toMatchObject({ by: 'server', result: 'accepted' });
      expect(await one.disagreements()).toEqual([]);
    });

    test.each([
      ['503', DOWN],
      ['a captive portal: 200 with HTML', PORTAL],
      ['JSON of somebody else', { do: 'answer', status: 200, type: 'application/json', body: '{"ok":true}' } as Fault],
      ['401 of a proxy', { do: 'answer', status: 401, type: 'text/html', body: 'Sign in' } as Fault],
      [
        'a redirect',
        { do: 'answer', status: 302, type: 'text/html', body: '', headers: { location: '/scan/' } } as Fault,
      ],
    ])('%s is no answer', async (_, fault) => {
      const { code } = await fair.register();
      const one = await device();
      one.gate.fault = () => fault;
      const first = told(await one.scan({ code }));
      expect(first).toMatchObject({ by: 'device', result: 'accepted' });
      await one.until(({ connection }) => connection === 'offline');
      expect((await one.status()).queue).toBe(1);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
    });

    test('an answer that was lost on its way: the retry gets the same one', async () => {
      const { code } = await fair.register();
      const one = await device();
      one.gate.fault = (asked) => (isScan(asked) || isBatch(asked) ? { do: 'lose answer' } : PASS);
      const first = told(await one.scan({ code }));
      expect(first).toMatchObject({ by: 'device', result: 'accepted' });
      await expect.poll(() => one.gate.calls.filter(isBatch).length, { timeout: 20_000 }).toBeGreaterThan(1);
      const keys = one.gate.calls.filter(isBatch).map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(1);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
      expect(await one.disagreements()).toEqual([]);
    });

    test('the roster tells of a scan whose answer was lost: it is no duplicate of itself, but the next one is', async () => {
      const { code, people } = await fair.register();
      const one = await device();
      const count = () => one.page.evaluate(async () => (await scan.open!.counts('gate')).point);
      const before = await count();
      const { promise: noticed, resolve: notice } = Promise.withResolvers<void>();
      one.gate.fault = (asked) =>
        isScan(asked) ? { do: 'lose answer', after: noticed } : isBatch(asked) ? DROP : PASS;
      const asking = one.scan({ code });
      const admitted = async () => {
        await one.page.evaluate(() => dispatchEvent(new Event('online')));
        const found = await one.page.evaluate(() => scan.open!.search('Pat'));
        return found.find(({ person }) => person === people[0])?.admitted;
      };
      await expect.poll(admitted, { timeout: 20_000 }).toBe(true);
      notice();
      const first = told(await asking);
      expect(first).toMatchObject({ by: 'device', result: 'accepted', admitted: true });
      await offline(one);
      expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'duplicate' });
      expect(await count()).toBe(before + 1);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
      expect(await one.disagreements()).toEqual([]);
    });
  });

  describe('what survives', () => {
    test('a page that dies between the queue and the answer: the scan goes up once when it is opened again', async () => {
      const { code } = await fair.register();
      const one = await device();
      one.gate.fault = () => ({ do: 'delay', ms: 60_000 });
      // The page is killed while it waits, so this never returns.
      const dying = one.tryScan({ code }).catch(() => null);
      await expect.poll(() => one.gate.calls.filter(isScan).length).toBe(1);
      const crashed = one.page;
      void crashed.goto('chrome://crash').catch(() => {});
      await dying;
      await crashed.close();
      one.gate.fault = () => PASS;
      await one.newPage();
      expect(await one.open()).toBeNull();
      await one.until(({ queue, connection }) => queue === 0 && connection === 'online');
      const [sent] = one.gate.calls.filter(isBatch).map(({ body }) => JSON.parse(body).scans);
      expect(sent).toHaveLength(1);
      expect(sent[0]).not.toHaveProperty('offline_result');
      expect(await recorded(sent[0].client_uuid)).toHaveLength(1);
    });

    test('the queue, what was told and the own scans, when the app is closed without a network', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      await one.page.close();
      await one.newPage();
      expect(await one.open()).toBeNull();
      expect(await one.status()).toMatchObject({ queue: 1 });
      expect((await one.status()).tickets).toBeGreaterThan(0);
      expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'duplicate' });
      const last = await one.page.evaluate(() => scan.open!.lastScans());
      expect(last.map(({ told: { result }, sent }) => [result, sent])).toEqual([
        ['duplicate', false],
        ['accepted', false],
      ]);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
    });

    test('the storage is deleted while the app is open: it is said, and no scan is lost', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      const cdp = await one.context.newCDPSession(one.page);
      await cdp.send('Storage.clearDataForOrigin', { origin: one.gate.url, storageTypes: 'indexeddb' });
      await one.until(({ storage }) => storage === 'wiped');
      expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'duplicate' });
      expect((await one.status()).queue).toBe(2);
      // It is written again once the browser has finished deleting.
      await expect.poll(() => one.page.evaluate(() => scan.api.storageState()), { timeout: 20_000 }).toBe('ok');
      await one.page.close();
      await one.newPage();
      expect(await one.open()).toBeNull();
      expect(await one.status()).toMatchObject({ queue: 2, storage: 'ok' });
      expect((await one.status()).tickets).toBeGreaterThan(0);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
    });

    test('storage that was deleted while the app was closed is noticed', async () => {
      const one = await device();
      expect(await one.page.evaluate(() => scan.api.storageState())).toBe('ok');
      await one.page.close();
      await one.newPage();
      const cdp = await one.context.newCDPSession(one.page);
      await cdp.send('Storage.clearDataForOrigin', { origin: one.gate.url, storageTypes: 'indexeddb' });
      expect(await one.page.evaluate(() => scan.api.storageState())).toBe('wiped');
      expect(await one.page.evaluate(() => scan.api.pairedEvents())).toEqual([]);
    });
  });

  test('full storage: a scan is told only if the server recorded it', async () => {
    const [a, b] = [await fair.register(), await fair.register()];
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    const cdp = await one.context.newCDPSession(one.page);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: one.gate.url, quotaSize: 6_000_000 });
    await one.ready(await pairingCode());
    await one.page.evaluate(fill);
    expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'server', result: 'accepted' });
    expect((await one.status()).storage).toBe('full');
    one.gate.fault = () => DROP;
    expect(await one.tryScan({ code: b.code })).toMatchObject({ fault: 'storage' });
    expect((await one.status()).queue).toBe(0);
    await one.page.evaluate(() => indexedDB.deleteDatabase('filler'));
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: one.gate.url });
    // The browser looks at the free space only now and then.
    await expect
      .poll(() => one.tryScan({ code: b.code }), { timeout: 60_000 })
      .toMatchObject({ by: 'device', result: 'accepted' });
    expect((await one.status()).storage).toBe('ok');
  }, 180_000);

  test('two devices without a network admit the same ticket: told to whoever holds the second, and in reconciliation', async () => {
    const { code } = await fair.register();
    const [one, two] = [await device(), await device()];
    await offline(one);
    await offline(two);
    expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'accepted' });
    const second = told(await two.scan({ code }));
    expect(second).toMatchObject({ by: 'device', result: 'accepted' });
    await online(one);
    await online(two);
    expect(await one.disagreements()).toEqual([]);
    const [difference] = await two.disagreements();
    expect(difference).toMatchObject({ client_uuid: second.client_uuid, told: 'accepted', recorded: 'duplicate' });
    expect(difference!.names).toHaveLength(1);
    expect(await two.page.evaluate(() => scan.open!.disagreements())).toEqual([difference]);
    const rows = (await reconciliation()).filter(
      (row: { client_uuid: string }) => row.client_uuid === second.client_uuid,
    );
    expect(rows).toMatchObject([{ result: 'duplicate', offline_result: 'accepted' }]);
    await two.page.evaluate((uuid) => scan.open!.disagreementSeen(uuid), second.client_uuid);
    expect(await two.page.evaluate(() => scan.open!.disagreements())).toEqual([]);
  });

  describe('the server refuses', () => {
    const stopped = (one: Device, refusal: string) =>
      one.until(({ connection, refusal: why }) => connection === 'refused' && why === refusal);
    const handed = (one: Device) =>
      one.page.evaluate(async () => JSON.parse(await (await scan.open!.handOver()).text()));

    test('a token that was revoked while offline: scanning stops, the queue stays and can be handed over', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      expect((await fair.app(manager, 'DELETE', `/events/fair/devices/${one.id}`)).status).toBe(204);
      one.gate.fault = () => PASS;
      await one.page.evaluate(() => dispatchEvent(new Event('online')));
      await stopped(one, 'device_revoked');
      expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
      expect((await one.status()).queue).toBe(1);
      const file = await handed(one);
      expect(file).toMatchObject({ turnout: 'scans', version: 1, device: { id: one.id }, event: { name: 'Fair' } });
      expect(file.scans).toMatchObject([
        { client_uuid: first.client_uuid, code, offline_result: 'accepted', not_recorded: null },
      ]);
      // An organizer uploads it.
      const scans = file.scans.map(({ not_recorded: _, ...scan }: { not_recorded: unknown }) => scan);
      expect((await fair.app(manager, 'POST', '/events/fair/scan/batch', { scans })).status).toBe(200);
      expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
      // It is not forgotten by accident.
      const forget = (force: boolean) =>
        one.page.evaluate(
          ([id, forced]) =>
            scan.api.forget(id, { force: forced }).then(
              () => null,
              ({ fault }) => fault,
            ),
          [one.id, force] as const,
        );
      expect(await forget(false)).toBe('waiting');
      expect(await forget(true)).toBeNull();
      expect(await one.page.evaluate(() => scan.api.pairedEvents())).toEqual([]);
    });

    test('426: scanning stops, the queue stays; with a new enough version it goes on by itself', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      one.gate.fault = () => ({ do: 'pass', headers: { 'x-scanner-version': '0.1.0' } });
      await one.page.evaluate(() => dispatchEvent(new Event('online')));
      await one.until(({ connection }) => connection === 'too_old');
      expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
      expect((await one.status()).queue).toBe(1);
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
      expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'duplicate' });
    });

    test('a scan that the server refuses to take is not recorded later', async () => {
      const { code } = await fair.register();
      const one = await device();
      const old = { do: 'pass', headers: { 'x-scanner-version': '0.1.0' } } as const;
      one.gate.fault = (asked) => (isScan(asked) ? old : PASS);
      expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
      expect((await one.status()).queue).toBe(0);
      await online(one);
      expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'accepted' });
      expect(one.gate.calls.filter(isBatch)).toEqual([]);
    });

    test('an archived event: the queue is kept until an organizer opens it again', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      const change = async (how: string) => expect((await fair.post(`/events/fair/${how}`)).status).toBe(200);
      await change('close');
      await change('archive');
      one.gate.fault = () => PASS;
      await one.page.evaluate(() => dispatchEvent(new Event('online')));
      await stopped(one, 'event_archived');
      expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
      expect((await one.status()).queue).toBe(1);
      await change('close');
      await change('publish');
      await online(one);
      expect(await recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
      expect(
        new Set(one.gate.calls.filter(isBatch).map(({ headers }) => headers['idempotency-key'])).size,
      ).toBeGreaterThan(1);
    });

    test('a scan that cannot be recorded goes to the kept list with its reason', async () => {
      const [a, b] = [await fair.register(), await fair.register()];
      const one = await device();
      // Online: somebody who is not on the ticket.
      expect(await one.tryScan({ code: a.code, people: b.people })).toMatchObject({
        fault: 'not_recorded',
        code: 'validation_failed',
      });
      // Offline: a point that is removed before the scan goes up.
      await offline(one);
      expect(told(await one.scan({ code: a.code, people: a.people }))).toMatchObject({
        by: 'device',
        result: 'accepted',
      });
      expect(told(await one.scan({ code: b.code, people: a.people }))).toMatchObject({
        by: 'device',
        result: 'rejected',
      });
      await online(one);
      expect((await one.status()).notRecorded).toBe(2);
      const kept = await one.page.evaluate(() => scan.open!.notRecorded());
      expect(kept).toMatchObject([
        { code: 'validation_failed', told: null },
        { code: 'validation_failed', told: 'rejected' },
      ]);
      expect((await handed(one)).scans).toMatchObject([
        { not_recorded: { code: 'validation_failed' } },
        { not_recorded: {} },
      ]);
      await one.page.close();
      await one.newPage();
      expect(await one.open()).toBeNull();
      expect((await one.status()).notRecorded).toBe(2);
    });

    test('429: the device decides meanwhile, is not offline, and does not ask before it may', async () => {
      const [a, b] = [await fair.register(), await fair.register()];
      const one = await device();
      const slow = '{"error":{"code":"rate_limited","message":"Slow down."}}';
      one.gate.fault = (asked) =>
        isScan(asked)
          ? { do: 'answer', status: 429, type: 'application/json', body: slow, headers: { 'retry-after': '3600' } }
          : PASS;
      const first = told(await one.scan({ code: a.code }));
      const second = told(await one.scan({ code: b.code }));
      expect([first, second]).toMatchObject([
        { by: 'device', result: 'accepted' },
        { by: 'device', result: 'accepted' },
      ]);
      expect(one.gate.calls.filter(isScan)).toHaveLength(1);
      expect((await one.status()).connection).toBe('online');
      await one.until(({ queue }) => queue === 0);
      for (const { client_uuid } of [first, second]) expect(await recorded(client_uuid)).toHaveLength(1);
    });

    test('a batch that the server wants later goes up later, the same bytes under the same key', async () => {
      const { code } = await fair.register();
      const one = await device();
      await offline(one);
      const first = told(await one.scan({ code }));
      const busy = '{"error":{"code":"batch_in_progress","message":"Wait."}}';
      let refused = 0;
      one.gate.fault = (asked) => {
        if (!isBatch(asked) || refused === 2) return PASS;
        refused += 1;
        return { do: 'answer', status: 409, type: 'application/json', body: busy, headers: { 'retry-after': '1' } };
      };
      await one.page.evaluate(() => dispatchEvent(new Event('online')));
      await one.until(({ queue, connection }) => queue === 0 && connection === 'online');
      const batches = one.gate.calls.filter(isBatch).slice(-3);
      expect(new Set(batches.map(({ body }) => body)).size).toBe(1);
      expect(new Set(batches.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
      expect(await recorded(first.client_uuid)).toHaveLength(1);
    });
  });

  /** A device whose roster is limited to a group: it was paired by a member of the group while the event belonged to it. */
  async function narrowed(group: string, options: { answerMs?: number | null } = {}): Promise<Device> {
    const groupOfEvent = async (of: string | null) => {
      const changed = await fair.t.call('PATCH', '/v1/events/fair', { key: fair.key, body: { group: of } });
      expect(changed.status).toBe(200);
    };
    await groupOfEvent(group);
    const one = await device({ session: await memberOf(group), ...options });
    await groupOfEvent(null);
    expect((await one.status()).narrowed).toBe(true);
    return one;
  }

  test('a roster that is limited to a group: nobody can judge what it does not hold, and its people are named', async () => {
    const inside = await fair.register({ group: ['north', 'south'] });
    const outside = await fair.register({ group: 'south' });
    const one = await narrowed('north');
    expect(told(await one.scan({ code: outside.code }))).toMatchObject({ by: 'server', result: 'accepted' });
    await offline(one);
    const nobody = told(await one.scan({ code: outside.code }));
    expect(nobody).toMatchObject({ by: 'nobody', admitted: false, people: [] });
    const known = told(await one.scan({ code: inside.code }));
    expect(known).toMatchObject({ by: 'device', result: 'accepted' });
    expect(known.people.map(({ id }) => id)).toEqual(inside.people.slice(0, 1));
    await online(one);
    const sent = one.gate.calls.filter(isBatch).flatMap(({ body }) => JSON.parse(body).scans);
    expect(sent.find((each) => each.client_uuid === nobody.client_uuid)).not.toHaveProperty('offline_result');
    expect(sent.find((each) => each.client_uuid === known.client_uuid)).toMatchObject({
      people: inside.people.slice(0, 1),
    });
    expect(await recorded(nobody.client_uuid)).toMatchObject([{ result: 'duplicate', offline_result: null }]);
    expect(await recorded(known.client_uuid)).toMatchObject([{ attendee_id: inside.people[0] }]);
    expect(await one.disagreements()).toEqual([]);
  });

  test('what only the server can judge is waited for longer than 400 ms', async () => {
    const { code } = await fair.register({ group: 'south' });
    const one = await narrowed('north', { answerMs: null });
    // A busy machine gets more than the three seconds.
    await one.page.evaluate((patience) => {
      const { setTimeout } = window;
      window.setTimeout = ((work: () => void, ms: number) => setTimeout(work, ms === patience ? 60_000 : ms)) as never;
    }, ONLY_SERVER_MS);
    one.gate.fault = (asked) => (isScan(asked) ? { do: 'delay', ms: 1_000 } : PASS);
    expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'accepted' });
  });

  test('a test event has one roster: it stays in use when the first scan is made, and without a network', async () => {
    const make = async (path: string, body?: unknown) => {
      const made = await fair.post(`/events${path}`, body);
      expect(made.status, path).toBeLessThan(300);
      return made.body;
    };
    await make('', { code: 'trial', name: 'Trial', test: true, timezone: 'UTC' });
    await make('/trial/days', { code: 'd1', date: fair.t.clock.now().toISOString().slice(0, 10) });
    await make('/trial/attendee-types', { code: 'adult', name: 'Adult' });
    await make('/trial/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
    await make('/trial/publish');
    const pat = { attendee_type: 'adult', first_name: 'Pat', last_name: 'Trial', days: ['d1'] };
    const { attendees } = await make('/trial/registrations', { attendees: [pat], send_emails: false });
    const { code } = attendees[0].tickets[0];
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    await one.ready(await pairingCode(manager, 'trial'));
    await offline(one);
    expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'device', result: 'accepted', test: true });
    expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'device', result: 'duplicate', test: true });
    expect((await one.status()).tickets).toBe(1);
    await online(one);
    expect(told(await one.scan({ code, test: true }))).toMatchObject({ by: 'server', result: 'duplicate', test: true });
    expect(await one.disagreements()).toEqual([]);
    expect((await fair.get('/events/trial/checkins')).body.data).toHaveLength(3);
  });

  test('test mode has a roster of its own, and what is tried there counts nowhere', async () => {
    const live = await fair.register();
    const trial = await fair.register({ as: fair.testKey });
    const one = await device();
    const { tickets } = await one.status();
    await one.page.evaluate(() => scan.open!.testMode(true));
    await one.until(({ tickets: now, loading }) => now !== null && now > tickets! && loading === null);
    await offline(one);
    const [first, second] = [
      told(await one.scan({ code: trial.code, test: true })),
      told(await one.scan({ code: live.code, test: true })),
    ];
    expect([first, second]).toMatchObject([
      { by: 'device', result: 'accepted', test: true, ticket_id: trial.ticket },
      { by: 'device', result: 'accepted', test: true, ticket_id: live.ticket },
    ]);
    expect(told(await one.scan({ code: live.code, test: true }))).toMatchObject({ result: 'duplicate' });
    // Live tickets are judged by the live roster again, which knows nothing of the trial.
    expect(told(await one.scan({ code: live.code }))).toMatchObject({ by: 'device', result: 'accepted', test: false });
    expect((await one.status()).tickets).toBe(tickets);
    await online(one);
    expect(await one.disagreements()).toEqual([]);
    for (const { client_uuid } of [first, second]) {
      expect(await recorded(client_uuid)).toEqual([]);
      expect(await recorded(client_uuid, fair.testKey)).toMatchObject([{ test: true, offline_result: 'accepted' }]);
    }
  });

  test('test mode is switched while the server is asked: the device does not judge by the roster of the other mode', async () => {
    const { code } = await fair.register();
    const one = await device();
    const { promise: noticed, resolve: notice } = Promise.withResolvers<void>();
    one.gate.fault = (asked) => (isScan(asked) ? { do: 'lose answer', after: noticed } : PASS);
    const asking = one.scan({ code });
    await expect.poll(() => one.gate.calls.filter(isScan).length).toBe(1);
    await one.page.evaluate(() => scan.open!.testMode(true));
    await one.until(({ tickets, loading }) => tickets !== null && loading === null);
    notice();
    const first = told(await asking);
    expect(first).toMatchObject({ by: 'nobody', result: 'unknown', admitted: false, test: false });
    await online(one);
    expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: null }]);
    expect(await one.disagreements()).toEqual([]);
  });

  test('a member unlocks the device, overrides and undoes, and the device knows of it', async () => {
    const pin = '739154';
    const session = await fair.t.session('acme', 'owner');
    expect((await fair.app(session, 'PUT', '/membership/pin', { pin })).status).toBe(204);
    const [wrongDay, right] = [await fair.register({ days: ['d2'] }), await fair.register()];
    const one = await device();
    const tried = (work: 'unlock' | 'override' | 'undo', ...args: [string, string]) =>
      one.page.evaluate(
        ([how, [what, more]]) =>
          scan.open![how](what, more).then(
            () => null,
            ({ code }: { code: string | null }) => code,
          ),
        [work, args] as const,
      );
    const admittedHere = async () => (await one.page.evaluate(() => scan.open!.counts('gate'))).point;
    // The roster may know of an admission already that is undone; then it takes until its next change.
    const counted = (people: number) => expect.poll(admittedHere, { timeout: 20_000 }).toBe(people);
    const refused = told(await one.scan({ code: wrongDay.code }));
    expect(refused).toMatchObject({ by: 'server', result: 'wrong_day', checkins: [{ admitted: false }] });
    const checkin = refused.checkins[0]!.id;
    expect(await tried('override', checkin, 'Known to us')).toBe('permission_required');

    // Only who has set a PIN is offered.
    const members = await one.page.evaluate(() => scan.open!.members());
    expect(members).toHaveLength(1);
    const me = members[0]!;
    expect(await tried('unlock', me.id, '000000')).toBe('pin_wrong');
    const unlocked = await one.page.evaluate(([id, typed]) => scan.open!.unlock(id!, typed!), [me.id, pin]);
    expect(unlocked.name).toBe(me.name);
    expect(Date.parse(unlocked.expires_at)).toBeGreaterThan(fair.t.clock.now().getTime());

    const before = await admittedHere();
    expect(await tried('override', checkin, 'Known to us')).toBeNull();
    await counted(before + 1);
    const all = (await fair.get('/events/fair/checkins?limit=100')).body.data;
    const written = all.find((row: { override: { of: string } | null }) => row.override?.of === checkin);
    expect(written).toMatchObject({ admitted: true, override: { reason: 'Known to us' } });

    const admitted = told(await one.scan({ code: right.code }));
    await counted(before + 2);
    expect(await tried('undo', admitted.checkins[0]!.id, 'The wrong person')).toBeNull();
    await counted(before + 1);
    expect(await recorded(admitted.client_uuid)).toMatchObject([{ undone_at: expect.any(String) }]);
    await offline(one);
    expect(told(await one.scan({ code: right.code }))).toMatchObject({ by: 'device', result: 'accepted' });
    await online(one);
    expect(await one.disagreements()).toEqual([]);
  });

  test('tells the server how it is doing: its queue, its battery and its version', async () => {
    const { code } = await fair.register();
    const one = await device();
    await offline(one);
    await one.scan({ code });
    await one.page.close();
    await one.context.addInitScript(() => {
      Object.assign(navigator, { getBattery: async () => ({ level: 0.42 }) });
    });
    // Batches have to wait, so the scan stays in the queue while everything else is answered.
    const busy = '{"error":{"code":"batch_in_progress","message":"Wait."}}';
    const wait = { status: 409, type: 'application/json', body: busy, headers: { 'retry-after': '3600' } };
    one.gate.fault = (asked) => (isBatch(asked) ? { do: 'answer', ...wait } : PASS);
    await one.newPage();
    expect(await one.open()).toBeNull();
    const listed = async () => {
      const { body } = await fair.app(manager, 'GET', '/events/fair/devices');
      return body.data.find(({ id }: { id: string }) => id === one.id);
    };
    const version = await one.page.evaluate(() => scan.api.VERSION);
    await expect.poll(listed, { timeout: 20_000 }).toMatchObject({ queue_length: 1, battery: 42, version });
    expect((await one.status()).queue).toBe(1);
  });

  test('a clock that is wrong by two hours is set right by the server', async () => {
    const { code } = await fair.register();
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    await one.page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() - 2 * 3_600_000;
    });
    await one.page.reload();
    await one.ready(await pairingCode());
    const { clockOff } = await one.status();
    const wrongBy = Date.now() - fair.t.clock.now().getTime() - 2 * 3_600_000;
    expect(Math.abs(clockOff! - wrongBy)).toBeLessThan(60_000);
    await offline(one);
    const first = told(await one.scan({ code }));
    expect(first.result).toBe('accepted');
    expect(Math.abs(first.scanned_at - fair.t.clock.now().getTime())).toBeLessThan(60_000);
    // The difference is kept for the next time.
    await one.page.close();
    await one.newPage();
    await one.page.addInitScript(() => {
      const { now } = Date;
      Date.now = () => now() - 2 * 3_600_000;
    });
    await one.page.reload();
    await one.page.waitForFunction(() => 'scan' in globalThis);
    expect(await one.open()).toBeNull();
    expect(Math.abs(told(await one.scan({ code })).scanned_at - fair.t.clock.now().getTime())).toBeLessThan(60_000);
    await online(one);
    expect(await recorded(first.client_uuid)).toMatchObject([{ skewed: false }]);
  });

  test('a slow clock that is set right while the app is in the background changes the time of no scan', async () => {
    const { code } = await fair.register();
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    await one.page.addInitScript(() => {
      const { now } = Date;
      Object.assign(globalThis, { wrongBy: -2 * 3_600_000 });
      Date.now = () => now() + (globalThis as unknown as { wrongBy: number }).wrongBy;
    });
    await one.page.reload();
    await one.ready(await pairingCode());
    await one.page.evaluate(() => {
      const show = (value: string) => {
        Object.defineProperty(document, 'visibilityState', { value, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      };
      show('hidden');
      Object.assign(globalThis, { wrongBy: 0 });
      show('visible');
    });
    const rightBy = Date.now() - fair.t.clock.now().getTime();
    await one.until(({ clockOff }) => Math.abs(clockOff! - rightBy) < 60_000);
    await offline(one);
    const { scanned_at } = told(await one.scan({ code }));
    expect(Math.abs(scanned_at - fair.t.clock.now().getTime())).toBeLessThan(60_000);
    await online(one);
  });

  test('a second tab is told, takes over, and the first one stops', async () => {
    const { code } = await fair.register();
    const one = await device();
    await offline(one);
    const first = told(await one.scan({ code }));
    const tab = one.page;
    await one.newPage();
    expect(await one.open()).toBe('other_tab');
    await one.page.evaluate(() => scan.api.takeOver());
    expect(await one.open()).toBeNull();
    expect(await one.status()).toMatchObject({ queue: 1, elsewhere: false });
    await expect.poll(() => tab.evaluate(() => scan.open!.status().elsewhere)).toBe(true);
    const refused = tab.evaluate((of) => scan.open!.scan({ code: of }, { point: 'gate', test: false }), code);
    await expect(refused).rejects.toThrow();
    await online(one);
    expect(await recorded(first.client_uuid)).toHaveLength(1);
  });

  test('a second tab takes over while the server is asked: the scan of the first ends, and the second sends it', async () => {
    const { code } = await fair.register();
    const one = await device();
    const noticed = Promise.withResolvers<void>();
    one.gate.fault = (asked) => (isScan(asked) ? { do: 'lose answer', after: noticed.promise } : PASS);
    const tab = one.page;
    const asked = one.tryScan({ code });
    await expect.poll(() => one.gate.calls.some(isScan)).toBe(true);
    await one.newPage();
    await one.page.evaluate(() => scan.api.takeOver());
    await expect.poll(() => tab.evaluate(() => scan.open!.status().elsewhere)).toBe(true);
    noticed.resolve();
    expect(await asked).toMatchObject({ fault: 'stopped' });
    expect(await one.open()).toBeNull();
    await online(one);
    const [sent] = JSON.parse(one.gate.calls.filter(isBatch).at(-1)!.body).scans;
    expect(await recorded(sent.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: null }]);
  });

  test('a ticket of several people: who is here?', async () => {
    const { code, people } = await fair.register({ people: 3 });
    const one = await device();
    const asked = await one.scan({ code });
    expect(asked).toMatchObject({ ask: 'people', people: people.map((id) => ({ id, attendee_type: 'Adult' })) });
    expect(one.gate.calls.filter(isScan)).toHaveLength(0);
    const some = told(await one.scan({ code, people: people.slice(0, 2) }));
    expect(some).toMatchObject({ by: 'server', result: 'accepted' });
    expect(some.people.map(({ id }) => id)).toEqual(people.slice(0, 2));
    await offline(one);
    const rest = told(await one.scan({ code, people }));
    expect(rest).toMatchObject({ by: 'device', result: 'accepted', tone: 'mixed' });
    expect(rest.people.map(({ result }) => result)).toEqual(['duplicate', 'duplicate', 'accepted']);
    await online(one);
    expect(await one.disagreements()).toEqual([]);
  });

  test('somebody is found by name and scanned without a code; changes of the roster arrive by themselves', async () => {
    const one = await device();
    await one.until(({ connection }) => connection === 'online');
    const { ticket } = await fair.register();
    const { body } = await fair.get(`/events/fair/scan/roster?since=${encodeURIComponent('2020-01-01T00:00:00Z')}`);
    const entry = body.data.find((each: { ticket_id: string }) => each.ticket_id === ticket);
    const name = entry.people[0].last_name as string;
    const search = (text: string) => one.page.evaluate((asked) => scan.open!.search(asked), text);
    await expect
      .poll(() => search(`${name} pa`), { timeout: 20_000 })
      .toMatchObject([{ ticket_id: ticket, admitted: false }]);
    const [found] = await search(name);
    await offline(one);
    const first = told(await one.scan({ ticket: { ticket_id: found!.ticket_id, key: found!.key } }));
    expect(first).toMatchObject({ by: 'device', result: 'accepted', ticket_id: ticket });
    expect(await search(name)).toMatchObject([{ admitted: true }]);
    await online(one);
    expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
  });

  test('counts follow the own scans at once and the roster later', async () => {
    const one = await device();
    const counts = () => one.page.evaluate(() => scan.open!.counts('gate'));
    const before = await counts();
    await one.scan({ code: (await fair.register()).code });
    await offline(one);
    await one.scan({ code: (await fair.register({ days: ['d2'] })).code });
    expect(await counts()).toEqual({ point: before.point + 1, event: before.event + 1, inside: null });
    await online(one);
    const state = await one.status();
    await one.until(({ rosterAt }) => rosterAt !== state.rosterAt);
    expect(await counts()).toEqual({ point: before.point + 1, event: before.event + 1, inside: null });
  });
});
