import { type FieldOf, fieldsOf, pickFields } from '@turnout/contract';
import { type Id, ulidOrNull } from '../../common/ids.ts';
import { type Touched, UNSAID } from '../../road/write/audited.ts';
import { type Differences, diff } from '../../road/write/diff.ts';
import type { Book } from './book.ts';
import type { Marked } from './marks.ts';
import { attendeesOn } from './parts.ts';
import { attendeeGroup } from './reach.ts';
import { dayCodes, productShapes, ticketDays } from './shapes.ts';
import type { AttendeeState, PaymentState, RegistrationState, TicketState } from './state.ts';

/*
 * For the audit log: what an act did to a registration and to its attendees, tickets and payments, each by its id. A row that a
 * group reads only speaks of that group's attendees, and of money only if all attendees of the registration are of that group.
 */

/** The facts before an act, which changes the registration in place. */
export interface AuditFacts {
  registration: object;
  attendees: Map<Id, object>;
  tickets: Map<Id, object>;
  groups: Map<Id, Id | null>;
  paid_minor: number;
}

export function auditFacts(book: Book, registration: RegistrationState): AuditFacts {
  const facts: AuditFacts = {
    registration: {},
    attendees: new Map(),
    tickets: new Map(),
    groups: new Map(),
    paid_minor: 0,
  };
  renewFacts(book, registration, facts, registration);
  return facts;
}

/** Brings the facts up to date with what an act changed: they are the facts before the next act. */
export function renewFacts(
  book: Book,
  registration: RegistrationState,
  facts: AuditFacts,
  { attendees, tickets }: Pick<Marked, 'attendees' | 'tickets'>,
): void {
  facts.registration = registrationFacts(book, registration);
  facts.paid_minor = registration.paid_minor;
  for (const one of attendees) {
    facts.attendees.set(one.id, attendeeFacts(book, registration, one));
    facts.groups.set(one.id, attendeeGroup(book.world.event, registration, one));
  }
  for (const one of tickets) facts.tickets.set(one.id, ticketFacts(book, registration, one));
}

interface Audited {
  changes: Differences;
  details: Record<string, unknown>;
  objects: Touched[];
}

export function auditChange(
  book: Book,
  registration: RegistrationState,
  before: AuditFacts,
  group: Id | null,
  /** What the act marked as changed, if that is known. Everything else is as it was. */
  marked: Marked = registration,
): Audited {
  const isRead = (attendee: AttendeeState): boolean =>
    group === null ||
    attendeeGroup(book.world.event, registration, attendee) === group ||
    before.groups.get(attendee.id) === group;
  const changes = diff(before.registration, registrationFacts(book, registration));
  const paid = registration.paid_minor - before.paid_minor;
  const made = book.paymentsOf(registration);
  // All attendees are gone through only if it matters: most acts on one of them change nothing of the registration itself.
  const isWhole = (Object.keys(changes).length > 0 || made.length > 0) && registration.attendees.every(isRead);
  const payments = isWhole ? made : [];
  const objects = [
    ...marked.attendees.filter(isRead).map((one) => ({
      kind: 'attendee',
      id: one.id,
      changes: hideGroup(group, diff(before.attendees.get(one.id) ?? null, attendeeFacts(book, registration, one))),
    })),
    ...marked.tickets
      .filter((one) => attendeesOn(registration, one).every(isRead))
      .map((one) => ({
        kind: 'ticket',
        id: one.id,
        changes: diff(before.tickets.get(one.id) ?? null, ticketFacts(book, registration, one)),
      })),
    ...payments.map((one) => ({ kind: 'payment', id: one.id, changes: paymentChanges(one, paid) })),
  ];
  return {
    changes: isWhole ? hideGroup(group, changes) : statusIn(changes),
    details: detailsOf(registration.reason, marked, before, payments, paid),
    objects: objects.filter((one) => Object.keys(one.changes).length > 0),
  };
}

/** In a row that a group reads, other groups are not named. */
export const hideGroup = (group: Id | null, changes: Differences): Differences =>
  group !== null && 'group' in changes ? { ...changes, group: UNSAID } : changes;

const statusIn = ({ status }: Differences): Differences => (status === undefined ? {} : { status });

/** The audit entry of a new registration. It names attendees and tickets by their ids only. */
export const auditCreation = ({ status, paid_minor, attendees, tickets, happened }: RegistrationState): Audited => ({
  changes: { status: [null, status], ...(paid_minor > 0 && { paid_minor: [0, paid_minor] }) },
  details: { people: attendees.length },
  objects: [
    ...attendees.map(({ id }) => ({ kind: 'attendee', id })),
    ...tickets.map(({ id }) => ({ kind: 'ticket', id })),
    ...happened.flatMap((one) => ('payment' in one ? [{ kind: 'payment', id: one.payment.id }] : [])),
  ],
});

const registrationFacts = (
  book: Book,
  { status, products, discount_minor, total_minor, paid_minor, group_id, send_emails, contact }: RegistrationState,
) => ({
  status,
  products: productShapes(book, products),
  discount_minor,
  total_minor,
  paid_minor,
  group: ulidOrNull(group_id),
  send_emails,
  contact: { ...contact, id: null },
});

const TYPED = fieldsOf('attendee', { typed: true, audited: true });

export const attendeeFacts = (
  book: Book,
  registration: RegistrationState,
  attendee: AttendeeState,
): Record<FieldOf<'attendee', { audited: true }>, unknown> => ({
  attendee_type: book.world.types.get(attendee.attendee_type_id)?.code ?? null,
  group: ulidOrNull(attendee.group_id),
  days: dayCodes(book, attendee.day_ids),
  ...pickFields(TYPED, attendee),
  answers: { ...attendee.answers },
  price_minor: attendee.price_minor,
  price_name: attendee.price_name,
  discount_minor: attendee.discount_minor,
  products: productShapes(book, attendee.products),
  status: attendee.cancelled ? 'cancelled' : registration.status,
});

const ticketFacts = (book: Book, registration: RegistrationState, ticket: TicketState) => ({
  status: ticket.status,
  days: dayCodes(book, ticketDays(registration, ticket)),
  attendees: ticket.attendee_ids.map(ulidOrNull),
  replaced_by: ulidOrNull(ticket.replaced_by),
});

/** The amount of a payment never changes, so a payment that existed before can only have been refunded. */
function paymentChanges(
  { fresh, status, amount_minor, refunded_minor, method }: PaymentState,
  paid: number,
): Differences {
  if (fresh) return diff(null, { status, amount_minor, method });
  return diff({ refunded_minor: refunded_minor + Math.min(paid, 0) }, { refunded_minor });
}

function detailsOf(
  reason: string | undefined,
  { tickets, happened }: Marked,
  before: AuditFacts,
  payments: readonly PaymentState[],
  paid: number,
) {
  const voided = tickets.filter(
    (ticket) =>
      ticket.status === 'voided' && (before.tickets.get(ticket.id) as { status?: string })?.status === 'valid',
  );
  const reasons = new Set([reason, ...voided.map((ticket) => ticket.void_reason)]);
  reasons.delete(undefined);
  reasons.delete(null);
  const [payment] = payments;
  return {
    ...(happened.length > 0 && { happened: happened.map((one) => one.type) }),
    ...(reasons.size > 0 && { reason: [...reasons].join('; ') }),
    ...(payment !== undefined && {
      amount_minor: payment.fresh ? payment.amount_minor : -paid,
      currency: payment.currency,
    }),
  };
}
