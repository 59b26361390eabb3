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
 * The name of a list, which its cursors carry. Filters that were added in later releases are only part of it when they are set, so
 * that cursors of earlier releases stay valid.
 */
export const listName = (list: unknown[], laterFilters: Record<string, unknown>): unknown[] => {
  const set = Object.entries(laterFilters).filter(([, value]) => value !== undefined);
  return set.length === 0 ? list : [...list, Object.fromEntries(set)];
};
