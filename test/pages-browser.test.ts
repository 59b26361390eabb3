import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { jpeg } from '../server/src/areas/pictures/pictures.support.ts';
import { isNight } from './support/night.ts';
import { type PagesWorld, startPagesWorld } from './support/pages-world.ts';
import { hasTool } from './support/tools.ts';

/** Nobody fills in a form in less than two seconds, and the server knows it. */
const READ_MS = 2100;

describe.skipIf(!hasTool('chromium'))('registering on a phone', { timeout: 120_000 }, () => {
  let world: PagesWorld;
  beforeAll(async () => {
    world = await startPagesWorld();
    await world.event('fair', {
      event: {
        description: 'Three days of **boats**.',
        venue: 'Boathouse',
        self_service: {
          change_until: '2055-06-01T00:00:00Z',
          cancel_until: '2055-06-01T00:00:00Z',
          transfer_until: null,
        },
      },
      days: [
        { code: 'fri', name: 'Friday', date: '2055-06-11' },
        { code: 'sat', name: 'Saturday', date: '2055-06-12' },
      ],
      types: [
        { code: 'adult', name: 'Adult', price_minor: 0 },
        { code: 'child', name: 'Child', price_minor: 0 },
      ],
      questions: [
        { code: 'diet', label: 'Food', kind: 'choice', options: ['Anything', 'Vegan'], required: true },
        { code: 'age', label: 'Age', kind: 'number', attendee_types: ['child'] },
      ],
    });
    await world.event('paid', { types: [{ code: 'adult', name: 'Adult', price_minor: 1500 }] });
    await world.event('shop', {
      days: [
        { code: 'fri', name: 'Friday', date: '2055-06-11' },
        { code: 'sat', name: 'Saturday', date: '2055-06-12' },
      ],
      types: [
        { code: 'adult', name: 'Adult', price_minor: 1000 },
        { code: 'crew', name: 'Crew', price_minor: 400, visible: false },
      ],
    });
    const product = (body: object) => world.api('POST', '/events/shop/products', body);
    await product({ code: 'bread', name: 'Bread workshop', price_minor: 2000, days: ['sat'] });
    await product({ code: 'bus', name: 'Bus', per: 'registration', days: ['sat'] });
    const crew = { code: 'CREW-10', name: 'Crew', kind: 'percent', value: 10, products: null, reveals: ['crew'] };
    await world.api('POST', '/events/shop/discounts', crew);
  }, 120_000);
  afterAll(() => world?.stop());
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const press = (page: Page, value: string) => page.locator(`button[name="do"][value="${value}"]:not(.trap)`).click();
  const registrations = async (code: string) =>
    (await world.api('GET', `/events/${code}/registrations?limit=200`)).data;

  const registeredBy = async (code: string, email: string) =>
    (await registrations(code)).find((one: { contact: { email: string } }) => one.contact.email === email);

  async function fillIn(page: Page, email: string): Promise<void> {
    await page.fill('#c-first', 'Mary');
    await page.fill('#c-last', 'Shelley');
    await page.fill('#c-email', email);
  }

  /** Fills in the form for an adult and a child, with one mistake on the way, and books. */
  async function register(page: Page, email: string): Promise<void> {
    await page.selectOption('select[name="n-child"]', '1');
    await page.locator('form.choose button').click();
    await page.locator('#c-first').waitFor();
    await page.fill('#c-first', 'Ada');
    await page.fill('#c-last', 'Lovelace');
    await page.fill('#c-email', email);
    await page.fill('#p1-first', 'Byron');
    await page.fill('#p1-last', 'King');
    await page.evaluate(() => document.querySelector('form.register')!.setAttribute('novalidate', ''));
    await press(page, 'review');
    await page.locator('#faults').waitFor();
    expect(await page.inputValue('#c-email'), 'nothing typed is lost').toBe(email);
    for (const place of ['p0', 'p1']) {
      await page.check(`input[name="${place}-days"][value="sat"]`);
      await page.check(`input[name="${place}-q-diet"][value="Vegan"]`);
    }
    await page.fill('[name="p1-q-age"]', '7');
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
  }

  describe.each(isNight ? ['en-GB', 'de-DE', 'fr-FR', 'es-ES'] : ['de-DE'])('in %s', (locale) => {
    test.each([
      ['with JavaScript', true],
      ['without JavaScript', false],
    ])('%s, from the event to the tickets', async (_name, javaScriptEnabled) => {
      const email = `${locale}-${javaScriptEnabled}@example.org`.toLowerCase();
      const page = await world.open('/o/acme/fair', { locale, javaScriptEnabled });
      expect(await page.getAttribute('html', 'lang')).toBe(locale.slice(0, 2));
      if (javaScriptEnabled) await register(page, email);
      else await registerWithout(page, email);
      const made = (await registrations('fair')).find(
        (one: { contact: { email: string } }) => one.contact.email === email,
      );
      expect(made).toMatchObject({ status: 'confirmed', source: 'form', contact: { language: locale.slice(0, 2) } });
      expect(
        made.attendees.map((one: { first_name: string; answers: object }) => [one.first_name, one.answers]),
      ).toEqual([
        ['Ada', { diet: 'Vegan' }],
        ['Byron', { diet: 'Vegan', age: 7 }],
      ]);
      // The tickets are on the page, as codes that can be scanned.
      expect(await page.locator('.ticket').count()).toBe(2);
      expect(await page.locator('main').textContent()).toContain(made.code);
    });
  });

  test('what is for a day appears as soon as the day is chosen, and is not sent once it no longer is', async () => {
    const page = await world.open('/o/acme/shop');
    await page.getByText('Have a code?').click();
    await page.getByLabel('Code', { exact: true }).fill('crew 10');
    await page.getByRole('button', { name: 'Apply code' }).click();
    await page.getByText('Code applied: Crew').waitFor();
    await page.selectOption('select[name="n-adult"]', '0');
    await page.selectOption('select[name="n-crew"]', '1');
    await page.locator('form.choose .actions button').click();
    await page.locator('#c-first').waitFor();
    const bread = page.getByRole('checkbox', { name: /Bread workshop/ });
    const bus = page.getByRole('checkbox', { name: /Bus/ });
    expect([await bread.isVisible(), await bus.isVisible()]).toEqual([false, false]);
    await page.check('input[name="p0-days"][value="sat"]');
    await bread.check();
    await bus.check();
    const { violations } = await new AxeBuilder({ page: page as never }).analyze();
    expect(violations.map(({ id }) => id)).toEqual([]);
    await page.uncheck('input[name="p0-days"][value="sat"]');
    await page.check('input[name="p0-days"][value="fri"]');
    expect([await bread.isVisible(), await bus.isVisible()]).toEqual([false, false]);
    await fillIn(page, 'day@example.org');
    await press(page, 'review');
    await page.getByText('You save with CREW-10').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('Bread');
    await press(page, 'change');
    await page.check('input[name="p0-days"][value="sat"]');
    await bread.check();
    await press(page, 'review');
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
    const made = await registeredBy('shop', 'day@example.org');
    expect(made).toMatchObject({ discount_code: 'CREW-10', total_minor: 2160, products: [] });
    expect(made.attendees[0]).toMatchObject({ attendee_type: 'crew', products: [{ product: 'bread' }] });
  });

  /** The same steps with a page that runs no script: the browser's own checks stand in the way of a mistake. */
  async function registerWithout(page: Page, email: string): Promise<void> {
    await page.selectOption('select[name="n-child"]', '1');
    await page.locator('form.choose button').click();
    await page.fill('#c-first', 'Ada');
    await page.fill('#c-last', 'Lovelace');
    await page.fill('#c-email', email);
    await page.fill('#p1-first', 'Byron');
    await page.fill('#p1-last', 'King');
    for (const place of ['p0', 'p1']) await page.check(`input[name="${place}-q-diet"][value="Vegan"]`);
    await page.fill('[name="p1-q-age"]', '7');
    await press(page, 'review');
    await page.locator('#faults').waitFor(); // no day was chosen, which only the server knows
    expect(await page.inputValue('#c-email'), 'nothing typed is lost').toBe(email);
    for (const place of ['p0', 'p1']) await page.check(`input[name="${place}-days"][value="sat"]`);
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
  }

  test('with the keyboard alone', async () => {
    const page = await world.open('/o/acme/paid');
    /** Goes on by the tabulator key until the thing with this id or text has the focus. */
    const tabTo = async (what: RegExp) => {
      for (let i = 0; i < 40; i += 1) {
        await page.keyboard.press('Tab');
        const here = await page.evaluate(() => {
          const at = document.activeElement as HTMLElement;
          return [at.id, at.getAttribute('name'), at.getAttribute('value'), at.textContent?.slice(0, 80)].join(' ');
        });
        if (what.test(here)) return;
      }
      throw new Error(`the keyboard does not reach ${what}`);
    };
    await tabTo(/n-adult/);
    await tabTo(/Continue/);
    await page.keyboard.press('Enter');
    await page.locator('#c-first').waitFor();
    // The focus goes where the work goes.
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await tabTo(/^c-first/);
    await page.keyboard.type('Grace');
    await tabTo(/^c-last/);
    await page.keyboard.type('Hopper');
    await tabTo(/^c-email/);
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Tab');
    expect(await page.locator('#c-email-fault').textContent()).toContain('Enter an e-mail');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('grace@example.org');
    expect(await page.locator('#c-email-fault').count(), 'the fault goes as soon as it is right').toBe(0);
    await page.keyboard.press('Enter'); // sends the form, and neither adds nor removes anybody
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    await tabTo(/book/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/my\//);
    expect(await registeredBy('paid', 'grace@example.org')).toMatchObject({
      status: 'pending_payment',
      total_minor: 1500,
    });
  });

  test('a screen reader reads the page in a sensible order', async () => {
    const page = await world.open('/o/acme/fair');
    const read = await page.locator('body').ariaSnapshot();
    const order = [
      'banner',
      'heading "Summer Fair" [level=1]',
      'When',
      'Where',
      'boats',
      'heading "Days"',
      'heading "Register"',
      'combobox "How many: Adult"',
      'button "Continue"',
      'contentinfo',
    ];
    const places = order.map((part) => read.indexOf(part));
    expect(
      places.every((place) => place >= 0),
      read,
    ).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    await page.goto(`${world.t.url}/o/acme/fair/register?n-adult=1&n-child=1`);
    const form = await page.locator('main').ariaSnapshot();
    for (const part of [
      'group "Your details"',
      'textbox "First name"',
      'textbox "E-mail"',
      'group "1. Adult',
      'group "Food"',
      'radio "Vegan"',
      'group "2. Child',
      'textbox "Age',
    ]) {
      expect(form).toContain(part);
    }
  });

  test('a payment that is given up comes back to the registration, and one that is made confirms it', async () => {
    const page = await world.open('/o/acme/paid/register');
    await page.fill('#c-first', 'Mary');
    await page.fill('#c-last', 'Shelley');
    await page.fill('#c-email', 'mary@example.org');
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
    const mine = page.url().split('?')[0]!;
    // Nothing leaves this machine: Stripe's own page is played, too.
    await page.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>Stripe</title>' }),
    );
    const pay = async () => {
      await page.locator('form[action*="/pay"] button').first().click();
      await page.waitForURL('https://checkout.stripe.com/**');
      return [...world.stripe.sessions.values()].at(-1)!;
    };
    const session = await pay();
    expect([session.amount_total, session.currency]).toEqual([1500, 'eur']);
    await page.goto(String(session.cancel_url));
    expect(page.url().split('?')[0]).toBe(mine);
    const again = await pay();
    const payload = JSON.stringify(world.stripe.pay(again.id));
    const told = await fetch(`${world.t.url}/provider/stripe/webhook`, {
      method: 'POST',
      headers: { 'stripe-signature': world.stripe.sign(payload) },
      body: payload,
    });
    expect(told.status).toBe(200);
    await page.goto(String(again.success_url));
    await expect
      .poll(
        async () =>
          (await registrations('paid')).find(
            (one: { contact: { email: string } }) => one.contact.email === 'mary@example.org',
          ).status,
        { timeout: 30_000 },
      )
      .toBe('confirmed');
    await page.goto(mine);
    expect(await page.locator('.ticket').count()).toBe(1);
  });

  test('whoever comes back from paying before the report reads that it is being confirmed, and cannot pay again', async () => {
    const page = await world.open('/o/acme/paid/register');
    await fillIn(page, 'twice@example.org');
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
    await page.route('https://checkout.stripe.com/**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '' }),
    );
    await page.clock.install();
    await page.getByRole('button', { name: 'Pay €15.00' }).click();
    await page.waitForURL('https://checkout.stripe.com/**');
    const session = [...world.stripe.sessions.values()].at(-1)!;
    const report = world.stripe.pay(session.id);
    await page.goto(String(session.success_url));
    await page.getByText('Payment is being confirmed').waitFor();
    expect(await page.locator('form[action*="/pay"]').count()).toBe(0);
    // The page starts its next wait only once it has read the answer, so its time is moved until it asks.
    const look = async () => {
      let isAsked = false;
      const answered = page.waitForResponse((one) => one.url().includes('/my/')).finally(() => (isAsked = true));
      while (!isAsked) await page.clock.runFor(1000);
      await answered;
    };
    await look();
    await look();
    await page.getByText('Payment is being confirmed').waitFor();
    expect((await world.stripe.deliver(world.t.url, report)).status).toBe(200);
    await look();
    await page.getByText('Thank you. Your payment has arrived.').waitFor();
    expect([await page.locator('.ticket').count(), await page.locator('form[action*="/pay"]').count()]).toEqual([1, 0]);
    expect((await registeredBy('paid', 'twice@example.org')).status).toBe('confirmed');
  });

  test('Back returns to the filled form, Forward to the summary; leaving a changed form asks', async () => {
    const page = await world.open('/o/acme/paid');
    await page.locator('form.choose button').click();
    await page.locator('#c-first').waitFor();
    await fillIn(page, 'back@example.org');
    await press(page, 'review');
    const book = page.locator('button[value="book"]');
    await book.waitFor();
    await page.goBack();
    await page.locator('#c-first').waitFor();
    expect(await page.inputValue('#c-email')).toBe('back@example.org');
    await page.goForward();
    await book.waitFor();
    // Also when the page was loaded again meanwhile, and nothing is left in memory.
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    await page.reload();
    expect(asked).toEqual(['beforeunload']);
    await book.waitFor();
    await page.goBack();
    await page.locator('#c-first').waitFor();
    await expect.poll(() => page.inputValue('#c-email')).toBe('back@example.org');
    await page.goBack();
    await page.locator('form.choose').waitFor();
    await page.goForward();
    await page.locator('#c-first').waitFor();
    await expect.poll(() => page.inputValue('#c-email')).toBe('back@example.org');
    await press(page, 'review');
    await book.waitFor();
    world.t.clock.advance(READ_MS);
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
    expect(asked, 'nobody is asked for booking').toEqual(['beforeunload']);
    // Whoever goes back from the result comes to the form, not to a button that books the same once more.
    await page.goBack();
    await page.locator('#c-first').waitFor();
    await expect.poll(() => page.inputValue('#c-email')).toBe('back@example.org');
    expect(await book.count()).toBe(0);
    await page.goForward();
    await page.waitForURL(/\/my\//);
  });

  test('a link to a field of the form loses nothing', async () => {
    const page = await world.open('/o/acme/fair/register');
    const asked: string[] = [];
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type());
      await dialog.accept();
    });
    await fillIn(page, 'link@example.org');
    await page.evaluate(() => document.querySelector('form.register')!.setAttribute('novalidate', ''));
    await press(page, 'review');
    await page.locator('#faults a').first().click();
    await page.waitForURL(/#/);
    await page.goBack();
    await page.waitForURL(/register$/);
    expect(await page.inputValue('#c-email')).toBe('link@example.org');
    await page.locator('#faults').waitFor();
    expect(asked, 'the page stays, so nobody is asked').toEqual([]);
  });

  test('an answer that arrives after somebody went back does not take the place of what they see', async () => {
    const page = await world.open('/o/acme/paid');
    await page.locator('form.choose button').click();
    await page.locator('#c-first').waitFor();
    await fillIn(page, 'slow@example.org');
    const held: Route[] = [];
    await page.route('**/register', (route) =>
      route.request().method() === 'POST' && held.length === 0 ? void held.push(route) : route.continue(),
    );
    const arrives = async () => {
      await expect.poll(() => held.length).toBe(1);
      const answer = page.waitForResponse((one) => one.request() === held[0]!.request());
      await held[0]!.continue();
      await (await answer).finished();
      // Another turn of the page, after what it does with the answer.
      await page.evaluate(() => fetch(location.href).then((one) => one.text()));
    };
    // The summary of a form that was left for the page of the event.
    await press(page, 'review');
    await expect.poll(() => held.length).toBe(1);
    await page.goBack();
    await page.locator('form.choose').waitFor();
    await arrives();
    expect([new URL(page.url()).pathname, await page.locator('form.choose').count()]).toEqual(['/o/acme/paid', 1]);
    await page.goForward();
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    // The summary again after the page was loaded anew, which was left for the form.
    held.length = 0;
    await page.reload();
    await expect.poll(() => held.length).toBe(1);
    await page.goBack();
    await expect.poll(() => page.inputValue('#c-email')).toBe('slow@example.org');
    await arrives();
    expect(await page.locator('#c-email').count()).toBe(1);
    await page.goForward();
    await page.locator('button[value="book"]').waitFor();
  });

  test('yesterday is neither offered nor sold', async () => {
    const days = [-1, 1, 2].map((n) =>
      new Date(world.t.clock.now().getTime() + n * 86_400_000).toISOString().slice(0, 10),
    );
    const [past, next, last] = days as [string, string, string];
    await world.event('late', {
      days: [
        { code: 'past', name: 'Opening day', date: past, closes_at: `${past}T12:00:00Z` },
        { code: 'next', name: 'Second day', date: next },
        { code: 'last', name: 'Third day', date: last },
      ],
    });
    const page = await world.open('/o/acme/late');
    expect(await page.locator('li', { hasText: 'Opening day' }).textContent()).toContain('over');
    await page.locator('form.choose button').click();
    await page.locator('#c-first').waitFor();
    await fillIn(page, 'late@example.org');
    const offered = await page
      .locator('input[name="p0-days"]')
      .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value));
    expect(offered).toEqual(['next', 'last']);
    // A page that was opened the day before still has the box.
    await page.check('input[name="p0-days"][value="next"]');
    await page.evaluate(() =>
      document.querySelector<HTMLInputElement>('input[value="next"]')!.setAttribute('value', 'past'),
    );
    await press(page, 'review');
    await page.locator('#faults').waitFor();
    expect(await page.locator('#faults').textContent()).toContain('This day is over');
    expect(await registrations('late')).toEqual([]);
  });

  describe('how it looks', () => {
    const STATES: [name: string, path: string][] = [
      ['the list', '/o/acme'],
      ['the event', '/o/acme/fair'],
      ['the form', '/o/acme/fair/register?n-adult=2'],
      ['the end', '/o/acme/fair/done'],
      ['nothing here', '/o/acme/no-such-event'],
      ['the link again', '/o/acme/my'],
    ];
    test.each(STATES)(
      '%s: axe finds nothing, light and dark, and nothing is wider than 320 pixels',
      async (_name, path) => {
        for (const colorScheme of ['light', 'dark'] as const) {
          const page = await world.open(path, { colorScheme, viewport: { width: 320, height: 700 }, locale: 'de-DE' });
          const { violations } = await new AxeBuilder({ page }).analyze();
          expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([]);
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
        }
      },
    );

    test('long German words and long names break instead of widening the page', async () => {
      const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenverleih'.repeat(2);
      await world.event('long', {
        event: { name: long, venue: long, description: `# ${long}\n\n${long}` },
        types: [{ code: 'a', name: long }],
        questions: [{ code: 'q', label: long, kind: 'choices', options: [long, 'b'] }],
      });
      for (const path of ['/o/acme/long', '/o/acme/long/register']) {
        const page = await world.open(path, { viewport: { width: 320, height: 700 }, locale: 'de-DE' });
        expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(320);
      }
    });
  });

  test('the title keeps its distance from the notice of the preview and from the picture', async () => {
    await world.api('POST', '/events', { code: 'drawn', name: 'Summer Fair', timezone: 'Europe/Berlin' });
    await world.api('POST', '/events/drawn/days', { code: 'd1', date: '2055-06-12' });
    await world.api('POST', '/events/drawn/days', { code: 'd2', date: '2055-06-13' });
    await world.api('POST', '/events/drawn/attendee-types', { code: 'adult', name: 'Adult', price_minor: 1500 });
    const { secret } = await world.t.key('acme');
    const put = await fetch(`${world.t.url}/v1/events/drawn/image`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'image/jpeg' },
      body: new Uint8Array(await jpeg(1600, 700)),
    });
    expect(put.status).toBeLessThan(300);
    const value = await world.t.session('acme', 'owner');
    for (const width of [390, 1440]) {
      const page = await world.open('/o/acme', { viewport: { width, height: 900 } });
      await page.context().addCookies([{ name: 'turnout_session', value, url: world.t.url }]);
      await page.goto(`${world.t.url}/o/acme/drawn`);
      const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
      const [notice, cover, title] = [await box('main > .notice'), await box('.cover'), await box('h1')];
      expect(cover.y - (notice.y + notice.height)).toBeGreaterThanOrEqual(16);
      expect(title.y - (cover.y + cover.height)).toBeGreaterThanOrEqual(16);
      await page.goto(`${world.t.url}/o/acme/drawn/register`);
      const [above, heading] = [await box('main > .notice'), await box('h1')];
      expect(heading.y - (above.y + above.height)).toBeGreaterThanOrEqual(16);
    }
  });

  test('an event in Auckland, looked at from Berlin, says which time it means, and the time here', async () => {
    await world.event('auckland', {
      event: { timezone: 'Pacific/Auckland', starts_at: '2055-02-13T20:00:00Z', ends_at: '2055-02-14T02:00:00Z' },
      days: [{ code: 'd1', date: '2055-02-14' }],
    });
    const here = await world.open('/o/acme/auckland');
    const text = (await here.locator('.facts').textContent())!;
    expect(text).toContain('14 February 2055');
    expect(text).toContain('New Zealand Time (GMT+13)');
    expect(text).toMatch(/In your time zone: 13 Feb 2055, 21:00/);
    const there = await world.open('/o/acme/auckland', { timezoneId: 'Pacific/Auckland' });
    expect(await there.locator('.facts').textContent()).not.toContain('In your time zone');
  });

  test('the network goes while the form is sent: it says so, nothing is lost, and it registers once', async () => {
    const page = await world.open('/o/acme/paid/register');
    await page.fill('#c-first', 'Emmy');
    await page.fill('#c-last', 'Noether');
    await page.fill('#c-email', 'emmy@example.org');
    await press(page, 'review');
    await page.locator('button[value="book"]').waitFor();
    world.t.clock.advance(READ_MS);
    // The server gets the form, and its answer is lost.
    await page.route('**/register', async (route) => {
      await route.fetch({ maxRedirects: 0 });
      await route.abort();
    });
    await press(page, 'book');
    await page.locator('.notice.offline').waitFor();
    expect(world.complaints.splice(0).every((one) => one.includes('ERR_FAILED'))).toBe(true);
    await page.unroute('**/register');
    await press(page, 'book');
    await page.waitForURL(/\/my\//);
    const made = (await registrations('paid')).filter(
      (one: { contact: { email: string } }) => one.contact.email === 'emmy@example.org',
    );
    expect(made.length).toBe(1);
  });

  describe('embedded', () => {
    /** A site of another origin. Its policy allows our origin in `script-src` and `frame-src`, and nothing else. */
    async function site(policy: (origin: string) => string): Promise<{ url: string; close: () => void }> {
      const origin = new URL(world.t.url).origin;
      const server = createServer((_request, response) => {
        response.setHeader('Content-Type', 'text/html');
        response.setHeader('Content-Security-Policy', policy(origin));
        response.end(
          `<!doctype html><title>Club</title><h1>Our club</h1><script src="${origin}/o/acme/embed.js" data-event="paid" async></script><p>Below</p>`,
        );
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return { url: `http://localhost:${(server.address() as AddressInfo).port}`, close: () => server.close() };
    }
    const allowed = (origin: string) => `default-src 'none'; script-src ${origin}; frame-src ${origin}`;

    test('one line of script puts the form into a site that is named; the frame grows, and no cookie is set', async () => {
      const club = await site(allowed);
      await world.t.call('PATCH', '/app/api/organization', {
        headers: { cookie: `turnout_session=${await world.t.session('acme', 'owner')}` },
        body: { embed_origins: [club.url] },
      });
      world.t.clock.advance(1000); // a page may be a second old
      const page = await world.open(club.url);
      const frame = page.frameLocator('iframe');
      await frame.locator('form.choose button').click();
      await frame.locator('#c-first').fill('Rosalind');
      await frame.locator('#c-last').fill('Franklin');
      await frame.locator('#c-email').fill('rosalind@example.org');
      const height = () => page.locator('iframe').evaluate((element) => element.getBoundingClientRect().height);
      const before = await height();
      await frame.locator('button[name="do"][value="add"]').click();
      await frame.locator('#p1-first').waitFor();
      await expect.poll(height).toBeGreaterThan(before);
      await frame.locator('#p1-first').fill('Dorothy');
      await frame.locator('#p1-last').fill('Hodgkin');
      await frame.locator('.actions button[value="review"]').click();
      await frame.locator('button[value="book"]').waitFor();
      world.t.clock.advance(READ_MS);
      await frame.locator('button[value="book"]').click();
      // The registration itself, and paying, open outside of the frame.
      await frame.locator('a[target="_top"]').click();
      await page.waitForURL(/\/my\//);
      expect(new URL(page.url()).origin).toBe(new URL(world.t.url).origin);
      expect(await page.context().cookies()).toEqual([]);
      club.close();
    });

    test('a site that is not named gets no form', async () => {
      const club = await site(allowed);
      const page = await world.open(club.url);
      await page.locator('iframe').waitFor();
      await expect.poll(() => world.complaints.splice(0).join(' ')).toMatch(/frame-ancestors/);
      club.close();
    });
  });
});
