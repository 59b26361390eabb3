import type { Id } from '../../common/ids.ts';
import type { Work } from '../../road/operation.ts';
import type { Loader } from '../../road/read/cut-page.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { groupCodesOf } from './group-codes.ts';
import { loadKnown } from './load.ts';
import { reachedGroups, type Showing } from './reach.ts';
import type { RegistrationState } from './state.ts';
import { worldOf } from './world.ts';

export type Page<T> = { data: T[]; page: { next_cursor: string | null; has_more: boolean } };

/**
 * Loads the registrations of a page, and what is needed to show them to this caller. Lists find the ids of a page with one indexed
 * query and load everything else here, with a fixed number of statements. With `people`, the registrations have only these attendees.
 */
export async function loadForCaller(
  work: Work,
  event: EventRow,
  ids: readonly Id[],
  people?: readonly Id[],
): Promise<{ showing: Showing; byId: Map<Id, RegistrationState> }> {
  const { tx, org } = work;
  const states = ids.length === 0 ? [] : await loadKnown(tx, org, [...new Set(ids)], people);
  const showing: Showing = {
    world: await worldOf(tx, org, event),
    groups: await groupCodesOf(tx, org, states),
    reached: await reachedGroups(work),
  };
  return { showing, byId: new Map(states.map((state) => [state.id, state])) };
}

/**
 * Loads the registrations of a page a few at a time (road/read/cut-page.ts). A registration to which several rows of the page belong is
 * loaded once. A list of people says which `person` a row is: to a caller who may see everybody, the others of the registration do not
 * matter, so they are not loaded.
 */
export function loaderFor<Row, Item>(
  work: Work,
  event: EventRow,
  idOf: (row: Row) => Id,
  shape: (showing: Showing, registration: RegistrationState, row: Row) => Item,
  person?: (row: Row) => Id,
): Loader<Row, Item> {
  const alone = work.caller.group === null ? person : undefined;
  const keyOf = alone ?? idOf;
  const known = new Map<Id, RegistrationState>();
  const groups = new Map<Id, string>();
  let showing: Showing | undefined;
  return {
    sizes: async (rows) => {
      const sizes = await (alone === undefined ? sizesOf : sizesOfPeople)(work, [...new Set(rows.map(keyOf))]);
      return rows.map((row) => {
        const size = sizes.get(keyOf(row)) ?? 0;
        sizes.delete(keyOf(row));
        return size;
      });
    },
    load: async (rows) => {
      const missing = rows.filter((row) => !known.has(keyOf(row)));
      if (missing.length > 0 || showing === undefined) {
        const loaded = await loadForCaller(work, event, missing.map(idOf), alone && missing.map(alone));
        for (const [id, code] of loaded.showing.groups) groups.set(id, code);
        for (const row of missing) known.set(keyOf(row), loaded.byId.get(idOf(row))!);
        showing = { ...loaded.showing, groups };
      }
      const shown = showing;
      return (row) => shape(shown, known.get(keyOf(row))!, row);
    },
  };
}

/** About how many bytes PostgreSQL sends for a ticket, for an attendee without answers, and for each of an attendee's days. */
const BYTES = { ticket: 300, attendee: 500, day: 37 };

/** About how many bytes loading each of the registrations reads. */
async function sizesOf({ tx, org }: Work, ids: readonly Id[]): Promise<Map<Id, number>> {
  const rows = await tx.all<{ id: Id; bytes: number }>(sql`
    select r.id, (
      ${BYTES.ticket}::int * (select count(*) from tickets t where t.org_id = ${org} and t.registration_id = r.id) + (
      select coalesce(sum(${BYTES.attendee}::int + ${BYTES.day}::int * cardinality(a.day_ids) + pg_column_size(a.answers)), 0)
      from attendees a where a.org_id = ${org} and a.registration_id = r.id))::float8 as bytes
    from unnest(${ids}::uuid[]) r(id)`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** The same for attendees without the others of their registrations. */
async function sizesOfPeople({ tx, org }: Work, ids: readonly Id[]): Promise<Map<Id, number>> {
  const rows = await tx.all<{ id: Id; bytes: number }>(sql`
    select a.id, (${BYTES.attendee}::int + ${BYTES.day}::int * cardinality(a.day_ids) + pg_column_size(a.answers) + ${BYTES.ticket}::int * (
      select count(*) from ticket_people p where p.org_id = a.org_id and p.attendee_id = a.id))::float8 as bytes
    from attendees a where a.org_id = ${org} and a.id = any(${ids})`);
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/**
 * The name of a list, which its cursors carry. Filters that were added in later releases are only part of it when they are set, so
 * that cursors of earlier releases stay valid.
 */
export const listName = (list: unknown[], laterFilters: Record<string, unknown>): unknown[] => {
  const set = Object.entries(laterFilters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? list : [...list, Object.fromEntries(set)];
};
