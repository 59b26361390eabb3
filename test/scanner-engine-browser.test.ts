import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import type { ScanAnswer } from '../web/scan/src/engine/index.ts';
import { openBrowser } from './support/apps.ts';
import { Device } from './support/scanner/device.ts';
import { type Asked, buildScanPage, type Fault, PASS } from './support/scanner/gate.ts';
import type { ScanPage } from './support/scanner/page.ts';
import { hasTool } from './support/tools.ts';

declare const scan: ScanPage;

const DROP: Fault = { do: 'drop' };
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

/** What only a browser shows; everything else about the engine is tested without one (scanner-engine-*.test.ts). */
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

  const pairingCode = async (): Promise<string> => {
    const made = await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', {});
    expect(made.status).toBe(201);
    return made.body.code;
  };
  const started = async (): Promise<Device> => {
    const one = await Device.start(browser, fair.t.url, page.folder);
    devices.push(one);
    return one;
  };
  const device = async (): Promise<Device> => (await started()).ready(await pairingCode());
  /** A device that the server does not answer, and that has noticed it. */
  const offline = async (one: Device): Promise<void> => {
    one.gate.fault = () => DROP;
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
  const told = (answer: unknown) => answer as ScanAnswer;
  const deleteStorage = async (one: Device): Promise<void> => {
    const cdp = await one.context.newCDPSession(one.page);
    await cdp.send('Storage.clearDataForOrigin', { origin: one.gate.url, storageTypes: 'indexeddb' });
  };

  test('what survives a page that dies between the queue and the answer, and an app that is closed without a network', async () => {
    const [a, b] = [await fair.register(), await fair.register()];
    const one = await device();
    one.gate.fault = () => ({ do: 'delay', ms: 60_000 });
    // The page is killed while it waits, so this never returns.
    const dying = one.tryScan({ code: a.code }).catch(() => null);
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

    await offline(one);
    const first = told(await one.scan({ code: b.code }));
    await one.page.close();
    await one.newPage();
    expect(await one.open()).toBeNull();
    expect(await one.status()).toMatchObject({ queue: 1 });
    expect((await one.status()).tickets).toBeGreaterThan(0);
    expect(told(await one.scan({ code: b.code }))).toMatchObject({ by: 'device', result: 'duplicate' });
    const last = await one.page.evaluate(() => scan.open!.lastScans());
    expect(last.map(({ told: { result }, sent: up }) => [result, up])).toEqual([
      ['duplicate', false],
      ['accepted', false],
    ]);
    await online(one);
    expect(await recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
  });

  test('the storage is deleted: while the app is open, it is said and no scan is lost; while it is closed, it is noticed', async () => {
    const { code } = await fair.register();
    const one = await device();
    await offline(one);
    const first = told(await one.scan({ code }));
    await deleteStorage(one);
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

    expect(await one.page.evaluate(() => scan.api.storageState())).toBe('ok');
    await one.page.close();
    await one.newPage();
    await deleteStorage(one);
    expect(await one.page.evaluate(() => scan.api.storageState())).toBe('wiped');
    expect(await one.page.evaluate(() => scan.api.pairedEvents())).toEqual([]);
  });

  test('full storage: a scan is told only if the server recorded it', async () => {
    const [a, b] = [await fair.register(), await fair.register()];
    const one = await started();
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

  test('a second tab is told and takes over, also while the server is asked; the first one stops, and its scans go up once', async () => {
    const [a, b] = [await fair.register(), await fair.register()];
    const one = await device();
    await offline(one);
    const first = told(await one.scan({ code: a.code }));
    const tab = one.page;
    await one.newPage();
    expect(await one.open()).toBe('other_tab');
    await one.page.evaluate(() => scan.api.takeOver());
    expect(await one.open()).toBeNull();
    expect(await one.status()).toMatchObject({ queue: 1, elsewhere: false });
    await expect.poll(() => tab.evaluate(() => scan.open!.status().elsewhere)).toBe(true);
    const refused = tab.evaluate((of) => scan.open!.scan({ code: of }, { point: 'gate', test: false }), a.code);
    await expect(refused).rejects.toThrow();
    await online(one);
    expect(await recorded(first.client_uuid)).toHaveLength(1);

    const noticed = Promise.withResolvers<void>();
    one.gate.fault = (asked) => (isScan(asked) ? { do: 'lose answer', after: noticed.promise } : PASS);
    const second = one.page;
    const asked = one.tryScan({ code: b.code });
    await expect.poll(() => one.gate.calls.some(isScan)).toBe(true);
    await one.newPage();
    await one.page.evaluate(() => scan.api.takeOver());
    await expect.poll(() => second.evaluate(() => scan.open!.status().elsewhere)).toBe(true);
    noticed.resolve();
    expect(await asked).toMatchObject({ fault: 'stopped' });
    expect(await one.open()).toBeNull();
    await online(one);
    const [sent] = JSON.parse(one.gate.calls.filter(isBatch).at(-1)!.body).scans;
    expect(await recorded(sent.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: null }]);
  });
});
