import type { ReferenceKind } from '@turnout/contract';
import type { Pools } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document, read as the JSON that it is
type Json = any;

/** After these calls the object cannot be used again, so each needs one of its own. */
const USES_UP = /(^|\/)(erase|cancel|archive|close|void|decline|reissue|move)$/;
const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/**
 * The published document with the ids of real objects: every path names objects that exist, and every reference in a body is one of
 * them or anything else that the schema allows. Operations of the scanner host get a prefix, because a run has only one address.
 */
export function withRealIds(document: Json, pools: Pools, codes: readonly string[]): Json {
  const copy = structuredClone(document);
  const paths: Json = {};
  for (const [path, item] of Object.entries<Json>(copy.paths)) {
    for (const method of METHODS) {
      const operation = item[method];
      if (operation === undefined) continue;
      const url: string = operation.servers?.[0]?.url ?? '{base_url}';
      delete operation.servers;
      const usesUp = method === 'delete' || USES_UP.test(path);
      operation.parameters = parametersOf(copy, item, operation, (kind, last) => {
        const pool = pools[kind];
        return pool === undefined ? [] : usesUp && last ? pool.spend : pool.stay;
      });
      const prefix = url.startsWith('{scanner_url}') ? '/api/v1' : '/v1';
      paths[prefix + path] = { ...paths[prefix + path], [method]: operation };
    }
  }
  copy.paths = paths;
  copy.servers = [{ url: '/' }];
  for (const schema of Object.values<Json>(copy.components.schemas)) offer(schema, pools, codes);
  for (const operation of Object.values<Json>(paths).flatMap((item) => Object.values<Json>(item))) {
    for (const media of Object.values<Json>(operation.requestBody?.content ?? {})) offer(media.schema, pools, codes);
  }
  return copy;
}

function parametersOf(
  document: Json,
  item: Json,
  operation: Json,
  idsOf: (kind: ReferenceKind, last: boolean) => string[],
): Json[] {
  const parameters: Json[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((one) =>
    structuredClone(one.$ref === undefined ? one : at(document, one.$ref)),
  );
  const inPath = parameters.filter((one) => one.in === 'path');
  for (const parameter of parameters) {
    const kind = parameter.schema?.['x-reference'];
    if (kind === undefined) continue;
    const ids = idsOf(kind, parameter === inPath.at(-1));
    if (ids.length > 0) parameter.schema = { type: 'string', enum: ids };
    delete parameter.example;
  }
  return parameters;
}

const at = (document: Json, pointer: string): Json =>
  pointer
    .slice(2)
    .split('/')
    .reduce((node, name) => node[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);

/** References in bodies: half of them name objects that exist. */
function offer(node: Json, pools: Pools, codes: readonly string[]): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [name, child] of Object.entries<Json>(node)) {
    if (typeof child !== 'object' || child === null) continue;
    const kind = child['x-reference'] as ReferenceKind | undefined;
    const real = kind === undefined ? (isTicketCode(name, child) ? codes : []) : (pools[kind]?.stay ?? []);
    if (real.length > 0 && !('anyOf' in child)) {
      const { description, ...plain } = child;
      node[name] = { description, anyOf: [{ type: 'string', enum: [...real] }, plain] };
    } else offer(child, pools, codes);
  }
}

const isTicketCode = (name: string, schema: Json): boolean =>
  name === 'code' && /read from the ticket|ticket code/i.test(schema.description ?? '');
