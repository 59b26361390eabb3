import { type Fill, repeated } from './json.ts';

/** Files for the import of people that are hard to read; these are the bytes of a file, not JSON. */
export interface BadFile {
  name: string;
  fill: Fill;
}

const HEAD = 'First name,Last name,Email,Phone,Notes\n';
const file = (name: string, unit: string, head = HEAD, end = ''): BadFile => ({
  name,
  fill: (bytes) => head + repeated(unit, bytes - Buffer.byteLength(head) - Buffer.byteLength(end)) + end,
});

export const BAD_FILES: readonly BadFile[] = [
  file('stray quotes', 'a"b,"c"d,\n'),
  file('quotes that open in every cell', '"a,'),
  file('quotes only', '"'),
  file('quotes and line breaks', '"\n'),
  file('a quote that never closes', 'x', `${HEAD}"`),
  file('line breaks only', '\n', ''),
  file('carriage returns only', '\r'),
  file('separators only', ','),
  file('every separator', ',;\t|'),
  file('one cell', 'x'),
  file('one heading', 'h', ''),
  file('headings only', 'h,', ''),
  file('headings that are quoted', '"h",', ''),
  file('rows with too many cells', `${'a,'.repeat(500)}\n`),
  file('rows of one name', 'A,B\n'),
  file('rows that are all rejected', ',,no address,,x\n'),
  file('people with long notes', `Ada,Byron,,,${'n'.repeat(20_000)}\n`),
  file('U+0000', '\u0000,'),
  file('four-byte characters', '😀,😀\n'),
  file('combining marks', 'a\u0301\u0301\u0301\u0301,b\n'),
  file('dates', '1/2/3,4.5.6,7-8-9\n', 'Date of birth,First name,Last name\n'),
  file('days without end', 'A,B,a;b|c,d;\n', 'First name,Last name,Days\n'),
  file('formulas', '=1+1;=2,@x,-3\n'),
  file('the beginning of UTF-16', 'a\u0000', '\ufeff'),
];

const BOUNDARY = 'abuse';
const part = (headers: string, content: string): string => `--${BOUNDARY}\r\n${headers}\r\n\r\n${content}\r\n`;
const END = `--${BOUNDARY}--\r\n`;
const FILE = part('Content-Disposition: form-data; name="file"; filename="a.csv"', 'First name,Last name\nAda,Byron\n');

export const FORM = `multipart/form-data; boundary=${BOUNDARY}`;

/** Multipart forms that are hard to parse. */
export const BAD_FORMS: readonly BadFile[] = [
  {
    name: 'many small parts',
    fill: (bytes) => repeated(part('Content-Disposition: form-data; name="a"', '1'), bytes - END.length) + END,
  },
  { name: 'many files', fill: (bytes) => repeated(FILE, bytes - END.length) + END },
  {
    name: 'parts without a name',
    fill: (bytes) =>
      FILE + repeated(part('Content-Disposition: form-data', '1'), bytes - FILE.length - END.length) + END,
  },
  { name: 'parts without headers', fill: (bytes) => repeated(part('', '1'), bytes - END.length) + END },
  {
    name: 'a part with long headers',
    fill: (bytes) =>
      part(`Content-Disposition: form-data; name="a"\r\nX: ${repeated('x', bytes - 200)}`, '1') + FILE + END,
  },
  {
    name: 'a part with many headers',
    fill: (bytes) =>
      part(`Content-Disposition: form-data; name="a"${repeated('\r\nX: y', bytes - 200)}`, '1') + FILE + END,
  },
  {
    name: 'a long name',
    fill: (bytes) =>
      part(`Content-Disposition: form-data; name="${repeated('n', Math.min(bytes, 60_000))}"`, '1') + FILE + END,
  },
  {
    name: 'a long file name',
    fill: (bytes) =>
      part(
        `Content-Disposition: form-data; name="file"; filename="${repeated('../', Math.min(bytes, 12_000))}"`,
        'First name,Last name\nAda,Byron\n',
      ) + END,
  },
  {
    name: 'a long field',
    fill: (bytes) => part('Content-Disposition: form-data; name="mapping"', repeated('[', bytes - 300)) + FILE + END,
  },
  {
    name: 'a mapping of many keys',
    fill: (bytes) =>
      part(
        'Content-Disposition: form-data; name="mapping"',
        `{${repeated('"h":"ignore",', Math.min(bytes, 90_000))}"h":"ignore"}`,
      ) +
      FILE +
      END,
  },
  {
    name: 'a mapping that is nested',
    fill: (bytes) =>
      part('Content-Disposition: form-data; name="mapping"', repeated('{"a":', Math.min(bytes, 90_000))) + FILE + END,
  },
  {
    name: 'what almost ends it',
    fill: (bytes) =>
      part(
        'Content-Disposition: form-data; name="file"; filename="a.csv"',
        repeated(`\r\n--${BOUNDARY.slice(0, -1)}`, bytes - 300),
      ) + END,
  },
  {
    name: 'no end',
    fill: (bytes) =>
      part('Content-Disposition: form-data; name="file"; filename="a.csv"', repeated('a,b\n', bytes - 300)),
  },
  { name: 'nothing but hyphens', fill: (bytes) => repeated('-', bytes) },
];
