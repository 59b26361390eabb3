import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { SANDBOX_CODE } from '../server/src/areas/sandbox/index.ts';
import { openBrowser } from './support/apps.ts';
import { hasTool } from './support/tools.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

describe.skipIf(!hasTool('chromium'))('the reference page in a browser', { timeout: 120_000 }, () => {
  let t: TestTurnout;
  let browser: Browser;
  const opened: Page[] = [];
  /** Requests to other servers, and what the page's security policy refused. */
  const foreign: string[] = [];
  const refused: string[] = [];

  beforeAll(async () => {
    // The page is reached by another name than the published one, as behind a proxy or in a private network.
    t = await startTest({ env: { SANDBOX: 'on', PUBLIC_URL: 'https://api.fair.test' } });
    await t.plan(SANDBOX_CODE, 'scale', [['api_rate_per_min', '1000000']]);
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await t?.stop();
  });
  afterEach(async () => {
    for (const page of opened.splice(0)) await page.context().close();
    expect(foreign.splice(0)).toEqual([]);
    expect(refused.splice(0)).toEqual([]);
  });

  async function open(hash = '', options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    const page = await context.newPage();
    opened.push(page);
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(t.url) && !/^(data|blob):/.test(url)) foreign.push(url);
    });
    page.on('pageerror', (error) => refused.push(error.message));
    // The reference looks whether it may compile code, and measures a scroll bar with an attribute; it works without both.
    await page.exposeFunction('policyRefused', (what: string) => refused.push(what));
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ effectiveDirective: directive, blockedURI }) => {
        const harmless = blockedURI === 'eval' || directive === 'style-src-attr';
        const { policyRefused } = window as unknown as { policyRefused: (what: string) => void };
        if (!harmless) policyRefused(`${directive} ${blockedURI}`);
      });
    });
    await page.goto(`${t.url}/docs${hash}`);
    await page.locator('html[data-ready]').waitFor();
    return page;
  }
  const operation = (page: Page, id: string) => page.locator(`[id$="/${id}"]`).first();
  const inView = (page: Page, title: string) =>
    page.waitForFunction((wanted) => {
      const headings = [...document.querySelectorAll('h1, h2, h3')] as HTMLElement[];
      const found = headings.find((one) => one.innerText.trim() === wanted);
      const top = found?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < window.innerHeight / 2;
    }, title);

  test('links lead to chapters, operations and types of webhooks, also links to the former page', async () => {
    const page = await open('#/Events/listEvents');
    await inView(page, 'List events');
    expect(page.url()).toContain('#tag/events/listEvents');
    for (const [hash, title] of [
      ['#tag/lists-and-pagination', 'Lists and pagination'],
      ['#tag/refusals-and-errors', 'Refusals and errors'],
      ['#tag/tickets/getTicketPdf', 'Get a ticket as PDF'],
      ['#tag/webhook-events/webhook/payment.received', 'payment.received'],
    ] as const) {
      await page.evaluate((to) => location.assign(to), hash);
      await inView(page, title);
    }
  });

  test('an operation: axe finds nothing serious, samples are in three languages, and trying it sends what is filled in', async () => {
    const page = await open('#tag/registrations/createRegistration');
    await inView(page, 'Create a registration');
    for (const switched of [false, true]) {
      if (switched) await page.getByRole('button', { name: /dark mode/i }).click();
      const { violations } = await new AxeBuilder({ page })
        .include('[id$="/createRegistration"]')
        .include('aside')
        .analyze();
      const grave = violations.filter((one) => one.impact === 'serious' || one.impact === 'critical');
      expect(grave.map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 150)).join(' | ')}`)).toEqual(
        [],
      );
    }

    // With our libraries.
    const here = operation(page, 'createRegistration');
    await here.getByText('curl -X POST "https://api.fair.test/v1/events/lakeside-fair/registrations"').waitFor();
    for (const [before, name, line] of [
      ['curl', 'TypeScript', "from '@turnout/sdk'"],
      ['TypeScript', 'Python', 'from turnout import Turnout'],
    ] as const) {
      await here.getByRole('button', { name: before }).first().click();
      await page.getByRole('option', { name }).click();
      await here.getByText(line).first().waitFor();
    }

    // To this server, with the public key and a new Idempotency-Key.
    await here.getByRole('button', { name: 'Test Request' }).click();
    const send = page.getByRole('dialog').getByRole('button', { name: 'Send' }).first();
    const keys = new Set<string>();
    const statuses: number[] = [];
    for (let i = 0; i < 2; i += 1) {
      const answered = page.waitForResponse((one) => one.url() === `${t.url}/v1/events/lakeside-fair/registrations`);
      await send.click();
      const answer = await answered;
      statuses.push(answer.status());
      keys.add((await answer.request().allHeaders())['idempotency-key']!);
    }
    expect([statuses, keys.size]).toEqual([[201, 201], 2]);
    await page.getByText('pending_payment').first().waitFor();
  });

  test('where the sandbox would refuse, there is no button for trying, and the reason is said; search finds everything', async () => {
    const page = await open('#tag/webhooks/createWebhook');
    const hook = operation(page, 'createWebhook');
    await hook.getByText('Not to be tried with the sandbox').waitFor();
    expect(await hook.getByRole('button', { name: 'Test Request' }).count()).toBe(0);
    await page.evaluate(() => location.assign('#tag/webhook-events/webhook/payment.received'));
    await inView(page, 'payment.received');
    const event = page.locator('[id$="/webhook/payment.received"]').first();
    await event.getByText('"payment.received"').waitFor();
    expect(await event.getByRole('button', { name: 'Test Request' }).count()).toBe(0);

    // An operation, a field and words of the guide.
    await page.keyboard.press('Control+k');
    const dialog = page.getByRole('dialog');
    const first = dialog.getByRole('option').first();
    const search = async (words: string, found: string) => {
      await dialog.locator('input').fill(words);
      await dialog.getByRole('option', { name: found }).first().waitFor();
      expect(await first.innerText()).toContain(found);
    };
    await search('refund a payment', 'Refund a payment');
    await search('send_ticket_emails', 'Import people from a CSV file');
    await search('idempotency', 'Retries and idempotency');
    await search('sandbox', 'Test mode and sandbox');
    await search('constant time', 'Webhook signatures');
    await first.click();
    await inView(page, 'Webhook signatures');
    expect(page.url()).toContain('#tag/webhook-signatures');
  });

  test('a link leads to a schema; colours follow the system, and a switch changes them', async () => {
    const page = await open('#schemas/Registration', { colorScheme: 'dark' });
    await inView(page, 'Registration');
    const dark = () => page.evaluate(() => document.body.classList.contains('dark-mode'));
    expect(await dark()).toBe(true);
    await page.getByRole('button', { name: /light mode/i }).click();
    expect(await dark()).toBe(false);
  });

  test('a phone scrolls in one direction, and its menu leads on', async () => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const page = await open('#tag/registrations/createRegistration', phone);
    const width = () => page.evaluate(() => document.documentElement.scrollWidth);
    await inView(page, 'Create a registration');
    expect(await width()).toBe(390);
    await page.getByRole('button', { name: 'Open Menu' }).click();
    await page.getByRole('link', { name: 'Refusals and errors' }).click();
    await inView(page, 'Refusals and errors');
    expect(await width()).toBe(390);
  });
});
