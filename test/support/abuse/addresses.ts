import type { TSchema } from 'typebox';
import { type JsonSchema, meant } from './fields.ts';
import { distinctFields } from './forms.ts';
import { repeated } from './json.ts';

/** Node accepts 16 KiB of request line and headers; this much of it is left for the bad part. */
export const HEADER_ROOM = 14_000;

/** A bad value for one part of an address, already percent-encoded. */
export interface Bad {
  name: string;
  value: string;
}

const long = (name: string, unit: string, bytes = HEADER_ROOM): Bad => ({ name, value: repeated(unit, bytes) });

/** Values that are nobody's id or code. */
export const BAD_REFERENCES: readonly Bad[] = [
  long('long', 'x'),
  long('as long as may be', 'x', 500),
  long('long, of four-byte characters', '%F0%9F%98%80'),
  long('long, of slashes', '%2F..'),
  long('U+0000', 'a%00', 60),
  long('a combining mark on nothing', '%CC%81', 60),
  long('hyphens', '-', 36),
  long('quotes', '%27%22', 60),
  long('wildcards', '%25_', 60),
  { name: 'half a character', value: '%F0%9F' },
  { name: 'half a surrogate pair', value: '%ED%A0%80' },
  { name: 'a lone percent sign', value: '%' },
  { name: 'a space', value: '%20' },
  { name: 'an id that is too large', value: `8${'Z'.repeat(25)}` },
  { name: 'the largest id', value: `7${'Z'.repeat(25)}` },
  { name: 'the smallest id', value: '0'.repeat(26) },
  { name: 'a UUID', value: 'ffffffff-ffff-ffff-ffff-ffffffffffff' },
  { name: '__proto__', value: '__proto__' },
];

/** The earliest and latest times that can be written, and times beyond them. */
const BAD_TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '0099-12-31T23:59:59Z',
  '9999-12-31T23:59:59.999999999Z',
  '9999-12-31T23:59:59-14:59',
  '0001-01-01T00:00:00%2B14:59',
  '2026-02-30T00:00:00Z',
  '2026-11-15T24:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  'infinity',
  'now',
];

const BAD_VALUES: readonly Bad[] = [
  { name: 'empty', value: '' },
  long('long', 'x'),
  long('long, of digits', '9'),
  long('long, of four-byte characters', '%F0%9F%98%80'),
  long('long, of combining marks', 'a%CC%81%CC%81'),
  long('long, of marks in the wrong order', '%CC%95%CC%80'),
  long('long, of what grows when it is normalised', '%EF%B7%BA'),
  long('long, of plus signs and ampersands', '+%26'),
  long('long, of spaces', '+'),
  long('long, of percent signs', '%25'),
  long('U+0000', 'a%00', 60),
  { name: 'half a character', value: '%F0%9F' },
  { name: 'half a surrogate pair', value: '%ED%A0%80' },
  { name: 'a broken escape', value: '%ZZ' },
  { name: 'too large a number', value: '1e400' },
  { name: 'a number of 200 digits', value: '9'.repeat(200) },
  { name: 'a negative number', value: '-1' },
  { name: 'not a number', value: 'NaN' },
  { name: 'an object', value: '%7B%22a%22%3A1%7D' },
  { name: 'a list', value: '%5B1%5D' },
];

/** Texts of the greatest length that a parameter allows, so that they pass the schema and reach the search. */
const SEARCHED = [
  '%25',
  '_',
  '%5C',
  '%27',
  '%F0%9F%98%80',
  '%C4%B0',
  '%CC%81',
  '%CC%95%CC%80',
  '%EF%B7%BA',
  '%EF%AC%83',
  '%ED%9E%A3',
  '%CE%90',
  '+',
  'a+',
  '%2A',
  '%E2%80%8B',
  '(',
  '%3A%26%21',
];

/** Query strings that are bad for this operation. */
export function badQueries(schema: TSchema | undefined, valid: Record<string, string>): Bad[] {
  const rest = new URLSearchParams(valid).toString();
  const query = (name: string, text: string): Bad => ({ name, value: rest === '' ? text : `${rest}&${text}` });
  const bad: Bad[] = [
    query('1,500 unknown parameters', repeated('a&b=&', 7500)),
    query('7,000 names without a value', repeated('a&', HEADER_ROOM)),
    query('7,000 plus signs', repeated('+&', HEADER_ROOM)),
    query('names that all differ', distinctFields((i) => `k${i}`)(HEADER_ROOM)),
    query('parameters without a name', repeated('=&', HEADER_ROOM)),
    query('a parameter with a long name', `${'n'.repeat(HEADER_ROOM)}=1`),
    query('prototypes', repeated('__proto__=1&constructor=2&', HEADER_ROOM)),
    query('brackets', repeated('a[a][]=1&', HEADER_ROOM)),
  ];
  for (const [name, given] of Object.entries((schema as JsonSchema | undefined)?.properties ?? {})) {
    const node = meant(given);
    const values: Bad[] = [
      ...BAD_VALUES,
      ...(/timestamp|date/.test(node.format ?? '') ? BAD_TIMES.map((value) => ({ name: value, value })) : []),
      ...(node.type === 'string' && node.maxLength !== undefined && node.format === undefined
        ? SEARCHED.map((unit) => ({
            name: `as long as may be, of ${unit}`,
            value: unit.repeat(Math.min(node.maxLength!, 1000)).slice(0, HEADER_ROOM).replace(/%.?$/, ''),
          }))
        : []),
    ];
    for (const { name: kind, value } of values) bad.push(query(`${name}: ${kind}`, `${name}=${value}`));
    bad.push(query(`${name}: again and again`, repeated(`${name}=1&`, HEADER_ROOM)));
    bad.push(query(`${name}: as a list`, `${name}[]=1&${name}[0]=2&${name}[a]=3`));
  }
  return bad;
}

/** Forged cursors. Where there is a real one, they begin with its mark. */
export function forgedCursors(real: string | null): Bad[] {
  const encode = (value: unknown): string =>
    Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
  const parts =
    real === null ? ['00000000', '', ''] : (JSON.parse(Buffer.from(real, 'base64url').toString()) as string[]);
  const [mark, ...key] = parts;
  const forged: Bad[] = [
    { name: 'nothing', value: encode('null') },
    { name: 'a number', value: encode('1e400') },
    { name: 'an object', value: encode('{"length":3}') },
    { name: 'nested lists', value: encode('['.repeat(700) + ']'.repeat(700)) },
    { name: 'too few parts', value: encode([mark]) },
    { name: 'too many parts', value: encode([mark, ...key, ...key, ...key]) },
    { name: 'not base64', value: '%F0%9F%98%80'.repeat(100) },
  ];
  for (const [name, part] of [
    ['a bad date', '2026-99-99T99:99:99Z'],
    ['a date of 30 February', '2026-02-30T00:00:00Z'],
    ['a date with two points', '2026-01-01T00:00..:Z'],
    ['a date of many digits', `2026-01-01T00:00:00.${'9'.repeat(500)}Z`],
    ['the year 0000', '0000-00-00T00:00:00Z'],
    ['the last instant', '9999-12-31T23:59:60.999999Z'],
    ['hyphens', '-'.repeat(36)],
    ['hyphens among digits', `${'f-'.repeat(18)}`],
    ['too long', 'f'.repeat(599)],
    ['U+0000', '\u0000'],
    ['half a surrogate pair', '\ud800'],
    ['a quote', "'"],
    ['empty', ''],
  ] as const) {
    for (let i = 0; i < key.length; i += 1) {
      forged.push({
        name: `${name} as part ${i + 1}`,
        value: encode([mark, ...key.map((own, k) => (k === i ? part : own))]),
      });
    }
    if (key.length > 1) forged.push({ name: `${name} in every part`, value: encode([mark, ...key.map(() => part)]) });
  }
  return forged.map(({ name, value }) => ({ name: `cursor: ${name}`, value }));
}

/** Headers that are bad for any operation. */
export const BAD_HEADERS: readonly { name: string; headers: Record<string, string> }[] = [
  { name: 'a long Idempotency-Key', headers: { 'idempotency-key': 'k'.repeat(HEADER_ROOM) } },
  { name: 'an Idempotency-Key of bytes above ASCII', headers: { 'idempotency-key': 'é'.repeat(100) } },
  { name: 'an empty Idempotency-Key', headers: { 'idempotency-key': '' } },
  { name: 'a long X-Service-Client', headers: { 'x-service-client': 'c'.repeat(HEADER_ROOM) } },
  { name: 'an X-Service-Client of bytes above ASCII', headers: { 'x-service-client': 'ÿ'.repeat(90) } },
  { name: 'a long X-Scanner-Version', headers: { 'x-scanner-version': repeated('1.', HEADER_ROOM) } },
  { name: 'an X-Scanner-Version of digits', headers: { 'x-scanner-version': '9'.repeat(HEADER_ROOM) } },
  { name: 'a long If-None-Match', headers: { 'if-none-match': repeated('W/"a", ', HEADER_ROOM) } },
  { name: 'a long Authorization', headers: { authorization: `Bearer ${'s'.repeat(HEADER_ROOM)}` } },
  { name: 'an Authorization of spaces', headers: { authorization: `Bearer${' '.repeat(8000)}x` } },
  { name: 'an Authorization like a device’s', headers: { authorization: `Bearer svc_device_${'s'.repeat(8000)}` } },
  { name: 'a long Cookie', headers: { cookie: repeated('a=b; ', HEADER_ROOM) } },
  { name: 'a Cookie of semicolons', headers: { cookie: ';'.repeat(HEADER_ROOM) } },
  { name: 'a Cookie of equals signs', headers: { cookie: '='.repeat(HEADER_ROOM) } },
  {
    name: 'a Cookie with the session again and again',
    headers: { cookie: repeated('turnout_session=a;', HEADER_ROOM) },
  },
  { name: 'a long Accept-Language', headers: { 'accept-language': repeated('de-x-a;q=0.1,', HEADER_ROOM) } },
  { name: 'an Accept-Language of hyphens', headers: { 'accept-language': repeated('a-', HEADER_ROOM) } },
  { name: 'a long User-Agent', headers: { 'user-agent': repeated('Mozilla/5.0 (X; ', HEADER_ROOM) } },
  { name: 'a long Forwarded', headers: { forwarded: repeated('for="[::1]";by=a,', HEADER_ROOM) } },
  { name: 'a long If-Match', headers: { 'if-match': repeated('"a",', HEADER_ROOM) } },
  { name: 'a long Origin', headers: { origin: `https://${repeated('a.', HEADER_ROOM)}` } },
  { name: 'a long Referer', headers: { referer: `https://a/${repeated('%41', HEADER_ROOM)}` } },
  { name: 'a long Accept-Encoding', headers: { 'accept-encoding': repeated('gzip;q=0.1,', HEADER_ROOM) } },
  { name: 'a long X-Forwarded-For', headers: { 'x-forwarded-for': repeated('1.1.1.1,', HEADER_ROOM) } },
  {
    name: '700 headers',
    headers: Object.fromEntries(Array.from({ length: 700 }, (_, i) => [`x-header-${i}`, '1'])),
  },
];

/** Headers that are bad for calls with a body. */
export const BAD_CONTENT_TYPES: readonly { name: string; type: string }[] = [
  { name: 'a long parameter', type: `application/json; a=${'a'.repeat(HEADER_ROOM)}` },
  { name: 'many parameters', type: `application/json${repeated('; a=b', HEADER_ROOM)}` },
  { name: 'many plus signs', type: `application/${repeated('a+', HEADER_ROOM)}jso` },
  { name: 'many slashes', type: repeated('a/', HEADER_ROOM) },
  { name: 'a quote without an end', type: `application/json; charset="${'u'.repeat(8000)}` },
  { name: 'a form with a long boundary', type: `multipart/form-data; boundary=${'b'.repeat(HEADER_ROOM)}` },
  { name: 'a form without a boundary', type: 'multipart/form-data' },
  { name: 'a file', type: 'text/csv; charset=utf-7' },
];
