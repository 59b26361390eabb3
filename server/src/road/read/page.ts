import { createHash } from 'node:crypto';
import { PAGE_DEFAULT } from '@turnout/contract';
import { invalid } from '../../common/refusal.ts';
import { name, type Sql, sql } from '../../store/sql.ts';
import { isTimestamp } from '../request/formats.ts';
import { pages } from './cut-page.ts';

/**
 * Lists are paged by cursor, not by offset, so the last page costs as much as the first. A cursor carries a mark of its list
 * (operation, event, filters). A cursor of another list is refused instead of giving a meaningless page.
 */
export interface Paging {
  limit?: number;
  cursor?: string;
  updated_since?: string;
  order?: 'newest' | 'name' | 'date';
  include?: 'removed';
  search?: string;
}

const mark = (list: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8);

const encode = (list: readonly unknown[], key: readonly string[]): string =>
  Buffer.from(JSON.stringify([mark(list), ...key])).toString('base64url');

/** Checks the parts of a cursor. Anybody can forge the mark of a list, so the other parts are checked like any other input. */
const PART = {
  id: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  time: (text: string) => isTimestamp(text),
  // What rows are sorted by, such as a name: any text that PostgreSQL accepts.
  key: (text: string) => text.length < 600 && text.isWellFormed() && !text.includes('\u0000'),
} as const;

function decode(list: readonly unknown[], cursor: string, kinds: readonly (keyof typeof PART)[]): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  // A cursor of format 1, the only one that there has been, has no number. A later one begins with its number.
  if (Array.isArray(parts) && typeof parts[0] === 'number')
    return invalid({
      path: 'cursor',
      message: 'is of a format that this version of the service does not know; begin again with the first page',
    });
  const good =
    Array.isArray(parts) &&
    parts.length === kinds.length + 1 &&
    parts.every((part) => typeof part === 'string') &&
    parts[0] === mark(list) &&
    kinds.every((kind, i) => PART[kind]((parts as string[])[i + 1]!));
  if (!good)
    return invalid({
      path: 'cursor',
      message: 'is not a cursor of this list with these filters; use `next_cursor` of its last page',
    });
  return (parts as string[]).slice(1);
}

interface Keyed {
  id: string;
  updated_at: string;
}

const column = (alias: string, of: string): Sql => name(alias === '' ? of : `${alias}.${of}`);

/** The condition of `updated_since`; true if it was not given. */
export const changedSince = ({ updated_since }: Paging, alias = ''): Sql =>
  updated_since === undefined ? sql`true` : sql`${column(alias, 'updated_at')} >= ${updated_since}::timestamptz`;

/** A cursor belongs to one order. In the default order its mark is the one of earlier releases, so that old cursors still work. */
const inOrder = (list: readonly unknown[], { updated_since, order, include }: Paging): unknown[] => [
  ...list,
  updated_since,
  ...(order === undefined ? [] : [order]),
  ...(include === undefined ? [] : [{ include }]),
];

/** What was removed has nothing left but the time of its removal, so no search finds it. */
export function requireNoSearch(query: Paging): void {
  if (query.search !== undefined) requireChanges(query);
}

/** For the same reason, it has a place only in the order of changes. */
function requireChanges({ include }: Paging): void {
  if (include !== undefined)
    invalid({
      path: 'include',
      message: 'is only possible in the order of changes; leave out `search`, and `order` unless it is `newest`',
    });
}

/** A list by last change, oldest or newest first: its condition, its order and limit, and the page made of its rows. */
export function byChange(list: readonly unknown[], query: Paging, alias = '') {
  requireNoSearch(query);
  const limit = query.limit ?? PAGE_DEFAULT;
  const marked = inOrder(list, query);
  const after = query.cursor === undefined ? null : decode(marked, query.cursor, ['time', 'id']);
  const newest = query.order === 'newest';
  const beyond = newest ? sql`<` : sql`>`;
  const keyOf = (alias: string) => [column(alias, 'updated_at'), column(alias, 'id')] as const;
  /** The order of the list, and its first rows. */
  const first = (rows: number, [at, id] = keyOf(alias)) =>
    newest ? sql`order by ${at} desc, ${id} desc limit ${rows}` : sql`order by ${at}, ${id} limit ${rows}`;
  /** The condition and the order of a page, for another table in the list's place. */
  const from = (alias: string) => {
    const [at, id] = keyOf(alias);
    return {
      where: sql`${changedSince(query, alias)}
        and ${after === null ? sql`true` : sql`(${at}, ${id}) ${beyond} (${after[0]}::timestamptz, ${after[1]}::uuid)`}`,
      order: first(limit + 1, [at, id]),
    };
  };
  return {
    ...from(alias),
    from,
    first,
    after,
    newest,
    /** Whether the caller asks for what was removed, too (removed.ts). */
    removed: query.include === 'removed',
    /** How many rows to read: one more than a page holds. */
    read: limit + 1,
    ...pages((row: Keyed) => encode(marked, [row.updated_at, row.id]), limit),
  };
}

/** A log: newest first by id, because a ULID begins with the time. */
export function newestFirst(list: readonly unknown[], query: Paging, alias = '') {
  const limit = query.limit ?? PAGE_DEFAULT;
  const after = query.cursor === undefined ? null : decode(list, query.cursor, ['id']);
  const id = name(alias === '' ? 'id' : `${alias}.id`);
  return {
    where: after === null ? sql`true` : sql`${id} < ${after[0]}::uuid`,
    order: sql`order by ${id} desc limit ${limit + 1}`,
    ...pages((row: { id: string }) => encode(list, [row.id]), limit),
  };
}

/** A list by a text that each row carries as `key` (a name, or the word that a search found), then by id. */
export function byKey(list: readonly unknown[], query: Paging) {
  requireChanges(query);
  const limit = query.limit ?? PAGE_DEFAULT;
  const marked = query.order === undefined && query.updated_since === undefined ? list : inOrder(list, query);
  const after = query.cursor === undefined ? null : decode(marked, query.cursor, ['key', 'id']);
  return {
    after,
    /** How many rows to read: one more than a page holds. */
    read: limit + 1,
    ...pages((row: { id: string; key: string }) => encode(marked, [row.key, row.id]), limit),
  };
}

/** A list by `recorded_at`, newest first. */
export const newestRecorded = (list: readonly unknown[], query: Paging, alias: string) =>
  latestFirst(list, query, alias, 'recorded_at');

/** A list by a time other than that of the last change, latest first. */
export function latestFirst<By extends string>(list: readonly unknown[], query: Paging, alias: string, by: By) {
  requireChanges(query);
  const limit = query.limit ?? PAGE_DEFAULT;
  const after = query.cursor === undefined ? null : decode(list, query.cursor, ['time', 'id']);
  const [at, id] = [name(`${alias}.${by}`), name(`${alias}.id`)];
  return {
    where: after === null ? sql`true` : sql`(${at}, ${id}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    order: sql`order by ${at} desc, ${id} desc limit ${limit + 1}`,
    ...pages((row: { id: string } & Record<By, string>) => encode(list, [row[by], row.id]), limit),
  };
}
