import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Received } from '../receivers.ts';
import { installIntegration } from './install.ts';
import { type Automation, HAPPENINGS, type Organization, startAutomation } from './world.ts';

/** The app that people use in Zapier, in the platform's own tester, with a Turnout and an organization of each plan. */
// biome-ignore lint/suspicious/noExplicitAny: what the app is made of belongs to packages that only this test installs
export type Loose = any;
export let app: Loose;
export let run: (what: Loose, bundle: object) => Promise<Loose>;
export let validate: () => Promise<unknown[]>;
export let world: Automation;
export const plans: Record<string, Organization> = {};

export async function startZapier(): Promise<void> {
  const folder = installIntegration('zapier');
  app = (await import(pathToFileURL(join(folder, 'dist', 'index.js')).href)).default;
  const platform = createRequire(join(folder, 'package.json'))('zapier-platform-core');
  run = platform.createAppTester(app);
  const handler = createRequire(join(folder, 'package.json'))('zapier-platform-core/src/tools/create-lambda-handler');
  validate = async () => (await handler(app)({ command: 'validate' })).results;
  world = await startAutomation('zapier');
  for (const plan of ['scale', 'growth', 'starter']) plans[plan] = await world.organization(plan);
}

export const TRIGGERS = Object.keys(HAPPENINGS);
export const ACTIONS = ['create_registration', 'add_attendee', 'issue_ticket', 'record_check_in'];
export const as = (org: Organization, inputData: object = {}, more: object = {}) => ({
  authData: { address: world.recorder.url, key: org.key },
  inputData: { event: org.event, ...inputData },
  meta: { zap: { id: '77' } },
  ...more,
});
export const operation = (kind: string, key: string): Loose => app[kind][key].operation;
export const trigger = (key: string) => operation('triggers', key);
export const create = (key: string, bundle: object) => run(operation('creates', key).perform, bundle);
export const find = (bundle: object) => run(operation('searches', 'find_registration').perform, bundle);
/** How an action failed, as Zapier sees it. */
export async function failure(doing: Promise<unknown>): Promise<{ name: string; text: string; message: Loose }> {
  const error = await doing.then(
    () => {
      throw new Error('It did not fail');
    },
    (reason: Error) => reason,
  );
  const text = error.message.split('\nWhat happened:')[0]!.trim();
  return { name: error.name, text, message: text.startsWith('{') ? JSON.parse(text) : text };
}
/** What Zapier hands over when a delivery has arrived. */
export const arrived = ({ body, headers }: Received) => ({
  rawRequest: {
    method: 'POST',
    querystring: '',
    // Zapier writes the names of headers in this way.
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        `Http-${name.replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())}`,
        value,
      ]),
    ),
    content: body.toString('utf8'),
  },
  cleanedRequest: JSON.parse(body.toString('utf8')),
});
/** A Zap that is turned on. */
export async function turnOn(org: Organization, key: string, inputData: object = {}, authKey = org.key) {
  const targetUrl = world.target();
  const bundle = { ...as(org, inputData), authData: { address: world.recorder.url, key: authKey }, targetUrl };
  const subscribeData = await run(trigger(key).performSubscribe, bundle);
  return { ...bundle, subscribeData };
}
export type Zap = Awaited<ReturnType<typeof turnOn>>;
export const hear = (key: string, zap: Zap, received: Received, changed: object = {}) =>
  run(trigger(key).perform, { ...zap, ...arrived(received), ...changed });

export const personFields = (last_name: string) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name,
  email: 'ada@example.org',
  days: ['d1'],
});
