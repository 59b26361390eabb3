import { createHash } from 'node:crypto';
import { PAGE_DEFAULT } from '@turnout/contract';
import { name, type Sql, sql } from '../store/sql.ts';
import { isTimestamp } from './formats.ts';
import { invalid } from './refusal.ts';

/**
 * Lists go by cursor, never by offset: the last page costs what the first one does. A cursor names its list (operation,
 * event, filters), so one of another list is refused instead of answering nonsense.
 */
export interface Paging {
  limit?: number;
  cursor?: string;
  updated_since?: string;
  order?: 'newest' | 'name';
}

const mark = (list: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(list)).digest('base64url').slice(0, 8);

const encode = (list: readonly unknown[], key: readonly string[]): string =>
  Buffer.from(JSON.stringify([mark(list), ...key])).toString('base64url');

/** What the parts of a cursor may be. Whoever forges one can spell its mark, so the rest is input like any other. */
const PART = {
  id: (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text),
  time: (text: string) => isTimestamp(text),
  // A key that rows carry, such as a name to sort by: any text that PostgreSQL takes.
  key: (text: string) => text.length < 600 && text.isWellFormed() && !text.includes('\u0000'),
} as const;

function decode(list: readonly unknown[], cursor: string, kinds: readonly (keyof typeof PART)[]): string[] {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    parts = null;
  }
  const good =
    Array.isArray(parts) &&
    parts.length === kinds.length + 1 &&
    parts.every((part) => typeof part === 'string') &&
    parts[0] === mark(list) &&
    kinds.every((kind, i) => PART[kind]((parts as string[])[i + 1]!));
  if (!good) return invalid({ path: 'cursor', message: 'is not a cursor of this list' });
  return (parts as string[]).slice(1);
}

interface Keyed {
  id: string;
  updated_at: string;
}

const column = (alias: string, of: string): Sql => name(alias === '' ? of : `${alias}.${of}`);

/** What changed since; everything, where nobody asks. */
export const changedSince = ({ updated_since }: Paging, alias = ''): Sql =>
  updated_since === undefined ? sql`true` : sql`${column(alias, 'updated_at')} >= ${updated_since}::timestamptz`;

/** A cursor is of one order. In the one that lists have always had, it is the same as ever. */
const inOrder = (list: readonly unknown[], { updated_since, order }: Paging): unknown[] =>
  order === undefined ? [...list, updated_since] : [...list, updated_since, order];

/** Conditions, order and limit of a list by last change, oldest or newest first, and the page made of its rows. */
export function byChange(list: readonly unknown[], query: Paging, alias = '') {
  const limit = query.limit ?? PAGE_DEFAULT;
  const marked = inOrder(list, query);
  const [at, id] = [column(alias, 'updated_at'), column(alias, 'id')];
  const after = query.cursor === undefined ? null : decode(marked, query.cursor, ['time', 'id']);
  const newest = query.order === 'newest';
  const beyond = newest ? sql`<` : sql`>`;
  return {
    where: sql`${changedSince(query, alias)}
      and ${after === null ? sql`true` : sql`(${at}, ${id}) ${beyond} (${after[0]}::timestamptz, ${after[1]}::uuid)`}`,
    order: newest
      ? sql`order by ${at} desc, ${id} desc limit ${limit + 1}`
      : sql`order by ${at}, ${id} limit ${limit + 1}`,
    page<Row extends Keyed, Item>(rows: Row[], shape: (row: Row) => Item) {
      return cut(rows, limit, shape, (row) => encode(marked, [row.updated_at, row.id]));
    },
  };
}

/** Newest first, by id (a ULID is time): logs. */
export function newestFirst(list: readonly unknown[], query: Paging, alias = '') {
  const limit = query.limit ?? PAGE_DEFAULT;
  const after = query.cursor === undefined ? null : decode(list, query.cursor, ['id']);
  const id = name(alias === '' ? 'id' : `${alias}.id`);
  return {
    where: after === null ? sql`true` : sql`${id} < ${after[0]}::uuid`,
    order: sql`order by ${id} desc limit ${limit + 1}`,
    page<Row extends { id: string }, Item>(rows: Row[], shape: (row: Row) => Item) {
      return cut(rows, limit, shape, (row) => encode(list, [row.id]));
    },
  };
}

function cut<Row, Item>(rows: Row[], limit: number, shape: (row: Row) => Item, cursorOf: (row: Row) => string) {
  const has_more = rows.length > limit;
  const kept = has_more ? rows.slice(0, limit) : rows;
  return {
    data: kept.map(shape),
    page: { next_cursor: has_more ? cursorOf(kept.at(-1)!) : null, has_more },
  };
}

/** By a key that rows carry (a name, or what a search found), then by id. */
export function byKey(list: readonly unknown[], query: Paging) {
  const limit = query.limit ?? PAGE_DEFAULT;
  const marked = query.order === undefined && query.updated_since === undefined ? list : inOrder(list, query);
  const after = query.cursor === undefined ? null : decode(marked, query.cursor, ['key', 'id']);
  return {
    after,
    /** So many are read: one more than a page holds. */
    read: limit + 1,
    page<Row extends { id: string; key: string }, Item>(rows: Row[], shape: (row: Row) => Item) {
      return cut(rows, limit, shape, (row) => encode(marked, [row.key, row.id]));
    },
  };
}

/** Newest recorded first. */
export function newestRecorded(list: readonly unknown[], query: Paging, alias: string) {
  const limit = query.limit ?? PAGE_DEFAULT;
  const after = query.cursor === undefined ? null : decode(list, query.cursor, ['time', 'id']);
  const on = (column: string) => name(`${alias}.${column}`);
  return {
    where:
      after === null
        ? sql`true`
        : sql`(${on('recorded_at')}, ${on('id')}) < (${after[0]}::timestamptz, ${after[1]}::uuid)`,
    order: sql`order by ${on('recorded_at')} desc, ${on('id')} desc limit ${limit + 1}`,
    page<Row extends { id: string; recorded_at: string }, Item>(rows: Row[], shape: (row: Row) => Item) {
      return cut(rows, limit, shape, (row) => encode(list, [row.recorded_at, row.id]));
    },
  };
}
