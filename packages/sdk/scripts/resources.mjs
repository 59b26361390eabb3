// The text of packages/sdk/src/generated/resources.ts: a class for each resource, with a method for each operation.
import { DocumentTypes } from './schemas.mjs';
import { capital, comment, errorClass, HEAD } from './text.mjs';

/** A code that most operations may answer with is described once, in the README, and not at every method. */
const COMMON = 0.35;

export function resourcesText(document, operations) {
  const writer = new Writer(document, operations);
  const resources = Map.groupBy(operations, ({ resource }) => resource);
  const classes = [...resources].map(([resource, methods]) => {
    const text = methods.map((one) => writer.method(one)).join('\n');
    return `/** \`turnout.${resource}\` */\nexport class ${classOf(resource)} extends Resource {\n${text}}\n`;
  });
  return [
    HEAD,
    "import type { FileBody } from '../body.ts';",
    "import type { Call, CallOptions } from '../call.ts';",
    "import type { Changes, ChangesOptions, ChangesQuery } from '../changes.ts';",
    "import type { PageCall } from '../page.ts';",
    "import { path, Resource } from '../resource.ts';",
    `import type {\n${[...writer.used]
      .sort()
      .map((one) => `  ${one},\n`)
      .join('')}} from './schemas.ts';\n`,
    ...classes,
  ].join('\n');
}

/** `RegistrationsResource` holds the operations of `turnout.registrations`. */
const classOf = (resource) => `${capital(resource)}Resource`;

class Writer {
  constructor(document, operations) {
    this.types = new DocumentTypes();
    this.used = new Set();
    this.names = new Set(Object.keys(document.components.schemas));
    const counts = new Map();
    for (const { codes } of operations) {
      for (const code of new Set(codes.map((one) => one.code))) counts.set(code, (counts.get(code) ?? 0) + 1);
    }
    this.common = new Set([...counts].filter(([, count]) => count > operations.length * COMMON).map(([code]) => code));
  }

  type(schema) {
    const text = this.types.of(schema);
    for (const name of text.match(/\b[A-Z]\w+/g) ?? []) if (this.names.has(name)) this.used.add(name);
    return text;
  }

  method(operation) {
    const { body, query, name, clientName, method, places, reply, bytes, item, paged, followed } = operation;
    if (query !== null) this.used.add(query.name);
    const address = `path\`${operation.path.replaceAll('{', '${')}\``;
    const ids = places.map((one) => `${one.name}: string`);
    const queryText = query === null ? [] : [`query${query.required ? '' : '?'}: ${query.name}`];
    const head = (options) => comment(this.about(operation, options), '  ');
    if (paged) {
      const listed = this.type(item);
      const list = `${head()}  ${name}(${[...ids, ...queryText, 'options?: CallOptions'].join(', ')}): PageCall<${listed}> {
    return this.$pages('${clientName}', ${address}, query, options);
  }\n`;
      if (!followed) return list;
      const changes = name === 'list' ? 'changes' : `changes${capital(name.replace(/^list/, ''))}`;
      return `${list}\n${comment(this.aboutChanges(operation, changes), '  ')}  ${changes}(${[...ids, `query?: ChangesQuery<${query.name}>`, 'options?: ChangesOptions'].join(', ')}): Changes<${listed}> {
    return this.$follow('${operation.resource}.${changes}', ${address}, query, options);
  }\n`;
    }
    const answered = bytes ? 'Uint8Array<ArrayBuffer>' : reply === null ? 'undefined' : this.type(reply);
    const both = body !== null && query !== null;
    const options = both ? `options?: CallOptions & { query?: ${query.name} | undefined }` : 'options?: CallOptions';
    const parameters = [...ids, ...this.bodyParameter(body), ...(both ? [] : queryText), options];
    const given = [
      ...(body === null ? [] : ['body']),
      ...(body !== null && body.files.length > 0 ? [`types: [${body.files.map((one) => `'${one}'`).join(', ')}]`] : []),
      ...(query === null ? [] : [both ? 'query: options?.query' : 'query']),
      ...(bytes ? ['bytes: true'] : []),
      ...(operation.host === 'api' ? [] : [`host: '${operation.host}'`]),
      ...(operation.keyless ? ['keyless: true'] : []),
    ];
    const what = given.length === 0 ? '{}' : `{ ${given.join(', ')} }`;
    return `${head()}  ${name}(${parameters.join(', ')}): Call<${answered}> {
    return this.$send('${clientName}', '${method}', ${address}, ${what}, options);
  }\n`;
  }

  bodyParameter(body) {
    if (body === null) return [];
    const kinds = [
      ...(body.json === null ? [] : [this.type(body.json)]),
      ...(body.files.length > 0 ? ['FileBody'] : []),
    ];
    return [`body${body.required ? '' : '?'}: ${kinds.join(' | ')}`];
  }

  about({ summary, description, codes, places }) {
    const own = [...new Set(codes.map(({ code }) => code))].filter((code) => !this.common.has(code));
    return [
      `${summary}.`,
      description,
      ...places.filter((one) => one.description !== undefined).map((one) => `@param ${one.name} ${one.description}`),
      ...(own.length === 0 ? [] : [`@throws ${own.map(errorClass).join(', ')}`]),
    ];
  }

  aboutChanges({ name, places, resource }, changes) {
    return [
      `Follow what changes in \`${name}\`, in batches: \`for await (const { items, since } of turnout.${resource}.${changes}(…))\`. Store \`since\` with the items of each batch, and begin with it the next time. No change is lost, and none is handed out twice.`,
      ...places.filter((one) => one.description !== undefined).map((one) => `@param ${one.name} ${one.description}`),
    ];
  }
}

/** The text of packages/sdk/src/generated/all.ts: all resources as fields of one class. */
export function allText(operations, written) {
  const resources = [...new Set(operations.map(({ resource }) => resource))].sort();
  const named = (resource) => written[resource]?.name ?? classOf(resource);
  const own = resources.filter((one) => written[one] !== undefined);
  const plain = resources.filter((one) => written[one] === undefined).map(classOf);
  return [
    HEAD,
    "import type { Caller } from '../caller.ts';",
    ...own.map((one) => `import { ${written[one].name} } from '${written[one].from}';`),
    `import {\n${plain.map((one) => `  ${one},\n`).join('')}} from './resources.ts';\n`,
    '/** All resources of the API. */',
    'export class Resources {',
    ...resources.map((one) => `  readonly ${one}: ${named(one)};`),
    '',
    '  constructor(caller: Caller) {',
    ...resources.map((one) => `    this.${one} = new ${named(one)}(caller);`),
    '  }',
    '}\n',
  ].join('\n');
}
