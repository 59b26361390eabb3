import type { Loaded } from '../../road/cut-page.ts';
import type { Work } from '../../road/operation.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { groupCodesOf } from './group-codes.ts';
import { loadRegistrations } from './load.ts';
import { reachedGroups, type Showing } from './reach.ts';
import type { RegistrationState } from './state.ts';
import { worldOf } from './world.ts';

export type Page<T> = { data: T[]; page: { next_cursor: string | null; has_more: boolean } };

/**
 * Loads the registrations of a page, and what is needed to show them to this caller. Lists find the ids of a page with one indexed
 * query and load everything else here, with a fixed number of statements.
 */
export async function loadForCaller(
  work: Work,
  event: EventRow,
  ids: readonly Id[],
): Promise<{ showing: Showing; byId: Map<Id, RegistrationState> }> {
  const { tx, org } = work;
  const states = ids.length === 0 ? [] : await loadRegistrations(tx, org, sql`id = any(${[...new Set(ids)]})`);
  const showing: Showing = {
    world: await worldOf(tx, org, event),
    groups: await groupCodesOf(tx, org, states),
    reached: await reachedGroups(work),
  };
  return { showing, byId: new Map(states.map((state) => [state.id, state])) };
}

/**
 * Loads the registrations of a page a few at a time (road/cut-page.ts). A registration to which several rows of the page belong is
 * loaded once.
 */
export function loaderFor<Row, Item>(
  work: Work,
  event: EventRow,
  idOf: (row: Row) => Id,
  shape: (showing: Showing, registration: RegistrationState, row: Row) => Item,
): (rows: readonly Row[]) => Promise<Loaded<Row, Item>> {
  const known = new Map<Id, RegistrationState>();
  const groups = new Map<Id, string>();
  let showing: Showing | undefined;
  return async (rows) => {
    const missing = rows.map(idOf).filter((id) => !known.has(id));
    let read = 0;
    if (missing.length > 0 || showing === undefined) {
      const loaded = await loadForCaller(work, event, missing);
      for (const [id, code] of loaded.showing.groups) groups.set(id, code);
      for (const [id, registration] of loaded.byId) {
        known.set(id, registration);
        read += 1 + registration.attendees.length + registration.tickets.length;
      }
      showing = { ...loaded.showing, groups };
    }
    const shown = showing;
    return { shape: (row) => shape(shown, known.get(idOf(row))!, row), rows: read };
  };
}

/**
 * The name of a list, which its cursors carry. Filters that were added in later releases are only part of it when they are set, so
 * that cursors of earlier releases stay valid.
 */
export const listName = (list: unknown[], laterFilters: Record<string, unknown>): unknown[] => {
  const set = Object.entries(laterFilters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? list : [...list, Object.fromEntries(set)];
};
