import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, MovedClock } from '../server/src/clock.ts';
import { recordRevocation, signLicense } from '../server/src/road/gate/license.ts';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { freePort } from './support/running.ts';
import { findingsOf } from './support/screens/looks.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

describe.skipIf(!hasTool('chromium'))('the license of the installation, in the app', { timeout: 120_000 }, () => {
  let world: AppWorld;
  const servers: TestTurnout[] = [];
  beforeAll(async () => {
    world = await startAppWorld();
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    for (const server of servers.splice(0)) await server.stop();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  /** The same installation with a license that ends after some days. */
  const start = async (days: number): Promise<TestTurnout> => {
    const clock = new MovedClock();
    const port = String(await freePort());
    const expires_at = new Date(clock.now().getTime() + days * DAY).toISOString();
    const payload = { id: `lic-${port}`, licensee: 'Acme', issued_at: '2026-01-01T00:00:00Z', expires_at };
    const server = await startTest({
      database: world.t.database,
      clock,
      env: {
        PORT: port,
        PUBLIC_URL: `http://localhost:${port}`,
        EDITION: 'self_hosted',
        LICENSE_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
        LICENSE_KEY: signLicense(payload, privateKey),
      },
    });
    servers.push(server);
    return server;
  };
  /** A page of that installation, looked at by a new member. */
  const open = async (server: TestTurnout, path: string, role = 'owner'): Promise<Page> => {
    const session = await server.session('acme', role);
    const page = await world.open(path, { session, home: `http://localhost:${new URL(server.url).port}` });
    await settled(page);
    return page;
  };
  const strip = (page: Page) => page.getByText('This installation is read-only');

  test('Home says that it ends soon or has ended, to those who publish events', async () => {
    const server = await start(9.5);
    const soon = await open(server, '/app/acme');
    await soon.getByRole('listitem').filter({ hasText: 'The license of this installation ends in 10 days' }).waitFor();
    expect(await findingsOf(soon)).toEqual([]);
    server.clock.advance(10 * DAY);
    const ended = await open(server, '/app/acme');
    await ended.getByText('The license has expired. You can’t publish events.').waitFor();
    expect(await findingsOf(ended)).toEqual([]);
    const viewer = await open(server, '/app/acme', 'viewer');
    expect(await viewer.getByText('license').count()).toBe(0);
  });

  test('every screen says that nothing can be changed once the license was revoked', async () => {
    const server = await start(90);
    const { clock } = server;
    const page = await open(server, '/app/acme');
    expect(await page.getByText('license').count()).toBe(0);
    expect(await strip(page).count()).toBe(0);
    await world.t.system((tx) =>
      recordRevocation(tx, {
        license_id: `lic-${new URL(server.url).port}`,
        revoked_at: new Date(clock.now().getTime() - 6 * DAY).toISOString(),
      }),
    );
    await page.goto(new URL('/app/acme', page.url()).href);
    await page.getByText(/^The license was revoked. You can’t change anything after .*\.$/).waitFor();
    await page.goto(new URL('/app/acme/organization', page.url()).href);
    await settled(page);
    clock.advance(2 * DAY);
    // Whoever saves is told beside the form, and the frame follows.
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Too late');
    await page.getByRole('region', { name: 'Profile' }).getByRole('button', { name: 'Save' }).click();
    await strip(page).waitFor();
    expect(await page.getByRole('textbox', { name: 'Name', exact: true }).inputValue()).toBe('Too late');
    expect(await findingsOf(page)).toEqual([]);
    for (const path of ['', '/groups', '/team', '/developers/keys', '/developers/audit']) {
      const next = await page.context().newPage();
      await next.goto(new URL(`/app/acme${path}`, page.url()).href);
      await strip(next).waitFor();
      await next.close();
    }
  });
});
