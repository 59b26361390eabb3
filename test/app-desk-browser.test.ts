import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

const DAY = 86_400_000;

/** The most keys that a known person may take, after the first three letters of the name. */
const MAX_KEY_PRESSES = 6;

describe.skipIf(!hasTool('chromium'))('the desk, by keyboard alone', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
  }, 240_000);
  afterAll(async () => {
    await world?.stop();
  });
  afterEach(async () => {
    await world.closePages();
    expect(world.complaints.splice(0)).toEqual([]);
  });

  const send = async (method: string, path: string, body?: unknown): Promise<Body> => {
    const reply = await world.call(owner, method, path, body);
    expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
    return reply.body;
  };
  const post = (path: string, body: unknown = {}) => send('POST', path, body);
  const get = (path: string) => send('GET', path);

  /** A published event that is open now, with one gate unless told otherwise. */
  async function event(
    code: string,
    { points = ['gate'], ...more }: { points?: string[]; name?: string; ticketing?: string } = {},
  ) {
    const at = `/events/${code}`;
    await post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR', ...more });
    await post(`${at}/days`, {
      ...{ code: 'today', name: 'Today', date: new Date().toISOString().slice(0, 10) },
      // Longer than the date, so that no test falls behind its end when it runs across midnight.
      ...{ opens_at: new Date(Date.now() - DAY).toISOString(), closes_at: new Date(Date.now() + DAY).toISOString() },
    });
    await post(`${at}/days`, { code: 'later', name: 'Later', date: '2100-01-02' });
    await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 0 });
    await post(`${at}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 4500 });
    await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew', approval: true });
    await post(`${at}/questions`, { code: 'plate', label: 'Number plate', kind: 'text', required: true });
    for (const point of points)
      await post(`${at}/check-in-points`, { code: point, name: `The ${point}`, kind: 'entry' });
    await post(`${at}/publish`);
    return at;
  }
  const person = (first_name: string, last_name: string, more: object = {}) => ({
    ...{ attendee_type: 'adult', first_name, last_name, days: ['today'], answers: { plate: 'B 1' } },
    ...more,
  });
  const register = (at: string, ...attendees: object[]) =>
    post(`${at}/registrations`, { attendees, send_emails: false });
  const checkIns = async (at: string): Promise<Body[]> => (await get(`${at}/checkins?limit=100`)).data;
  const found = async (at: string, search: string): Promise<Body[]> =>
    (await get(`${at}/attendees?search=${encodeURIComponent(search)}`)).data;

  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const field = (page: Page) => page.getByRole('combobox', { name: 'Name, e-mail, phone or code' });
  const names = (page: Page) =>
    page.getByRole('listbox', { name: 'People found' }).locator('.desk-row-name').allTextContents();
  const answer = (page: Page) => page.locator('.desk-answer');
  /** Types as a person does, not as a scanner. */
  const type = (page: Page, text: string) => page.keyboard.type(text, { delay: 30 });
  /**
   * A scanner types as fast as it can and does not wait until the page has drawn a letter. The keys say themselves when they were
   * pressed, because a busy machine must not make the scanner a slow typist. `written` is what the system writes for the keys, if it has
   * another keyboard layout than the scanner.
   */
  async function press(page: Page, keys: readonly string[], begun = Date.now(), written = keys): Promise<void> {
    const session = await page.context().newCDPSession(page);
    const sent = keys.flatMap((pressed, i) => {
      const key = written[i]!;
      const code =
        pressed === 'Enter' ? pressed : /\d/.test(pressed) ? `Digit${pressed}` : `Key${pressed.toUpperCase()}`;
      const text = key === 'Enter' ? '\r' : key;
      const common = {
        key,
        code,
        windowsVirtualKeyCode: text.toUpperCase().charCodeAt(0),
        timestamp: begun / 1000 + i / 100,
      };
      return [
        session.send('Input.dispatchKeyEvent', { type: 'keyDown', text, ...common }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...common }),
      ];
    });
    await Promise.all(sent);
    await session.detach();
  }
  const scan = (page: Page, code: string) => press(page, [...code, 'Enter']);
  const isFocused = (of: Locator) => of.evaluate((element) => element === document.activeElement);
  const isInField = (page: Page) => field(page).evaluate((element) => element === document.activeElement);
  async function open(code: string, as: Parameters<AppWorld['open']>[1] = { session: owner }): Promise<Page> {
    const page = await world.open(`/app/acme/events/${code}/check-in/desk`, as);
    await page.getByRole('heading', { level: 1, name: 'Desk' }).waitFor();
    return page;
  }
  /** What F3 opens in a tab of its own. Not every browser without a screen shows a PDF, so the tab gets something else. */
  async function printed(page: Page): Promise<string> {
    await page.context().route('**/pdf?*', (route) => route.fulfill({ contentType: 'text/html', body: 'A ticket' }));
    const [tab] = await Promise.all([page.context().waitForEvent('page'), page.keyboard.press('F3')]);
    await tab.getByText('A ticket').waitFor();
    const { pathname, search } = new URL(tab.url());
    await tab.close();
    await page.context().unrouteAll();
    return pathname + search;
  }
  /** Counts every key that the page hears. */
  const countKeys = (page: Page) =>
    page.evaluate(() => {
      const { dataset } = document.documentElement;
      document.addEventListener('keydown', () => (dataset.pressed = String(Number(dataset.pressed ?? 0) + 1)), true);
    });
  const pressed = (page: Page): Promise<number> =>
    page.evaluate(() => Number(document.documentElement.dataset.pressed ?? 0));
  /** The answer to a search waits until the test releases it. */
  async function hold(page: Page, search: string) {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(
      (url) => url.searchParams.get('search') === search && url.pathname.endsWith('/attendees'),
      async (route) => {
        ask();
        await released;
        // The page may not want to know any more.
        await route.continue().catch(() => {});
      },
    );
    return { asked, release };
  }
  const ready = (page: Page) => poll(() => isInField(page)).toBe(true);

  test('a known person is checked in with at most 6 keys after three letters, the next one by typing on, and nobody by an Enter too early', async () => {
    const at = await event('queue');
    for (const first of ['Ada', 'Ben', 'Cleo', 'Dora', 'Emil']) await register(at, person(first, 'Miller'));
    for (const [first, last] of [
      ['Zoe', 'Schmidt'],
      ['Zora', 'Baker'],
      ['Dora', 'Baker'],
    ] as const)
      await register(at, person(first, last));
    const page = await open('queue');
    await ready(page);
    await countKeys(page);
    // The worst of five: four arrows and Enter.
    await type(page, 'mil');
    await poll(() => names(page)).toEqual(['Ada Miller', 'Ben Miller', 'Cleo Miller', 'Dora Miller', 'Emil Miller']);
    let before = await pressed(page);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await answer(page).and(page.locator('[data-result="accepted"]')).waitFor();
    expect((await pressed(page)) - before).toBeLessThanOrEqual(MAX_KEY_PRESSES);
    expect(await answer(page).getAttribute('data-admitted')).toBe('true');
    expect(await answer(page).textContent()).toContain('Emil Miller');
    expect(await field(page).inputValue()).toBe('');
    // Enter once more does nothing: nobody is asked for.
    await page.keyboard.press('Enter');
    // Whoever is the only one takes a single key.
    await type(page, 'sch');
    await poll(() => names(page)).toEqual(['Zoe Schmidt']);
    before = await pressed(page);
    await page.keyboard.press('Enter');
    await poll(() => answer(page).textContent()).toContain('Zoe Schmidt');
    expect((await pressed(page)) - before).toBe(1);
    await poll(() => isInField(page)).toBe(true);
    // Letters of the first name narrow the list as well.
    await type(page, 'mil c');
    await poll(() => names(page)).toEqual(['Cleo Miller']);
    await page.keyboard.press('Enter');
    await poll(() => answer(page).textContent()).toContain('Cleo Miller');
    const admitted = (await checkIns(at)).filter((one) => one.admitted);
    expect(admitted).toHaveLength(3);
    const [ada, cleo] = [(await found(at, 'ada miller'))[0], (await found(at, 'cleo miller'))[0]];
    expect([ada.checked_in, cleo.checked_in]).toEqual([false, true]);

    // Enter for somebody who is in already sends nothing; the button beside it does.
    await type(page, 'mil c');
    await poll(() => names(page)).toEqual(['Cleo Miller']);
    await page.keyboard.press('Enter');
    await page.getByText('Already checked in. Nothing was recorded.').waitFor();
    await page.keyboard.press('Enter');
    await settled(page);
    expect(await checkIns(at)).toHaveLength(3);
    await page.getByRole('button', { name: 'Check in again' }).click();
    await answer(page).and(page.locator('[data-result="duplicate"]')).waitFor();
    expect(await checkIns(at)).toHaveLength(4);

    // An Enter before the answer counts only for who was picked, or if one person is found; the last letter wins.
    const [bakers, zora, picked] = [await hold(page, 'bak'), await hold(page, 'zor'), await hold(page, 'dor')];
    await type(page, 'bak');
    await bakers.asked;
    for (let i = 0; i < 3; i += 1) await page.keyboard.press('Backspace');
    await type(page, 'zor');
    await page.keyboard.press('Enter');
    await zora.asked;
    zora.release();
    await poll(() => answer(page).textContent()).toContain('Zora Baker');
    // The late answer about the others must not come back.
    bakers.release();
    await settled(page);
    expect(await page.getByRole('listbox').count()).toBe(0);
    await type(page, 'do');
    await poll(() => names(page)).toEqual(['Dora Baker', 'Dora Miller']);
    await type(page, 'r');
    await picked.asked;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    picked.release();
    await poll(() => answer(page).textContent()).toContain('Dora Miller');
    expect((await checkIns(at)).filter((one) => one.admitted)).toHaveLength(5);
  });

  test('nobody checks in again who was never in, such as where it is not open yet', async () => {
    const at = await event('early', { points: [] });
    await post(`${at}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry', policy: { days: ['later'] } });
    await register(at, person('Ada', 'Miller'));
    const page = await open('early');
    await ready(page);
    await type(page, 'mil');
    await poll(() => names(page)).toEqual(['Ada Miller']);
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-result="not_yet_open"]')).waitFor();
    await page.getByRole('button', { name: 'Check in', exact: true }).click();
    await poll(async () => (await checkIns(at)).length).toBe(2);
    expect(await page.getByRole('button', { name: 'Check in again' }).count()).toBe(0);
    // Who was let in all the same has been in.
    await page.getByRole('button', { name: 'Override' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Helps with the lights');
    await dialog.getByRole('button', { name: 'Override' }).click();
    await page.getByRole('button', { name: 'Check in again' }).waitFor();
  });

  test('a scanner is heard wherever the focus is and types into no form; a lost answer checks nobody in twice', async () => {
    const at = await event('wedge');
    const ada = (await register(at, person('Ada', 'Miller'))).attendees[0].tickets[0].code;
    const ben = (await register(at, person('Ben', 'Miller'))).attendees[0].tickets[0].code;
    await register(at, person('Cleo', 'Baker'));
    const page = await open('wedge');
    await ready(page);
    await scan(page, ada);
    await poll(() => answer(page).textContent()).toContain('Ada Miller');
    // The same ticket again is refused, and says since when.
    await scan(page, ada.toLowerCase());
    await answer(page).and(page.locator('[data-result="duplicate"]')).waitFor();
    expect(await answer(page).textContent()).toMatch(/Admitted .*The gate/);
    // With a half-typed name in the field, and with the focus on a button.
    await type(page, 'mil');
    await poll(() => names(page)).toHaveLength(2);
    await scan(page, ben);
    await poll(() => answer(page).textContent()).toContain('Ben Miller');
    expect(await field(page).inputValue()).toBe('');
    await page.keyboard.press('Tab');
    expect(await isInField(page)).toBe(false);
    await scan(page, '0'.repeat(28));
    await answer(page).and(page.locator('[data-result="unknown"]')).waitFor();
    // Nothing is lost when the server does not answer, and nobody is checked in twice.
    await ready(page);
    const uuids = new Set<string>();
    let cut = true;
    await page.route('**/events/wedge/scan', async (route) => {
      uuids.add(route.request().postDataJSON().client_uuid);
      if (!cut) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await type(page, 'cle');
    await poll(() => names(page)).toEqual(['Cleo Baker']);
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(await field(page).inputValue()).toBe('cle');
    cut = false;
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-result="accepted"]')).waitFor();
    expect(uuids.size).toBe(1);
    expect(await checkIns(at)).toHaveLength(4);
    // While a form is open, the code stays out of it and nothing is sent.
    await page.keyboard.press('F4');
    const last = page.getByLabel('Last name', { exact: true });
    await page.getByRole('heading', { name: 'Walk-in' }).waitFor();
    await page.keyboard.press('Tab');
    await type(page, 'Walker');
    // The scanner pauses in the middle of the code.
    const begun = Date.now();
    await press(page, [...ada.slice(0, 14)], begun);
    await press(page, [...ada.slice(14), 'Enter'], begun + 540);
    await page.locator('.toast', { hasText: 'Finish or close the open form' }).waitFor();
    expect(await last.inputValue()).toBe('Walker');
    expect(await page.getByText('Fill this in.').count()).toBe(0);
    expect(await checkIns(at)).toHaveLength(4);
    expect(await found(at, 'walker')).toEqual([]);
  });

  test('a scanner that types on a keyboard of another layout is understood, and so is a code that was pasted with invisible signs', async () => {
    const at = await event('layouts');
    const page = await open('layouts');
    await ready(page);
    const swap = (text: string) => text.replace(/[YZ]/g, (letter) => (letter === 'Y' ? 'Z' : 'Y'));
    // Codes are made by chance; one with a Y or a Z is read in two ways.
    let ada: string;
    do ada = (await register(at, person('Ada', 'Miller'))).attendees[0].tickets[0].code;
    while (swap(ada) === ada);
    await press(page, [...ada, 'Enter'], Date.now(), [...swap(ada), 'Enter']);
    await answer(page).and(page.locator('[data-result="accepted"]')).waitFor();
    await poll(() => answer(page).textContent()).toContain('Ada Miller');
    expect((await checkIns(at)).filter((one) => one.admitted)).toHaveLength(1);
    const ben = (await register(at, person('Ben', 'Miller'))).attendees[0].tickets[0].code;
    await field(page).fill(`\u200e${ben.match(/.{4}/g)!.join('\u2212\u2060')}`);
    await page.keyboard.press('Enter');
    await poll(() => answer(page).textContent()).toContain('Ben Miller');
    expect((await checkIns(at)).filter((one) => one.admitted)).toHaveLength(2);
  });

  test('a walk-in is registered, paid for and checked in with one Enter, once, though it is hit twice and an answer is lost', async () => {
    const at = await event('walkin');
    const page = await open('walkin');
    await ready(page);
    await type(page, 'Wanda Walker');
    await page.getByText('Nobody matches').waitFor();
    await page.keyboard.press('F4');
    await poll(() => page.getByLabel('First name', { exact: true }).inputValue()).toBe('Wanda');
    expect(await page.getByLabel('Last name', { exact: true }).inputValue()).toBe('Walker');
    // First name, last name, type.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await type(page, 'Pay');
    await poll(() => page.getByLabel('Type', { exact: true }).inputValue()).toBe('paying');
    expect(await page.getByLabel('Today').isChecked()).toBe(true);
    // A required answer is missing.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Fill this in.').waitFor();
    await poll(() =>
      page.getByLabel('Number plate', { exact: true }).evaluate((element) => element === document.activeElement),
    ).toBe(true);
    await type(page, 'B 77');
    // The server does it, but its answer does not arrive.
    const keys: (string | undefined)[] = [];
    await page.route('**/events/walkin/registrations', async (route) => {
      keys.push(route.request().headers()['idempotency-key']);
      if (keys.length > 1) return route.continue();
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-admitted="true"]')).waitFor();
    expect(await answer(page).textContent()).toContain('Wanda Walker');
    expect(keys.length).toBeGreaterThan(1);
    expect(new Set(keys).size).toBe(1);
    await poll(() => isInField(page)).toBe(true);
    const people = await found(at, 'walker');
    expect(people).toHaveLength(1);
    expect(people[0]).toMatchObject({
      status: 'confirmed',
      checked_in: true,
      days: ['today'],
      answers: { plate: 'B 77' },
    });
    const payments = (await get(`${at}/payments`)).data;
    expect(payments).toMatchObject([{ amount_minor: 4500, method: 'cash', status: 'received' }]);
    expect(await checkIns(at)).toHaveLength(1);
  });

  test('what is owed is taken with Enter and Enter, an approval given, a refusal overridden, a name fixed, a ticket printed', async () => {
    const at = await event('owing');
    await register(at, person('Olga', 'Ower', { attendee_type: 'paying' }));
    await register(at, person('Cora', 'Crewe', { attendee_type: 'crew' }));
    await register(at, person('Leo', 'Later', { days: ['later'] }));
    await register(at, person('Ada', 'Miler'));
    const page = await open('owing');
    await ready(page);
    await type(page, 'owe');
    await page.getByRole('heading', { name: '€45.00 unpaid' }).waitFor();
    await page.keyboard.press('Enter');
    await poll(() => isFocused(page.getByLabel('Cash', { exact: true }))).toBe(true);
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-admitted="true"]')).waitFor();
    expect(await answer(page).textContent()).toContain('Olga Ower');
    expect((await get(`${at}/payments`)).data).toMatchObject([{ amount_minor: 4500, method: 'cash' }]);
    await poll(() => isInField(page)).toBe(true);
    await type(page, 'cre');
    await page.getByText('This registration needs approval first.').waitFor();
    await page.keyboard.press('Enter');
    await poll(() => isFocused(page.getByRole('button', { name: 'Approve' }))).toBe(true);
    await page.keyboard.press('Enter');
    await poll(() => answer(page).textContent()).toContain('Cora Crewe');
    await type(page, 'lat');
    await poll(() => names(page)).toEqual(['Leo Later']);
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-admitted="false"]')).waitFor();
    expect(await answer(page).textContent()).toContain('Leo Later');
    await page.keyboard.press('F8');
    await page.getByLabel('Reason', { exact: true }).waitFor();
    await type(page, 'Came a day early');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await answer(page).and(page.locator('[data-admitted="true"]')).waitFor();
    expect(await answer(page).textContent()).toContain('Admitted anyway');
    expect((await found(at, 'later'))[0].checked_in).toBe(true);

    // Fixing and printing keep the person, and a changed form is not lost by Escape.
    await poll(() => isInField(page)).toBe(true);
    await type(page, 'mil');
    await poll(() => names(page)).toEqual(['Ada Miler']);
    await page.keyboard.press('F2');
    const last = page.getByLabel('Last name', { exact: true });
    await last.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('ControlOrMeta+A');
    await type(page, 'Miller');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    expect(await last.inputValue()).toBe('Miller');
    // The field has its caret again, also one for e-mail, which does not tell where it is.
    const email = page.getByLabel('E-mail', { exact: true });
    await email.focus();
    await type(page, 'ada@example.or');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor();
    await page.keyboard.press('Escape');
    await type(page, 'g');
    expect(await email.inputValue()).toBe('ada@example.org');
    await last.press('Enter');
    await poll(async () => (await found(at, 'miller')).length).toBe(1);
    // From now on she is searched by the right name; until she is found again, there is nobody to print for.
    await poll(() => field(page).inputValue()).toBe('Ada Miller');
    await poll(() => names(page)).toEqual(['Ada Miller']);
    await poll(() => isInField(page)).toBe(true);
    const { tickets } = (await found(at, 'miller'))[0];
    const address = `/app/api/acme/tickets/${tickets[0].id}/pdf?format=a4`;
    expect(await printed(page)).toBe(address);
    const file = await page.request.get(world.home + address);
    expect(file.headers()['content-type']).toBe('application/pdf');
  });

  test('where the desk is and how it prints is chosen once; a ticket or registration of several people lists them, and each is checked in alone', async () => {
    const at = await event('shared', { ticketing: 'shared', points: ['north', 'south'] });
    const { attendees, code } = await register(at, person('Ada', 'Miller'), person('Ben', 'Miller'));
    const page = await open('shared');
    await page.getByRole('heading', { name: 'Where is this desk?' }).waitFor();
    await page.getByRole('button', { name: 'The south' }).press('Enter');
    // Then the field takes the focus, which a key that is pressed before would follow.
    await ready(page);
    await page.getByRole('button', { name: 'Checking in at: The south' }).press('Enter');
    await page.getByLabel('Narrow, for phones').press('Space');
    await page.keyboard.press('Escape');
    await page.reload();
    await page.getByRole('button', { name: 'Checking in at: The south' }).waitFor();
    await ready(page);
    await scan(page, attendees[0].tickets[0].code);
    await poll(() => names(page)).toEqual(['Ada Miller', 'Ben Miller']);
    expect(await printed(page)).toContain('format=phone');
    await page.bringToFront();
    expect(await checkIns(at)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: 'Ben Miller: Admitted' }).waitFor();
    await poll(() => page.getByRole('option', { name: 'Ben Miller' }).textContent()).toContain('Checked in');
    expect(await checkIns(at)).toMatchObject([{ attendee_id: attendees[1].id, check_in_point: 'south' }]);

    // The code of the registration asks the same, and proposes whoever is not in yet.
    await page.keyboard.press('Escape');
    await type(page, `${code.slice(0, 5)}-${code.slice(5)}`.toLowerCase());
    await page.getByText('2 people share this code. Who’s here?').waitFor();
    await poll(() => page.getByRole('option', { selected: true }).textContent()).toContain('Ada Miller');
    await page.keyboard.press('Enter');
    await page.locator('.toast', { hasText: 'Ada Miller: Admitted' }).waitFor();
    await page.getByText('All 2 people with this code were checked in before.').waitFor();
    await page.keyboard.press('Escape');
    await type(page, 'zzzzz-zzzzz');
    await page.getByText(/^Nobody here has the code zzzzz-zzzzz/).waitFor();
  });

  test('each role sees what it may', async () => {
    const at = await event('roles');
    const { attendees } = await register(at, person('Ada', 'Miller'));
    const { code } = attendees[0].tickets[0];
    const desk = await open('roles', { role: 'desk' });
    await ready(desk);
    await type(desk, 'mil');
    await desk.getByRole('button', { name: /^Check in/ }).waitFor();
    await desk.getByRole('button', { name: /^Change/ }).waitFor();
    await desk.getByRole('button', { name: /^Add walk-in/ }).waitFor();
    const viewer = await open('roles', { role: 'viewer' });
    await ready(viewer);
    await type(viewer, 'mil');
    await viewer.getByRole('button', { name: /^Print/ }).waitFor();
    for (const name of [/^Check in/, /^Change/, /^Add walk-in/])
      expect(await viewer.getByRole('button', { name }).count()).toBe(0);
    await viewer.keyboard.press('Enter');
    await viewer.keyboard.press('F2');
    await viewer.keyboard.press('F4');
    expect(await viewer.getByLabel('Last name').count()).toBe(0);
    // The door looks nobody up; it can only take codes.
    const door = await open('roles', { role: 'door' });
    const codes = door.getByRole('combobox', { name: 'Ticket code' });
    const searches: string[] = [];
    door.on('request', (request) => request.url().includes('/attendees') && searches.push(request.url()));
    await poll(() => isFocused(codes)).toBe(true);
    await type(door, 'mil');
    await poll(() => codes.inputValue()).toBe('mil');
    await door.keyboard.press('Escape');
    await scan(door, code);
    await answer(door).and(door.locator('[data-admitted="true"]')).waitFor();
    expect([await door.getByRole('listbox').count(), searches]).toEqual([0, []]);
    expect(await answer(door).getByRole('button').count()).toBe(0);
    expect(await checkIns(at)).toHaveLength(1);
  });
});
