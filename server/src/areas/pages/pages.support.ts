import { Agent, request as send } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { Form, textOf, tokensOf } from '../../../../test/support/html.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

/** Where the installation of these tests says that it is reached. Every link must begin with it. */
export const PUBLIC_URL = 'https://turnout.example';
export const START = '2030-01-15T12:00:00Z';

/** An answer with every byte of it: `fetch` hides some headers and undoes the compression. */
export interface Got {
  status: number;
  headers: Record<string, string>;
  bytes: Buffer;
  /** Unpacked. */
  text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 20 });

export function ask(
  url: string,
  path: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
): Promise<Got> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const all = { ...headers, ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }) };
    const sent = send({ agent, hostname, port, path, method, headers: all }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const bytes = Buffer.concat(parts);
        const got = response.headers as Record<string, string>;
        resolve({ status: response.statusCode!, headers: got, bytes, text: unpacked(got, bytes) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function unpacked(headers: Record<string, string>, bytes: Buffer): string {
  if (bytes.length === 0) return '';
  const packed = headers['content-encoding'];
  return (packed === 'br' ? brotliDecompressSync(bytes) : packed === 'gzip' ? gunzipSync(bytes) : bytes).toString();
}

interface Structure {
  event?: object;
  days?: object[];
  types?: object[];
  questions?: object[];
  products?: object[];
  /** How far it gets. */
  as?: 'draft' | 'published' | 'closed' | 'archived';
}

/** An installation with the organization `acme`, whose time stands still until a test moves it. */
export interface Pages {
  t: TestTurnout;
  clock: HeldClock;
  key: string;
  /** A call of the API that must work. */
  api(method: string, path: string, body?: unknown, key?: string): Promise<Reply['body']>;
  /** A new event, published unless something else is said. Answers its code and id. */
  event(structure?: Structure, key?: string): Promise<{ id: string; code: string }>;
  get(path: string, headers?: Record<string, string>): Promise<Got>;
  /** Sends a form as a browser does. */
  post(path: string, fields: URLSearchParams | string, headers?: Record<string, string>): Promise<Got>;
  /** Everybody who is registered for an event, as the API shows it. */
  registrations(event: string): Promise<Reply['body'][]>;
}

let serial = 0;

export async function openPages(options: Parameters<typeof startTest>[0] = {}): Promise<Pages> {
  const clock = new HeldClock(Date.parse(START));
  const t = await startTest({
    clock,
    ...options,
    env: { PUBLIC_URL, TRUSTED_PROXIES: '127.0.0.1', ...options.env },
  });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const { secret: key } = await t.key('acme');
  const pages: Pages = {
    t,
    clock,
    key,
    api: async (method, path, body, as = key) => {
      const reply = await t.call(method, `/v1${path}`, { key: as, ...(body !== undefined && { body }) });
      expect(reply.status, `${method} ${path}: ${reply.text}`).toBeLessThan(300);
      return reply.body;
    },
    event: async ({ event = {}, days, types, questions = [], products = [], as = 'published' } = {}, by = key) => {
      serial += 1;
      const given = { code: `event-${serial}`, name: `Event ${serial}`, ...event };
      const { id, code } = await pages.api('POST', '/events', given, by);
      for (const day of days ?? [{ code: 'd1', date: '2030-06-01' }])
        await pages.api('POST', `/events/${id}/days`, day, by);
      for (const type of types ?? [{ code: 'adult', name: 'Adult' }])
        await pages.api('POST', `/events/${id}/attendee-types`, type, by);
      for (const question of questions) await pages.api('POST', `/events/${id}/questions`, question, by);
      for (const product of products) await pages.api('POST', `/events/${id}/products`, product, by);
      if (as !== 'draft') await pages.api('POST', `/events/${id}/publish`, undefined, by);
      if (as === 'closed' || as === 'archived') await pages.api('POST', `/events/${id}/close`, undefined, by);
      if (as === 'archived') await pages.api('POST', `/events/${id}/archive`, undefined, by);
      return { id, code };
    },
    get: (path, headers = {}) => ask(t.url, path, { headers }),
    post: (path, fields, headers = {}) =>
      ask(t.url, path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin', ...headers },
        body: String(fields),
      }),
    registrations: async (event) => (await pages.api('GET', `/events/${event}/registrations?limit=200`)).data,
  };
  return pages;
}

export const ADA = { 'c-first': 'Ada', 'c-last': 'Lovelace', 'c-email': 'ada@example.org' };

/** The form of an event, opened as the button of its page does it. */
export async function openForm(x: Pages, event: string, query = ''): Promise<Form> {
  const got = await x.get(`/o/acme/${event}/register${query}`);
  expect(got.status, textOf(got.text)).toBe(200);
  return new Form(got.text, 'register');
}

/** Sends a form to be looked through, and answers the summary. */
export async function review(x: Pages, form: Form): Promise<Form> {
  const got = await x.post(form.action, form.sent('review'));
  expect(got.status, textOf(got.text)).toBe(200);
  return new Form(got.text, 'register');
}

/** A form that only has to be booked. Enough time has gone by since it was opened. */
export async function summaryOf(
  x: Pages,
  event: string,
  values: Readonly<Record<string, string | readonly string[]>> = {},
  query = '',
): Promise<Form> {
  const form = await openForm(x, event, query);
  x.clock.advance(2000);
  return review(x, form.fill({ ...ADA, ...values }));
}

/** Also where the page has no such button any more: it may have been drawn before the last place went. */
export function book(x: Pages, summary: Form, headers: Record<string, string> = {}): Promise<Got> {
  const fields = summary.sent();
  fields.append('do', 'book');
  return x.post(summary.action, fields, headers);
}

/** What the page says is wrong: above the form, and beside each field. */
export function faultsOf(html: string): { title: string | undefined; fields: Record<string, string> } {
  const fields: Record<string, string> = {};
  for (const token of tokensOf(html)) {
    const id = token.is === 'start' ? token.attributes.id : undefined;
    if (id?.endsWith('-fault')) fields[id.slice(0, -'-fault'.length)] = byId(html, id)!;
  }
  const notice = /id="faults"><p>(?:<b>)?(.*?)(?:<\/b>)?<\/p>/.exec(html)?.[1];
  return { title: notice === undefined ? undefined : textOf(notice), fields };
}

/** The text of an element by its id, or undefined. */
export function byId(html: string, id: string): string | undefined {
  const tokens = tokensOf(html);
  const start = tokens.findIndex((one) => one.is === 'start' && one.attributes.id === id);
  const first = tokens[start];
  if (first?.is !== 'start') return undefined;
  const end = tokens.findIndex((one, i) => i > start && one.is === 'end' && one.tag === first.tag);
  return tokens
    .slice(start, end)
    .flatMap((one) => (one.is === 'text' ? [one.text] : []))
    .join('')
    .trim();
}

/** All addresses that a page leads to or loads something from. */
export const addressesIn = (html: string): string[] =>
  tokensOf(html).flatMap((one) =>
    one.is === 'start' ? ['href', 'src', 'action', 'formaction'].flatMap((name) => one.attributes[name] ?? []) : [],
  );

export { Form, textOf, tokensOf };

/** A discount of 25 % on every ticket, or with other values. */
export const addDiscount = (x: Pages, event: string, more: object = {}): Promise<Reply['body']> =>
  x.api('POST', `/events/${event}/discounts`, {
    ...{ code: 'FRIENDS-25', name: 'Friends of the house', kind: 'percent', value: 25 },
    ...more,
  });
