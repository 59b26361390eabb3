import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
import { goInEvent } from './support/event-navigation.ts';
import { freePort } from './support/running.ts';
import { hasTool } from './support/tools.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
type Body = any;

/** A way to the server that can be cut, as by a broken network: connections end, and new ones are refused until it is mended. */
async function openWire(port: number): Promise<{ url: string; cut(): Promise<void>; mend(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const end = (...both: Socket[]) => {
    for (const socket of both) {
      sockets.delete(socket);
      socket.destroy();
    }
  };
  const server = createServer((inside) => {
    const outside = connect(port, 'localhost');
    for (const socket of [inside, outside]) {
      sockets.add(socket);
      socket.on('error', () => end(inside, outside)).on('close', () => end(inside, outside));
    }
    inside.pipe(outside).pipe(inside);
  });
  const own = await freePort();
  const mend = () => new Promise<void>((listening) => server.listen(own, 'localhost', listening));
  await mend();
  return {
    url: `http://localhost:${own}`,
    mend,
    cut: () =>
      new Promise((closed) => {
        server.close(() => closed());
        end(...sockets);
      }),
  };
}

describe.skipIf(!hasTool('chromium'))('the door and reports, in the app', { timeout: 180_000 }, () => {
  let world: AppWorld;
  let owner: string;
  beforeAll(async () => {
    world = await startAppWorld();
    owner = await world.t.session('acme', 'owner');
    await post('/groups', { code: 'north', name: 'North' });
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

  const DAY = 86_400_000;
  /**
   * The day of the clocks; long enough that no test falls between two days. It closes some hours before midnight, whenever the test
   * runs: only on the date of its closing a door says that it has closed, and later that the next day has not begun.
   */
  const today = {
    date: new Date().toISOString().slice(0, 10),
    opens_at: new Date(Date.now() - DAY).toISOString(),
    closes_at: `${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T20:00:00Z`,
  };
  /** A published event with a day that is open and one that is far away, three types, a gate, a zone and an exit. */
  async function event(code: string): Promise<string> {
    const at = `/events/${code}`;
    await post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR' });
    await post(`${at}/days`, { code: 'today', name: 'Today', ...today });
    await post(`${at}/days`, { code: 'later', name: 'Later', date: '2100-01-02' });
    await post(`${at}/attendee-types`, { code: 'adult', name: 'Adult' });
    await post(`${at}/attendee-types`, { code: 'paying', name: 'Paying', price_minor: 4500 });
    await post(`${at}/attendee-types`, { code: 'crew', name: 'Crew' });
    await post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
    await post(`${at}/check-in-points`, {
      ...{ code: 'stage', name: 'Backstage', kind: 'zone', policy: { attendee_types: ['crew'], capacity: 5 } },
    });
    await post(`${at}/check-in-points`, { code: 'out', name: 'Way out', kind: 'exit' });
    await post(`${at}/publish`);
    return at;
  }
  interface Guest {
    id: string;
    code: string;
    registration: string;
  }
  async function guest(at: string, first_name: string, last_name: string, more: object = {}): Promise<Guest> {
    const attendee = { attendee_type: 'adult', first_name, last_name, days: ['today'], ...more };
    const made = await post(`${at}/registrations`, { attendees: [attendee], send_emails: false });
    const [{ id, tickets }] = made.attendees;
    return { id, code: tickets[0]?.code ?? null, registration: made.id };
  }
  const scan = (at: string, code: string, check_in_point = 'gate', more: object = {}) =>
    post(`${at}/scan`, { code, check_in_point, client_uuid: randomUUID(), ...more });

  const poll = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
  const open = (path: string, as: Parameters<AppWorld['open']>[1] = {}) =>
    world.open(`/app/acme/events/${path}`, { session: owner, ...as });
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true });
  const said = (page: Page, text: string | RegExp) => page.locator('.toast', { hasText: text }).first().waitFor();
  const sentence = (page: Page) => page.locator('.door-sentence').textContent();
  const answer = (page: Page) => page.locator('.door-answer[data-result]');
  const result = (page: Page) => answer(page).getAttribute('data-result');
  const totalsOf = async (page: Page): Promise<Record<string, string>> => {
    const box = page.locator('.report-totals');
    const [names, numbers] = [await box.locator('dt').allTextContents(), await box.locator('dd').allTextContents()];
    return Object.fromEntries(names.map((name, i) => [name, numbers[i]!]));
  };

  test('the rules of a point are told in words while one edits them, and the simulator answers as the door', async () => {
    const at = await event('words');
    const [ada, alan] = [await guest(at, 'Ada', 'Lovelace'), await guest(at, 'Alan', 'Turing', { days: ['later'] })];
    const page = await open('words/check-in/points');
    await heading(page, 'Check-in points');
    await poll(() => page.getByRole('listitem').filter({ hasText: 'Backstage' }).textContent()).toContain(
      'Lets Crew into the zone any number of times, during opening hours. At most 5 people can be inside at a time.',
    );
    await button(page, 'Add point').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('West gate');
    await button(dialog, 'Add point').click();
    await heading(page, 'West gate');
    await poll(() => sentence(page)).toBe('Admits everyone once a day, during opening hours.');
    await poll(() => result(page)).toBe('accepted');
    const rules = page.getByRole('region', { name: 'Rules' });
    const box = page.getByRole('region', { name: 'Try it' });
    const rule = box.locator('[data-rule]');
    // The simulator follows rules that are not saved yet.
    await rules.getByLabel('Crew').check();
    await poll(() => result(page)).toBe('rejected');
    expect(await rule.textContent()).toContain('Admitted here: Crew. This person: Adult.');
    await rules.getByLabel('Crew').uncheck();
    await rules.getByLabel('Adult').check();
    await rules.getByLabel('Crew').check();
    await poll(() => result(page)).toBe('accepted');
    await rules.getByLabel('Opens early, in minutes').fill('30');
    await poll(() => sentence(page)).toBe('Admits Adult and Crew once a day, from 30 minutes before opening.');
    expect((await get('/events/words/check-in-points/west-gate')).policy.attendee_types).toBe(null);
    await button(rules, 'Save').click();
    await said(page, 'Rules saved');
    expect((await get('/events/words/check-in-points/west-gate')).policy).toMatchObject({
      ...{ attendee_types: ['adult', 'crew'], opens_minutes_before: 30, limit: 'once_per_day' },
    });
    // A point that nobody was scanned at can be deleted.
    await button(page, 'Delete point').click();
    await button(page.getByRole('dialog'), 'Delete point').click();
    await heading(page, 'Check-in points');
    await poll(() => page.locator('.door-point').count()).toBe(3);

    // The simulator answers for somebody as the door then does.
    await page.getByRole('link', { name: 'Main gate' }).click();
    await heading(page, 'Main gate');
    const choosePerson = async (name: string) => {
      await page.getByLabel('Find a person').fill(name);
      await page.locator('.door-found').getByRole('button', { name }).click();
      await box.getByText(name).waitFor();
      await page.getByText(/admissions? so far/).waitFor();
    };
    await choosePerson('Alan Turing');
    await poll(() => result(page)).toBe('wrong_day');
    expect((await scan(at, alan.code)).result).toBe('wrong_day');
    await button(page, 'Try a made-up person').click();
    await choosePerson('Ada Lovelace');
    await poll(() => result(page)).toBe('accepted');
    expect((await scan(at, ada.code)).result).toBe('accepted');
    await page.reload();
    await poll(() => result(page)).toBe('duplicate');
    expect((await scan(at, ada.code)).result).toBe('duplicate');

    // For a made-up person it answers by itself, without asking the server.
    await button(page, 'Try a made-up person').click();
    await poll(() => result(page)).toBe('accepted');
    await settled(page);
    const requests: string[] = [];
    page.on('request', (request) => request.url().includes('/app/api/') && requests.push(request.url()));
    expect(await rule.getAttribute('data-rule')).toBe('none');
    await box.getByLabel('Registration').selectOption('Waitlist');
    await poll(() => result(page)).toBe('rejected');
    expect(await rule.getAttribute('data-rule')).toBe('confirmed');
    expect(await rule.textContent()).toContain('The registration isn’t confirmed: Waitlist.');
    await box.getByLabel('Registration').selectOption('Confirmed');
    await button(box, 'Add earlier admission').click();
    await poll(() => result(page)).toBe('duplicate');
    await button(box, 'Remove earlier admission').click();
    await box.getByLabel('Today').uncheck();
    await poll(() => result(page)).toBe('wrong_day');
    await box.getByLabel('Today').check();
    // The slider, by keyboard: its beginning is before opening, its end after closing.
    await box.getByRole('slider').focus();
    await page.keyboard.press('Home');
    await poll(() => result(page)).toBe('not_yet_open');
    await page.keyboard.press('End');
    await poll(() => result(page)).toBe('closed');
    // The frame asks for the event and its parts every half a minute.
    expect(
      requests.filter(
        (url) => !/\/events\/words$|\/(days|attendee-types|check-in-points|questions|groups)\b/.test(url),
      ),
    ).toEqual([]);
  });

  // claim: clear-test-check-ins
  test('codes are scanned by keyboard, each once, refusals are overridden, and in test mode nobody is checked in', async () => {
    const at = await event('scan');
    const [ada, grace, alan, joan, zoe] = [
      await guest(at, 'Ada', 'Lovelace'),
      await guest(at, 'Grace', 'Hopper'),
      await guest(at, 'Alan', 'Turing'),
      await guest(at, 'Joan', 'Clarke'),
      await guest(at, 'Zoe', 'Tester'),
    ];
    const checkInsOf = async ({ id }: Guest) => (await get(`${at}/checkins?attendee=${id}`)).data;
    const page = await open('scan/check-in/scan');
    await heading(page, 'Scan');
    // Nobody scans at the wrong door by accident: the browser asks once, and remembers.
    expect(await page.getByLabel('Code').count()).toBe(0);
    await button(page, 'Main gate').click();
    await page.getByLabel('Code').waitFor();
    await page.goto(`${world.home}/app/acme/events/scan/check-in/scan`);
    await poll(() => page.getByLabel('Check-in point').inputValue()).toBe('gate');
    await settled(page);
    // A scanner types and presses Enter; the field has the focus from the beginning.
    const read = async (code: string) => {
      await page.keyboard.insertText(code);
      await page.keyboard.press('Enter');
    };
    await page.keyboard.type(ada.code);
    await page.keyboard.press('Enter');
    await poll(() => result(page)).toBe('accepted');
    expect(await answer(page).getAttribute('data-tone')).toBe('good');
    expect(await answer(page).textContent()).toContain('Ada Lovelace');
    await read('NO-SUCH-CODE');
    await poll(() => result(page)).toBe('unknown');
    await read(ada.code);
    await poll(() => result(page)).toBe('duplicate');
    expect(await answer(page).getAttribute('data-admitted')).toBe('false');
    await poll(() => page.locator('.door-lines li').count()).toBe(2);
    await button(page, 'Override').click();
    await page.getByLabel('Reason').fill('Went to the car');
    await button(page.getByRole('dialog'), 'Override').click();
    await poll(() => answer(page).getAttribute('data-admitted')).toBe('true');
    expect((await get(`${at}/checkins?admitted=true`)).data[0].override.reason).toBe('Went to the car');

    // Codes that are read while another one is asked wait their turn, and each is asked once.
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByLabel('Code').focus();
    const { promise: allRead, resolve: answerNow } = Promise.withResolvers<void>();
    await page.route('**/events/scan/scan', async (route) => {
      await allRead;
      await route.continue();
    });
    for (const { code } of [grace, grace, alan]) {
      await read(code);
      await poll(() => page.getByLabel('Code').inputValue()).toBe('');
    }
    answerNow();
    await page.locator('.door-answer', { hasText: 'Alan Turing' }).waitFor();
    expect(await page.locator('.door-lines li').first().textContent()).toContain('Grace Hopper');
    expect(await checkInsOf(grace)).toHaveLength(1);
    await page.unroute('**/events/scan/scan');

    // A scan whose answer was lost is the same scan when it is tried again.
    await page.route('**/events/scan/scan', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await read(joan.code);
    await page.getByRole('alert').waitFor();
    await poll(() => page.getByLabel('Code').inputValue()).toBe(joan.code);
    await page.unroute('**/events/scan/scan');
    await page.keyboard.press('Enter');
    await page.locator('.door-answer[data-result="accepted"]', { hasText: 'Joan Clarke' }).waitFor();
    expect(await checkInsOf(joan)).toHaveLength(1);

    await goInEvent(page, 'Check-in', 'Test mode');
    await heading(page, 'Test mode');
    await page.getByText('No test scans yet').waitFor();
    await page.getByRole('link', { name: 'Scan in test mode' }).click();
    await page.getByText('Test mode is on.').waitFor();
    await page.getByLabel('Code').fill(zoe.code);
    await page.keyboard.press('Enter');
    await poll(() => result(page)).toBe('accepted');
    expect((await get(`${at}/attendees/${zoe.id}`)).checked_in).toBe(false);
    await page.goBack();
    await heading(page, 'Test mode');
    await page.getByRole('table', { name: 'Test scans so far' }).waitFor();
    await button(page, 'Clear test check-ins').click();
    await button(page.getByRole('dialog'), 'Clear test check-ins').click();
    await said(page, 'Test check-ins cleared');
    await page.getByText('No test scans yet').waitFor();
    expect((await get(`${at}/checkins?test=true`)).data).toEqual([]);
  });

  test('a device is paired, tells how it is and is unpaired; its scans come from a file, and differences are told in words', async () => {
    const at = await event('pair');
    const { id } = await get(at);
    const [ada, grace, joan, mary, rosa] = [
      await guest(at, 'Ada', 'Lovelace'),
      await guest(at, 'Grace', 'Hopper'),
      await guest(at, 'Joan', 'Clarke'),
      await guest(at, 'Mary', 'Keller'),
      await guest(at, 'Rosa', 'Peter'),
    ];
    const page = await world.open('/healthz', { session: owner });
    await page.clock.install();
    await page.goto(`${world.home}/app/acme/events/pair/check-in/devices`);
    /** The screen asks every three seconds how its devices are. */
    const news = () => page.clock.fastForward(3000);
    await heading(page, 'Devices');
    await button(page, 'Pair').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Gate phone');
    await button(dialog, 'Pair').click();
    await dialog.getByRole('img', { name: 'QR code to pair a device' }).waitFor();
    const code = (await dialog.locator('code').first().textContent())!;
    expect(code).toMatch(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
    // As the app of the scanner does, with the code that the screen shows.
    const paired = await world.t.call('POST', '/api/v1/devices/pair', { key: null, body: { code } });
    expect(paired.status, paired.text).toBe(201);
    const key: string = paired.body.token;
    await news();
    await said(page, 'Gate phone paired');
    await dialog.waitFor({ state: 'detached' });
    const beat = { queue_length: 12, battery: 15 };
    await world.t.call('PUT', '/api/v1/devices/self/heartbeat', { key, body: beat });
    await news();
    const row = page.getByRole('row', { name: /Gate phone/ });
    await poll(() => row.textContent()).toContain('12 unsent');
    await poll(() => row.textContent()).toMatch(/15\s?%/);

    const scanned = (of: string, offline_result: string, more: object = {}) => ({
      ...{ code: of, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: new Date().toISOString() },
      ...{ offline_result, ...more },
    });
    // What the device sends when it is online again.
    await scan(at, ada.code);
    const body = {
      scans: [scanned(ada.code, 'accepted'), scanned(grace.code, 'unknown'), scanned('NEVER-SEEN', 'accepted')],
    };
    const batch = await world.t.call('POST', `/api/v1${at}/scan/batch`, { key, body });
    expect(batch.status, batch.text).toBe(200);
    await button(page, 'Unpair Gate phone').click();
    await button(page.getByRole('dialog'), 'Unpair').click();
    await said(page, 'Gate phone unpaired');
    await page.getByText('No devices yet').waitFor();
    const refused = await world.t.call('PUT', '/api/v1/devices/self/heartbeat', { key, body: beat });
    expect(refused.status).toBe(401);

    // What it could not send any more is recorded from its file, each scan once. This one was sent, but its answer was lost.
    const { offline_result, ...lost } = scanned(joan.code, 'accepted');
    await post(`${at}/scan`, lost);
    const scans = [
      { ...lost, offline_result },
      scanned(mary.code, 'accepted'),
      scanned(rosa.code, 'accepted'),
      // Admitted by another device that was offline, too.
      scanned(mary.code, 'accepted', { scanned_at: new Date(Date.now() + 1000).toISOString() }),
      scanned(rosa.code, 'accepted', {
        ...{ check_in_point: 'torn-down', not_recorded: { code: 'not_found', message: 'gone' } },
      }),
      scanned('NEVER-SEEN-EITHER', 'unknown'),
    ];
    const file = (content: object) => ({
      ...{ name: 'scans.json', mimeType: 'application/json' },
      buffer: Buffer.from(
        JSON.stringify({ turnout: 'scans', version: 1, device: { name: 'Gate 1' }, scans, ...content }),
      ),
    });
    await button(page, 'Record scans from a file').click();
    const field = dialog.getByLabel('Scanner file');
    await field.setInputFiles(file({ event: { id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA', name: 'Ball' } }));
    await dialog.getByText('These scans belong to another event: Ball.').waitFor();
    await field.setInputFiles(file({ event: { id, name: 'Handed' } }));
    await dialog.getByText('6 scans from Gate 1').waitFor();
    await button(dialog, 'Record').click();
    await dialog.getByText('6 of 6 sent').waitFor();
    const facts = async () => (await dialog.locator('dl.facts').innerText()).split(/\s*\n\s*/);
    expect(await facts()).toEqual(['Recorded', '4', 'Already recorded', '1', 'Not recorded', '1']);
    await dialog.getByRole('row', { name: /torn-down/ }).waitFor();
    await dialog.getByText('In 1 case the device showed something else').waitFor();
    const admitted = async () => (await get(`${at}/checkins?admitted=true`)).data.length;
    const now = await admitted();
    await button(dialog, 'Close').last().click();
    // The same file again records no check-in.
    await button(page, 'Record scans from a file').click();
    await field.setInputFiles(file({ event: { id, name: 'Handed' } }));
    await button(dialog, 'Record').click();
    await dialog.getByText('6 of 6 sent').waitFor();
    expect(await facts()).toEqual(['Recorded', '1', 'Already recorded', '4', 'Not recorded', '1']);
    expect(await admitted()).toBe(now);
    await dialog.getByRole('link', { name: 'Reconciliation' }).waitFor({ state: 'detached' });
    await button(dialog, 'Close').last().click();

    await goInEvent(page, 'Check-in', 'Reconciliation');
    await heading(page, 'Reconciliation');
    const told = (difference: string) => page.locator(`[data-difference="${difference}"]`);
    const ofAda = told('let_in').filter({ hasText: 'Ada Lovelace' });
    await poll(() => ofAda.textContent()).toContain(
      'At Main gate, Gate phone admitted Ada Lovelace (Admitted). The server would have refused: Already admitted.',
    );
    await poll(() => told('sent_away').textContent()).toContain(
      'At Main gate, Gate phone refused Grace Hopper (Unknown code). The server would have admitted: Admitted.',
    );
    await poll(() => told('let_in_unknown').textContent()).toContain('with a code that no ticket has');
    await button(ofAda, 'Override').click();
    await page.getByLabel('Reason').fill('Was inside anyway');
    await button(page.getByRole('dialog'), 'Override').click();
    await said(page, 'Admitted');
  });

  test('the live page shows scans as they come, says when it is disconnected, and connects again by itself', async () => {
    const at = await event('live');
    await post(`${at}/check-in-points`, {
      code: 'next',
      name: 'Next gate',
      kind: 'entry',
      policy: { days: ['later'] },
    });
    const [ada, grace] = [
      await guest(at, 'Ada', 'Lovelace'),
      await guest(at, 'Grace', 'Hopper', { attendee_type: 'crew' }),
    ];
    const wire = await openWire(Number(new URL(world.home).port));
    try {
      const page = await world.open('/healthz', { session: owner });
      await page.goto(`${wire.url}/app/acme/events/live/check-in/live`);
      await heading(page, 'Live');
      const number = (name: string) =>
        page
          .locator('.live-numbers > div', { has: page.getByText(name, { exact: true }) })
          .locator('.live-big')
          .textContent();
      await poll(() => number('Inside')).toBe('0');
      await scan(at, ada.code);
      await poll(() => number('Inside')).toBe('1');
      await poll(() => number('Arrived')).toBe('1');
      await scan(at, ada.code);
      await scan(at, grace.code);
      await poll(() => number('Inside')).toBe('2');
      await poll(() => number('Refused')).toBe('1');
      // At a point that is not open yet a scan belongs to no day, and is counted all the same.
      await scan(at, grace.code, 'next');
      await poll(() => number('Refused')).toBe('2');
      const refused = page.getByRole('list', { name: 'Refusals by reason' });
      const reasons = async () => (await refused.getByRole('listitem').allTextContents()).toSorted();
      await poll(reasons).toEqual(['Already admitted1', 'Before opening1']);
      const last = page.getByRole('list', { name: 'Last scans' });
      await poll(() => last.getByRole('listitem').count()).toBe(4);
      await poll(() => last.getByRole('listitem').first().textContent()).toMatch(/Grace Hopper.*Opens 2 Jan 2100/);
      expect(await page.getByRole('list', { name: 'By type' }).textContent()).toContain('Crew');
      await wire.cut();
      await page.getByText('These numbers are out of date').waitFor();
      await page.getByText('Disconnected').waitFor();
      await scan(at, ada.code, 'out');
      await wire.mend();
      await page.locator('.live[data-state="live"]').waitFor();
      await poll(() => number('Inside')).toBe('1');
      expect(await page.getByText('These numbers are out of date').count()).toBe(0);
    } finally {
      await wire.cut();
    }
  });

  test('check-ins are filtered, overridden with a reason and undone; a day is locked, and attendance is counted', async () => {
    const at = await event('list');
    const [ada, alan, grace] = [
      await guest(at, 'Ada', 'Lovelace'),
      await guest(at, 'Alan', 'Turing', { days: ['later'] }),
      await guest(at, 'Grace', 'Hopper'),
    ];
    await scan(at, ada.code);
    await scan(at, alan.code);
    const page = await open('list/check-in/check-ins');
    await heading(page, 'Check-ins');
    const rows = page.getByRole('table', { name: 'Check-ins' }).locator('.data-body .data-row');
    const names = () => rows.locator('.row-link').allTextContents();
    await poll(names).toEqual(['Alan Turing', 'Ada Lovelace']);
    await page.getByRole('search').getByRole('button', { name: 'Admitted' }).click();
    await page.getByRole('dialog', { name: 'Admitted' }).getByLabel('Refused', { exact: true }).click();
    await poll(names).toEqual(['Alan Turing']);
    expect(page.url()).toContain('admitted=');
    await button(page, 'Alan Turing').click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('Ticket is for another day').waitFor();
    // Without a reason nothing is sent.
    await button(dialog, 'Override').click();
    await dialog.getByText('Fill this in.').waitFor();
    await dialog.getByLabel('Reason').fill('Plays tonight');
    await button(dialog, 'Override').click();
    await said(page, 'Admitted');
    await button(page, 'Clear all').click();
    await poll(names).toEqual(['Alan Turing', 'Alan Turing', 'Ada Lovelace']);
    await poll(() => rows.first().textContent()).toContain('Plays tonight');
    await rows.first().locator('.row-link').click();
    await button(dialog, 'Undo check-in').click();
    await said(page, 'Check-in undone');
    await poll(() => rows.first().textContent()).toContain('Undone');
    const { data } = await get(`${at}/checkins?admitted=true&attendee=${alan.id}`);
    expect(data.map((one: Body) => one.undone_at !== null)).toEqual([true]);

    await goInEvent(page, 'Check-in', 'Attendance');
    await heading(page, 'Attendance');
    const card = page.getByRole('region', { name: 'Today', exact: true });
    await poll(() => card.textContent()).toContain('1 of 2 arrived');
    await poll(() => card.textContent()).toContain('1 missing');
    await button(card, 'Lock day').click();
    await button(page.getByRole('dialog'), 'Lock day').click();
    await said(page, 'Today locked');
    expect((await scan(at, grace.code)).result).toBe('day_locked');
    await button(card, 'Unlock day').click();
    await said(page, 'Today unlocked');
    expect((await scan(at, grace.code)).result).toBe('accepted');
    await card.getByRole('link', { name: /missing/ }).click();
    await heading(page, 'People');
  });

  test('reports count what happened, are drawn, and become files', async () => {
    const at = await event('sums');
    const ada = await guest(at, 'Ada', 'Lovelace');
    await guest(at, 'Grace', 'Hopper', { attendee_type: 'crew' });
    const alan = await guest(at, 'Alan', 'Turing', { days: ['later'] });
    const paying = await guest(at, 'Barbara', 'Liskov', { attendee_type: 'paying' });
    await post(`${at}/registrations/${paying.registration}/payments`, { amount_minor: 4500, method: 'cash' });
    const gone = await guest(at, 'Edsger', 'Dijkstra');
    await post(`${at}/registrations/${gone.registration}/cancel`);
    await scan(at, ada.code);
    await scan(at, ada.code);
    await scan(at, alan.code);
    // What is a test is counted nowhere.
    await scan(at, ada.code, 'gate', { test: true });
    const page = await open('sums/reports');
    const totals = () => totalsOf(page);
    const bars = (name: string) => page.getByRole('list', { name, exact: true }).textContent();
    const report = (name: string) =>
      page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name, exact: true });
    await heading(page, 'Reports');
    await poll(totals).toMatchObject({ 'People registered': '5', 'People cancelled': '1' });
    await page.locator('.plot canvas').first().waitFor();
    expect(await bars('By type')).toMatch(/Adult3.*(Crew1|Paying1)/);
    await report('Attendance').click();
    await poll(totals).toEqual({
      Expected: '4',
      Arrived: '1',
      'No-shows': '0',
      'Still expected': '3',
      Admissions: '1',
      Exits: '0',
    });
    expect(await bars('By day')).toContain('1 of 3 arrived · 2 still expected');
    expect(await bars('By check-in point')).toContain('Admissions: 1 · People: 1 · Refused: 2');
    await button(page, 'Export').click();
    await page.getByRole('menuitem', { name: 'CSV file' }).click();
    const link = page.getByRole('link', { name: 'Download', exact: true });
    await link.waitFor();
    const file = await page.request.get(new URL((await link.getAttribute('href'))!, world.home).href);
    expect(file.status()).toBe(200);
    const lines = (await file.text()).split(/\r?\n/);
    expect(lines).toContain('"total",,,,,,4,1,0,3,1,0,,,');
    expect(lines).toContain('"check_in_point",,,"gate",,,,,,,1,,,1,2');
    await report('Refusals').click();
    await poll(totals).toEqual({ Refusals: '2', Overridden: '0' });
    expect(await bars('By reason')).toMatch(/Already admitted1/);
    await report('Money').click();
    await poll(async () => (await totals()).Received).toBe('€45.00');
    expect(await bars('By payment method')).toContain('€45.00 · 1 payment');
    expect(page.url()).toContain('report=money');
    await page.goBack();
    await poll(totals).toHaveProperty('Refusals');
    // Nothing is counted in a time before anything happened.
    await page.locator('.report-range').getByLabel('Until').fill('2020-01-02');
    await page.getByText('Nobody was refused').waitFor();
    expect(page.url()).toContain('to=2020-01-02');
  });

  test('what a role may not do or see is not there', async () => {
    const at = await event('roles');
    const ada = await guest(at, 'Ada', 'Lovelace');
    await scan(at, ada.code);
    await scan(at, ada.code);
    const viewer = await open('roles/check-in/points/gate', { session: await world.t.session('acme', 'viewer') });
    await heading(viewer, 'Main gate');
    expect(await viewer.getByRole('region', { name: 'Rules' }).count()).toBe(0);
    expect(await button(viewer, 'Delete point').count()).toBe(0);
    await poll(() => result(viewer)).toBe('accepted');
    // Whoever stands at the door sees no names on the live page, and looks at check-ins without changing them.
    const door = await open('roles/check-in/live', { session: await world.t.session('acme', 'door') });
    await poll(() => door.getByRole('list', { name: 'Last scans' }).getByRole('listitem').count()).toBe(2);
    expect(await door.locator('main').textContent()).not.toContain('Lovelace');
    await goInEvent(door, 'Check-in', 'Check-ins');
    await door.locator('.data-body .row-link').first().click();
    await door.locator('dialog[open]').waitFor();
    expect(await button(door, 'Override').count()).toBe(0);
    expect(await button(door, 'Undo check-in').count()).toBe(0);
    await door.goto(`${world.home}/app/acme/events/roles/reports?report=money`);
    await poll(() => totalsOf(door)).toHaveProperty('People registered');
    expect(await door.getByRole('link', { name: 'Money', exact: true }).count()).toBe(0);
    expect(await button(door, 'Export').count()).toBe(0);
  });
});
