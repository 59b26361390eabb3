import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { iso } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';
import type { AttendeeDetails } from './input.ts';
import { loadRegistrations } from './load.ts';
import type { Places } from './places.ts';
import { agreedPrice } from './price.ts';
import type { RegistrationState } from './state.ts';
import { confirm, outstanding, type StatusContext, updateTotal } from './statuses.ts';
import { adjustTickets, ticketsDue } from './tickets.ts';
import type { EventWorld } from './world.ts';

export type TicketCounts = Record<'tickets_issued' | 'tickets_voided', number>;

/** An attendee whose type or days would change. */
export interface Mover {
  id: Id;
  registration_id: Id;
  before: AttendeeDetails;
  after: AttendeeDetails;
}

/**
 * Counts how many tickets a change would issue and void. It runs the rules that issue and void tickets, but writes nothing. `before`
 * may differ from what is stored, because an earlier row of the previewed file may change the same attendee: the tickets are first
 * brought to that state, and only what follows is counted.
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
  const context: StatusContext = { world, places, now, stamp: iso(now) };
  const loaded = await loadRegistrations(tx, org, sql`id = any(${movers.map((one) => one.registration_id)})`);
  const registrations = new Map(loaded.map((registration) => [registration.id, registration]));
  const moveAll = (to: 'before' | 'after') => {
    for (const mover of movers) {
      const registration = registrations.get(mover.registration_id);
      if (registration !== undefined) applyTypeAndDays(context, registration, mover.id, mover[to]);
    }
  };
  moveAll('before');
  for (const registration of loaded) registration.happened = [];
  moveAll('after');
  for (const { type } of loaded.flatMap((registration) => registration.happened)) {
    if (type === 'ticket.issued') counts.tickets_issued += 1;
    if (type === 'ticket.voided') counts.tickets_voided += 1;
  }
  return counts;
}

function applyTypeAndDays(
  context: StatusContext,
  registration: RegistrationState,
  id: Id,
  details: AttendeeDetails,
): void {
  const attendee = registration.attendees.find((one) => one.id === id);
  if (attendee === undefined) return;
  const { attendee_type_id, day_ids } = details;
  if (attendee.attendee_type_id === attendee_type_id && attendee.day_ids.join() === day_ids.join()) return;
  Object.assign(attendee, { attendee_type_id, day_ids, ...agreedPrice(details) });
  updateTotal(registration);
  adjustTickets(context, registration, attendee);
  if (registration.status === 'pending_payment' && outstanding(registration) <= 0) confirm(context, registration);
}
