/** Reads untrusted input, and reports all faults at once, each with its path. */

export interface Problem {
  /** Such as `check_in_points[3].policy.limit`; empty for the input as a whole. */
  readonly path: string;
  readonly message: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type Fields = Readonly<Record<string, unknown>>;

/** A value somewhere in the input, with its path and the list to which its faults are added. */
export class Reader {
  readonly path: string;
  readonly value: unknown;
  readonly #problems: Problem[];

  constructor(value: unknown, path = '', problems: Problem[] = []) {
    this.value = value;
    this.path = path;
    this.#problems = problems;
  }

  get problems(): readonly Problem[] {
    return this.#problems;
  }

  /** Null counts as absent, as in the API. */
  get missing(): boolean {
    return this.value === undefined || this.value === null;
  }

  fault(message: string): void {
    this.#problems.push({ path: this.path, message });
  }

  field(name: string): Reader {
    const fields = isObject(this.value) ? this.value : {};
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    return new Reader(value, this.path === '' ? name : `${this.path}.${name}`, this.#problems);
  }

  /** Whether this is an object; if not, that is a fault. */
  object(): boolean {
    if (isObject(this.value)) return true;
    this.fault('must be an object');
    return false;
  }

  /** The names of an object's fields, each as a reader with the path of its field. */
  names(): readonly Reader[] {
    const names = isObject(this.value) ? Object.keys(this.value) : [];
    return names.map((name) => new Reader(name, this.field(name).path, this.#problems));
  }

  items(least = 0): readonly Reader[] {
    if (!Array.isArray(this.value)) {
      this.fault('must be a list');
      return [];
    }
    if (this.value.length < least) this.fault(`must have at least ${least} ${least === 1 ? 'entry' : 'entries'}`);
    return this.value.map((item: unknown, i) => new Reader(item, `${this.path}[${i}]`, this.#problems));
  }

  text(): string | null {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    this.fault('must be a string that is not empty');
    return null;
  }

  /** The text if it passes `test`, else null and a fault. */
  textThat(test: (text: string) => boolean, message: string): string | null {
    if (typeof this.value === 'string' && test(this.value)) return this.value;
    this.fault(message);
    return null;
  }

  oneOf(words: readonly string[]): void {
    if (typeof this.value !== 'string' || !words.includes(this.value)) this.fault(`must be one of ${words.join(', ')}`);
  }

  whole(least: number): void {
    if (!Number.isSafeInteger(this.value) || (this.value as number) < least) {
      this.fault(`must be a whole number of at least ${least}`);
    }
  }

  flag(): void {
    if (typeof this.value !== 'boolean') this.fault('must be true or false');
  }

  /** Checks a reference: `known` holds codes and ids in lower case, and case does not matter. */
  reference(known: ReadonlySet<string>, what: string): void {
    if (typeof this.value !== 'string')
      this.fault(`must be the code or id of ${/^[aeiou]/.test(what) ? 'an' : 'a'} ${what}`);
    else if (!known.has(this.value.toLowerCase())) this.fault(`there is no ${what} ${this.value}`);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function resultOf<T>(reader: Reader, value: () => T): Parsed<T> {
  return reader.problems.length === 0 ? { ok: true, value: value() } : { ok: false, problems: reader.problems };
}
