import { type Touched, UNSAID } from '../../road/audited.ts';
import { type Differences, diff } from '../../road/diff.ts';
import { type Id, ulidOrNull } from '../../store/ids.ts';
import type { Book } from './book.ts';
import { groupOf } from './reach.ts';
import { dayCodes, ticketDays } from './shapes.ts';
import type { AttendeeState, PaymentState, RegistrationState, TicketState } from './state.ts';

/**
 * For the audit log: what an act did to a registration, its people, tickets and payments, each by its id. A row that a group reads
 * tells of that group's people alone, and of money only where all of the registration are.
 */

/** As they were before the act, which changes them in place. */
export interface Before {
  registration: object;
  people: Map<Id, object>;
  tickets: Map<Id, object>;
  groups: Map<Id, Id | null>;
  paid_minor: number;
}

export function before(book: Book, registration: RegistrationState): Before {
  return {
    registration: registrationFacts(registration),
    people: new Map(registration.people.map((one) => [one.id, personFacts(book, registration, one)])),
    tickets: new Map(registration.tickets.map((one) => [one.id, ticketFacts(book, registration, one)])),
    groups: new Map(registration.people.map((one) => [one.id, groupOf(book.world.event, registration, one)])),
    paid_minor: registration.paid_minor,
  };
}

interface Told {
  changes: Differences;
  details: Record<string, unknown>;
  objects: Touched[];
}

export function touched(book: Book, registration: RegistrationState, was: Before, group: Id | null): Told {
  const isRead = (person: AttendeeState): boolean =>
    group === null || groupOf(book.world.event, registration, person) === group || was.groups.get(person.id) === group;
  const read = new Set(registration.people.filter(isRead).map((person) => person.id));
  const isWhole = read.size === registration.people.length;
  const paid = registration.paid_minor - was.paid_minor;
  const payments = isWhole ? book.paymentsOf(registration) : [];
  const objects = [
    ...registration.people
      .filter((one) => read.has(one.id))
      .map((one) => ({
        kind: 'attendee',
        id: one.id,
        changes: within(group, diff(was.people.get(one.id) ?? null, personFacts(book, registration, one))),
      })),
    ...registration.tickets
      .filter((one) => one.people.every((person) => read.has(person)))
      .map((one) => ({
        kind: 'ticket',
        id: one.id,
        changes: diff(was.tickets.get(one.id) ?? null, ticketFacts(book, registration, one)),
      })),
    ...payments.map((one) => ({ kind: 'payment', id: one.id, changes: paymentChanges(one, paid) })),
  ];
  const changes = diff(was.registration, registrationFacts(registration));
  return {
    changes: isWhole ? within(group, changes) : statusIn(changes),
    details: detailsOf(registration, was, payments, paid),
    objects: objects.filter((one) => Object.keys(one.changes).length > 0),
  };
}

/** What a group reads names no other group. */
export const within = (group: Id | null, changes: Differences): Differences =>
  group !== null && 'group' in changes ? { ...changes, group: UNSAID } : changes;

const statusIn = ({ status }: Differences): Differences => (status === undefined ? {} : { status });

/** What a registration consists of when it is made; its people are named by id alone. */
export const madeOf = ({ status, people, tickets }: RegistrationState): Told => ({
  changes: { status: [null, status] },
  details: { people: people.length },
  objects: [
    ...people.map(({ id }) => ({ kind: 'attendee', id })),
    ...tickets.map(({ id }) => ({ kind: 'ticket', id })),
  ],
});

const registrationFacts = ({ status, total_minor, paid_minor, group_id, send_emails, contact }: RegistrationState) => ({
  status,
  total_minor,
  paid_minor,
  group: ulidOrNull(group_id),
  send_emails,
  contact: { ...contact, id: null },
});

export const personFacts = (book: Book, registration: RegistrationState, person: AttendeeState) => ({
  attendee_type: book.world.types.get(person.attendee_type_id)?.code ?? null,
  group: ulidOrNull(person.group_id),
  days: dayCodes(book, person.day_ids),
  first_name: person.first_name,
  last_name: person.last_name,
  email: person.email,
  phone: person.phone,
  date_of_birth: person.date_of_birth,
  external_id: person.external_id,
  answers: { ...person.answers },
  price_minor: person.price_minor,
  status: person.cancelled ? 'cancelled' : registration.status,
});

const ticketFacts = (book: Book, registration: RegistrationState, ticket: TicketState) => ({
  status: ticket.status,
  days: dayCodes(book, ticketDays(registration, ticket)),
  attendees: ticket.people.map(ulidOrNull),
  replaced_by: ulidOrNull(ticket.replaced_by),
});

/** Payments are counted, never edited: one that was there before has given something back. */
function paymentChanges(
  { fresh, status, amount_minor, refunded_minor, method }: PaymentState,
  paid: number,
): Differences {
  if (fresh) return diff(null, { status, amount_minor, method });
  return diff({ refunded_minor: refunded_minor + Math.min(paid, 0) }, { refunded_minor });
}

function detailsOf(registration: RegistrationState, was: Before, payments: readonly PaymentState[], paid: number) {
  const voided = registration.tickets.filter(
    (ticket) => ticket.status === 'voided' && (was.tickets.get(ticket.id) as { status?: string })?.status === 'valid',
  );
  const reasons = new Set([registration.reason, ...voided.map((ticket) => ticket.void_reason)]);
  reasons.delete(undefined);
  reasons.delete(null);
  const [payment] = payments;
  return {
    ...(registration.happened.length > 0 && { happened: registration.happened.map((one) => one.type) }),
    ...(reasons.size > 0 && { reason: [...reasons].join('; ') }),
    ...(payment !== undefined && {
      amount_minor: payment.fresh ? payment.amount_minor : -paid,
      currency: payment.currency,
    }),
  };
}
