/** Reading what comes from outside: every fault is named with its path, all of them at once. */

export interface Problem {
  /** `check_in_points[3].policy.limit`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] };

export type Fields = Readonly<Record<string, unknown>>;

/** A value somewhere in the input, with the list that its faults go to. */
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

  /** Absent and null are the same, as in the API. */
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

  /** False, with a fault, when this is no object. */
  object(): boolean {
    if (isObject(this.value)) return true;
    this.fault('must be an object');
    return false;
  }

  /** The names of an object's fields, each readable where its field stands. */
  names(): readonly Reader[] {
    const names = isObject(this.value) ? Object.keys(this.value) : [];
    return names.map((name) => new Reader(name, this.field(name).path, this.#problems));
  }

  items(least = 0): readonly Reader[] {
    if (!Array.isArray(this.value)) {
      this.fault('must be a list');
      return [];
    }
    if (this.value.length < least) this.fault(`must hold at least ${least}`);
    return this.value.map((item: unknown, i) => new Reader(item, `${this.path}[${i}]`, this.#problems));
  }

  text(): string | null {
    if (typeof this.value === 'string' && this.value !== '') return this.value;
    this.fault('must be a text');
    return null;
  }

  /** The text, when `holds` of it. */
  textThat(holds: (text: string) => boolean, must: string): string | null {
    if (typeof this.value === 'string' && holds(this.value)) return this.value;
    this.fault(must);
    return null;
  }

  oneOf(words: readonly string[]): void {
    if (typeof this.value !== 'string' || !words.includes(this.value)) this.fault(`must be one of ${words.join(', ')}`);
  }

  whole(least: number): void {
    if (!Number.isSafeInteger(this.value) || (this.value as number) < least) {
      this.fault(`must be a whole number, at least ${least}`);
    }
  }

  flag(): void {
    if (typeof this.value !== 'boolean') this.fault('must be true or false');
  }

  /** A reference to something that `known` has, in any spelling of its code. */
  reference(known: ReadonlySet<string>, what: string): void {
    if (typeof this.value !== 'string') this.fault(`must be the code or id of one (${what})`);
    else if (!known.has(this.value.toLowerCase())) this.fault(`there is no ${what} ${this.value}`);
  }
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function parsed<T>(reader: Reader, value: () => T): Parsed<T> {
  return reader.problems.length === 0 ? { ok: true, value: value() } : { ok: false, problems: reader.problems };
}
