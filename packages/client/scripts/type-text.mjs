// The TypeScript text of a TypeBox schema. A schema that the contract exports by name is written once, under that name.

const FEW = 100;
export const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));
const literal = (value) =>
  typeof value === 'string' ? `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` : String(value);

export class TypeText {
  /** @param {Iterable<[string, object]>} named the schemas that the contract exports, by name */
  constructor(named) {
    this.byName = new Map(named);
    this.nameOf = new Map();
    // `Type.Optional` makes a copy of a schema, so it is recognized by its shape.
    for (const [name, schema] of [...this.byName].toReversed()) this.nameOf.set(JSON.stringify(schema), name);
    /** What was written so far. */
    this.declared = new Map();
  }

  /** The type of a schema: a name if the contract has one, else its text. */
  of(given) {
    const shape = given['x-shape'];
    const schema = shape === undefined ? given : (this.byName.get(shape) ?? given);
    const name = schema.type === 'object' || schema.anyOf ? this.nameOf.get(JSON.stringify(schema)) : undefined;
    if (name === undefined) return this.shape(schema);
    if (!this.declared.has(name)) {
      this.declared.set(name, '');
      this.declared.set(name, this.shape(schema));
    }
    return name;
  }

  shape(schema) {
    if (schema.const !== undefined) return literal(schema.const);
    if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
    const several = schema.anyOf ?? schema.oneOf;
    if (several !== undefined) return [...new Set(several.map((one) => this.of(one)))].join(' | ');
    if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${this.of(one)})`).join(' & ');
    if (Array.isArray(schema.type)) return schema.type.map((type) => this.shape({ ...schema, type })).join(' | ');
    switch (schema.type) {
      case 'string':
        return this.words(schema);
      case 'integer':
      case 'number':
        return 'number';
      case 'boolean':
        return 'boolean';
      case 'null':
        return 'null';
      case 'array':
        return this.array(schema);
      case 'object':
        return this.object(schema);
      default:
        return 'unknown';
    }
  }

  /** Words may be added to the answer later, so the list is open; an editor still offers the known ones. */
  words(schema) {
    const known = schema['x-extensible-enum'];
    return known === undefined || known.length > FEW ? 'string' : `${known.map(literal).join(' | ')} | (string & {})`;
  }

  array(schema) {
    if (Array.isArray(schema.items)) return `[${schema.items.map((one) => this.of(one)).join(', ')}]`;
    if (schema.items === undefined) return 'unknown[]';
    const item = this.of(schema.items);
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  }

  object(schema) {
    const fields = Object.entries(schema.properties ?? {});
    if (fields.length === 0) {
      const [value] = Object.values(schema.patternProperties ?? {});
      const rest = value ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
      if (rest !== undefined) return `Record<string, ${this.of(rest)}>`;
      return schema.additionalProperties === false ? 'Record<string, never>' : 'Record<string, unknown>';
    }
    const required = new Set(schema.required ?? []);
    const lines = fields.map(([name, field]) => {
      const about = field.deprecated === true ? '/** @deprecated */ ' : '';
      return `${about}${key(name)}${required.has(name) ? '' : '?'}: ${this.of(field)}`;
    });
    return `{ ${lines.join('; ')} }`;
  }
}
