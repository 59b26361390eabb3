import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { Outbound } from '../../../server/src/outside/https.ts';
import { SESSION_COOKIE } from '../../../server/src/road/router.ts';
import { Authority, type Received, startReceiver } from '../receivers.ts';
import { type Reply, startTest, type TestTurnout } from '../turnout.ts';
import { type Recorder, startRecorder } from './recorder.ts';

/** A Turnout whose webhooks reach one receiver, with an app of an automation platform in front of it. */
export interface Automation {
  t: TestTurnout;
  recorder: Recorder;
  /** Where the platform would hear of things; each subscription has a path of its own. */
  target(): string;
  /** Sends what is due and answers what arrived at this address. */
  delivered(target: string): Promise<Received[]>;
  organization(plan: string): Promise<Organization>;
  stop(): Promise<void>;
}

/** An organization with a published event. Its people act in the admin app, which no plan keeps them from. */
export interface Organization {
  code: string;
  key: string;
  testKey: string;
  event: string;
  member(method: string, path: string, body?: unknown): Promise<Reply>;
  register(more?: { type?: string; email?: string }): Promise<Registered>;
  endpoints(): Promise<{ id: string; url: string; events: string[]; event: string | null; description: string }[]>;
}
export interface Registered {
  id: string;
  code: string;
  status: string;
  attendees: { id: string; tickets: { id: string; code: string }[] }[];
}

const HOST = 'hooks.example.org';
let serial = 0;

export async function startAutomation(client: string): Promise<Automation> {
  const authority = await Authority.make();
  const receiver = await startReceiver(await authority.issue([HOST]));
  const resolve = async (host: string) => (host === HOST ? [{ address: '127.0.0.1', family: 4 as const }] : []);
  const webhooks = new Outbound({ ca: authority.pem, allowedNetworks: ['127.0.0.1/32'], resolve });
  const t = await startTest({ webhooks });
  const recorder = await startRecorder(t.url, client);
  return {
    t,
    recorder,
    target: () => receiver.url(HOST, `/hooks/standard/${++serial}/`),
    delivered: async (target) => {
      while ((await t.step.relay()) > 0);
      while ((await t.step.deliveries()) > 0);
      const path = new URL(target).pathname;
      return receiver.received.filter((one) => one.path === path);
    },
    organization: (plan) => organization(t, plan),
    stop: async () => {
      await recorder.stop();
      await t.stop();
      await receiver.stop();
    },
  };
}

async function organization(t: TestTurnout, plan: string): Promise<Organization> {
  const code = `${plan}-${++serial}`;
  await t.org(code, plan);
  await t.plan(code, plan, [['api_rate_per_min', '1000000']]);
  const session = await t.session(code, 'owner');
  const member: Organization['member'] = (method, path, body) =>
    t.call(method, `/app/api${path}`, { body, org: code, headers: { cookie: `${SESSION_COOKIE}=${session}` } });
  const make = async (path: string, body?: unknown) => {
    const { status, body: made, text } = await member('POST', path, body);
    expect(status, text).toBeLessThan(300);
    return made;
  };
  const now = t.clock.now().getTime();
  const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();
  const { id: event } = await make('/events', { code: 'fair', name: 'Summer fair', timezone: 'UTC', currency: 'EUR' });
  const on = `/events/${event}`;
  await make(`${on}/days`, { code: 'd1', date: hours(0).slice(0, 10), opens_at: hours(-2), closes_at: hours(24) });
  await make(`${on}/days`, { code: 'd2', date: '2040-01-01', capacity: 1 });
  await make(`${on}/attendee-types`, { code: 'adult', name: 'Adult' });
  await make(`${on}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 1800 });
  await make(`${on}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
  await make(`${on}/questions`, { code: 'diet', label: 'Any dietary needs?', kind: 'text' });
  await make(`${on}/questions`, { code: 'shuttle', label: 'Shuttle bus?', kind: 'yes_no', attendee_types: ['paying'] });
  const sizes = [{ code: 'm', name: 'Medium' }];
  await make(`${on}/products`, { code: 'shirt', name: 'T-shirt', price_minor: 0, max: 5, options: sizes });
  await make(`${on}/products`, { code: 'dinner', name: 'Dinner', price_minor: 1000 });
  await make(`${on}/products`, { code: 'parking', name: 'Parking', per: 'registration' });
  await make(`${on}/products`, { code: 'secret', name: 'Not offered', visible: false });
  const free = { name: 'For friends', kind: 'percent', value: 100, products: null };
  await make(`${on}/discounts`, { code: 'FRIENDS-25', ...free });
  await make(`${on}/publish`);
  return {
    code,
    key: (await t.key(code)).secret,
    testKey: (await t.key(code, { mode: 'test' })).secret,
    event,
    member,
    register: ({ type = 'adult', email } = {}) =>
      make(`${on}/registrations`, {
        attendees: [
          {
            attendee_type: type,
            first_name: 'Zoë',
            last_name: `王小明 ${++serial}`,
            days: ['d1'],
            email: email ?? `zoe${serial}@example.org`,
          },
        ],
        send_emails: false,
      }),
    endpoints: async () => (await member('GET', '/webhooks?limit=200')).body.data,
  };
}

/** What happens in Turnout for each trigger; answers the id of the record that the trigger is about. */
export const HAPPENINGS: Record<string, (org: Organization) => Promise<string>> = {
  new_registration: async (org) => (await org.register({ type: 'paying' })).id,
  registration_confirmed: async (org) => (await org.register()).id,
  registration_cancelled: async (org) => {
    const { id } = await org.register();
    await done(org.member('POST', `/events/${org.event}/registrations/${id}/cancel`, {}));
    return id;
  },
  ticket_issued: async (org) => (await org.register()).attendees[0]!.tickets[0]!.id,
  new_check_in: async (org) => scan(org, (await org.register()).attendees[0]!.tickets[0]!.code),
  payment_received: async (org) => {
    const { id } = await org.register({ type: 'paying' });
    const path = `/events/${org.event}/registrations/${id}/payments`;
    return (await done(org.member('POST', path, { amount_minor: 1800, method: 'cash' }))).id;
  },
};

/** Scans a ticket as a member and answers the id of the check-in. */
export const scan = async (org: Organization, code: string): Promise<string> => {
  const body = { code, check_in_point: 'gate', client_uuid: randomUUID() };
  return (await done(org.member('POST', `/events/${org.event}/scan`, body))).checkins[0].id;
};

export async function done(reply: Promise<Reply>): Promise<Reply['body']> {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
}
