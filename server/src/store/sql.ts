/**
 * SQL reads as SQL: sql`select … where id = ${id}`. Values become parameters, nested fragments become text; nothing a
 * caller sends can become SQL. The text of a call site is always the same, so it is prepared once a connection under a
 * name made from it (named statements on hot paths). Where a caller chooses the text, by the fields that it sends or the filters
 * that it sets, it is not (`unprepared`): every text that was prepared stays in every connection, some 13 KB in PostgreSQL.
 */
export class Sql {
  readonly parts: readonly string[];
  readonly values: readonly unknown[];
  readonly prepared: boolean;
  constructor(parts: readonly string[], values: readonly unknown[], prepared = true) {
    this.parts = parts;
    this.values = values;
    this.prepared = prepared;
  }
  get text(): string {
    let text = this.parts[0]!;
    for (let i = 1; i < this.parts.length; i += 1) text += `$${i}${this.parts[i]}`;
    return text;
  }
}

export function sql(strings: TemplateStringsArray, ...given: unknown[]): Sql {
  if (!given.some((value) => value instanceof Sql)) return new Sql(strings, given);
  const parts: string[] = [strings[0]!];
  const values: unknown[] = [];
  let prepared = true;
  for (const [i, value] of given.entries()) {
    if (value instanceof Sql) {
      prepared &&= value.prepared;
      parts[parts.length - 1] += value.parts[0]!;
      for (let j = 1; j < value.parts.length; j += 1) {
        values.push(value.values[j - 1]);
        parts.push(value.parts[j]!);
      }
      parts[parts.length - 1] += strings[i + 1]!;
    } else {
      values.push(value);
      parts.push(strings[i + 1]!);
    }
  }
  return new Sql(parts, values, prepared);
}

/** One whose text a caller has a say in: nothing of it, nor of what it becomes a part of, stays in a connection. */
export const unprepared = (query: Sql): Sql => new Sql(query.parts, query.values, false);

/** A name of ours (table, column) from a closed set in the code, never from a caller. */
export const name = (identifier: string): Sql => {
  if (!/^[a-z_][a-z0-9_.]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`);
  return new Sql([identifier], []);
};

export const join = (fragments: readonly Sql[], separator: string): Sql => {
  let all = new Sql([''], []);
  for (const [i, fragment] of fragments.entries()) {
    all = i === 0 ? fragment : sql`${all}${new Sql([separator], [])}${fragment}`;
  }
  return all;
};

/** Conditions that apply, joined by `and`; none: `true`. */
export const every = (conditions: readonly (Sql | null | false | undefined)[]): Sql => {
  const kept = conditions.filter((condition): condition is Sql => condition instanceof Sql);
  return kept.length === 0 ? sql`true` : join(kept, ' and ');
};

/** Like `every`, for what a caller may leave out or set: each choice of them is another text. */
export const filters = (conditions: readonly (Sql | null | false | undefined)[]): Sql => {
  const chosen = every(conditions);
  return conditions.some((condition) => condition instanceof Sql) ? unprepared(chosen) : chosen;
};

const names = new Map<string, string>();
/** More than the whole of Turnout has. A text beyond them, which `unprepared` forgot, is planned every time and kept nowhere. */
const MOST_NAMES = 1000;

/** Statement names are per text; the map is bounded by the number of call sites (and their few variants). */
export function statement(query: Sql): { name?: string; text: string; values: unknown[] } {
  const text = query.text;
  const values = query.values as unknown[];
  if (!query.prepared) return { text, values };
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MOST_NAMES) return { text, values };
    name = `s${names.size}`;
    names.set(text, name);
  }
  return { name, text, values };
}

/** The texts that are prepared by name in this process. */
export const preparedTexts = (): string[] => [...names.keys()];
