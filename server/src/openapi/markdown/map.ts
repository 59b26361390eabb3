import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Method, Operation } from '../../road/operation.ts';
import { PAIRING } from '../pairing.ts';
import { TAGS } from '../tags.ts';
import { RULES } from './rules.ts';
import { GENERATED, row, table } from './table.ts';

export interface Source {
  /** From the root of the repository. */
  path: string;
  text: string;
}

/** The contract's own table of endpoints, in its order. */
const ENDPOINTS: readonly (readonly [Method, string])[] = [
  ['GET', '/me'],
  ['GET', '/events'],
  ['POST', '/events/{event_id}/registrations'],
  ['POST', '/events/{event_id}/registrations/{id}/attendees'],
  ['GET', '/events/{event}/attendees'],
  ['POST', '/events/{event}/scan'],
  ['POST', '/events/{event}/scan/batch'],
  ['GET', '/events/{event}/scan/manifest'],
  ['GET', '/events/{event}/scan/roster'],
  ['GET', '/events/{event}/checkins'],
  ['POST', '/checkins/{id}/override'],
  ['POST', '/devices/pair'],
  ['POST', '/events/{event_id}/imports'],
  ['POST', '/exports'],
  ['GET', '/jobs/{id}'],
  ['POST', '/webhooks'],
  ['GET', '/webhooks/{id}/deliveries'],
  ['POST', '/webhooks/deliveries/{id}/replay'],
];

/** Pairing a device needs no credential, so it is not an operation on the road. */
const PAIRED_IN = 'server/src/areas/scanning/pair-page.ts';

/** docs/reference/map.md: leads from each section of the contract to the operations and the files that declare them. */
export function mapPage(operations: readonly Operation[], sources: readonly Source[], root: string): string {
  const link = (path: string) => `[${path}](../../${path})`;
  const place = (operation: Operation) => link(declaredIn(operation.id, sources));

  const shape = (path: string) => path.replaceAll(/\{\w+\}/g, '{}');
  const endpoints = ENDPOINTS.map(([method, path]) => {
    const found = operations.find((one) => one.method === method && shape(one.path) === shape(path));
    if (found !== undefined) return row([`${method} \`${path}\``, `\`${found.id}\``, place(found)]);
    if (path !== PAIRING.path)
      throw new Error(`server/src/openapi/markdown/map.ts names ${method} ${path}, and no operation declares it`);
    return row([`${method} \`${path}\``, `\`${PAIRING.id}\``, link(PAIRED_IN)]);
  });

  const order = (tag: string) => TAGS.findIndex((one) => one.name === tag);
  const byTag = [...Map.groupBy(operations, (operation) => operation.tag)].sort(([a], [b]) => order(a) - order(b));
  const parts = byTag.flatMap(([tag, members]) =>
    members.map((operation) =>
      row([
        TAGS.find((one) => one.name === tag)?.section ?? '',
        tag,
        `\`${operation.id}\``,
        `${operation.method} \`${operation.path}\``,
        place(operation),
      ]),
    ),
  );

  const rules = RULES.map(([section, rule, ...files]) => {
    for (const file of files) {
      if (!existsSync(join(root, file)))
        throw new Error(`server/src/openapi/markdown/rules.ts names ${file}, which does not exist`);
    }
    return row([section, rule, files.map(link).join(', ')]);
  });

  return `# From the contract to the code

${GENERATED}

## The contract's endpoints

${table(['Endpoint', 'Operation', 'Declared in'], endpoints)}

## Every operation, by section

${table(['Section of the contract', 'Area', 'Operation', 'Call', 'Declared in'], parts)}

## Rules that apply to all operations

${table(['Section of the contract', 'Rule', 'Kept in'], rules)}
`;
}

/**
 * The file that declares an operation: the one that contains its id, or a template that makes it (\`\${verb}Event\`). If several
 * templates fit, the one with the most fixed letters wins.
 */
export function declaredIn(id: string, sources: readonly Source[]): string {
  const literal = sources.find(({ text }) => text.includes(`id: '${id}'`));
  if (literal !== undefined) return literal.path;
  const templates = sources.flatMap(({ path, text }) =>
    [...text.matchAll(/\bid: `([^`]+)`/g)].map((match) => ({ path, letters: match[1]!.split(/\$\{[^}]*\}/) })),
  );
  const fitting = templates
    .filter(({ letters }) => new RegExp(`^${letters.join('\\w+')}$`).test(id))
    .sort((a, b) => b.letters.join('').length - a.letters.join('').length);
  if (fitting[0] === undefined) throw new Error(`no file declares the operation ${id}`);
  return fitting[0].path;
}
