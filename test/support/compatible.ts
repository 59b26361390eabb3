import { CODE_PATTERN, ULID_PATTERN } from '@turnout/contract';

/**
 * What a newer OpenAPI document has lost compared with an older one (contract, Versioning: a field or an operation is never removed
 * from v1, and none changes its meaning). If it is empty, every client written for the older document still works.
 *
 * It compares what the documents mean, not how they are written: a schema may move into a component and back.
 */
type Json = Record<string, unknown>;
type Direction = 'request' | 'response';
const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

export function losses(before: Json, after: Json): string[] {
  const comparison = new Comparison(before, after);
  for (const [path, item] of Object.entries((before.paths ?? {}) as Record<string, Json>)) {
    for (const method of METHODS.filter((name) => name in item)) {
      const now = (after.paths as Record<string, Json> | undefined)?.[path]?.[method];
      const name = `${method.toUpperCase()} ${path}`;
      if (now === undefined) comparison.found.push(`${name}: the operation is gone`);
      else comparison.operation(name, item[method] as Json, now as Json);
    }
  }
  for (const [type, item] of Object.entries((before.webhooks ?? {}) as Record<string, Json>)) {
    const now = (after.webhooks as Record<string, Json> | undefined)?.[type];
    if (now === undefined) comparison.found.push(`webhook ${type}: is gone`);
    else comparison.webhook(`webhook ${type}`, item.post as Json, now.post as Json);
  }
  return [...new Set(comparison.found)];
}

class Comparison {
  found: string[] = [];
  readonly #before: Json;
  readonly #after: Json;
  /** Pairs of schemas that are being compared: ends the recursion for a schema that contains itself. */
  readonly #open = new Map<Json, Set<Json>>();

  constructor(before: Json, after: Json) {
    this.#before = before;
    this.#after = after;
  }

  operation(name: string, before: Json, after: Json): void {
    for (const [what, key] of [
      ['its operationId', 'operationId'],
      ['the scope it needs', 'x-scope'],
    ] as const) {
      if (before[key] !== after[key]) this.#say(name, `${what} changed from ${before[key]} to ${after[key]}`);
    }
    const urls = (one: Json, root: Json) => list(one.servers ?? root.servers).map((server) => String(server.url));
    for (const url of urls(before, this.#before)) {
      if (!urls(after, this.#after).includes(url)) this.#say(name, `is no longer on ${url}`);
    }
    this.#parameters(name, before, after);
    this.#body(name, before, after);
    this.#responses(name, before, after);
  }

  /** Webhooks: to their receivers, a body is what an answer is to a caller. */
  webhook(name: string, before: Json, after: Json): void {
    const body = (one: Json) => (one.requestBody ?? {}) as Json;
    this.#content(name, 'response', this.#was(body(before)), this.#is(body(after)));
  }

  #parameters(name: string, before: Json, after: Json): void {
    const key = (one: Json) => `${one.in} parameter ${one.name}`;
    const old = new Map(
      list(before.parameters)
        .map((one) => this.#was(one))
        .map((one) => [key(one), one]),
    );
    const now = new Map(
      list(after.parameters)
        .map((one) => this.#is(one))
        .map((one) => [key(one), one]),
    );
    for (const [what, one] of old) {
      const other = now.get(what);
      if (other === undefined) this.#say(name, `${what} is gone`);
      else this.#schema(`${name}, ${what}`, 'request', one.schema as Json, other.schema as Json);
    }
    for (const [what, one] of now) {
      if (one.required === true && old.get(what)?.required !== true) this.#say(name, `${what} became required`);
    }
  }

  #body(name: string, before: Json, after: Json): void {
    const old = this.#was((before.requestBody ?? {}) as Json);
    const now = this.#is((after.requestBody ?? {}) as Json);
    if (now.required === true && old.required !== true) this.#say(name, 'the body became required');
    this.#content(`${name}, body`, 'request', old, now);
  }

  #responses(name: string, before: Json, after: Json): void {
    for (const [status, response] of Object.entries((before.responses ?? {}) as Record<string, Json>)) {
      const old = this.#was(response);
      const other = (after.responses as Record<string, Json> | undefined)?.[status];
      if (other === undefined) {
        // A refusal that no longer happens is no loss, but a successful answer is.
        if (status.startsWith('2')) this.#say(name, `the answer ${status} is gone`);
        continue;
      }
      const now = this.#is(other);
      for (const header of Object.keys((old.headers ?? {}) as Json)) {
        if (!(header in ((now.headers ?? {}) as Json))) this.#say(name, `${status}: the header ${header} is gone`);
      }
      this.#content(`${name}, ${status}`, 'response', old, now);
    }
  }

  #content(where: string, direction: Direction, before: Json, after: Json): void {
    for (const [media, old] of Object.entries((before.content ?? {}) as Record<string, Json>)) {
      const now = (after.content as Record<string, Json> | undefined)?.[media];
      if (now === undefined) this.#say(where, `${media} is gone`);
      else this.#schema(where, direction, old.schema as Json, now.schema as Json);
    }
  }

  #schema(where: string, direction: Direction, oldSchema: Json | undefined, newSchema: Json | undefined): void {
    if (oldSchema === undefined || newSchema === undefined) return;
    const open = this.#open.get(oldSchema) ?? new Set();
    if (open.has(newSchema)) return;
    this.#open.set(oldSchema, open.add(newSchema));
    const before = this.#was(oldSchema);
    const after = this.#is(newSchema);
    this.#type(where, direction, before, after);
    this.#values(where, direction, before, after);
    this.#properties(where, direction, before, after);
    if (direction === 'request') this.#bounds(where, before, after);
    this.#schema(`${where}[]`, direction, before.items as Json | undefined, after.items as Json | undefined);
    this.#branches(where, direction, before, after);
    open.delete(newSchema);
  }

  #type(where: string, direction: Direction, before: Json, after: Json): void {
    const [old, now] = [types(before), types(after)];
    if (old === null && now === null) return;
    // A request may accept more types than before and an answer may have fewer, never the other way round.
    const lost = direction === 'request' ? missing(old, now) : missing(now, old);
    if (lost) this.#say(where, `the type changed from ${show(old)} to ${show(now)}`);
    else if (before.format !== after.format && after.format !== undefined) {
      this.#say(where, `the format changed from ${before.format ?? 'none'} to ${after.format}`);
    }
  }

  #values(where: string, direction: Direction, before: Json, after: Json): void {
    const old = wordsOf(before);
    const now = wordsOf(after);
    if (now === undefined) return;
    if (old === undefined) {
      if (direction === 'request') this.#say(where, 'takes only some values now');
      return;
    }
    for (const value of old) {
      if (!now.includes(value)) this.#say(where, `the value ${JSON.stringify(value)} is gone`);
    }
  }

  #properties(where: string, direction: Direction, before: Json, after: Json): void {
    const old = (before.properties ?? {}) as Record<string, Json>;
    const now = (after.properties ?? {}) as Record<string, Json>;
    const [oldRequired, nowRequired] = [list(before.required), list(after.required)] as unknown as [string[], string[]];
    for (const [name, schema] of Object.entries(old)) {
      if (!(name in now)) this.#say(where, `the field ${name} is gone`);
      else this.#schema(`${where}.${name}`, direction, schema, now[name]);
    }
    for (const name of nowRequired) {
      if (direction === 'request' && !oldRequired.includes(name)) this.#say(where, `the field ${name} became required`);
    }
    for (const name of oldRequired) {
      if (direction === 'response' && name in now && !nowRequired.includes(name)) {
        this.#say(where, `the field ${name} may be left out now`);
      }
    }
    const [oldRest, nowRest] = [before.additionalProperties, after.additionalProperties];
    if (isObject(oldRest) && isObject(nowRest)) this.#schema(`${where}.*`, direction, oldRest, nowRest);
  }

  #bounds(where: string, before: Json, after: Json): void {
    const tighter = (key: string, worse: (old: number, now: number) => boolean, none: number) => {
      if (typeof after[key] === 'number' && worse(Number(before[key] ?? none), after[key])) {
        this.#say(where, `${key} became ${after[key]} (was ${before[key] ?? 'none'})`);
      }
    };
    for (const key of ['minimum', 'minLength', 'minItems', 'minProperties']) {
      tighter(key, (old, now) => now > old, key === 'minimum' ? Number.NEGATIVE_INFINITY : 0);
    }
    for (const key of ['maximum', 'maxLength', 'maxItems', 'maxProperties']) {
      tighter(key, (old, now) => now < old, impliedMost(key, before));
    }
    if (after.pattern !== undefined && after.pattern !== before.pattern) this.#say(where, 'the pattern changed');
  }

  /** For each branch of the old schema, the new one must have a branch that has lost nothing. */
  #branches(where: string, direction: Direction, before: Json, after: Json): void {
    for (const key of ['anyOf', 'oneOf', 'allOf'] as const) {
      const now = list(after[key]);
      for (const [index, branch] of list(before[key]).entries()) {
        const tries = (now.length > 0 ? now : [after]).map((other) => {
          const kept = this.found;
          this.found = [];
          this.#schema(`${where} (${key} ${index + 1})`, direction, branch, other);
          const lost = this.found;
          this.found = kept;
          return lost;
        });
        const best = tries.sort((a, b) => a.length - b.length)[0]!;
        this.found.push(...best);
      }
    }
  }

  #say(where: string, what: string): void {
    this.found.push(`${where}: ${what}`);
  }

  #was = (node: Json): Json => resolve(this.#before, node);
  #is = (node: Json): Json => resolve(this.#after, node);
}

/** The values of an enumeration, or the known ones of an open enumeration. Whether null is allowed is a matter of the type. */
function wordsOf(schema: Json): unknown[] | undefined {
  const words = schema.enum ?? schema['x-extensible-enum'] ?? ('const' in schema ? [schema.const] : undefined);
  return (words as unknown[] | undefined)?.filter((word) => word !== null);
}
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;
const list = (value: unknown): Json[] => (Array.isArray(value) ? value : []);
const show = (types: string[] | null): string => (types === null ? 'any' : types.join(' or '));

/** The types of a schema; null if it allows any. Those of a union are in its branches. */
function types(schema: Json): string[] | null {
  if (schema.type === undefined) return null;
  return Array.isArray(schema.type) ? (schema.type as string[]) : [schema.type as string];
}

/** Whether one of `wanted` is missing from `offered`; an integer counts as a number. */
function missing(wanted: string[] | null, offered: string[] | null): boolean {
  if (offered === null) return false;
  if (wanted === null) return true;
  return wanted.some((type) => !offered.includes(type) && !(type === 'integer' && offered.includes('number')));
}

function resolve(document: Json, node: Json): Json {
  let at = node;
  for (let steps = 0; typeof at.$ref === 'string' && steps < 20; steps += 1) {
    let target: unknown = document;
    for (const part of at.$ref.slice(2).split('/')) {
      target = (target as Json | undefined)?.[part.replaceAll('~1', '/').replaceAll('~0', '~')];
    }
    if (!isObject(target)) return {};
    at = target;
  }
  return orNull(document, at);
}

/** "X or null" reads the same as a union and as `type: [x, null]`. */
function orNull(document: Json, node: Json): Json {
  const branches = list(node.anyOf);
  if (branches.length !== 2 || branches[1]!.type !== 'null') return node;
  const one = resolve(document, branches[0]!);
  const { anyOf: _, ...beside } = node;
  return { ...one, ...beside, ...(types(one) !== null && { type: [...types(one)!, 'null'] }) };
}

/** The greatest length of texts in these formats. A schema may add it as a limit without refusing anything that it accepted before. */
function impliedMost(key: string, schema: Json): number {
  const { format, pattern, uniqueItems, items } = schema as { [name: string]: unknown; items?: Json };
  if (key === 'maxLength')
    return MAX_LENGTHS[String(format)] ?? MAX_LENGTHS[String(pattern)] ?? Number.POSITIVE_INFINITY;
  const choices = key === 'maxItems' && uniqueItems === true ? items?.enum : undefined;
  return Array.isArray(choices) ? choices.length : Number.POSITIVE_INFINITY;
}
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  'date-time': 35, // nine decimals and an offset
  date: 10,
  uuid: 36,
  timezone: 32, // the longest name of a time zone
  [CODE_PATTERN]: 63,
  [ULID_PATTERN]: 26,
  '^[A-Z]{3}$': 3,
  '^[\\x21-\\x7e]{1,500}$': 500,
};
