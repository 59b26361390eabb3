import { ROLE_PERMISSIONS } from '@turnout/contract/access';
import { choose, inDialog, press, type Screen, said } from './screen.ts';
import type { ScreensWorld } from './world.ts';

/** Keys, webhooks with their deliveries, and the audit log. */
export const developerScreens = ({ at }: ScreensWorld): Screen[] => {
  const on =
    (path: string) =>
    (name: string, more: Partial<Screen> = {}) =>
      ({ name, as: 'owner', path: `/app/rhein/developers${path}`, ...more }) satisfies Screen;
  const empty = (name: string, path: string): Screen => ({
    name,
    as: 'beginner',
    path: `/app/empty/developers${path}`,
  });
  const [keys, newKey, audit] = [on('/keys'), on('/keys/new'), on('/audit')];
  const webhook = on(`/webhooks/${at.webhook}`);
  const health = (more: object): Pick<Screen, 'answers'> => ({
    answers: { [`GET /webhooks/${at.webhook}`]: (real) => ({ ...real, ...more }) },
  });
  const failing = {
    health: 'failing',
    status: 'failing',
    failures_in_a_row: 12,
    failing_since: '2026-11-15T08:00:00Z',
  };
  return [
    { name: 'developers', as: 'viewer', path: '/app/rhein/developers' },
    keys('keys', { act: (page) => page.getByText('1 inactive key').click() }),
    empty('keys empty', '/keys'),
    on(`/keys?key=${at.key}`)('key', { act: (page) => said(page, 'History') }),
    keys('key change', { act: (page) => choose(page, 'Actions for Website', 'Change key') }),
    keys('key revoke', { act: (page) => choose(page, 'Actions for Website', 'Revoke key') }),
    newKey('key create'),
    newKey('key create with faults', {
      act: async (page) => {
        await page.getByLabel('Name').fill('CRM');
        await page.getByLabel('Addresses').fill('not an address');
        await press(page, 'Create key');
        await page.locator('.fault').first().waitFor();
      },
    }),
    newKey('key secret', {
      act: async (page) => {
        await page.getByLabel('Name').fill('CRM');
        await page.getByLabel('Read', { exact: true }).check();
        await press(page, 'Create key');
        await said(page, 'CRM is ready');
      },
    }),
    on('/agents')('agents'),
    on('/agents')('agents on', { answers: { 'GET /organization': (real) => ({ ...real, agents: true }) } }),
    on('/agents')('agents for a developer', {
      answers: {
        'GET /membership': (real) => ({
          ...real,
          member: { ...real.member, role: 'developer', permissions: ROLE_PERMISSIONS.developer },
        }),
      },
    }),
    on('/webhooks')('webhooks'),
    on('/webhooks')('webhooks one fails', {
      answers: {
        'GET /webhooks': (real) => ({
          ...real,
          data: real.data.map((one: object, i: number) => (i === 0 ? { ...one, ...failing } : one)),
        }),
      },
    }),
    empty('webhooks empty', '/webhooks'),
    on('/webhooks/new')('webhook create', { act: (page) => page.getByLabel('Only these').check() }),
    on('/webhooks/new')('webhook create refused', {
      act: async (page) => {
        await page.getByLabel('URL').fill('http://hooks.example.org');
        await press(page, 'Create webhook');
        await page.getByRole('alert').waitFor();
      },
    }),
    webhook('webhook'),
    webhook('webhook fails', health(failing)),
    webhook(
      'webhook paused because it failed',
      health({ ...failing, paused: true, paused_because: 'failing', status: 'paused' }),
    ),
    on(`/webhooks/${at.paused}`)('webhook paused'),
    on(`/webhooks/${at.webhook}?status=pending`)('webhook no delivery matches'),
    on(`/webhooks/${at.webhook}/edit`)('webhook edit'),
    webhook('webhook test event', {
      act: async (page) => {
        await press(page, 'Send test event');
        await inDialog(page).getByRole('button', { name: 'Send test event' }).click();
        await said(page, 'Test event delivered');
      },
    }),
    webhook('webhook rotate', { act: (page) => choose(page, /^Actions for/, 'Rotate secret') }),
    webhook('webhook rotated', {
      answers: {
        'POST /rotate-secret': [
          200,
          {
            id: at.webhook,
            secret: `whsec_${'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'}`,
            old_secret_until: '2026-11-17T08:00:00Z',
          },
        ],
      },
      act: async (page) => {
        await choose(page, /^Actions for/, 'Rotate secret');
        await inDialog(page).getByRole('button', { name: 'Rotate secret' }).click();
        await said(page, 'Secret rotated');
      },
    }),
    webhook('webhook delete', { act: (page) => choose(page, /^Actions for/, 'Delete webhook') }),
    webhook('webhook replay', { act: (page) => press(page, 'Replay failed') }),
    on(`/webhooks/${at.webhook}/deliveries/${at.delivery}`)('delivery'),
    on(`/webhooks/${at.webhook}/deliveries/${at.failed}`)('delivery failed'),
    audit('audit log', { answers: { 'GET /audit-log': (real) => ({ ...real, data: real.data.slice(0, 8) }) } }),
    on('/audit?action=api_key.revoked')('audit log filtered'),
    on('/audit?action=ticket.voided')('audit log nothing matches'),
  ];
};
