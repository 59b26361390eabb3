import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { ANSWER_MS, ONLY_SERVER_MS } from '../../../web/scan/src/engine/times.ts';
import { SUCCESS_MS } from '../../../web/scan/src/parts/times.ts';
import { type AppWorld, startAppWorld } from '../app-world.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of the server, as tests read them
export type Body = any;

export const PIN = '739154';
const DAY = 86_400_000;
export const button = (page: Page | Locator, name: string | RegExp): Locator =>
  page.getByRole('button', { name, exact: true });
export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
export const poll = <T>(look: () => T) => expect.poll(look, { timeout: 30_000 });

export const status = (page: Page): Locator => page.locator('[role="status"][data-result]');
export const result = (page: Page): Promise<string | null> => status(page).getAttribute('data-result');
export const queue = (page: Page): Promise<string | null> =>
  page.locator('[data-queue]').first().getAttribute('data-queue');
/** Without its list of tickets a device can judge nothing by itself. */
export const ready = (page: Page): Promise<void> =>
  page.locator('.freshness', { hasText: /^\d+ tickets?, updated/ }).waitFor();

/** The server has all the time that it needs, however busy the machine is. Otherwise the device would decide by itself. */
const PATIENT = `{
  const wait = globalThis.setTimeout;
  const patient = [${ANSWER_MS}, ${ONLY_SERVER_MS}];
  globalThis.setTimeout = (work, ms, ...more) => wait(work, patient.includes(ms) ? 60_000 : ms, ...more);
}`;

/** A success goes away by itself, and what was said stays in a line. */
export async function goneByItself(page: Page): Promise<void> {
  await page.clock.fastForward(SUCCESS_MS);
  await page.locator('.answer.line').waitFor();
}

/**
 * Presses the keys, then Enter, at a pace that does not depend on the page. It runs in the page; `text` is what the system writes for the
 * keys.
 */
export function typeKeys([keys, text]: string[]): void {
  const begun = performance.now();
  for (const [i, pressed] of [...keys!, 'Enter'].entries()) {
    const key = text![i] ?? pressed;
    const code = /^[a-z]$/i.test(pressed)
      ? `Key${pressed.toUpperCase()}`
      : /^\d$/.test(pressed)
        ? `Digit${pressed}`
        : pressed;
    const how = { shiftKey: /^[A-Z]$/.test(pressed), bubbles: true, cancelable: true, composed: true };
    const event = new KeyboardEvent('keydown', { key, code, ...how });
    document.body.dispatchEvent(Object.defineProperty(event, 'timeStamp', { value: begun + i * 5 }));
  }
}

export async function type(page: Page, code: string): Promise<void> {
  await button(page, 'Type').click();
  await page.getByLabel('Code').fill(code);
  await page.keyboard.press('Enter');
}

/**
 * As a scanner that pretends to be a keyboard does: every key within a moment, and Enter. `written` is what the system writes for the
 * keys, if it has another keyboard layout than the scanner.
 */
export const wedge = (page: Page, code: string, written = code): Promise<void> =>
  page.evaluate(typeKeys, [code, written]);

export async function decide(page: Page, name: 'Override' | 'Undo'): Promise<void> {
  const sheet = page.getByRole('dialog');
  await sheet.getByLabel('PIN').fill(PIN);
  await sheet.getByLabel('Reason').fill('She is known to us.');
  await button(sheet, name).click();
  await sheet.waitFor({ state: 'detached' });
}

/** The first ticket of a registration, and the code of the registration. */
export interface Made {
  id: string;
  code: string;
  registration: string;
}

/** The scanner with the real server and engine, and an organizer who prepares events for it. */
export interface Door {
  world: AppWorld;
  send(method: string, path: string, body?: unknown): Promise<Body>;
  post(path: string, body?: unknown): Promise<Body>;
  /** A published event with a day that is open, a gate and a zone; its path. */
  event(code: string, more?: object): Promise<string>;
  /** Registers people together, and returns the first ticket. */
  ticket(at: string, ...names: string[]): Promise<Made>;
  /** The same, with answers that each of them gave. */
  register(at: string, names: readonly string[], answers?: object): Promise<Made>;
  checkIns(at: string): Promise<Body[]>;
  /** Opens the link of a QR code on a new device, gives it a name, and chooses the gate. */
  device(at: string, name?: string): Promise<Page>;
  /** What the browsers complained about since it was asked last. A browser without a network says so in its console. */
  complaints(): string[];
}

export async function openDoor(): Promise<Door> {
  const world = await startAppWorld();
  const owner = await world.t.session('acme', 'owner');
  const people = (names: readonly string[], answers: object) =>
    names.map((first_name) => ({
      attendee_type: 'adult',
      first_name,
      last_name: 'Lovelace',
      days: ['today'],
      answers,
    }));
  const door: Door = {
    world,
    send: async (method, path, body) => {
      const reply = await world.call(owner, method, path, body);
      expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
      return reply.body;
    },
    post: (path, body = {}) => door.send('POST', path, body),
    event: async (code, more = {}) => {
      const at = `/events/${code}`;
      await door.post('/events', { code, name: 'Lakeside Fair', timezone: 'UTC', currency: 'EUR', ...more });
      await door.post(`${at}/days`, {
        ...{ code: 'today', name: 'Today', date: new Date().toISOString().slice(0, 10) },
        opens_at: new Date(Date.now() - DAY).toISOString(),
        closes_at: `${new Date(Date.now() + DAY).toISOString().slice(0, 10)}T20:00:00Z`,
      });
      await door.post(`${at}/attendee-types`, { code: 'adult', name: 'Adult' });
      await door.post(`${at}/check-in-points`, { code: 'gate', name: 'Main gate', kind: 'entry' });
      const policy = { capacity: 5 };
      await door.post(`${at}/check-in-points`, { code: 'stage', name: 'Backstage', kind: 'zone', policy });
      await door.post(`${at}/publish`);
      return at;
    },
    ticket: (at, ...names) => door.register(at, names),
    register: async (at, names, answers = {}) => {
      const made = await door.post(`${at}/registrations`, { attendees: people(names, answers), send_emails: false });
      return { ...made.attendees[0].tickets[0], registration: made.code };
    },
    checkIns: async (at) => (await door.send('GET', `${at}/checkins`)).data,
    device: async (at, name = 'Gate 1') => {
      const { code } = await door.post(`${at}/devices/pairing-codes`);
      const page = await world.open(`/scan#pair=${code}`, {
        ...{ session: 'nobody', viewport: { width: 390, height: 844 } },
      });
      await heading(page, 'Pair this device');
      // From here on, tests can move the time of the page. What makes it patient comes after that, in this page and in those to come.
      await page.clock.install();
      await page.context().addInitScript(PATIENT);
      await page.evaluate(PATIENT);
      await page.getByLabel('Name').fill(name);
      await button(page, 'Pair').click();
      await heading(page, 'Where are you scanning?');
      await button(page, /^Main gate/).click();
      await ready(page);
      return page;
    },
    complaints: () =>
      world.complaints.splice(0).filter((text) => !/ERR_INTERNET_DISCONNECTED|Failed to fetch/.test(text)),
  };
  await door.send('PUT', '/membership/pin', { pin: PIN });
  return door;
}
