import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, findingsOf, settled, startAppWorld, tooWide } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };

/** Every language, width and colours at least once on every screen. Contrast is looked at in both colours in the first two. */
const LOOKS = [
  ['en-GB', WIDE, ['light', 'dark']],
  ['de-DE', NARROW, ['light', 'dark']],
  ['fr-FR', WIDE, ['dark']],
  ['es-ES', NARROW, ['light']],
] as const;

describe.skipIf(!hasTool('chromium'))('the screens of owners and developers', { timeout: 240_000 }, () => {
  let world: AppWorld;
  let session: string;
  /** The addresses of the screens, with something on each of them. */
  let screens: Record<string, string>;
  beforeAll(async () => {
    world = await startAppWorld();
    session = await world.t.session('acme', 'owner');
    screens = await fill(world, session);
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  test.each(LOOKS)('axe finds nothing in %s at %o (%s), and nothing is too wide', async (locale, viewport, colours) => {
    const page = await world.open('/app/acme', { session, locale, viewport });
    const wrong: Record<string, unknown> = {};
    const [first, second] = colours;
    for (const [name, path] of Object.entries(screens)) {
      await page.emulateMedia({ colorScheme: first });
      await page.goto(new URL(path, page.url()).href);
      await settled(page);
      const found = await findingsOf(page);
      if ((await page.evaluate(() => document.documentElement.lang)) !== locale.slice(0, 2))
        found.push('in another language');
      if (second !== undefined) {
        await page.emulateMedia({ colorScheme: second });
        found.push(...(await findingsOf(page, 'color-contrast')));
      }
      for (const width of viewport === NARROW ? [390, 320] : [1440]) {
        await page.setViewportSize({ ...viewport, width });
        if ((await tooWide(page)) > 0) found.push(`wider than ${width} px`);
      }
      await page.setViewportSize(viewport);
      if (found.length > 0) wrong[name] = found;
    }
    expect(wrong).toEqual({});
  });

  test.each(['light', 'dark'] as const)('axe finds nothing in what opens above a screen (%s)', async (colorScheme) => {
    const page = await world.open('/app/acme/team', { session, colorScheme });
    const wrong: Record<string, string[]> = {};
    const look = async (name: string) => {
      const found = await findingsOf(page);
      if (found.length > 0) wrong[name] = found;
    };
    await settled(page);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('c');
    await page.getByRole('option', { name: 'Create key' }).waitFor();
    await look('palette');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
    await page.getByText('Fill this in.').waitFor();
    await look('invitation with a fault');
    await page.goto(new URL(screens.webhook!, page.url()).href);
    await settled(page);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('The test event arrived').first().waitFor();
    await look('test event');
    expect(wrong).toEqual({});
  });

  test('what a role may not do is not offered', async () => {
    const page = await world.open('/app/acme', { role: 'developer' });
    await settled(page);
    const links = await page.getByRole('navigation').getByRole('link').allTextContents();
    expect(links.map((one) => one.trim())).toEqual(['Home', 'Developers']);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find anything' }).fill('e');
    await page.getByRole('option', { name: 'Create key' }).waitFor();
    expect(await page.getByRole('option', { name: 'Invite somebody' }).count()).toBe(0);
    await page.goto(new URL('/app/acme/team', page.url()).href);
    await page.getByRole('heading', { name: 'Roles' }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0);
  });
});

/** Groups, keys, webhooks with deliveries, invitations; and the addresses that show them. */
async function fill({ call, receiver, t }: AppWorld, session: string): Promise<Record<string, string>> {
  const post = async (path: string, body?: unknown) => {
    const { status, body: reply, text } = await call(session, 'POST', path, body);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return reply;
  };
  await post('/groups', { code: 'north', name: 'North' });
  await post('/groups', { code: 'coast', name: 'Coast', parent: 'north' });
  const key = await post('/keys', { name: 'Website', mode: 'test', scopes: ['read'], group: 'north' });
  await post('/keys', { name: 'CRM', mode: 'live', scopes: ['read', 'write'], expires_at: '2100-01-01T00:00:00Z' });
  await call(session, 'DELETE', `/keys/${(await post('/keys', { name: 'Old', mode: 'live', scopes: ['read'] })).id}`);
  const webhook = await post('/webhooks', { url: receiver.url, events: ['ticket.issued', 'payment.received'] });
  const paused = await post('/webhooks', { url: receiver.url, events: ['*'], description: 'Data warehouse' });
  await post(`/webhooks/${paused.id}/pause`);
  const delivery = await post(`/webhooks/${webhook.id}/test`, {});
  await post('/invitations', { email: 'grace@example.org', role: 'developer', send: false });
  await t.session('acme', 'viewer');
  const { data } = (await call(session, 'GET', '/members')).body as { data: { id: string; you: boolean }[] };
  return {
    ...{ team: '/app/acme/team', groups: '/app/acme/groups', organization: '/app/acme/organization' },
    member: `/app/acme/team?member=${data.find(({ you }) => you)!.id}`,
    ...{ keys: '/app/acme/developers/keys', newKey: '/app/acme/developers/keys/new' },
    key: `/app/acme/developers/keys?key=${key.id}`,
    ...{ webhooks: '/app/acme/developers/webhooks', newWebhook: '/app/acme/developers/webhooks/new' },
    webhook: `/app/acme/developers/webhooks/${webhook.id}`,
    paused: `/app/acme/developers/webhooks/${paused.id}`,
    editWebhook: `/app/acme/developers/webhooks/${webhook.id}/edit`,
    delivery: `/app/acme/developers/webhooks/${webhook.id}/deliveries/${delivery.id}`,
    audit: '/app/acme/developers/audit',
    nothingFound: '/app/acme/developers/audit?action=ticket.voided',
  };
}
