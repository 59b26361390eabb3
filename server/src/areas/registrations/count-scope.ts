import type { Work } from '../../road/operation.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { EventRow } from '../events/index.ts';
import { reachedGroups } from './reach.ts';

/*
 * Which of an event's stored counts a caller gets: live or test ones, and of which groups.
 */

/** Whether test registrations are counted. They have counts of their own, which a test key and a test event get by default. */
export const isTest = (work: Work, event: EventRow, testParameter: boolean | undefined): boolean =>
  testParameter ?? (work.mode === 'test' || event.test);

/** The groups that the caller reaches, as they are written in the stored counts. Null if the caller reaches all. */
export async function reachedCells(work: Work, event: EventRow): Promise<string[] | null> {
  const reached = await reachedGroups(work);
  if (reached === undefined) return null;
  return [...reached, ...(event.group_id !== null && reached.has(event.group_id) ? [EVENT_GROUP] : [])];
}

/** How the stored counts write the event's group. */
export const EVENT_GROUP = '-';
/** A condition on a row `c` of the attendee counts: whether it is of a group that the caller reaches. */
export const inReachedGroups = (reach: string[] | null): Sql =>
  reach === null ? sql`true` : sql`coalesce(c.group_id::text, ${EVENT_GROUP}) = any(${reach})`;
