import { randomUUID } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type AppWorld, settled, startAppWorld } from './support/app-world.ts';
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

  describe('points and policies', () => {
    test('are told in plain words, which change while one edits, and are saved', async () => {
      await event('words');
      const page = await open('words/door/points');
      await heading(page, 'Check-in points');
      await poll(() => page.getByRole('listitem').filter({ hasText: 'Backstage' }).textContent()).toContain(
        'Lets Crew into the zone any number of times, during opening hours. At most 5 people may be inside at a time.',
      );
      await button(page, 'Add point').click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('West gate');
      await button(dialog, 'Add point').click();
      await heading(page, 'West gate');
      await poll(() => sentence(page)).toBe('Admits everybody once a day, during opening hours.');
      const rules = page.getByRole('region', { name: 'Rules' });
      await rules.getByLabel('Adult').check();
      await rules.getByLabel('Crew').check();
      await rules.getByLabel('Opens before the day, in minutes').fill('30');
      await poll(() => sentence(page)).toBe('Admits Adult and Crew once a day, from 30 minutes before opening.');
      expect((await get('/events/words/check-in-points/west-gate')).policy.attendee_types).toBe(null);
      await button(rules, 'Save').click();
      await said(page, 'The rules are saved');
      expect((await get('/events/words/check-in-points/west-gate')).policy).toMatchObject({
        ...{ attendee_types: ['adult', 'crew'], opens_minutes_before: 30, limit: 'once_per_day' },
      });
      // A point that nobody was scanned at can be deleted.
      await button(page, 'Delete point').click();
      await button(page.getByRole('dialog'), 'Delete point').click();
      await heading(page, 'Check-in points');
      await poll(() => page.locator('.door-point').count()).toBe(3);
    });

    test('are read, not changed, by whoever may not change the event', async () => {
      await event('read');
      const page = await open('read/door/points/gate', { session: await world.t.session('acme', 'viewer') });
      await heading(page, 'Main gate');
      expect(await page.getByRole('region', { name: 'Rules' }).count()).toBe(0);
      expect(await button(page, 'Delete point').count()).toBe(0);
      await poll(() => result(page)).toBe('accepted');
    });
  });

  describe('the simulator', () => {
    let at: string;
    let ada: Guest;
    let alan: Guest;
    beforeAll(async () => {
      at = await event('try');
      ada = await guest(at, 'Ada', 'Lovelace');
      alan = await guest(at, 'Alan', 'Turing', { days: ['later'] });
    });

    test('answers for a made-up person, with the rule that decided, and without asking the server', async () => {
      const page = await open('try/door/points/gate');
      await settled(page);
      const asked: string[] = [];
      page.on('request', (request) => request.url().includes('/app/api/') && asked.push(request.url()));
      const box = page.getByRole('region', { name: 'Try it' });
      await poll(() => result(page)).toBe('accepted');
      expect(await box.locator('[data-rule]').getAttribute('data-rule')).toBe('none');
      await box.getByLabel('Registration').selectOption('Waitlist');
      await poll(() => result(page)).toBe('rejected');
      expect(await box.locator('[data-rule]').getAttribute('data-rule')).toBe('confirmed');
      expect(await box.locator('[data-rule]').textContent()).toContain('The registration is not confirmed: Waitlist.');
      await box.getByLabel('Registration').selectOption('Confirmed');
      await box.getByLabel('Ticket', { exact: true }).selectOption('Voided');
      await poll(() => result(page)).toBe('voided');
      await box.getByLabel('Ticket', { exact: true }).selectOption('Valid');
      await button(box, 'Add an earlier admission').click();
      await poll(() => result(page)).toBe('duplicate');
      expect(await box.locator('[data-rule]').getAttribute('data-rule')).toBe('limit');
      await button(box, 'Remove this admission').click();
      await box.getByLabel('Today').uncheck();
      await poll(() => result(page)).toBe('wrong_day');
      expect(await box.locator('[data-rule]').textContent()).toContain('The ticket is for Later, not for Today.');
      await box.getByLabel('Today').check();
      // The slider, by keyboard: its beginning is before opening, its end after closing.
      const slider = box.getByRole('slider');
      await slider.focus();
      await page.keyboard.press('Home');
      await poll(() => result(page)).toBe('not_yet_open');
      await page.keyboard.press('End');
      await poll(() => result(page)).toBe('closed');
      // The frame asks for the event and its parts every half a minute.
      expect(
        asked.filter((url) => !/\/events\/try$|\/(days|attendee-types|check-in-points|questions|groups)\b/.test(url)),
      ).toEqual([]);
    });

    test('follows rules that are being edited, before they are saved', async () => {
      const page = await open('try/door/points/gate');
      await settled(page);
      await page.getByRole('region', { name: 'Rules' }).getByLabel('Crew').check();
      await poll(() => result(page)).toBe('rejected');
      expect(await page.locator('[data-rule]').textContent()).toContain('Admitted here: Crew. This person: Adult.');
    });

    test('answers for somebody as the door then does', async () => {
      const page = await open('try/door/points/gate');
      await settled(page);
      const simulated = async (name: string) => {
        await page.getByLabel('Find somebody').fill(name);
        await page.locator('.door-found').getByRole('button', { name }).click();
        await page.getByRole('region', { name: 'Try it' }).getByText(name).waitFor();
        await page.getByText(/admissions? so far/).waitFor();
      };
      await simulated('Alan Turing');
      await poll(() => result(page)).toBe('wrong_day');
      expect((await scan(at, alan.code)).result).toBe('wrong_day');
      await button(page, 'Use a made-up person').click();
      await simulated('Ada Lovelace');
      await poll(() => result(page)).toBe('accepted');
      expect((await scan(at, ada.code)).result).toBe('accepted');
      await page.reload();
      await poll(() => result(page)).toBe('duplicate');
      expect((await scan(at, ada.code)).result).toBe('duplicate');
    });
  });

  describe('scanning in the browser', () => {
    test('takes codes by keyboard, answers in the colours of the door, and overrides', async () => {
      const at = await event('scan');
      const ada = await guest(at, 'Ada', 'Lovelace');
      const page = await open('scan/door');
      await heading(page, 'Door');
      // Nobody scans at the wrong door by accident: the browser asks once, and remembers.
      expect(await page.getByLabel('Code').count()).toBe(0);
      await button(page, 'Main gate').click();
      await page.getByLabel('Code').waitFor();
      await page.goto(`${world.home}/app/acme/events/scan/door`);
      await poll(() => page.getByLabel('Check-in point').inputValue()).toBe('gate');
      await settled(page);
      // A scanner types and presses Enter; the field has the focus from the beginning.
      await page.keyboard.type(ada.code);
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('accepted');
      expect(await answer(page).getAttribute('data-tone')).toBe('good');
      expect(await answer(page).textContent()).toContain('Ada Lovelace');
      await page.keyboard.type(ada.code);
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('duplicate');
      expect(await answer(page).getAttribute('data-admitted')).toBe('false');
      await page.keyboard.type('NO-SUCH-CODE');
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('unknown');
      await poll(() => page.locator('.door-lines li').count()).toBe(2);
      await page.keyboard.type(ada.code);
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('duplicate');
      await button(page, 'Override').click();
      await page.getByLabel('Reason').fill('Went to the car');
      await button(page.getByRole('dialog'), 'Override').click();
      await poll(() => answer(page).getAttribute('data-admitted')).toBe('true');
      const { data } = await get(`${at}/checkins?admitted=true`);
      expect(data[0].override.reason).toBe('Went to the car');
    });

    test('codes that are read while another one is asked wait their turn, and each is asked once', async () => {
      const at = await event('turns');
      const [ada, alan] = [await guest(at, 'Ada', 'Lovelace'), await guest(at, 'Alan', 'Turing')];
      const page = await open('turns/door?check_in_point=gate');
      await page.getByLabel('Code').waitFor();
      await settled(page);
      const { promise: read, resolve: answer } = Promise.withResolvers<void>();
      await page.route('**/events/turns/scan', async (route) => {
        await read;
        await route.continue();
      });
      for (const { code } of [ada, ada, alan]) {
        await page.keyboard.insertText(code);
        await page.keyboard.press('Enter');
        await poll(() => page.getByLabel('Code').inputValue()).toBe('');
      }
      answer();
      await page.locator('.door-answer', { hasText: 'Alan Turing' }).waitFor();
      expect(await page.locator('.door-lines li').allTextContents()).toEqual([expect.stringContaining('Ada Lovelace')]);
      expect((await get(`${at}/checkins`)).data).toHaveLength(2);
    });

    test('a scan whose answer was lost is the same scan when it is tried again', async () => {
      const at = await event('lost');
      const ada = await guest(at, 'Ada', 'Lovelace');
      const page = await open('lost/door?check_in_point=gate');
      await page.getByLabel('Code').waitFor();
      await settled(page);
      let cut = true;
      await page.route('**/events/lost/scan', async (route) => {
        if (!cut) return route.continue();
        await route.fetch();
        await route.abort('connectionreset');
      });
      await page.keyboard.insertText(ada.code);
      await page.keyboard.press('Enter');
      await page.getByRole('alert').waitFor();
      await poll(() => page.getByLabel('Code').inputValue()).toBe(ada.code);
      cut = false;
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('accepted');
      expect((await get(`${at}/checkins`)).data).toHaveLength(1);
    });

    test('in test mode nobody is checked in, and tests can be cleared', async () => {
      const at = await event('rehearse');
      const ada = await guest(at, 'Ada', 'Lovelace');
      const page = await open('rehearse/door/test');
      await heading(page, 'Test mode');
      await page.getByText('Nothing was tried yet').waitFor();
      await page.getByRole('link', { name: 'Scan in test mode' }).click();
      await button(page, 'Main gate').click();
      await page.getByText('Test mode is on.').waitFor();
      await page.getByLabel('Code').fill(ada.code);
      await page.keyboard.press('Enter');
      await poll(() => result(page)).toBe('accepted');
      expect((await get(`${at}/attendees/${ada.id}`)).checked_in).toBe(false);
      await page.goBack();
      await heading(page, 'Test mode');
      await page.getByRole('table', { name: 'Tried so far' }).waitFor();
      await button(page, 'Clear test check-ins').click();
      await button(page.getByRole('dialog'), 'Clear test check-ins').click();
      await said(page, 'Test check-ins are cleared');
      await page.getByText('Nothing was tried yet').waitFor();
      expect((await get(`${at}/checkins?test=true`)).data).toEqual([]);
    });
  });

  /** Pairs a scanner as its app would, with the code that the screen shows. */
  const pairWith = async (code: string, body: object = {}): Promise<string> => {
    const paired = await world.t.call('POST', '/api/v1/devices/pair', { key: null, body: { code, ...body } });
    expect(paired.status, paired.text).toBe(201);
    return paired.body.token;
  };

  test('a device is paired by its code, tells how it is, and is unpaired', async () => {
    await event('pair');
    const page = await open('pair/door/devices');
    await heading(page, 'Devices');
    await button(page, 'Pair').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Gate phone');
    await button(dialog, 'Pair').click();
    await dialog.getByRole('img', { name: 'QR code that pairs a device' }).waitFor();
    const code = (await dialog.locator('code').first().textContent())!;
    expect(code).toMatch(/^([2-9A-HJ-NP-Z]{4}-){2}[2-9A-HJ-NP-Z]{4}$/);
    const token = await pairWith(code);
    await said(page, 'Gate phone is paired');
    await dialog.waitFor({ state: 'detached' });
    const beat = { queue_length: 12, battery: 15 };
    await world.t.call('PUT', '/api/v1/devices/self/heartbeat', { key: token, body: beat });
    const row = page.getByRole('row', { name: /Gate phone/ });
    await poll(() => row.textContent()).toContain('12 waiting');
    await poll(() => row.textContent()).toMatch(/15\s?%/);
    await button(page, 'Unpair Gate phone').click();
    await button(page.getByRole('dialog'), 'Unpair').click();
    await said(page, 'Gate phone is unpaired');
    await page.getByText('No device is paired').waitFor();
    const refused = await world.t.call('PUT', '/api/v1/devices/self/heartbeat', { key: token, body: beat });
    expect(refused.status).toBe(401);
  });

  test('scans that a device could not send any more are recorded from its file, each once', async () => {
    const at = await event('handed');
    const { id } = await get(at);
    const people = [];
    for (let n = 0; n < 3; n++) people.push(await guest(at, 'Guest', `No ${n}`));
    const [ada, grace, joan] = people as [Body, Body, Body];
    const one = (code: string, more: object = {}) => ({
      ...{ code, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: new Date().toISOString() },
      ...{ offline_result: 'accepted', not_recorded: null, ...more },
    });
    const { check_in_point } = one('');
    // This one was sent by the device before it was unpaired, but the answer was lost.
    const sent = one(joan.code);
    await post(`${at}/scan`, {
      code: joan.code,
      check_in_point,
      client_uuid: sent.client_uuid,
      scanned_at: sent.scanned_at,
    });
    const scans = [
      sent,
      one(ada.code),
      one(grace.code),
      // Admitted by another device that was offline, too.
      one(ada.code, { scanned_at: new Date(Date.now() + 1000).toISOString() }),
      one(grace.code, { check_in_point: 'torn-down', not_recorded: { code: 'not_found', message: 'gone' } }),
      // More than fit into one part.
      ...Array.from({ length: 600 }, (_, n) => one(`NEVER-SEEN-${n}`, { offline_result: 'unknown' })),
    ];
    const file = (content: object) => ({
      ...{ name: 'scans.json', mimeType: 'application/json' },
      buffer: Buffer.from(
        JSON.stringify({ turnout: 'scans', version: 1, device: { name: 'Gate 1' }, scans, ...content }),
      ),
    });
    const page = await open('handed/door/devices');
    await heading(page, 'Devices');
    await button(page, 'Scans from a file').click();
    const dialog = page.getByRole('dialog');
    const field = dialog.getByLabel('File of the scanner');
    await field.setInputFiles(file({ event: { id: '01JCQ8Z7M4T3V9R1X5K2N6P8DA', name: 'Ball' } }));
    await dialog.getByText('These scans belong to another event: Ball.').waitFor();
    await field.setInputFiles(file({ event: { id, name: 'Handed' } }));
    await dialog.getByText('605 scans of Gate 1').waitFor();
    await button(dialog, 'Record').click();
    await dialog.getByText('605 of 605 sent').waitFor();
    const facts = () => dialog.locator('dl.facts').innerText();
    expect((await facts()).split(/\s*\n\s*/)).toEqual([
      'Recorded',
      '603',
      'Already recorded',
      '1',
      'Not recorded',
      '1',
    ]);
    await dialog.getByRole('row', { name: /torn-down/ }).waitFor();
    await dialog.getByText('In 1 case the device had told something else').waitFor();
    const admitted = async () => (await get(`${at}/checkins?admitted=true`)).data.length;
    expect(await admitted()).toBe(3);
    await button(dialog, 'Close').last().click();

    // The same file again records nothing.
    await button(page, 'Scans from a file').click();
    await field.setInputFiles(file({ event: { id, name: 'Handed' } }));
    await button(dialog, 'Record').click();
    await dialog.getByText('605 of 605 sent').waitFor();
    expect((await facts()).split(/\s*\n\s*/)).toEqual([
      'Recorded',
      '600',
      'Already recorded',
      '4',
      'Not recorded',
      '1',
    ]);
    expect(await admitted()).toBe(3);
    await dialog.getByRole('link', { name: 'Reconciliation' }).waitFor({ state: 'detached' });
  });

  test('the live page shows scans as they come', async () => {
    const at = await event('live');
    const [ada, grace] = [
      await guest(at, 'Ada', 'Lovelace'),
      await guest(at, 'Grace', 'Hopper', { attendee_type: 'crew' }),
    ];
    const page = await open('live/door/live');
    await heading(page, 'Live');
    const number = (name: string) =>
      page
        .locator('.live-numbers > div', { has: page.getByText(name, { exact: true }) })
        .locator('.live-big')
        .textContent();
    await poll(() => number('Inside')).toBe('0');
    await scan(at, ada.code);
    await poll(() => number('Inside')).toBe('1');
    await poll(() => number('Came')).toBe('1');
    await scan(at, ada.code);
    await scan(at, grace.code);
    await poll(() => number('Inside')).toBe('2');
    await poll(() => number('Refused')).toBe('1');
    const last = page.getByRole('list', { name: 'Last scans' });
    await poll(() => last.getByRole('listitem').count()).toBe(3);
    expect(await last.getByRole('listitem').first().textContent()).toContain('Grace Hopper');
    expect(await page.getByRole('list', { name: 'Refusals by reason' }).textContent()).toContain('Already admitted');
    expect(await page.getByRole('list', { name: 'By type' }).textContent()).toContain('Crew');
    await scan(at, ada.code, 'out');
    await poll(() => number('Inside')).toBe('1');
    // Whoever may not read people sees no names.
    const door = await open('live/door/live', { session: await world.t.session('acme', 'door') });
    await poll(() => door.getByRole('list', { name: 'Last scans' }).getByRole('listitem').count()).toBe(4);
    expect(await door.locator('main').textContent()).not.toContain('Lovelace');
  });

  test('the live page says when it is disconnected, and connects again by itself', async () => {
    const at = await event('cut');
    const ada = await guest(at, 'Ada', 'Lovelace');
    const wire = await openWire(Number(new URL(world.home).port));
    try {
      const page = await open('cut/door/live');
      await page.goto(`${wire.url}/app/acme/events/cut/door/live`);
      await page.locator('.live[data-state="live"]').waitFor();
      await wire.cut();
      await page.getByText('These numbers are not up to date').waitFor();
      await page.getByText('Disconnected').waitFor();
      await wire.mend();
      await page.locator('.live[data-state="live"]').waitFor();
      expect(await page.getByText('These numbers are not up to date').count()).toBe(0);
      await scan(at, ada.code);
      await poll(() => page.locator('.live-big').first().textContent()).toBe('1');
    } finally {
      await wire.cut();
    }
  });

  test('check-ins are filtered, overridden with a reason, and undone', async () => {
    const at = await event('list');
    const [ada, alan] = [await guest(at, 'Ada', 'Lovelace'), await guest(at, 'Alan', 'Turing', { days: ['later'] })];
    await scan(at, ada.code);
    await scan(at, alan.code);
    const page = await open('list/door/check-ins');
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
    await button(page.locator('dialog[open]'), 'Undo admission').click();
    await said(page, 'The admission is undone');
    await poll(() => rows.first().textContent()).toContain('Undone');
    const { data } = await get(`${at}/checkins?admitted=true&attendee=${alan.id}`);
    expect(data.map((one: Body) => one.undone_at !== null)).toEqual([true]);
    // The desk may undo; the door may only look.
    const door = await open('list/door/check-ins', { session: await world.t.session('acme', 'door') });
    await door.locator('.data-body .row-link').first().click();
    await door.locator('dialog[open]').waitFor();
    expect(await button(door, 'Override').count()).toBe(0);
    expect(await button(door, 'Undo admission').count()).toBe(0);
  });

  test('what offline gates decided otherwise is told in words', async () => {
    const at = await event('offline');
    const [ada, grace] = [await guest(at, 'Ada', 'Lovelace'), await guest(at, 'Grace', 'Hopper')];
    await scan(at, ada.code);
    const { code } = await post(`${at}/devices/pairing-codes`, { name: 'Gate phone' });
    const token = await pairWith(code);
    const scanned_at = new Date().toISOString();
    const item = (of: string, offline_result: string) => ({
      ...{ code: of, check_in_point: 'gate', client_uuid: randomUUID(), scanned_at, offline_result },
    });
    const scans = [item(ada.code, 'accepted'), item(grace.code, 'unknown'), item('NEVER-SEEN', 'accepted')];
    const sent = await world.t.call('POST', `/api/v1${at}/scan/batch`, { key: token, body: { scans } });
    expect(sent.status, sent.text).toBe(200);
    const page = await open('offline/door/reconciliation');
    await heading(page, 'Reconciliation');
    const told = (difference: string) => page.locator(`[data-difference="${difference}"]`);
    await poll(() => told('let_in').textContent()).toContain(
      'At Main gate, Gate phone let Ada Lovelace in (Admitted). The server would have refused: Already admitted.',
    );
    await poll(() => told('sent_away').textContent()).toContain(
      'At Main gate, Gate phone refused Grace Hopper (Unknown code). The server would have admitted: Admitted.',
    );
    await poll(() => told('let_in_unknown').textContent()).toContain('with a code that no ticket has');
    await button(told('let_in'), 'Override').click();
    await page.getByLabel('Reason').fill('Was inside anyway');
    await button(page.getByRole('dialog'), 'Override').click();
    await said(page, 'Admitted');
  });

  test('a day is locked and unlocked, and attendance is counted', async () => {
    const at = await event('lock');
    const [ada, grace] = [await guest(at, 'Ada', 'Lovelace'), await guest(at, 'Grace', 'Hopper')];
    await scan(at, ada.code);
    const page = await open('lock/door/attendance');
    await heading(page, 'Attendance');
    const card = page.getByRole('region', { name: 'Today', exact: true });
    await poll(() => card.textContent()).toContain('1 of 2 came');
    await poll(() => card.textContent()).toContain('1 missing');
    await button(card, 'Lock day').click();
    await button(page.getByRole('dialog'), 'Lock day').click();
    await said(page, 'Today is locked');
    expect((await scan(at, grace.code)).result).toBe('day_locked');
    await button(card, 'Unlock day').click();
    await said(page, 'Today is open again');
    expect((await scan(at, grace.code)).result).toBe('accepted');
    await card.getByRole('link', { name: '1 missing' }).click();
    await heading(page, 'People');
  });

  describe('reports', () => {
    let at: string;
    beforeAll(async () => {
      at = await event('sums');
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
    });
    const totals = async (page: Page): Promise<Record<string, string>> => {
      const box = page.locator('.report-totals');
      const [names, numbers] = [await box.locator('dt').allTextContents(), await box.locator('dd').allTextContents()];
      return Object.fromEntries(names.map((name, i) => [name, numbers[i]!]));
    };
    const bars = (page: Page, name: string) => page.getByRole('list', { name, exact: true }).textContent();

    test('count what happened, and are drawn', async () => {
      const page = await open('sums/reports');
      await heading(page, 'Reports');
      await poll(() => totals(page)).toMatchObject({ 'People registered': '5', 'People cancelled': '1' });
      await page.locator('.plot canvas').first().waitFor();
      expect(await bars(page, 'By type')).toMatch(/Adult3.*(Crew1|Paying1)/);
      await page.getByRole('link', { name: 'Attendance', exact: true }).click();
      await poll(() => totals(page)).toEqual({
        ...{ Expected: '4', Came: '1', 'Did not come': '3', Admissions: '1', Exits: '0' },
      });
      expect(await bars(page, 'By day')).toContain('1 of 3 came, 2 did not');
      expect(await bars(page, 'By check-in point')).toContain('1 admissions · 1 people · 2 refused');
      await page.getByRole('link', { name: 'Refusals', exact: true }).click();
      await poll(() => totals(page)).toEqual({ Refusals: '2', 'Let in all the same': '0' });
      expect(await bars(page, 'By reason')).toMatch(/Already admitted1/);
      await page.getByRole('link', { name: 'Money', exact: true }).click();
      await poll(async () => (await totals(page)).Received).toBe('€45.00');
      expect(await bars(page, 'By way of paying')).toContain('€45.00 · 1 payment');
      expect(page.url()).toContain('report=money');
      await page.goBack();
      await poll(() => totals(page)).toHaveProperty('Refusals');
    });

    test('become files', async () => {
      const page = await open('sums/reports?report=attendance');
      await heading(page, 'Reports');
      await button(page, 'Export').click();
      await page.getByRole('menuitem', { name: 'CSV file' }).click();
      const link = page.getByRole('link', { name: 'Download', exact: true });
      await link.waitFor();
      const file = await page.request.get(new URL((await link.getAttribute('href'))!, world.home).href);
      expect(file.status()).toBe(200);
      const rows = (await file.text()).split(/\r?\n/);
      expect(rows).toContain('"total",,,,,,4,1,3,1,0,,,');
      expect(rows).toContain('"check_in_point",,,"gate",,,,,,1,,,1,2');
    });

    test('nothing is counted in a time before anything happened', async () => {
      const page = await open('sums/reports?report=refusals&from=2020-01-01&to=2020-01-02');
      await page.getByText('Nobody was refused').waitFor();
    });

    test('money is not offered to those who may not read people', async () => {
      const page = await open('sums/reports?report=money', { session: await world.t.session('acme', 'door') });
      await poll(() => totals(page)).toHaveProperty('People registered');
      expect(await page.getByRole('link', { name: 'Money', exact: true }).count()).toBe(0);
      expect(await button(page, 'Export').count()).toBe(0);
    });
  });
});
