import { setTimeout } from 'node:timers/promises';
import { type AccountWorld, accountWorld } from '../../../server/src/areas/accounts/accounts.support.ts';
import { type AppWorld, startAppWorld } from '../app-world.ts';
import { type FairAt, fillFair } from './fair-event.ts';
import { fillPeople, type PeopleAt } from './people-event.ts';
import type { Who } from './screen.ts';
import { sender } from './sender.ts';

/** Long, as real ones are. */
const ORGANIZATION = 'Gesellschaft für Veranstaltungsdurchführung Rheinland-Pfalz';
const OWNER = 'Maximiliane Freifrau von Hohenstein-Wolkenburg';

/** An organization with something on every screen, one with nothing, and the addresses of what they hold. */
export interface ScreensWorld extends AppWorld {
  accounts: AccountWorld;
  sessions: Readonly<Record<Who, string | null>>;
  people: PeopleAt;
  fair: FairAt;
  /** Addresses and ids by name. */
  at: Readonly<
    Record<
      'invitation' | 'mailLink' | 'sandbox' | 'member' | 'key' | 'webhook' | 'paused' | 'delivery' | 'failed' | 'start',
      string
    >
  >;
}

export async function startScreensWorld(): Promise<ScreensWorld> {
  let accounts!: AccountWorld;
  const app = await startAppWorld({
    env: { SIGNUP: 'open', SANDBOX: 'on' },
    start: async (options) => {
      accounts = await accountWorld(options);
      return accounts.t;
    },
  });
  const { t } = app;
  await t.org('empty');
  await t.org('rhein');
  const owner = await accounts.person({ org: 'rhein', role: 'owner' });
  const browser = accounts.browser();
  await browser.signIn(owner.email);
  await browser.call('PATCH', '/account', { name: OWNER });
  // A second session of the same person.
  await accounts.browser().signIn(owner.email);
  const { sandbox } = await t.welcomeLinks();
  const sandboxed = accounts.browser();
  await sandboxed.post('/sign-in/sandbox', { token: sandbox!.split('#')[1] });
  const sessions = {
    nobody: null,
    owner: browser.session!,
    beginner: await t.session('empty', 'owner'),
    viewer: await t.session('rhein', 'viewer'),
    sandbox: sandboxed.session ?? null,
  };
  if (sessions.sandbox === null) throw new Error('The link of the sandbox does not sign in.');
  const at = await fill(app, accounts, sessions.owner);
  const people = await fillPeople(app, sessions.owner);
  const fair = await fillFair(app, sessions.owner);
  return { ...app, accounts, sessions, people, fair, at: { ...at, sandbox: sandbox! } };
}

async function fill(world: AppWorld, accounts: AccountWorld, session: string) {
  const { receiver, t } = world;
  const { send, post } = sender(t, session);
  await send('PATCH', '/organization', { name: ORGANIZATION });
  for (const [code, name, parent] of [
    ['nord', 'Nord', null],
    ['kueste', 'Küste', 'nord'],
    ['inseln', 'Ostfriesische Inseln und Halligen', 'kueste'],
    ['sued', 'Süd', null],
  ])
    await post('/groups', { code, name, parent });
  const key = await post('/keys', { name: 'Website', mode: 'test', scopes: ['read'], group: 'nord' });
  await post('/keys', {
    name: 'Kundenverwaltung und Rechnungswesen der Geschäftsstelle',
    mode: 'live',
    scopes: ['read', 'write', 'admin', 'scanner'],
    expires_at: '2100-01-01T00:00:00Z',
    allowed_addresses: ['192.0.2.0/24', '198.51.100.7'],
  });
  const old = await post('/keys', { name: 'Old website', mode: 'live', scopes: ['read'] });
  await send('DELETE', `/keys/${old.id}`);
  const webhook = await post('/webhooks', { url: receiver.url, events: ['ticket.issued', 'payment.received'] });
  const paused = await post('/webhooks', {
    url: `${receiver.url}/a/rather/long/path/that/nobody/can/remember`,
    events: ['*'],
    description: 'Data warehouse',
  });
  await post(`/webhooks/${paused.id}/pause`);
  const arrived = async () => {
    const { id } = await post(`/webhooks/${webhook.id}/test`, {});
    while ((await send('GET', `/webhooks/deliveries/${id}`)).status === 'pending') await setTimeout(50);
    return id as string;
  };
  const delivery = await arrived();
  receiver.answer(503, 'closed for lunch');
  const failed = await arrived();
  receiver.answer(200, 'thank you');
  const invited = await post('/invitations', { email: 'a.very.long.address@subdomain.example.org', role: 'developer' });
  await post('/invitations', { email: 'grace@example.org', role: 'desk', group: 'nord', send: false });
  await t.session('rhein', 'desk');
  const { data } = (await send('GET', '/members')) as { data: { id: string; you: boolean }[] };
  const mailed = await accounts.person({ org: 'rhein', role: 'viewer', password: null });
  await accounts.browser().post('/sign-in/mail', { email: mailed.email });
  const start = 'new.organization@example.org';
  await accounts.browser().post('/sign-up', { email: start });
  const { pathname, hash } = new URL(invited.link);
  return {
    invitation: pathname + hash,
    mailLink: `/app/-/link#${(await accounts.links(mailed.email)).at(-1)}`,
    start: `/app/-/start#${(await accounts.links(start)).at(-1)}`,
    member: data.find(({ you }) => !you)!.id,
    key: key.id as string,
    webhook: webhook.id as string,
    paused: paused.id as string,
    delivery,
    failed,
  };
}
