import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { DAY, MovedClock } from '../server/src/clock.ts';
import { recordRevocation, signLicense } from '../server/src/road/license.ts';
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

  /** The same installation with a license that ends after some days, looked at by a member. */
  const open = async (days: number, path: string, role = 'owner', clock = new MovedClock()): Promise<Page> => {
    const port = String(await freePort());
    const expires_at = new Date(clock.now().getTime() + days * DAY).toISOString();
    const payload = { id: 'lic-1', licensee: 'Acme', issued_at: '2026-01-01T00:00:00Z', expires_at };
    servers.push(
      await startTest({
        database: world.t.database,
        clock,
        env: {
          PORT: port,
          PUBLIC_URL: `http://localhost:${port}`,
          EDITION: 'self_hosted',
          LICENSE_PUBLIC_KEY: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
          LICENSE_KEY: signLicense(payload, privateKey),
        },
      }),
    );
    const session = await servers.at(-1)!.session('acme', role);
    const page = await world.open('/app/acme', { session });
    await page.context().addCookies([{ name: 'turnout_session', value: session, url: `http://localhost:${port}` }]);
    await page.goto(`http://localhost:${port}${path}`);
    await settled(page);
    return page;
  };
  const strip = (page: Page) => page.getByText('This installation is read-only');

  test('Home says that it ends soon or has ended, to those who publish events', async () => {
    const soon = await open(9.5, '/app/acme');
    await soon.getByRole('listitem').filter({ hasText: '10days until the license' }).waitFor();
    expect(await findingsOf(soon)).toEqual([]);
    const ended = await open(-1, '/app/acme');
    await ended.getByText('The license has expired. Events cannot be published.').waitFor();
    expect(await findingsOf(ended)).toEqual([]);
    const viewer = await open(-1, '/app/acme', 'viewer');
    expect(await viewer.getByText('license').count()).toBe(0);
    const later = await open(90, '/app/acme');
    expect(await later.getByText('license').count()).toBe(0);
  });

  test('every screen says that nothing can be changed once the license was revoked', async () => {
    const clock = new MovedClock();
    const page = await open(90, '/app/acme/team', 'owner', clock);
    expect(await strip(page).count()).toBe(0);
    await world.t.system((tx) =>
      recordRevocation(tx, {
        license_id: 'lic-1',
        revoked_at: new Date(clock.now().getTime() - 6 * DAY).toISOString(),
      }),
    );
    await page.goto(new URL('/app/acme', page.url()).href);
    await page.getByText(/^The license was revoked. From .* on, nothing can be changed.$/).waitFor();
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
