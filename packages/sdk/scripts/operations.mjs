// What the client library needs to know of each operation, read from the OpenAPI document.
import { capital } from './text.mjs';

/** The answer that a document's reference stands for. */
export function resolve(document, given) {
  let found = given;
  while (found.$ref !== undefined) {
    found = found.$ref
      .slice(2)
      .split('/')
      .reduce((at, part) => at[part], document);
  }
  return found;
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * @typedef {object} Operation
 * @property {string} resource as in `turnout.registrations`
 * @property {string} name as in `create`
 * @property {string} clientName as in `registrations.create`
 */

/** @returns {Operation[]} */
export function operationsOf(document) {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => read(document, path, method, item)),
  );
}

function read(document, path, method, item) {
  const declared = item[method];
  const parameters = (declared.parameters ?? []).map((one) => resolve(document, one));
  const clientName = declared['x-client-name'];
  const [resource, name] = clientName.split('.');
  const query = queryOf(parameters, `${capital(resource)}${capital(name)}Query`);
  const answer = answerOf(document, declared);
  return {
    resource,
    name,
    clientName,
    path,
    method: method.toUpperCase(),
    summary: declared.summary,
    description: declared.description ?? '',
    codes: codesOf(document, declared),
    places: parameters.filter((one) => one.in === 'path'),
    query,
    body: bodyOf(declared),
    ...answer,
    paged: query !== null && 'cursor' in query.schema.properties && answer.item !== null,
    followed: query !== null && 'updated_since' in query.schema.properties,
    host: hostOf(declared.servers ?? item.servers ?? document.servers),
    keyless: declared.security !== undefined && declared.security.length === 0,
  };
}

function queryOf(parameters, name) {
  const inQuery = parameters.filter((one) => one.in === 'query');
  if (inQuery.length === 0) return null;
  const properties = Object.fromEntries(
    inQuery.map((one) => [one.name, { ...one.schema, description: one.description ?? one.schema.description }]),
  );
  const required = inQuery.filter((one) => one.required === true).map((one) => one.name);
  return { name, schema: { type: 'object', properties, required }, required: required.length > 0 };
}

/** A body of JSON, a file, or either of them. */
function bodyOf({ requestBody }) {
  if (requestBody === undefined) return null;
  const { 'application/json': json, 'multipart/form-data': _form, ...files } = requestBody.content;
  return { json: json?.schema ?? null, files: Object.keys(files), required: requestBody.required === true };
}

function answerOf(document, { responses }) {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const content = Object.entries(resolve(document, success).content ?? {});
  if (content.length === 0) return { reply: null, bytes: false, item: null };
  const [[type, { schema }]] = content;
  if (type !== 'application/json') return { reply: null, bytes: true, item: null };
  const { properties } = resolve(document, schema);
  const item = properties?.page?.$ref?.endsWith('/PageInfo') ? properties.data.items : null;
  return { reply: schema, bytes: false, item };
}

function hostOf(servers) {
  const urls = servers.map(({ url }) => url);
  if (urls.includes('{base_url}')) return 'api';
  return urls[0].startsWith('{scanner_url}') ? 'scanner' : 'public';
}

/** The refusal codes of an operation with their statuses. */
function codesOf(document, { responses }) {
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, response]) => {
      const { examples, example } = resolve(document, response).content['application/json'];
      const shown =
        examples === undefined ? [example] : Object.values(examples).map((one) => resolve(document, one).value);
      return shown.map(({ error }) => ({ code: error.code, status: Number(status), message: error.message }));
    });
}
