/**
 * Finds what generators of clients (openapi-typescript, openapi-generator, oapi-codegen) have trouble with in an OpenAPI document.
 * Each check returns sentences that say where the trouble is.
 */
// biome-ignore lint/suspicious/noExplicitAny: a document is read here, not typed
type Any = any;

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];
const operationsOf = (document: Any): { name: string; operation: Any }[] =>
  Object.entries<Any>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation: item[method],
    })),
  );
const resolve = (document: Any, node: Any): Any =>
  node?.$ref === undefined
    ? node
    : resolve(
        document,
        node.$ref
          .slice(2)
          .split('/')
          .reduce((at: Any, part: string) => at?.[part.replaceAll('~1', '/').replaceAll('~0', '~')], document),
      );

/** All bodies of requests, answers and webhooks. `sent`: a client sends it. */
function bodiesOf(document: Any): { where: string; media: string; content: Any; sent: boolean }[] {
  const found: { where: string; media: string; content: Any; sent: boolean }[] = [];
  const add = (where: string, of: Any, sent: boolean) => {
    for (const [media, content] of Object.entries<Any>(resolve(document, of)?.content ?? {})) {
      found.push({ where, media, content, sent });
    }
  };
  for (const { name, operation } of operationsOf(document)) {
    add(`${name}, body`, operation.requestBody, true);
    for (const [status, response] of Object.entries(operation.responses)) add(`${name}, ${status}`, response, false);
  }
  for (const [type, item] of Object.entries<Any>(document.webhooks ?? {})) {
    add(`webhook ${type}`, item.post.requestBody, false);
  }
  return found;
}

/** Enumerations in answers: a client would fail when a value is added. One with a single value names a format and may stay. */
export function closedWords(document: Any): string[] {
  const found = new Set<string>();
  const seen = new Set<Any>();
  const walk = (node: Any, at: string): void => {
    if (typeof node !== 'object' || node === null || seen.has(node)) return;
    seen.add(node);
    const target = resolve(document, node);
    if (target !== node) {
      walk(target, node.$ref.split('/').at(-1));
      return;
    }
    if (Array.isArray(node.enum) && node.enum.filter((value: unknown) => typeof value === 'string').length > 1) {
      found.add(`${at}: its words are closed`);
    }
    for (const [key, child] of Object.entries(node.properties ?? {})) walk(child, `${at}.${key}`);
    for (const key of ['items', 'additionalProperties']) walk(node[key], `${at}[]`);
    for (const key of ['anyOf', 'oneOf', 'allOf']) for (const branch of node[key] ?? []) walk(branch, at);
  };
  for (const { where, content, sent } of bodiesOf(document)) if (!sent) walk(content.schema, where);
  return [...found];
}

/** Names of classes that languages already have. */
const TAKEN = new Set(['error', 'exception', 'object', 'response', 'request', 'map', 'list', 'set', 'date', 'file']);
/** What generators append to an operationId to name a type. */
const MADE = ['Response', 'Request', 'Params', 'JSONBody', 'JSONRequestBody'];

/** Names that collide once a generator puts all components into one namespace and spells them alike. */
export function sharedNames(document: Any): string[] {
  const plain = (name: string) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const owners = new Map<string, string[]>();
  const own = (name: string, owner: string) => owners.set(plain(name), [...(owners.get(plain(name)) ?? []), owner]);
  for (const kind of ['schemas', 'parameters', 'responses', 'headers']) {
    for (const name of Object.keys(document.components[kind] ?? {})) own(name, `${kind}/${name}`);
  }
  for (const { operation } of operationsOf(document)) {
    for (const suffix of MADE) own(`${operation.operationId}${suffix}`, `what is made of ${operation.operationId}`);
  }
  return [...owners].flatMap(([name, all]) => {
    if (all.length > 1) return [`${all.join(' and ')} have one name`];
    return TAKEN.has(name) ? [`${all[0]} is called like a class of many languages`] : [];
  });
}

/** Bodies without a schema, and JSON whose schema has no name: generators invent a name, a different one in each version. */
export const unnamed = (document: Any): string[] =>
  bodiesOf(document).flatMap(({ where, media, content }) => {
    if (content.schema === undefined) return [`${where}: ${media} has no schema`];
    const named = content.schema.$ref !== undefined || where.startsWith('webhook ') || media !== 'application/json';
    return named ? [] : [`${where}: its schema has no name`];
  });

/** Lists of anything. */
export function untyped(document: Any): string[] {
  const found: string[] = [];
  for (const [name, schema] of Object.entries<Any>(document.components.schemas)) {
    const walk = (node: Any, at: string): void => {
      if (typeof node !== 'object' || node === null || node.$ref !== undefined) return;
      if (
        node.type === 'array' &&
        !['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((key) => key in (node.items ?? {}))
      ) {
        found.push(`${at}: is a list of anything`);
      }
      for (const [key, child] of Object.entries(node.properties ?? {})) walk(child, `${at}.${key}`);
      walk(node.items, `${at}[]`);
    };
    walk(schema, name);
  }
  return found;
}

/** JSON bodies and answers without an example. */
export const withoutExample = (document: Any): string[] =>
  bodiesOf(document)
    .filter(({ media, content }) => media === 'application/json' && !('example' in content || 'examples' in content))
    .map(({ where }) => `${where}: has no example`);

/** Operations that a key may call and that are missing at the one address that a generated client knows. */
export const notFound = (document: Any): string[] =>
  operationsOf(document)
    .filter(({ operation }) => operation.servers !== undefined && operation.servers[0].url !== document.servers[0].url)
    .filter(({ operation }) => (operation.security ?? document.security).some((one: Any) => 'apiKey' in one))
    .map(({ name }) => `${name}: is on another address first`);

/** Parameters of an operation, by name. */
export const parametersOf = (document: Any, operation: Any): Any[] =>
  (operation.parameters ?? []).map((one: Any) => resolve(document, one));
