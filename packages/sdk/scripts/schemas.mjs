// The text of packages/sdk/src/generated/schemas.ts: a type for each schema of the OpenAPI document and for the query of each list,
// and what each webhook carries.
import { key, TypeText } from '../../client/scripts/type-text.mjs';
import { comment, HEAD } from './text.mjs';

const nameOf = (reference) => reference.split('/').at(-1);

/** Types of a document: a reference is the name of a type, and fields have their descriptions as comments. */
export class DocumentTypes extends TypeText {
  constructor() {
    super([]);
    this.depth = 0;
  }

  of(schema) {
    return schema.$ref === undefined ? this.shape(schema) : nameOf(schema.$ref);
  }

  shape(schema) {
    if (schema.allOf !== undefined) return schema.allOf.map((one) => this.of(one)).join(' & ');
    return super.shape(schema);
  }

  object(schema) {
    if (Object.keys(schema.properties ?? {}).length === 0) return super.object(schema);
    return `{\n${this.fields(schema)}${'  '.repeat(this.depth)}}`;
  }

  fields(schema) {
    const required = new Set(schema.required ?? []);
    this.depth += 1;
    const indent = '  '.repeat(this.depth);
    const lines = Object.entries(schema.properties).map(([name, field]) => {
      const about = comment([field.description ?? '', ...(field.deprecated === true ? ['@deprecated'] : [])], indent);
      // `undefined` is not sent, so a program may also give it where a field may be left out.
      return required.has(name)
        ? `${about}${indent}${key(name)}: ${this.of(field)};\n`
        : `${about}${indent}${key(name)}?: ${this.of(field)} | undefined;\n`;
    });
    this.depth -= 1;
    return lines.join('');
  }

  declaration(name, schema, about = schema.description) {
    const plain = schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0;
    const head = comment([about ?? ''], '');
    if (plain) return `${head}export interface ${name} {\n${this.fields(schema)}}\n`;
    return `${head}export type ${name} = ${this.of(schema)};\n`;
  }
}

/** @param {object} document @param {import('./operations.mjs').Operation[]} operations */
export function schemasText(document, operations) {
  const types = new DocumentTypes();
  const declared = Object.entries(document.components.schemas).map(([name, schema]) => types.declaration(name, schema));
  const queries = operations
    .filter(({ query }) => query !== null)
    .map(({ query, clientName }) => types.declaration(query.name, query.schema, `The query of \`${clientName}\`.`));
  const carried = Object.entries(document.webhooks).map(([type, { post }]) => {
    const [, own] = post.requestBody.content['application/json'].schema.allOf;
    return `  '${type}': ${types.of(own.properties.data).replaceAll('\n', '\n  ')};\n`;
  });
  return [
    HEAD,
    ...declared,
    ...queries,
    `/** What each type of webhook carries as \`data\`. */\nexport interface Payloads {\n${carried.join('')}}\n`,
  ].join('\n');
}
