/**
 * A piece of SQL, written as sql`select … where id = ${id}`. Values become parameters and nested fragments become text, so nothing
 * that a caller sends can become SQL. The text of a call site is usually always the same; it is then prepared once per connection.
 * If a caller influences the text, by the fields that it sends or the filters that it sets, the statement must be `unprepared`:
 * every prepared text stays in every connection and takes about 13 KB in PostgreSQL.
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

/** For a fragment whose text a caller influences. A statement that contains it is not prepared either. */
export const unprepared = (query: Sql): Sql => new Sql(query.parts, query.values, false);

/** The name of a table or column. It comes from a closed set in the code, never from a caller. */
export const name = (identifier: string): Sql => {
  if (!/^[a-z_][a-z0-9_.]*$/.test(identifier)) throw new Error(`not an identifier: ${identifier}`);
  return new Sql([identifier], []);
};

/** A list of columns, of the table with this alias if one is given. Their names come from a closed set in the code, as in `name`. */
export const columns = (names: readonly string[], alias?: string): Sql =>
  join(
    names.map((column) => name(alias === undefined ? column : `${alias}.${column}`)),
    ', ',
  );

export const join = (fragments: readonly Sql[], separator: string): Sql => {
  let all = new Sql([''], []);
  for (const [i, fragment] of fragments.entries()) {
    all = i === 0 ? fragment : sql`${all}${new Sql([separator], [])}${fragment}`;
  }
  return all;
};

/** The conditions that are given, joined by `and`; `true` if there are none. */
export const every = (conditions: readonly (Sql | null | false | undefined)[]): Sql => {
  const kept = conditions.filter((condition): condition is Sql => condition instanceof Sql);
  return kept.length === 0 ? sql`true` : join(kept, ' and ');
};

/** As `every`, for conditions that the caller chooses. Each choice is another text, so the statement is not prepared. */
export const filters = (conditions: readonly (Sql | null | false | undefined)[]): Sql => {
  const chosen = every(conditions);
  return conditions.some((condition) => condition instanceof Sql) ? unprepared(chosen) : chosen;
};

const names = new Map<string, string>();
/** More than Turnout has. If a text should have been `unprepared` and uses the names up, further texts are not prepared. */
const MAX_STATEMENT_NAMES = 1000;

/** What `pg` is given. A prepared statement has a name, one per text. */
export function statement(query: Sql): { name?: string; text: string; values: unknown[] } {
  const text = query.text;
  const values = query.values as unknown[];
  if (!query.prepared) return { text, values };
  let name = names.get(text);
  if (name === undefined) {
    if (names.size >= MAX_STATEMENT_NAMES) return { text, values };
    name = `s${names.size}`;
    names.set(text, name);
  }
  return { name, text, values };
}

/** The texts that have been prepared in this process. */
export const preparedTexts = (): string[] => [...names.keys()];
