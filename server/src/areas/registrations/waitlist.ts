import { MAX_TICKETS } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { sixDecimals } from '../../store/stamps.ts';
import { needsOfRegistration } from './needs.ts';
import { sizeOf } from './size.ts';
import { activeAttendees, type RegistrationState } from './state.ts';
import { changePlaces, type StatusContext, settle, stopWaiting } from './statuses.ts';

/**
 * How many are promoted, with how many tickets in all, and how many are looked at, with how many people in all, in one transaction. The
 * job that runs every minute does the rest. Whatever gives a place back looks at them, so a registration of many people that does not
 * fit costs everybody who cancels; the first in turn is always looked at.
 */
const PROMOTED = 200;
const TICKETS = MAX_TICKETS;
const LOOKED_AT = { registrations: 500, people: 5000 };

/** What promoting needs of the book. */
interface WaitlistContext extends StatusContext {
  org: Id;
  load(which: Sql): Promise<RegistrationState[]>;
}

/**
 * Gives free places to the waitlist, oldest registration first. One that does not fit as a whole is passed over: it keeps its turn,
 * and from then on waits for what it lacks now. With `everybody` the search goes on past the first ones, which may all be too
 * large for what is free.
 */
export async function promoteWaiting(
  book: WaitlistContext,
  test: boolean,
  everybody: boolean,
): Promise<RegistrationState[]> {
  const promoted: RegistrationState[] = [];
  let tickets = 0;
  let after = sql`true`;
  for (;;) {
    const page = await book.load(sql`status = 'waitlisted' and test = ${test} and id in (
      select id from (
        select w.id, sum(n.people) over (order by w.waitlisted_at, w.id) - n.people as before
        from (
          select id, waitlisted_at from registrations where org_id = ${book.org} and event_id = ${book.world.event.id}
            and test = ${test} and status = 'waitlisted' and ${after} order by waitlisted_at, id limit ${LOOKED_AT.registrations}) w
        cross join lateral (
          select count(*) as people from attendees a where a.org_id = ${book.org} and a.registration_id = w.id) n) as in_turn
      where before < ${LOOKED_AT.people}::int)`);
    // The book may have taken some of them off the list in this very transaction.
    const inTurn = page
      .filter((registration) => registration.status === 'waitlisted')
      .sort((a, b) => (turnOf(a) < turnOf(b) ? -1 : 1));
    const last = inTurn.at(-1);
    if (last !== undefined) after = sql`(waitlisted_at, id) > (${last.waitlisted_at}::timestamptz, ${last.id}::uuid)`;
    for (const registration of inTurn) {
      if (promoted.length === PROMOTED) return promoted;
      const size = sizeOf(book.world, activeAttendees(registration)).tickets;
      if (promoted.length > 0 && tickets + size > TICKETS) return promoted;
      if (promote(book, registration) !== null) continue;
      promoted.push(registration);
      tickets += size;
    }
    if (!everybody || last === undefined) return promoted;
  }
}

/** With six decimals turns compare as text. Those of one transaction share a stamp and are ordered by id. */
const turnOf = (registration: RegistrationState): string => sixDecimals(registration.waitlisted_at!) + registration.id;

/** Promotes a registration if there is room for all of it. Otherwise returns what is lacking, and the registration waits for that. */
export function promote(context: StatusContext, registration: RegistrationState): { message: string } | null {
  const needs = needsOfRegistration(context.world, registration);
  const lacking = context.places.lacking(needs, registration.test);
  if (lacking.length > 0) {
    waitFor(
      context,
      registration,
      lacking.map((one) => one.scope),
    );
    return lacking[0]!;
  }
  stopWaiting(context, registration);
  changePlaces(context, registration, 1);
  registration.happened.push({ type: 'registration.promoted' });
  settle(context, registration, false);
  return null;
}

/** Puts a registration on the waitlist, or notes what it waits for now. */
export function waitFor(context: StatusContext, registration: RegistrationState, scopes: readonly Id[]): void {
  const wanted = [...new Set(scopes)].sort();
  if (registration.waiting_for !== null && wanted.join() === [...registration.waiting_for].sort().join()) return;
  stopWaiting(context, registration);
  registration.waiting_for = wanted;
  context.places.changeWaiting(wanted, registration.test, 1);
  registration.waitingForChanged = true;
}
