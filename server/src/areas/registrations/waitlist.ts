import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import type { Book } from './book.ts';
import { active, needsOf, type RegistrationState } from './state.ts';
import { settle, take, unwait } from './statuses.ts';

/** How many are promoted, and looked at, in one transaction; the rest follows by the minute's job. */
const PROMOTED = 200;
const LOOKED_AT = 500;

/**
 * A place that comes free promotes oldest first. Who doesn't fit whole is passed over and keeps the turn: it then waits for
 * whatever it lacks now. `everybody`: also behind the first 500, who may all be too many for what is free.
 */
export async function promoteWaiting(book: Book, test: boolean, everybody: boolean): Promise<RegistrationState[]> {
  const promoted: RegistrationState[] = [];
  let after = sql`true`;
  for (;;) {
    const page = await book.load(sql`status = 'waitlisted' and test = ${test} and id in (
      select id from registrations where org_id = ${book.org} and event_id = ${book.world.event.id} and test = ${test}
        and status = 'waitlisted' and ${after} order by waitlisted_at, id limit ${LOOKED_AT})`);
    // Also those that this very transaction put on the list, or took off it.
    const inTurn = page
      .filter((registration) => registration.status === 'waitlisted')
      .sort((a, b) => (turnOf(a) < turnOf(b) ? -1 : 1));
    const last = inTurn.at(-1);
    if (last !== undefined) after = sql`(waitlisted_at, id) > (${last.waitlisted_at}::timestamptz, ${last.id}::uuid)`;
    for (const registration of inTurn) {
      if (promoted.length === PROMOTED) return promoted;
      if (promote(book, registration) === null) promoted.push(registration);
    }
    if (!everybody || last === undefined || page.length < LOOKED_AT) return promoted;
  }
}

/** Six decimals, so that turns compare as text; within one commit by id. */
const turnOf = (registration: RegistrationState): string => sixDecimals(registration.waitlisted_at!) + registration.id;

/** Promotes if there is room for all of it; otherwise says what is lacking, and the registration waits for that. */
export function promote(book: Book, registration: RegistrationState): { message: string } | null {
  const needs = needsOf(book.world.event.id, active(registration));
  const lacking = book.places.lacking(needs, registration.test);
  if (lacking.length > 0) {
    waitFor(
      book,
      registration,
      lacking.map((one) => one.scope),
    );
    return lacking[0]!;
  }
  unwait(book, registration);
  take(book, registration, 1);
  registration.happened.push({ type: 'registration.promoted' });
  settle(book, registration, false);
  return null;
}

/** Puts it on the list, or notes what it waits for now. */
export function waitFor(book: Book, registration: RegistrationState, scopes: readonly Id[]): void {
  const wanted = [...new Set(scopes)].sort();
  if (registration.waiting_for !== null && wanted.join() === [...registration.waiting_for].sort().join()) return;
  unwait(book, registration);
  registration.waiting_for = wanted;
  book.places.wait(wanted, registration.test, 1);
  registration.rewaits = true;
}
