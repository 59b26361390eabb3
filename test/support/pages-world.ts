import { type AddressInfo, createServer } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { stripeProvider } from '../../server/src/outside/stripe.ts';
import { openBrowser, requireApps } from './apps.ts';
import { StripeDouble } from './stripe-double.ts';
import { startTest, type TestTurnout } from './turnout.ts';

/** A server with an organization that has pages, a double of Stripe, and a browser. */
export interface PagesWorld {
  t: TestTurnout;
  stripe: StripeDouble;
  browser: Browser;
  /** Calls API v1 with an admin key, and fails if it is refused. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  api(method: string, path: string, body?: unknown): Promise<any>;
  /** Makes a published event with one day and one type, or with what is given. */
  event(code: string, more?: EventParts): Promise<void>;
  open(path: string, options?: Parameters<Browser['newContext']>[0]): Promise<Page>;
  /** What pages complained about since it was last looked at: errors of scripts, and what the policy forbade. */
  complaints: string[];
  closePages(): Promise<void>;
  stop(): Promise<void>;
}
export interface EventParts {
  event?: object;
  days?: object[];
  types?: object[];
  questions?: object[];
}

export const PHONE = { viewport: { width: 390, height: 844 } } as const;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

export async function startPagesWorld(): Promise<PagesWorld> {
  await requireApps();
  const stripe = await StripeDouble.start(() => new Date());
  const payments = await stripeProvider({
    secretKey: stripe.secretKey,
    webhookSecret: stripe.webhookSecret,
    apiUrl: stripe.url,
    clock: { now: () => new Date() },
    timeoutMs: 5000,
  });
  // Links lead to PUBLIC_URL, whatever the request says, so the port must be known before.
  const port = await freePort();
  const t = await startTest({ payments, env: { PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` } });
  await t.org('acme', 'scale');
  const key = (await t.key('acme', { scopes: ['read', 'write', 'admin'] })).secret;
  const browser = await openBrowser();
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const api: PagesWorld['api'] = async (method, path, body) => {
    const reply = await t.call(method, `/v1${path}`, { key, body });
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.body;
  };
  return {
    t,
    stripe,
    browser,
    api,
    complaints,
    event: async (code, { event = {}, days, types, questions = [] } = {}) => {
      await api('POST', '/events', { code, name: 'Summer Fair', timezone: 'Europe/Berlin', currency: 'EUR', ...event });
      for (const day of days ?? [{ code: 'd1', date: '2055-06-12' }]) await api('POST', `/events/${code}/days`, day);
      for (const type of types ?? [{ code: 'adult', name: 'Adult' }])
        await api('POST', `/events/${code}/attendee-types`, type);
      for (const question of questions) await api('POST', `/events/${code}/questions`, question);
      await api('POST', `/events/${code}/publish`);
    },
    open: async (path, options = {}) => {
      const context = await browser.newContext({ ...PHONE, locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options });
      contexts.push(context);
      const page = await context.newPage();
      page.on('pageerror', (error) => complaints.push(String(error)));
      page.on('console', (message) => {
        // Answers that say no are part of the flow, and the browser notes each.
        if (message.type() === 'error' && !/status of 4\d\d/.test(message.text())) complaints.push(message.text());
      });
      await page.goto(path.startsWith('http') ? path : t.url + path);
      return page;
    },
    closePages: async () => {
      for (const context of contexts.splice(0)) await context.close();
    },
    stop: async () => {
      await browser.close();
      await t.stop();
      await stripe.stop();
    },
  };
}
