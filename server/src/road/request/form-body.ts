import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '../../common/refusal.ts';

/** What a form may hold at most. Both are checked before anything is known about who sent it. */
export interface FormLimits {
  fields: number;
  bytes: number;
}

/** For forms about several people, with answers and days for each of them. */
export const LARGE_FORM: FormLimits = { fields: 2000, bytes: 256 * 1024 };
/** For forms of a button and a field or two. */
export const SMALL_FORM: FormLimits = { fields: 20, bytes: 8 * 1024 };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the form that is sent to this address may hold; the usual limits of its pages if nothing is said. */
    form?: FormLimits;
  }
}

/** The fields of a form, each with one or several values. */
export class Fields {
  readonly #values = new Map<string, string[]>();

  get(name: string): string | null {
    return this.#values.get(name)?.[0] ?? null;
  }
  getAll(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }
  has(name: string): boolean {
    return this.#values.has(name);
  }
  append(name: string, value: string): void {
    const known = this.#values.get(name);
    if (known === undefined) this.#values.set(name, [value]);
    else known.push(value);
  }
  /** Every name, in the order in which it was sent first, with its values. */
  [Symbol.iterator](): Iterator<[string, readonly string[]]> {
    return this.#values.entries();
  }
}

/**
 * Takes the forms of browsers on the pages of this instance, and no other bodies. A route with larger forms says so in its
 * configuration: `{ config: { form: LARGE_FORM } }`.
 */
export function takeForms(app: FastifyInstance, usual: FormLimits): void {
  app.removeAllContentTypeParsers();
  app.addHook('onRoute', (route) => {
    route.bodyLimit ??= (route.config?.form ?? usual).bytes;
  });
  const read = async (request: FastifyRequest, text: string) =>
    readForm(text, (request.routeOptions.config.form ?? usual).fields);
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, read);
}

/**
 * Reads the text of a form. `URLSearchParams` is not used for texts from outside: in Node 24 its time grows with the square of the pairs
 * that have no `=`, and 1 MB of `a&a&a&…` took more than ten seconds (measured). This reads 1 MB of the worst texts in about 0.1 s (measured),
 * and the limits allow a quarter of that (form-body.test.ts).
 */
export function readForm(text: string, most: number): Fields {
  const pairs = text.split('&', most + 1);
  if (pairs.length > most) {
    throw new Refusal('payload_too_large', { message: `The form has more than ${most} fields.` });
  }
  const fields = new Fields();
  for (const pair of pairs) {
    if (pair === '') continue;
    const end = pair.indexOf('=');
    const name = end === -1 ? pair : pair.slice(0, end);
    fields.append(decoded(name), end === -1 ? '' : decoded(pair.slice(end + 1)));
  }
  return fields;
}

const PERCENT = 0x25;

/**
 * Decodes as the standard for URLs says: `+` is a space, and what is no valid encoding stays as it was sent. `decodeURIComponent` is not
 * used, because it throws at every such place, and 4,000 exceptions take longer than all the rest.
 */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced;
  const bytes = Buffer.from(spaced);
  let end = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] === PERCENT ? hexAt(bytes, at + 1) : -1;
    bytes[end] = byte === -1 ? bytes[at]! : byte;
    end += 1;
    if (byte !== -1) at += 2;
  }
  return bytes.toString('utf8', 0, end);
}

/** The byte that two hexadecimal digits stand for, or -1. */
function hexAt(bytes: Buffer, at: number): number {
  const high = digitOf(bytes[at]);
  const low = digitOf(bytes[at + 1]);
  return high === -1 || low === -1 ? -1 : high * 16 + low;
}

function digitOf(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20; // lower case
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}
