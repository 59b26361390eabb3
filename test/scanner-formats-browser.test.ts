import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Fair, openFair } from '../server/src/areas/scanning/fair.support.ts';
import { STORES, UPGRADES } from '../web/scan/src/store/db.ts';
import { openBrowser, requireApps } from './support/apps.ts';
import { Device } from './support/scanner/device.ts';
import { buildScanPage, type Gate, openGate } from './support/scanner/gate.ts';
import { type InApp, install } from './support/scanner/in-app.ts';
import type { ScanPage } from './support/scanner/page.ts';
import { STORED_VERSIONS, type StoredDevice, storedDevice, writeStored } from './support/scanner/stored.ts';
import { hasTool } from './support/tools.ts';

declare const inApp: InApp;
declare const scan: ScanPage;

test('a device of every version of the database is kept, the one of today included', () => {
  expect(STORED_VERSIONS).toEqual(UPGRADES.map((_, i) => i + 1));
});

/** What devices have on their disks is opened by the app of today, whichever version has written it (docs/internals/formats.md). */
describe.skipIf(!hasTool('chromium'))('what is on the disk of a device', { timeout: 120_000 }, () => {
  let fair: Fair;
  let browser: Browser;
  let manager: string;
  let gate: Gate;
  beforeAll(async () => {
    await requireApps();
    fair = await openFair();
    manager = await fair.t.session('acme', 'owner');
    expect((await fair.post('/events/fair/products', { code: 'lunch', name: 'Lunch' })).status).toBe(201);
    browser = await openBrowser();
    gate = await openGate(fair.t.url, null);
  }, 300_000);
  afterAll(async () => {
    await browser?.close();
    await gate?.stop();
    await fair?.t.stop();
  });

  const pairingCode = async (): Promise<string> =>
    (await fair.app(manager, 'POST', '/events/fair/devices/pairing-codes', {})).body.code;

  /** A device of an earlier version, paired with the server of this test and with tickets of it in its queue. */
  async function pairedBefore(version: number): Promise<StoredDevice> {
    const people = [await fair.register(), await fair.register({ people: 2 }), await fair.register()];
    const paired = await fair.t.call('POST', '/api/v1/devices/pair', { body: { code: await pairingCode() } });
    const { device, token, event } = paired.body;
    const names = {
      ...{ origin: gate.url, device: device.id, token, event: event.id },
      codes: people.map(({ code }) => code),
      people: people.flatMap((one) => one.people),
    };
    return storedDevice(version, names, fair.t.clock.now().getTime());
  }

  /** Opens the app on a device with this disk, and chooses a point. The app has answered for itself when it has the roster of today. */
  async function openApp(stored: StoredDevice): Promise<Page> {
    const context = await browser.newContext({ locale: 'en-GB' });
    const page = await context.newPage();
    await page.goto(`${gate.url}/healthz`);
    await writeStored(page, stored);
    await page.addInitScript(install);
    await page.goto(`${gate.url}/scan`);
    await page.getByRole('button', { name: /^Gate/ }).click();
    await page.locator('.freshness', { hasText: /tickets?, updated/ }).waitFor();
    return page;
  }

  const onDisk = (page: Page) => page.evaluate(() => inApp.onDisk());
  const recorded = async (rows: readonly Record<string, unknown>[]): Promise<unknown[]> => {
    const { body } = await fair.get('/events/fair/checkins?limit=200');
    const uuids = new Set(rows.map((row) => row.client_uuid));
    return body.data.filter((row: { client_uuid: string }) => uuids.has(row.client_uuid));
  };

  test.each(STORED_VERSIONS)(
    'of version %i is opened: its scans are sent, and nothing else is lost',
    async (version) => {
      const stored = await pairedBefore(version);
      const queue = stored.stores.queue!.rows;
      const page = await openApp(stored);
      await expect.poll(async () => (await onDisk(page)).queue).toEqual([]);
      // Two scans of one person, and one of two people, of whom each is on record.
      expect(queue).toHaveLength(3);
      expect(await recorded(queue)).toHaveLength(4);
      const { kept, last } = await onDisk(page);
      expect(kept.map(({ client_uuid }) => client_uuid)).toEqual(
        stored.stores.kept!.rows.map(({ client_uuid }) => client_uuid),
      );
      expect(last).toHaveLength(stored.stores.last!.rows.length);
      const given = stored.stores.hand_outs?.rows ?? [];
      await expect.poll(async () => (await onDisk(page)).hand_outs).toEqual([]);
      const { body } = await fair.t.call('GET', '/v1/events/fair/hand-outs', { key: fair.key });
      const uuids = body.data.map((one: { client_uuid: string }) => one.client_uuid);
      expect(uuids).toEqual(expect.arrayContaining(given.map(({ client_uuid }) => client_uuid)));
      await page.context().close();
    },
  );

  test('of a later version is opened as it is: known scans are sent, and what is of an unknown format stays', async () => {
    const stored = await pairedBefore(UPGRADES.length);
    const { queue } = stored.stores;
    const known = queue!.rows;
    const unknown = { ...known[0], client_uuid: 'of-a-later-version', format: 2 };
    const later = {
      ...{ ...stored, version: UPGRADES.length + 1 },
      stores: { ...stored.stores, later: { key: 'id', rows: [] }, queue: { ...queue!, rows: [...known, unknown] } },
    };
    const page = await openApp(later);
    await expect.poll(async () => (await onDisk(page)).queue).toEqual([unknown]);
    expect(await recorded(known)).toHaveLength(4);
    await page.context().close();
  });

  test('is taken to a later version while an older one is open: the older one goes on, and no scan is lost', async () => {
    const { folder, remove } = await buildScanPage();
    const one = await Device.start(browser, fair.t.url, folder);
    const [a, b] = [await fair.register(), await fair.register()];
    await one.ready(await pairingCode());
    one.gate.fault = () => ({ do: 'drop' });
    await one.page.evaluate(() => dispatchEvent(new Event('online')));
    await one.until(({ connection }) => connection === 'offline');
    await one.scan({ code: a.code });
    const older = one.page;
    await one.newPage();
    const [stores, waiting] = await one.page.evaluate(async (device) => {
      const { Db, UPGRADES: before, readQueue } = scan.store;
      const next = new Db(() => {}, [
        ...before,
        (db, tx) => {
          db.createObjectStore('later', { keyPath: 'id' });
          tx.objectStore('values').put({ name: 'upgraded', value: true });
        },
      ]);
      const queue = await readQueue(next, device);
      const names = await next.run('values', 'readonly', (store) => [
        ...store('values').transaction.db.objectStoreNames,
      ]);
      return [names, queue.length] as const;
    }, one.id);
    expect(stores).toEqual([...Object.keys(STORES), 'later'].sort());
    expect(waiting).toBe(1);
    one.page = older;
    await one.scan({ code: b.code });
    expect(await one.status()).toMatchObject({ storage: 'ok', queue: 2, elsewhere: false });
    one.gate.fault = () => ({ do: 'pass' });
    await older.evaluate(() => dispatchEvent(new Event('online')));
    await one.until(({ queue }) => queue === 0);
    expect(one.errors).toEqual([]);
    await one.stop();
    remove();
  });
});
