import {
  type Attendee,
  type BookedProduct,
  type Payment,
  pickFields,
  type RegisteredAttendee,
  type Registration,
  type Ticket,
} from '@turnout/contract';
import { type Id, toUlid, ulidOrNull } from '../../common/ids.ts';
import { sixDecimals, stamps } from '../../store/stamps.ts';
import { attendeesOn, ticketsByAttendee } from './parts.ts';
import {
  type AttendeeState,
  type BookedLine,
  balanceOf,
  type PaymentState,
  type RegistrationState,
  type TicketState,
} from './state.ts';
import { ATTENDEE_TEXTS } from './texts.ts';
import { type EventWorld, inDayOrder } from './world.ts';

/**
 * The shapes of API v1, for answers, lists and webhooks alike. These are complete; reach.ts reduces them for a caller limited to a
 * group. `groups` gives a group's code by its id.
 */
export interface Shaping {
  world: EventWorld;
  groups: ReadonlyMap<Id, string>;
}

export const dayCodes = ({ world }: Pick<Shaping, 'world'>, ids: readonly Id[]): string[] =>
  inDayOrder(world, ids).map((id) => world.days.get(id)!.code);

export const productShapes = ({ world }: Pick<Shaping, 'world'>, lines: readonly BookedLine[]): BookedProduct[] =>
  lines.map(({ product_id, option_id, ...line }) => {
    const product = world.products.get(product_id)!;
    return {
      product: product.code,
      option: product.options.find(({ id }) => id === option_id)?.code ?? null,
      ...line,
    };
  });

export function attendeeShape(
  shaping: Shaping,
  registration: RegistrationState,
  attendee: AttendeeState,
  /** Theirs. Whoever shapes all attendees finds the tickets of each with `ticketsByAttendee`. */
  tickets: readonly TicketState[] = registration.tickets.filter(({ attendee_ids }) =>
    attendee_ids.includes(attendee.id),
  ),
): Attendee {
  return {
    id: toUlid(attendee.id),
    registration_id: toUlid(registration.id),
    event_id: toUlid(shaping.world.event.id),
    contact_id: ulidOrNull(attendee.contact_id),
    attendee_type: shaping.world.types.get(attendee.attendee_type_id)!.code,
    ...pickFields(ATTENDEE_TEXTS, attendee),
    group: attendee.group_id === null ? null : (shaping.groups.get(attendee.group_id) ?? null),
    days: dayCodes(shaping, attendee.day_ids),
    answers: attendee.answers,
    status: attendee.cancelled ? 'cancelled' : registration.status,
    price_minor: attendee.price_minor,
    price_name: attendee.price_name,
    discount_minor: attendee.discount_minor,
    products: productShapes(shaping, attendee.products),
    tickets: tickets.map((ticket) => ({ id: toUlid(ticket.id), code: ticket.code, status: ticket.status })),
    checked_in: attendee.checked_in_at !== null,
    test: registration.test,
    ...stamps(attendee),
  };
}

/** An attendee inside a registration, without what scanning and handing out change: the attendee and not the registration. */
function registeredShape(
  shaping: Shaping,
  registration: RegistrationState,
  attendee: AttendeeState,
  tickets: readonly TicketState[] = [],
): RegisteredAttendee {
  const { checked_in: _, products, ...shown } = attendeeShape(shaping, registration, attendee, tickets);
  return {
    ...shown,
    products: products.map(({ handed_out: _, ...product }) => product),
    updated_at: stamps(registration).updated_at,
  };
}

/** Shapes from which nothing was left out, so they have their totals and codes. */
export type WholeRegistration = Registration & { discount_minor: number; total_minor: number; paid_minor: number };
export type WholeTicket = Ticket & { code: string };

export function registrationShape(shaping: Shaping, registration: RegistrationState): WholeRegistration {
  const { contact } = registration;
  const tickets = ticketsByAttendee(registration);
  return {
    id: toUlid(registration.id),
    code: registration.code,
    event_id: toUlid(shaping.world.event.id),
    status: registration.status,
    source: registration.source,
    test: registration.test,
    group: registration.group_id === null ? null : (shaping.groups.get(registration.group_id) ?? null),
    contact: { ...contact, id: ulidOrNull(contact.id) },
    attendees: registration.attendees.map((attendee) =>
      registeredShape(shaping, registration, attendee, tickets.get(attendee.id)),
    ),
    products: productShapes(shaping, registration.products),
    discount_code: registration.discount_code,
    discount_minor: registration.discount_minor,
    total_minor: registration.total_minor,
    paid_minor: registration.paid_minor,
    balance_minor: balanceOf(registration),
    currency: registration.currency,
    send_emails: registration.send_emails,
    payment_due_at: registration.payment_due_at,
    confirmed_at: registration.confirmed_at,
    cancelled_at: registration.cancelled_at,
    ...stamps(registration),
  };
}

/** The days a ticket is for: its own, or all days of its attendees. */
export const ticketDays = (registration: RegistrationState, ticket: TicketState): Id[] =>
  ticket.day_ids ?? [...new Set(attendeesOn(registration, ticket).flatMap((attendee) => attendee.day_ids))];

export function ticketShape(shaping: Shaping, registration: RegistrationState, ticket: TicketState): WholeTicket {
  return {
    id: toUlid(ticket.id),
    code: ticket.code,
    status: ticket.status,
    event_id: toUlid(shaping.world.event.id),
    registration_id: toUlid(registration.id),
    attendees: attendeesOn(registration, ticket).map((attendee) => ({
      id: toUlid(attendee.id),
      first_name: attendee.first_name,
      last_name: attendee.last_name,
      attendee_type: shaping.world.types.get(attendee.attendee_type_id)!.code,
    })),
    days: dayCodes(shaping, ticketDays(registration, ticket)),
    test: registration.test,
    issued_at: ticket.issued_at,
    voided_at: ticket.voided_at,
    void_reason: ticket.void_reason,
    replaced_by: ulidOrNull(ticket.replaced_by),
    ...stamps(ticket),
  };
}

export const paymentShape = (event: Id, test: boolean, payment: PaymentState): Payment => ({
  id: toUlid(payment.id),
  registration_id: toUlid(payment.registration_id),
  event_id: toUlid(event),
  amount_minor: payment.amount_minor,
  currency: payment.currency,
  method: payment.method,
  reference: payment.reference,
  status: payment.status,
  refunded_minor: payment.refunded_minor,
  charged_back_minor: payment.charged_back_minor,
  test,
  created_at: payment.created_at,
  updated_at: sixDecimals(payment.updated_at),
});
