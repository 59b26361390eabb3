import type { Outgoing } from './abuser.ts';
import { BAD_HEADERS, BAD_REFERENCES, badQueries } from './addresses.ts';
import type { Row } from './rows.ts';
import { shapesOfAll } from './shapes.ts';

/** A page that is served to anybody and is not an operation. Its path has `:name` for variable parts. */
export interface Page {
  method: 'GET' | 'POST';
  path: string;
  /** The largest body that it reads, in bytes. */
  limit?: number;
}

const MB = 1_048_576;

export function pageRows({ method, path, limit = MB }: Page): Row[] {
  const request = (more: Partial<Outgoing> = {}): Outgoing => ({
    method,
    path: path.replaceAll(/:\w+/g, 'a'),
    headers: {},
    body: null,
    ...more,
  });
  const small = (name: string, more: Partial<Outgoing>): Row => ({ name, large: false, request: () => request(more) });
  const rows = [
    ...badQueries(undefined, {}).map((bad) => small(`?${bad.name}`, { path: `${request().path}?${bad.value}` })),
    ...BAD_HEADERS.map(({ name, headers }) => small(name, { headers })),
  ];
  if (path.includes(':')) {
    rows.push(...BAD_REFERENCES.map((bad) => small(`:${bad.name}`, { path: path.replaceAll(/:\w+/g, bad.value) })));
  }
  if (method === 'POST') {
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain']) {
      const sizes = limit < MB ? [limit, MB] : [limit];
      for (const size of sizes) {
        rows.push(
          ...shapesOfAll({}).map(
            (shape): Row => ({
              name: `${type}: ${shape.name}, ${size} bytes`,
              large: true,
              tooLarge: size > limit,
              request: () => request({ headers: { 'content-type': type }, body: shape.fill(size) }),
            }),
          ),
        );
      }
    }
  }
  return rows;
}
