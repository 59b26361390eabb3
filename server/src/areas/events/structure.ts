import { MAX_PARTS, type ReferenceKind } from '@turnout/contract';
import { type Id, parseRef, toUlid } from '../../common/ids.ts';
import { type Fault, refuse } from '../../common/refusal.ts';
import { freeCode } from '../../road/for-areas/codes.ts';
import type { Change, Work } from '../../road/operation.ts';
import { noteRemoved } from '../../road/read/removed.ts';
import {
  among,
  type Coded,
  idsAndCodes,
  type Reference,
  type ReferenceToMany,
  reference,
} from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { type Differences, diff, resets } from '../../road/write/diff.ts';
import { stampEvent } from '../../store/clocks.ts';
import { type Columns, insertRow, updateRow } from '../../store/rows.ts';
import { name, type Sql, sql, unprepared } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, touchWorld } from './queries.ts';
import type { UsedBy } from './used-by.ts';

/** What days, attendee types, products, shared limits, questions and check-in points have in common: a code that is unique in the event, and stamps. */
export interface PartRow {
  id: Id;
  code: string;
  created_at: string;
  updated_at: string;
}

export interface Part<Row extends PartRow, Shape extends object, Derived extends keyof Shape = never> {
  kind: keyof typeof MAX_PARTS & ReferenceKind;
  table: 'attendee_types' | 'check_in_points' | 'days' | 'products' | 'questions' | 'quotas';
  /** The select list over the table as `t`. */
  columns: Sql;
  shape: (row: Row, event: EventRow, now: Date) => Shape;
  /** Fields that follow from others and the time, so that no change is about them. */
  derived?: readonly Derived[];
  /** Left out where nothing refers to such a part. */
  usedBy?: UsedBy;
}

/** A kind of part, as messages name it. */
const wordsOf = (kind: Part<PartRow, object>['kind']): string =>
  kind === 'check_in_point' ? 'check-in point' : kind === 'quota' ? 'shared limit' : kind.replaceAll('_', ' ');

/** A rule over the body that creates a part (`before` is null) or changes it. */
export interface PartRule<Row, Body> {
  of: readonly string[];
  faults: (event: EventRow, before: Row | null, body: ValidPart<Body>, work: Work) => Fault[] | Promise<Fault[]>;
}

/**
 * The events whose clock a transaction holds. A template makes hundreds of parts in one transaction. If each moved the clock,
 * it would leave another dead version of the same two rows, and every later statement would have to skip them.
 */
const heldClocks = new WeakMap<Tx, Map<Id, Promise<string>>>();

export class Structure<Row extends PartRow, Shape extends object, Derived extends keyof Shape & string = never> {
  readonly part: Part<Row, Shape, Derived>;
  /** Found inside its event, which the path names before it. */
  readonly reference: Reference<Row, { event: EventRow }> & ReferenceToMany<{ event: EventRow }>;

  constructor(part: Part<Row, Shape, Derived>) {
    this.part = part;
    this.reference = reference<Row, { event: EventRow }>({
      kind: part.kind,
      byCode: true,
      find: ({ tx, org }, ref, { event }) => this.find(tx, org, event.id, ref),
      findMany: async ({ tx, org }, refs, { event }) => {
        const { ids, codes } = idsAndCodes(refs);
        // Not prepared, so that PostgreSQL knows the lists and looks them up by hash.
        return among(
          await tx.all<Coded>(
            unprepared(sql`
            select t.id, t.code from ${name(part.table)} t
            where t.org_id = ${org} and t.event_id = ${event.id} and (t.id = any(${ids}::uuid[]) or lower(t.code) = any(${codes}))`),
          ),
        );
      },
    });
  }

  /** The shape without the fields that follow from others and the time. */
  lasting(row: Row, event: EventRow, now: Date): Omit<Shape, Derived> {
    const shape: Partial<Shape> = { ...this.part.shape(row, event, now) };
    for (const field of this.part.derived ?? []) delete shape[field];
    return shape as Omit<Shape, Derived>;
  }

  find(tx: Tx, org: Id, event: Id, ref: string): Promise<Row | null> {
    const { id, code } = parseRef(ref);
    return tx.maybe<Row>(sql`
      select ${this.part.columns} from ${name(this.part.table)} t
      where t.org_id = ${org} and t.event_id = ${event}
        and ${id !== null ? sql`t.id = ${id}` : sql`lower(t.code) = lower(${code})`}`);
  }

  all(tx: Tx, org: Id, event: Id, where: Sql, order: Sql): Promise<Row[]> {
    return tx.all<Row>(sql`
      select ${this.part.columns} from ${name(this.part.table)} t
      where t.org_id = ${org} and t.event_id = ${event} and ${where} ${order}`);
  }

  /** Takes the event's clock, so that the parts of an event are changed one after the other; gives the stamp. */
  holdClock({ tx, org }: Work, event: EventRow): Promise<string> {
    const events = heldClocks.get(tx) ?? new Map<Id, Promise<string>>();
    heldClocks.set(tx, events);
    const known = events.get(event.id);
    if (known !== undefined) return known;
    const stamp = (async () => {
      const at = await stampEvent(tx, org, event.id);
      await touchWorld(tx, org, event.id);
      return at;
    })();
    events.set(event.id, stamp);
    return stamp;
  }

  /** The given code, which is refused if it is taken; without one, a free code made from the name. */
  async code(
    work: Work,
    event: EventRow,
    request: { code: string | undefined; name: string; fallback: string },
    except: Id | null,
  ) {
    return freeCode(
      request,
      async (code) =>
        (await work.tx.maybe(sql`
          select 1 from ${name(this.part.table)}
          where org_id = ${work.org} and event_id = ${event.id} and lower(code) = lower(${code}) and id is distinct from ${except}`)) !==
        null,
    );
  }

  /**
   * The code may change only while nothing refers to the part: whatever refers to it shows its code, and would look different
   * without having a new stamp. The same letters in another case are another code.
   */
  async requireCode(work: Work, event: EventRow, before: Row, code: string | undefined): Promise<void> {
    if (code === undefined || code === before.code) return;
    await this.code(work, event, { code: code, name: '', fallback: '' }, before.id);
    await this.requireUnused(work, event, before, 'must keep its code, because it is in use');
  }

  async requireUnused({ tx, org }: Work, event: EventRow, row: Row, what: string): Promise<void> {
    const used = (await this.part.usedBy?.(tx, org, event.id, row.id)) ?? [];
    if (used.length === 0) return;
    const words = wordsOf(this.part.kind);
    refuse('invalid_state', { message: `The ${words} ${row.code} ${what}: ${used.join('; ')}.` });
  }

  async insert(work: Work, event: EventRow, id: Id, stamp: string, columns: Columns): Promise<Shape> {
    await this.#requireRoom(work, event);
    await insertRow(work.tx, this.part.table, {
      org_id: work.org,
      id,
      event_id: event.id,
      ...columns,
      created_at: stamp,
      updated_at: stamp,
    });
    const shape = this.part.shape(await this.reread(work, event, id), event, work.tx.clock.now());
    work.changed(this.#change(event, id, diff(null, shape)));
    return shape;
  }

  async update(work: Work, event: EventRow, before: Row, stamp: string, columns: Columns): Promise<Shape> {
    await updateRow(work.tx, this.part.table, sql`org_id = ${work.org} and id = ${before.id}`, {
      ...columns,
      updated_at: stamp,
    });
    const after = await this.reread(work, event, before.id);
    const now = work.tx.clock.now();
    const [was, is] = [this.part.shape(before, event, now), this.part.shape(after, event, now)];
    work.changed({ ...this.#change(event, before.id, diff(was, is)), ...(!resets(before, after) && { was }) });
    return is;
  }

  /** The caller holds the event's clock; `stamp` is its time. */
  async remove(work: Work, event: EventRow, row: Row, stamp: string): Promise<undefined> {
    noteRemoved(work.tx, work.org, stamp, [{ list: this.part.table, id: row.id, audience: work.org, event: event.id }]);
    await work.tx.run(sql`delete from ${name(this.part.table)} where org_id = ${work.org} and id = ${row.id}`);
    work.changed(this.#change(event, row.id, diff(this.part.shape(row, event, work.tx.clock.now()), null)));
    return undefined;
  }

  /** The row as it is now that the event's clock is held: it may have changed since the path was resolved. */
  async reread(work: Work, event: EventRow, id: Id): Promise<Row> {
    return (await this.find(work.tx, work.org, event.id, toUlid(id))) ?? refuse('not_found');
  }

  /** The event's clock is held, so nobody adds another part between the count and the insert. */
  async #requireRoom({ tx, org }: Work, event: EventRow): Promise<void> {
    const { kind, table } = this.part;
    const { parts } = await tx.one<{ parts: number }>(
      sql`select count(*)::int as parts from ${name(table)} where org_id = ${org} and event_id = ${event.id}`,
    );
    if (parts < MAX_PARTS[kind]) return;

    refuse('invalid_state', {
      message: `An event can have at most ${MAX_PARTS[kind]} ${wordsOf(kind)}s. Delete one that is not needed first.`,
    });
  }

  #change(event: EventRow, id: Id, changes: Differences): Change {
    for (const field of this.part.derived ?? []) delete changes[field];
    return { kind: this.part.kind, id, event: event.id, group: event.group_id, changes };
  }
}
