import type { Answered, Outgoing } from './abuser.ts';
import { BAD_HEADERS, BAD_REFERENCES, badQueries } from './addresses.ts';
import { BAD_FORM_BODIES, FORM_TYPE } from './forms.ts';
import type { Row } from './rows.ts';
import { shapesOfAll } from './shapes.ts';
import { troublesOf } from './verdict.ts';

/** A page that is served to anybody and is not an operation. Its path has `:name` for variable parts. */
export interface Page {
  method: 'GET' | 'POST';
  path: string;
}

const MB = 1_048_576;
/** The largest form that is read, and one that is refused for its size. */
const FORM_SIZES = [250_000, MB];
/** What a page that only takes forms is sent as JSON, which it refuses unread. */
const NO_FORMS = ['a list of numbers', 'nested lists'];
let address = 0;
/** Each request comes from another address, so that the limits for one do not hide what a request costs. */
const stranger = (): Record<string, string> => {
  address += 1;
  return { 'x-forwarded-for': `198.51.${(address >> 8) & 255}.${address & 255}` };
};

/** What is wrong with the answer of a page. The apps are not built for tests, and say so. */
const troublesOfPage = (answer: Answered): string[] =>
  answer.status === 503 && answer.text.includes('is not built') ? [] : troublesOf(answer);

/** `values`: what stands in the variable parts; of what is not named, nothing exists. */
export function pageRows({ method, path }: Page, values: Readonly<Record<string, string>> = {}): Row[] {
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'a').replace('*', 'a');
  const request = ({ headers, ...more }: Partial<Outgoing> = {}): Outgoing => ({
    method,
    path: url,
    body: null,
    ...more,
    headers: { ...stranger(), ...headers },
  });
  const small = (name: string, more: Partial<Outgoing>): Row => ({ name, large: false, request: () => request(more) });
  const sent = (type: string, name: string, fill: (bytes: number) => string, size: number): Row => ({
    name: `${type}: ${name}, ${size} bytes`,
    large: true,
    tooLarge: true, // a page may read less than this
    request: () => request({ headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' }, body: fill(size) }),
  });
  const rows = [
    ...badQueries(undefined, {}).map((bad) => small(`?${bad.name}`, { path: `${url}?${bad.value}` })),
    ...BAD_HEADERS.map(({ name, headers }) => small(name, { headers })),
  ];
  if (path.includes(':')) {
    rows.push(...BAD_REFERENCES.map((bad) => small(`:${bad.name}`, { path: path.replaceAll(/:\w+/g, bad.value) })));
  }
  if (method === 'POST') {
    rows.push(
      ...BAD_FORM_BODIES.flatMap(({ name, fill }) => FORM_SIZES.map((size) => sent(FORM_TYPE, name, fill, size))),
      ...shapesOfAll({})
        .filter(({ name }) => !path.startsWith('/o/') || NO_FORMS.includes(name))
        .map(({ name, fill }) => sent('application/json', name, fill, MB)),
    );
  }
  return rows.map((row) => ({ ...row, troubles: troublesOfPage }));
}
