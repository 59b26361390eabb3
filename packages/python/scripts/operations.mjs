// The operations of the document as methods: what each takes, in Python's spelling.
import { camel, literal, safe, snake } from './text.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
/** Arguments that every method has. No operation may have a field of that name. */
const OPTIONS = ['idempotency_key', 'timeout', 'max_retries'];
/** With these a walk over changes would not be in the order of changes, or they are its own business. */
const NOT_IN_CHANGES = ['cursor', 'include', 'updated_since', 'order', 'search'];

export function operationsOf(document, types) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method] !== undefined).map((method) =>
      describe(document, types, { path, method, item, operation: item[method] }),
    ),
  );
}

const HOSTS = { '{base_url}': 'api', '{scanner_url}/api/v1': 'scanner', '{public_url}': 'public' };

function describe(document, types, { path, method, item, operation }) {
  const [resource, verb] = operation['x-client-name'].split('.');
  const context = { name: camel(resource) + camel(verb), sent: true, prefix: 'types.', list: 'builtins.list' };
  const servers = (operation.servers ?? item.servers ?? document.servers).map(({ url }) => HOSTS[url]);
  const parameters = (operation.parameters ?? []).map((one) => resolve(document, one));
  const content = operation.requestBody?.content ?? {};
  const json = content['application/json']?.schema;
  const body = json === undefined ? undefined : resolve(document, json);
  const file = Object.keys(content).find((media) => media.startsWith('image/') || media === 'text/csv');
  const query = parameters.filter((one) => one.in === 'query').map((one) => queryArgument(types, one, body, context));
  const fields = file === undefined ? bodyArguments(types, body, json, context) : [];
  const described = {
    resource: snake(resource),
    method: safe(snake(verb)),
    constant: `_${snake(verb).toUpperCase()}`,
    http: method.toUpperCase(),
    path,
    name: `${snake(resource)}.${safe(snake(verb))}`,
    summary: operation.summary,
    description: operation.description,
    about: document.tags.find(({ name }) => name === operation.tags[0])?.description,
    host: servers[0],
    onScanner: servers.length > 1 && servers.includes('scanner'),
    keyless: operation.security?.length === 0,
    path_arguments: parameters
      .filter((one) => one.in === 'path')
      .map((one) => ({ argument: safe(one.name), type: 'str', about: one.description })),
    query,
    fields,
    hasBody: body !== undefined && file === undefined,
    bodyRequired: operation.requestBody?.required === true,
    file: file === undefined ? undefined : file === 'text/csv' ? 'csv' : 'picture',
    reply: replyOf(document, types, operation),
  };
  described.changes =
    described.reply.page && query.some(({ field }) => field === 'updated_since')
      ? query.filter(({ field }) => !NOT_IN_CHANGES.includes(field))
      : undefined;
  const taken = [...query, ...fields].find(({ argument }) => OPTIONS.includes(argument) || argument === 'since');
  if (taken !== undefined && (OPTIONS.includes(taken.argument) || described.changes !== undefined))
    throw new Error(`${operation.operationId}: its ${taken.argument} is also an option of every call.`);
  return described;
}

function resolve(document, node) {
  if (node.$ref === undefined) return node;
  return node.$ref
    .slice(2)
    .split('/')
    .reduce((at, part) => at[part], document);
}

function queryArgument(types, parameter, body, context) {
  // Where a file is sent, what would be an object in a body is JSON in a parameter. Callers pass the object.
  const asBody = body?.properties?.[parameter.name];
  const schema = asBody?.type === 'object' ? asBody : parameter.schema;
  const type = types.of(schema, { ...context, name: context.name + camel(parameter.name) });
  return {
    field: parameter.name,
    argument: safe(parameter.name),
    type: parameter.required ? type : `${type} | None`,
    initial: parameter.required ? undefined : 'None',
    about: parameter.description,
  };
}

function bodyArguments(types, body, json, context) {
  if (body === undefined) return [];
  const name = json.$ref.slice(json.$ref.lastIndexOf('/') + 1);
  return Object.entries(body.properties).map(([field, schema]) => {
    const type = types.of(schema, { ...context, name: name + camel(field) });
    const required = (body.required ?? []).includes(field);
    return {
      field,
      argument: safe(field),
      type: required ? type : `${type} | Omit`,
      initial: required ? undefined : 'OMIT',
      about: schema.description,
    };
  });
}

function replyOf(document, types, operation) {
  const [, answer] = Object.entries(operation.responses).find(([status]) => status.startsWith('2'));
  const formats = Object.entries(answer.content ?? {});
  if (formats.length > 1) throw new Error(`${operation.operationId} answers in several formats.`);
  if (formats.length === 0) return { kind: 'none', type: 'None', page: false };
  const [media, { schema }] = formats[0];
  if (media !== 'application/json') return { kind: 'bytes', type: 'bytes', page: false };
  const { properties } = resolve(document, schema);
  const page = properties.page?.$ref === '#/components/schemas/PageInfo';
  const type = types.of(page ? properties.data.items : schema, {
    name: camel(operation.operationId),
    prefix: 'types.',
  });
  return { kind: 'json', type, page };
}

/** `Operation("days.list", "GET", "/events/{event}/days")`, with what is not usual about it. */
export function constantText({ constant, name, http, path, host, onScanner, keyless, reply }) {
  const unusual = [
    ...(reply.kind === 'json' ? [] : [`reply=${literal(reply.kind)}`]),
    ...(host === 'api' ? [] : [`host=${literal(host)}`]),
    ...(onScanner ? ['on_scanner=True'] : []),
    ...(keyless ? ['keyless=True'] : []),
  ];
  const values = [literal(name), literal(http), literal(path), ...unusual].join(', ');
  return `${constant}: Operation[${reply.type}] = Operation(${values})`;
}
