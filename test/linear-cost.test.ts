import { guard, unguard } from '@turnout/contract/csv-guard';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserOf } from '../server/src/areas/accounts/browser.ts';
import { isCommon } from '../server/src/areas/accounts/common-passwords.ts';
import { preferredLanguage } from '../server/src/areas/accounts/language.ts';
import { plainText, readMarkdown } from '../server/src/areas/communications/markdown.ts';
import { faultsIn } from '../server/src/areas/communications/placeholders.ts';
import { normalise } from '../server/src/areas/contacts/match.ts';
import { wordsOf } from '../server/src/areas/contacts/words.ts';
import { hostName } from '../server/src/areas/hosts/names.ts';
import { proseOf } from '../server/src/areas/pages/prose.ts';
import { wantedLanguage } from '../server/src/areas/pages/words.ts';
import { severalIn } from '../server/src/areas/transfers/import-cells.ts';
import { isVisible, normalized } from '../server/src/common/unicode.ts';
import { canonical, readTarget } from '../server/src/outside/addresses.ts';
import { cleanLines, cleanName, cleanUrl } from '../server/src/outside/clean.ts';
import { localeOf } from '../server/src/outside/locale.ts';
import { displayName, subjectLine } from '../server/src/outside/mail-headers.ts';
import { breakLines, piecesOf, shorten } from '../server/src/outside/ticket-pdf/break-lines.ts';
import { cookie } from '../server/src/road/gate/identify.ts';
import { isOlder } from '../server/src/road/gate/scanners.ts';
import { encodings } from '../server/src/road/request/encodings.ts';
import { FORMATS, isTimestamp, isTimezone } from '../server/src/road/request/formats.ts';
import { Abuser } from './support/abuse/abuser.ts';
import { HEADER_ROOM } from './support/abuse/addresses.ts';
import { BAD_FORM_BODIES, FORM_TYPE } from './support/abuse/forms.ts';
import { repeated } from './support/abuse/json.ts';
import { shapesOfAll } from './support/abuse/shapes.ts';
import { WORDS } from './support/abuse/words.ts';
import { growsFasterThanInput, requestGrowsFasterThanInput } from './support/growth.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * Whatever reads a text of callers takes time in proportion to its length. A function of a public library or of Node is no exception:
 * `URLSearchParams` was quadratic for names without a value, and one request stopped the server for seconds. Processor times of a whole
 * text and of its parts are compared (support/growth.ts), so a busy machine changes nothing.
 */

/** The longest text of a field. */
const TEXT = 20_000;
/** The most letters of a ticket, all fields together. */
const PRINTED = 10_000;
const wide = (text: string): number => text.length;

/** What is called with texts of callers, and the longest that reaches it. */
const READERS: Record<string, { most: number; read: (text: string) => unknown }> = {
  normalise: { most: TEXT, read: normalise },
  'the words of a search': { most: TEXT, read: wordsOf },
  'normalized, NFC': { most: TEXT, read: (text) => normalized(text, 'NFC') },
  'normalized, NFKC': { most: TEXT, read: (text) => normalized(text, 'NFKC') },
  isVisible: { most: TEXT, read: isVisible },
  'a line of a mail': { most: TEXT, read: cleanLines },
  'a name in a mail': { most: TEXT, read: cleanName },
  'the name of a sender': { most: TEXT, read: displayName },
  'a subject': { most: TEXT, read: subjectLine },
  'an address of a page': { most: TEXT, read: cleanUrl },
  Markdown: { most: TEXT, read: (text) => plainText(readMarkdown(text)) },
  placeholders: { most: TEXT, read: (text) => faultsIn(text, 'text') },
  'the text of a page': { most: TEXT, read: proseOf },
  'a cell of a file': { most: TEXT, read: (text) => unguard(guard(text)) },
  'a cell with several values': { most: TEXT, read: severalIn },
  'the lines of a ticket': { most: PRINTED, read: (text) => breakLines(text, 60, wide) },
  'the pieces of a line': { most: PRINTED, read: piecesOf },
  'a shortened line': { most: PRINTED, read: (text) => shorten(text, 60, wide) },
  'a password': { most: TEXT, read: isCommon },
  'a host': { most: TEXT, read: hostName },
  'an address to deliver to': { most: TEXT, read: readTarget },
  'a time': { most: TEXT, read: isTimestamp },
  'a time zone': { most: TEXT, read: isTimezone },
  'a language': { most: TEXT, read: (text) => localeOf(text, 'UTC') },
  'Accept-Language of a visitor': { most: HEADER_ROOM, read: (text) => wantedLanguage(text, text) },
  'Accept-Language of a member': { most: HEADER_ROOM, read: preferredLanguage },
  'Accept-Encoding': { most: HEADER_ROOM, read: encodings },
  Cookie: { most: HEADER_ROOM, read: (text) => cookie(text, 'turnout_session') },
  'User-Agent': { most: HEADER_ROOM, read: browserOf },
  'X-Scanner-Version': { most: HEADER_ROOM, read: (text) => isOlder(text, '1.0.0') },
  'a network address': { most: HEADER_ROOM, read: canonical },
  ...Object.fromEntries(
    Object.entries(FORMATS).map(([name, { is }]) => [`the format ${name}`, { most: TEXT, read: is }]),
  ),
};

/** What texts are made of: the words of the abuse test, and what separates the parts of headers and forms. */
const UNITS: string[] = [
  ...Object.values(WORDS).map((word) => JSON.parse(`"${word}"`) as string),
  ...[
    'a&',
    '+&',
    'a=b;',
    ';',
    '=',
    'a,',
    'a;q=0.1,',
    'a-',
    '1.',
    '::',
    '[',
    '日本語',
    '「日',
    '日本「',
    'ก็',
    '١٢',
    '\u202e',
  ],
  ...['a ', 'aa  ', '\t\n', 'xn--', '..', '/../', '\u0345\u0301', 'Ǆ', '\u{1d15e}', '\u{e0041}'],
];
const ofLength = (unit: string, length: number): string =>
  unit.repeat(Math.ceil(length / unit.length)).slice(0, length);

describe('a text of any kind is read in proportion to its length', () => {
  test.each(Object.entries(READERS))('%s', (_name, { most, read }) => {
    const slow = UNITS.filter((unit) =>
      growsFasterThanInput((size) => {
        try {
          read(ofLength(unit, size));
        } catch {
          // refused, which takes time as well
        }
      }, most),
    );
    expect(slow).toEqual([]);
  });

  test('a reader that compares all parts with each other is found', () => {
    const pairs = (text: string) => text.split('&').filter((part, i, all) => all.indexOf(part, i + 1) > i + 1).length;
    const distinct = (size: number) => Array.from({ length: size / 4 }, (_, i) => i).join('&');
    expect(growsFasterThanInput((size) => pairs(distinct(size)), TEXT * 2)).toBe(true);
  });
});

describe('a request is read in proportion to its length', () => {
  let t: TestTurnout;
  let key: string;
  let abuser: Abuser;
  beforeAll(async () => {
    t = await startTest({ env: { TRUSTED_PROXIES: '127.0.0.1' } });
    await t.org('acme');
    await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
    key = (await t.key('acme')).secret;
    const api = (path: string, body: object = {}) => t.call('POST', `/v1${path}`, { key, body });
    await api('/events', { code: 'fair', name: 'Fair' });
    await api('/events/fair/days', { code: 'd1', date: '2099-05-01' });
    await api('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    await api('/events/fair/publish');
    abuser = new Abuser(t.url, 60_000);
  });
  afterAll(async () => {
    await abuser?.close();
    await t?.stop();
  });

  let address = 0;
  async function cost(method: string, path: string, headers: Record<string, string>, body: string | null = null) {
    // Each comes from another address, so that the limits for one do not hide what a request costs.
    address += 1;
    const from = { 'x-forwarded-for': `198.51.${(address >> 8) & 255}.${address & 255}` };
    try {
      await abuser.send({ method, path, headers: { ...from, ...headers }, body });
    } catch (error) {
      // The server need not read what is too large to its end.
      if (!/EPIPE|ECONNRESET|other side closed/.test(String(error))) throw error;
    }
  }

  /** The names of those that are not, of texts of any size. */
  async function slowOf(
    texts: readonly { name: string; fill: (size: number) => string }[],
    size: number,
    send: (text: string) => Promise<void>,
  ): Promise<string[]> {
    const slow: string[] = [];
    await send(texts[0]!.fill(1000)); // the first one compiles and prepares what the others use
    for (const { name, fill } of texts) {
      const made = new Map<number, string>();
      const text = (length: number) => made.get(length) ?? made.set(length, fill(length)).get(length)!;
      if (await requestGrowsFasterThanInput((length) => send(text(length)), size)) slow.push(name);
    }
    return slow;
  }

  const FORMS = ['/o/nobody/my', '/o/acme/my', '/o/acme/fair/register', '/links/unsubscribe/a'];
  test.each(FORMS)('a form that is sent to %s', async (url) => {
    const headers = { 'content-type': FORM_TYPE, 'sec-fetch-site': 'same-origin' };
    expect(await slowOf(BAD_FORM_BODIES, 250_000, (payload) => cost('POST', url, headers, payload))).toEqual([]);
  });

  const ADDRESSES = [
    '/v1/events',
    '/o/acme',
    '/o/acme/fair',
    '/o/acme/fair/register',
    '/app/-/oidc/callback',
    '/nowhere',
  ];
  test.each(ADDRESSES)('a query of %s', async (url) => {
    const headers = { authorization: `Bearer ${key}` };
    const send = (query: string) => cost('GET', `${url}?${query}`, headers);
    expect(await slowOf(BAD_FORM_BODIES, HEADER_ROOM, send)).toEqual([]);
  });

  const JSON_ADDRESSES = ['/v1/groups', '/app/api/-/sign-in/password', '/api/v1/devices/pair', '/mcp'];
  test.each(JSON_ADDRESSES)('JSON that is sent to %s', async (url) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'sec-fetch-site': 'same-origin',
    };
    const shapes = shapesOfAll({});
    expect(await slowOf(shapes, 250_000, (payload) => cost('POST', url, headers, payload))).toEqual([]);
  });

  const HEADERS = [
    'cookie',
    'accept-language',
    'accept-encoding',
    'if-none-match',
    'user-agent',
    'authorization',
    'host',
  ];
  const OTHERS = [
    'x-forwarded-for',
    'x-service-client',
    'x-scanner-version',
    'content-type',
    'origin',
    'idempotency-key',
  ];
  const LISTS = [
    'a=b; ',
    ';',
    '=',
    'a,',
    'gzip;q=0.1,',
    'de-x-a;q=0.1,',
    'W/"a", ',
    '1.1.1.1,',
    'a/b;',
    '"',
    ' ',
    'Bearer ',
    '::1,',
  ];
  test.each([...HEADERS, ...OTHERS])('the header %s', async (name) => {
    const texts = LISTS.map((unit) => ({ name: unit, fill: (size: number) => repeated(unit, size) }));
    for (const url of ['/o/acme/fair', '/v1/me']) {
      const send = (text: string) => cost('GET', url, { authorization: `Bearer ${key}`, [name]: text });
      expect(await slowOf(texts, HEADER_ROOM, send)).toEqual([]);
    }
  });
});
