// Schemas of the OpenAPI document as types of Python. What an answer contains is a TypedDict, which is a plain dict at run time: nothing
// is parsed, so unknown fields are kept, and words that are added later do no harm.
import { camel, docstring, isPlain, literal } from './text.mjs';

const nameOf = (ref) => ref.slice(ref.lastIndexOf('/') + 1);

/** The names of all components that `node` leads to. */
function reached(schemas, node, found = new Set()) {
  if (typeof node !== 'object' || node === null) return found;
  if (typeof node.$ref === 'string') {
    const name = nameOf(node.$ref);
    if (!found.has(name) && schemas[name] !== undefined) {
      found.add(name);
      reached(schemas, schemas[name], found);
    }
    return found;
  }
  for (const [key, child] of Object.entries(node)) {
    if (key !== 'example' && key !== 'examples') reached(schemas, child, found);
  }
  return found;
}

export class Types {
  constructor(document) {
    this.schemas = document.components.schemas;
    const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
    const shown = new Set();
    for (const operation of operations) reached(this.schemas, operation.responses, shown);
    reached(this.schemas, document.components.responses, shown);
    reached(this.schemas, document.webhooks, shown);
    /** Components that are sent and never received. In these, times may also be given as objects of `datetime`. */
    this.sent = new Set(Object.keys(this.schemas).filter((name) => !shown.has(name)));
    /** The text of each class or alias, by name. */
    this.declared = new Map();
    for (const [name, schema] of Object.entries(this.schemas)) this.declare(name, schema, this.sent.has(name));
  }

  /** `prefix` stands before the names of other types: `types.` outside of types.py. */
  of(schema, { name, sent = false, prefix = '', list = 'list' }) {
    const inside = (child, part) => this.of(child, { name: name + camel(part), sent, prefix, list });
    if (schema.$ref !== undefined) return prefix + nameOf(schema.$ref);
    if (schema.allOf !== undefined) return prefix + this.declare(name, schema, sent);
    if (schema.anyOf !== undefined) return union(schema.anyOf.map((one) => inside(one, '')));
    if (schema.enum !== undefined || schema.const !== undefined) {
      return `Literal[${(schema.enum ?? [schema.const]).map(literal).join(', ')}]`;
    }
    const kinds = [schema.type ?? 'any'].flat();
    return union(
      kinds.map((kind) => {
        if (kind === 'null') return 'None';
        if (kind === 'any') return 'Any';
        if (kind === 'integer') return 'int';
        if (kind === 'number') return 'float';
        if (kind === 'boolean') return 'bool';
        if (kind === 'array') return `${list}[${inside(schema.items ?? {}, 'Item')}]`;
        if (kind === 'object') {
          if (schema.properties !== undefined) return prefix + this.declare(name, schema, sent);
          return `dict[str, ${inside(schema.additionalProperties || {}, 'Value')}]`;
        }
        if (schema['x-extensible-enum'] !== undefined) {
          return `Literal[${schema['x-extensible-enum'].map(literal).join(', ')}] | str`;
        }
        if (sent && schema.format === 'date-time') return 'str | _dt.datetime';
        if (sent && schema.format === 'date') return 'str | _dt.date';
        if (sent && schema.format === 'uuid') return 'str | _uuid.UUID';
        return 'str';
      }),
    );
  }

  declare(name, schema, sent) {
    if (this.declared.has(name)) {
      const { from } = this.declared.get(name);
      if (from !== schema) throw new Error(`Two schemas would be called ${name} in Python.`);
      return name;
    }
    const entry = { from: schema, text: '' };
    this.declared.set(name, entry);
    if (schema.properties === undefined && schema.allOf === undefined) {
      entry.text = `${name}: TypeAlias = "${this.of(schema, { name, sent })}"`;
    } else entry.text = this.typedDict(name, schema, sent);
    return name;
  }

  typedDict(name, schema, sent) {
    const bases = (schema.allOf ?? []).flatMap((part) => (part.$ref === undefined ? [] : [nameOf(part.$ref)]));
    const parts = schema.allOf === undefined ? [schema] : schema.allOf.filter((part) => part.$ref === undefined);
    const fields = parts.flatMap(({ properties = {}, required = [] }) =>
      Object.entries(properties).map(([field, child]) => {
        const type = this.of(child, { name: name + camel(field), sent });
        return { field, type: required.includes(field) ? type : `NotRequired[${type}]`, about: child.description };
      }),
    );
    if (fields.some(({ field }) => !isPlain(field))) {
      const entries = fields.map(({ field, type }) => `        ${literal(field)}: ${literal(type)},`);
      return [`${name} = TypedDict(`, `    ${literal(name)},`, '    {', ...entries, '    },', ')'].join('\n');
    }
    const lines = [`class ${name}(${bases.length === 0 ? 'TypedDict' : bases.join(', ')}):`];
    if (schema.description !== undefined) lines.push(...docstring([schema.description], '    '), '');
    if (fields.length === 0) lines.push('    pass');
    for (const { field, type, about } of fields) {
      lines.push(`    ${field}: ${type}`);
      // Editors show a string below a field as its description.
      if (about !== undefined) lines.push(...docstring([about], '    '));
    }
    return lines.join('\n');
  }

  /** The text of types.py. A class that another one inherits from comes before it. */
  text(head) {
    const names = [...this.declared.keys()].sort();
    const all = names.map((name) => `    ${literal(name)},`);
    const inherits = (name) => this.declared.get(name).from.allOf !== undefined;
    const ordered = [...names.filter((name) => !inherits(name)), ...names.filter(inherits)];
    return [
      head,
      ...docstring(
        ['The objects of API v1. Each is a plain dict at run time. New fields and new words may be added at any time.'],
        '',
      ),
      '',
      'from __future__ import annotations',
      '',
      'import datetime as _dt',
      'import sys',
      'import uuid as _uuid',
      'from typing import Any, Literal',
      '',
      'if sys.version_info >= (3, 11):',
      '    from typing import NotRequired, TypeAlias, TypedDict',
      'else:',
      '    from typing_extensions import NotRequired, TypeAlias, TypedDict',
      '',
      '__all__ = [',
      ...all,
      ']',
      '',
      '',
      ordered.map((name) => this.declared.get(name).text).join('\n\n\n'),
      '',
    ].join('\n');
  }
}

const union = (types) => [...new Set(types)].join(' | ');
