import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { AttendeeDetails } from './input.ts';
import { loadRegistrations } from './load.ts';
import type { Places } from './places.ts';
import type { RegistrationState } from './state.ts';
import { confirm, outstanding, type StatusContext, updateTotal } from './statuses.ts';
import { adjustTickets, ticketsDue } from './tickets.ts';
import type { EventWorld } from './world.ts';

export type TicketCounts = Record<'tickets_issued' | 'tickets_voided', number>;

/** Somebody whose type or days would change. */
export interface Mover {
  id: Id;
  registration_id: Id;
  before: AttendeeDetails;
  after: AttendeeDetails;
}

/**
 * How many tickets would be issued and voided, by the rules that issue and void them, and nothing written. `before` may differ
 * from what is stored, where a preview has come this far in its file: tickets are first brought to where they would stand then.
 */
export async function forecastTickets(
  tx: Tx,
  org: Id,
  { world, places }: { world: EventWorld; places: Places },
  added: readonly AttendeeDetails[],
  movers: readonly Mover[],
): Promise<TicketCounts> {
  const counts = { tickets_issued: 0, tickets_voided: 0 };
  for (const one of added) counts.tickets_issued += ticketsDue(world, one).length;
  if (movers.length === 0) return counts;
  const now = tx.clock.now();
  const moving: StatusContext = { world, places, now, stamp: iso(now) };
  const loaded = await loadRegistrations(tx, org, sql`id = any(${movers.map((one) => one.registration_id)})`);
  const registrations = new Map(loaded.map((registration) => [registration.id, registration]));
  const go = (to: 'before' | 'after') => {
    for (const mover of movers) {
      const registration = registrations.get(mover.registration_id);
      if (registration !== undefined) applyTypeAndDays(moving, registration, mover.id, mover[to]);
    }
  };
  go('before');
  for (const registration of loaded) registration.happened = [];
  go('after');
  for (const { type } of loaded.flatMap((registration) => registration.happened)) {
    if (type === 'ticket.issued') counts.tickets_issued += 1;
    if (type === 'ticket.voided') counts.tickets_voided += 1;
  }
  return counts;
}

function applyTypeAndDays(
  moving: StatusContext,
  registration: RegistrationState,
  id: Id,
  details: AttendeeDetails,
): void {
  const person = registration.attendees.find((one) => one.id === id);
  if (person === undefined) return;
  const { attendee_type_id, day_ids, price_minor } = details;
  if (person.attendee_type_id === attendee_type_id && person.day_ids.join() === day_ids.join()) return;
  Object.assign(person, { attendee_type_id, day_ids, price_minor });
  updateTotal(registration);
  adjustTickets(moving, registration, person);
  if (registration.status === 'pending_payment' && outstanding(registration) <= 0) confirm(moving, registration);
}
