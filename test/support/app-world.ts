import type { Browser, BrowserContext, Page } from 'playwright-core';
import { Outbound } from '../../server/src/outside/https.ts';
import { hashSecret } from '../../server/src/road/gate/authenticate.ts';
import { sql } from '../../server/src/store/sql.ts';
import { openBrowser, requireApps } from './apps.ts';
import { Authority, answer, type Received, startReceiver } from './receivers.ts';
import { freePort } from './running.ts';
import { type Reply, startTest, type TestTurnout } from './turnout.ts';

const HOST = 'hooks.example.org';

/** The app as it is run, with a browser, an organization and a real TLS receiver for its webhooks. */
export interface AppWorld {
  t: TestTurnout;
  /** The address of the installation. */
  home: string;
  receiver: { url: string; got: Received[]; answer(status: number, body?: string): void };
  /** What browsers complained about: errors of scripts, and everything that the Content-Security-Policy stopped. */
  complaints: string[];
  /**
   * A page of a new member of `acme`, in a browser of their own. `init` is a script that runs in each page before the app does. `home` is
   * the address of another server of the same installation.
   */
  open(
    path: string,
    as?: { role?: string; session?: string; init?: string; home?: string } & Parameters<Browser['newContext']>[0],
  ): Promise<Page>;
  /** Calls an operation of members. */
  call(session: string, method: string, path: string, body?: unknown): Promise<Reply>;
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** `start` is for tests that need more of the server, such as the mails that it sends. */
export async function startAppWorld({
  env = {},
  start = startTest,
}: {
  env?: Record<string, string>;
  start?: typeof startTest;
} = {}): Promise<AppWorld> {
  await requireApps();
  const authority = await Authority.make();
  const listening = await startReceiver(await authority.issue([HOST]));
  listening.behaviour = answer(200, 'thank you');
  const outbound = new Outbound({
    ca: authority.pem,
    allowedNetworks: ['127.0.0.1/32'],
    resolve: async (host) => (host === HOST ? [{ address: '127.0.0.1', family: 4 }] : []),
  });
  const port = String(await freePort());
  const home = `http://localhost:${port}`;
  const t = await start({ webhooks: outbound, env: { ROLES: 'api,worker', PORT: port, PUBLIC_URL: home, ...env } });
  await t.org('acme');
  const browser = await openBrowser();
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  return {
    t,
    home,
    complaints,
    receiver: {
      url: listening.url(HOST),
      got: listening.received,
      answer: (status, body = '') => {
        listening.behaviour = answer(status, body);
      },
    },
    open: async (path, { role = 'owner', session, init, home: address = home, ...options } = {}) => {
      // Without motion, so that no colour is looked at on its way to another.
      const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
      contexts.push(context);
      if (init !== undefined) await context.addInitScript(init);
      const token = session ?? (await t.session('acme', role));
      // The app speaks the language of the account, whatever the browser prefers.
      const language = (options.locale ?? 'en').slice(0, 2);
      await t.system((tx) =>
        tx.run(sql`
          update accounts set language = ${language}
          where id = (select account_id from account_sessions where hash = ${hashSecret(token)})`),
      );
      await context.addCookies([{ name: 'turnout_session', value: token, url: address }]);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      listen(page, complaints);
      await page.goto(address + path);
      return page;
    },
    call: (session, method, path, body) => {
      const headers = { cookie: `turnout_session=${session}` };
      return t.call(method, `/app/api${path}`, { headers, ...(body !== undefined && { body }) });
    },
    closePages: async () => {
      await Promise.all(contexts.splice(0).map((context) => context.close()));
    },
    stop: async () => {
      await browser.close();
      await t.stop();
      await listening.stop();
    },
  };
}

function listen(page: Page, complaints: string[]): void {
  page.on('console', (message) => {
    // A refusal is an answer like any other, but the browser writes it into its console.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
}

/** The page has its heading, nothing is being loaded or saved, and no call waits for its answer. */
const QUIET = 'html:not([data-calls]):has(h1):not(:has(.skeleton, [aria-busy]))';

/** Waits until the page has its heading and asks for nothing more. */
export async function settled(page: Page): Promise<void> {
  const quiet = page.locator(QUIET);
  do {
    await quiet.waitFor({ state: 'attached' });
    // What was just drawn asks for what it needs right after that, at the latest in the next frame.
    await quiet.evaluate(async () => {
      for (let i = 0; i < 2; i += 1) await new Promise(requestAnimationFrame);
    });
  } while ((await quiet.count()) === 0);
}
