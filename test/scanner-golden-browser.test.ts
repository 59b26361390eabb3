import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseFile, differences, parseCases } from '@turnout/checkin';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Clock, Told } from '../web/scan/src/engine/index.ts';
import { openBrowser } from './support/apps.ts';
import { ROOT } from './support/running.ts';
import { Device } from './support/scanner/device.ts';
import { type Asked, buildScanPage, type Fault } from './support/scanner/gate.ts';
import { manifestOf, personOf, rosterOf, scansOf } from './support/scanner/golden.ts';
import type { ScanPage } from './support/scanner/page.ts';
import { hasTool } from './support/tools.ts';

declare const scan: ScanPage;

const json = (body: unknown, status = 200): Fault => ({
  do: 'answer',
  status,
  type: 'application/json',
  body: JSON.stringify(body),
});

describe.skipIf(!hasTool('chromium'))('the golden cases through the scanner’s engine, without a network', () => {
  let browser: Browser;
  let page: Awaited<ReturnType<typeof buildScanPage>>;
  let device: Device;
  let file: CaseFile;
  beforeAll(async () => {
    const text = readFileSync(join(ROOT, 'packages/checkin/golden/scan-cases.json'), 'utf8');
    const read = parseCases(JSON.parse(text));
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    file = read.value;
    page = await buildScanPage();
    browser = await openBrowser();
    device = await Device.start(browser, 'http://127.0.0.1:9', page.folder);
    device.gate.fault = answer;
    await device.pair('CODE');
    await device.page.evaluate(async (id) => {
      const times = { now: Date.parse('2027-06-12T10:00:00Z') };
      const clock: Clock = {
        now: () => times.now,
        off: () => 0,
        heard: () => {},
        steady: () => performance.now(),
      };
      Object.assign(globalThis, { times });
      scan.open = await scan.api.openEngine(id, { clock });
    }, device.id);
    await device.until(({ tickets, loading }) => tickets !== null && loading === null);
    await device.page.evaluate(() => scan.open!.testMode(true));
    await device.until(({ tickets, loading }) => tickets !== null && loading === null);
    device.gate.fault = () => ({ do: 'drop' });
    await device.page.evaluate(() => dispatchEvent(new Event('online')));
    await device.until(({ connection }) => connection === 'offline');
  }, 240_000);
  afterAll(async () => {
    await device?.stop();
    await browser?.close();
    page?.remove();
  });

  /** A server that knows only how to pair a device and what its roster is. */
  function answer({ path }: Asked): Fault {
    const event = { id: 'EVENT', name: 'Cases', timezone: file.world.timezone };
    if (path === '/api/v1/devices/pair')
      return json({ device: { id: 'DEVICE', name: 'Gate' }, token: 'token', event }, 201);
    if (path.includes('/scan/manifest')) return json(manifestOf(file, `${device.gate.url}/links/roster/x`, 1));
    if (path.startsWith('/links/roster/')) return json(rosterOf(file));
    if (path.includes('/scan/roster')) return json({ data: [], removed: [], as_of: '2027-01-01T00:00:00.000000Z' });
    return json({ error: { code: 'validation_failed', message: 'Nothing else is known here.' } }, 422);
  }

  const replay = (one: CaseFile['cases'][number], i: number): Promise<Told[]> =>
    device.page.evaluate(
      async (scans) => {
        const done = [];
        for (const { code, point, at, test, people } of scans) {
          (globalThis as unknown as { times: { now: number } }).times.now = at;
          done.push(await scan.open!.scan({ code }, { point, test, ...(people && { people }) }));
        }
        return done as Told[];
      },
      scansOf(one, i),
    );

  test('every published case gets the published results', { timeout: 300_000 }, async () => {
    const found = [];
    for (const [i, one] of file.cases.entries()) {
      const answers = await replay(one, i);
      for (const [n, told] of answers.entries()) {
        const refs = one.tickets.flatMap(({ people }) => people.map(({ ref }) => ref));
        const results = refs.flatMap((ref) => {
          const person = told.people.find(({ id }) => id === personOf(i, ref));
          return person === undefined ? [] : [[ref, person.result as string] as const];
        });
        expect(told.by, one.name).toBe('device');
        found.push(
          ...differences(one, n, { result: told.result, reason: told.reason, people: Object.fromEntries(results) }),
        );
      }
    }
    expect(found).toEqual([]);
    expect(file.cases.length).toBeGreaterThanOrEqual(120);
    const scans = file.cases.reduce((sum, one) => sum + one.scans.length, 0);
    expect((await device.status()).queue).toBe(scans);
  });
});
