import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import type { Told } from '../web/scan/src/engine/index.ts';
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
  const recorded = async (client_uuid: string) => {
    const { body } = await fair.get('/events/fair/checkins?limit=100');
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
      await one.page.close();
      await one.newPage();
      expect(await one.open()).toBeNull();
      expect((await one.status()).queue).toBe(2);
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
    const one = await device();
    const cdp = await one.context.newCDPSession(one.page);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: one.gate.url, quotaSize: 1 });
    expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'server', result: 'accepted' });
    expect((await one.status()).storage).toBe('full');
    one.gate.fault = () => DROP;
    expect(await one.tryScan({ code: b.code })).toMatchObject({ fault: 'storage' });
    expect((await one.status()).queue).toBe(0);
    await cdp.send('Storage.overrideQuotaForOrigin', { origin: one.gate.url });
    expect(told(await one.scan({ code: b.code }))).toMatchObject({ by: 'device', result: 'accepted' });
    expect((await one.status()).storage).toBe('ok');
  });

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
});
