import type { RegistrationCreate, RegistrationSource } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { present } from '../contacts/index.ts';
import { newRegistrationCode } from './codes.ts';
import type { AttendeeDetails } from './input.ts';
import type { AttendeeState, RegistrationState } from './state.ts';
import { type StatusContext, updateTotal } from './statuses.ts';

/** The fields by which a person is recognized again, with blank ones as null. */
export const withoutBlankKeys = ({
  email,
  phone,
  external_id,
}: Pick<AttendeeDetails, 'email' | 'phone' | 'external_id'>) => ({
  email: present(email),
  phone: present(phone),
  external_id: present(external_id),
});

/** An attendee without a group gets the registration's group, so that checks of a caller's reach need not look it up. */
export function newAttendee(
  context: StatusContext,
  registration: Pick<RegistrationState, 'group_id'>,
  details: AttendeeDetails,
  position: number,
): AttendeeState {
  return {
    ...details,
    ...withoutBlankKeys(details),
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
}

export function newRegistration(
  context: StatusContext,
  { source, test, group_id, send_emails, contact }: RegistrationSeed,
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
      first_name: contact?.first_name ?? first.first_name,
      last_name: contact?.last_name ?? first.last_name,
      email: contact === undefined ? present(first.email) : present(contact.email),
      phone: contact === undefined ? present(first.phone) : present(contact.phone),
      language: contact?.language ?? null,
    },
    currency: context.world.event.currency,
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
