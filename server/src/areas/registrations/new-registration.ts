import { pickFields, type RegistrationCreate, type RegistrationSource } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import type { DiscountRow } from '../events/index.ts';
import { newRegistrationCode } from './codes.ts';
import type { AttendeeDetails } from './input.ts';
import {
  type AttendeeState,
  type BookedLine,
  NO_LINES,
  type RegistrantTexts,
  type RegistrationState,
} from './state.ts';
import { type StatusContext, updateTotal } from './statuses.ts';
import { attendeeTexts, NO_TEXTS, REGISTRANT_TEXTS, registrantTexts } from './texts.ts';

/** An attendee without a group gets the registration's group, so that checks of a caller's reach need not look it up. */
export function newAttendee(
  context: StatusContext,
  registration: Pick<RegistrationState, 'group_id'>,
  details: AttendeeDetails,
  position: number,
): AttendeeState {
  return {
    ...details,
    ...attendeeTexts(details),
    group_id: details.group_id ?? registration.group_id,
    id: newId(context.now),
    position,
    contact_id: null,
    cancelled: false,
    handed_on_at: null,
    cancelled_at: null,
    checked_in_at: null,
    created_at: context.stamp,
    updated_at: context.stamp,
    fresh: true,
    touched: true,
  };
}

/** What is known of a registration before it has attendees. */
export interface RegistrationSeed {
  source: RegistrationSource;
  test: boolean;
  group_id: Id | null;
  send_emails: boolean;
  /** Default: the first attendee. */
  contact?: NonNullable<RegistrationCreate['contact']>;
  /** What is booked for all of them together. */
  products?: BookedLine[];
  /** The discount that they register with. */
  discount?: Pick<DiscountRow, 'id' | 'code'>;
}

/**
 * The registrant is the first attendee unless the caller sends a contact. A contact that lacks a name gets the first attendee's name, but
 * never the first attendee's address or phone number.
 */
function registrantOf(contact: RegistrationSeed['contact'], first: AttendeeDetails): RegistrantTexts {
  const { first_name, last_name } = first;
  const like = contact === undefined ? first : { ...NO_TEXTS, first_name, last_name };
  return registrantTexts({ ...pickFields(REGISTRANT_TEXTS, like), ...contact }, NO_TEXTS);
}

export function newRegistration(
  context: StatusContext,
  { source, test, group_id, send_emails, contact, products = NO_LINES, discount }: RegistrationSeed,
  attendees: readonly AttendeeDetails[],
): RegistrationState {
  const first = attendees[0]!;
  const registration: RegistrationState = {
    id: newId(context.now),
    code: newRegistrationCode(),
    status: 'pending_approval',
    source,
    test,
    group_id,
    contact: {
      id: null,
      ...registrantOf(contact, first),
      language: contact?.language ?? null,
    },
    currency: context.world.event.currency,
    products,
    discount_id: discount?.id ?? null,
    discount_code: discount?.code ?? null,
    discount_minor: 0,
    total_minor: 0,
    paid_minor: 0,
    send_emails,
    payment_due_at: null,
    hold: null,
    waitlisted_at: null,
    waiting_for: null,
    confirmed_at: null,
    cancelled_at: null,
    created_at: context.stamp,
    updated_at: context.stamp,
    attendees: attendees.map((attendee, i) => newAttendee(context, { group_id }, attendee, i)),
    tickets: [],
    fresh: true,
    touched: true,
    happened: [],
  };
  updateTotal(registration);
  return registration;
}
