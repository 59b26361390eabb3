import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Attendee, Batch, Envelope } from '@turnout/sdk';

export const readJsonLines = <T>(file: string): T[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as T);

/** Writes a file so that it is there completely or as it was before, whenever the program is killed. */
function write(file: string, content: unknown): void {
  const handle = openSync(`${file}.new`, 'w');
  writeSync(handle, JSON.stringify(content));
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
}

/** What the file holds, or what `make` gives, which is then stored. */
export async function storedOnce<T>(folder: string, name: string, make: () => PromiseLike<T>): Promise<T> {
  const file = join(folder, name);
  if (!existsSync(file)) write(file, await make());
  return JSON.parse(readFileSync(file, 'utf8')) as T;
}

/** The copy of all attendees, and how far it goes. Both are in one file, so that they always belong together. */
export class People {
  readonly #file: string;
  #content: { since?: string; people: Record<string, Attendee> } = { people: {} };

  constructor(folder: string) {
    this.#file = join(folder, 'people.json');
    if (existsSync(this.#file)) this.#content = JSON.parse(readFileSync(this.#file, 'utf8'));
  }

  get since(): string | undefined {
    return this.#content.since;
  }

  take({ items, since }: Batch<Attendee>): void {
    const changed = Object.fromEntries(items.map((attendee) => [attendee.id, attendee]));
    this.#content = { since, people: { ...this.#content.people, ...changed } };
    write(this.#file, this.#content);
  }
}

/** The envelopes that were handled. Here, handling one is to write its line. */
export class Envelopes {
  readonly #file: number;
  readonly #handled: Set<string>;

  constructor(folder: string) {
    const file = join(folder, 'envelopes.jsonl');
    appendFileSync(file, '');
    // A line without its end was cut off by a kill; its envelope comes again.
    const bytes = readFileSync(file);
    truncateSync(file, bytes.lastIndexOf('\n') + 1);
    this.#handled = new Set(readJsonLines<Envelope>(file).map(({ id }) => id));
    this.#file = openSync(file, 'a');
  }

  handle({ id, type, created_at }: Envelope): void {
    if (this.#handled.has(id)) return;
    writeSync(this.#file, `${JSON.stringify({ id, type, created_at })}\n`);
    fsyncSync(this.#file);
    this.#handled.add(id);
  }
}
