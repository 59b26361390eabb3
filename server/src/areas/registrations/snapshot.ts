import type { RegisteredAttendee } from '@turnout/contract';
import type { WholeRegistration, WholeTicket } from './shapes.ts';

/**
 * What letters about a registration say, as it was when they were queued. Names and codes only: what no letter shows (answers,
 * addresses, phones) is not copied. The fields are those of API v1's shapes, so that mails which an earlier build queued with
 * whole shapes are read the same way.
 */
export interface Snapshot {
  registration: Pick<
    WholeRegistration,
    'code' | 'status' | 'total_minor' | 'paid_minor' | 'currency' | 'payment_due_at'
  > & {
    /** Left out by builds that did not copy it. */
    confirmed_at?: string | null;
    attendees: SnapshotAttendee[];
  };
  tickets: SnapshotTicket[];
  reason: string | null;
  /** Of the registrant; null or left out: the event's. */
  language?: string | null;
}
type SnapshotAttendee = Pick<
  RegisteredAttendee,
  'id' | 'first_name' | 'last_name' | 'attendee_type' | 'days' | 'price_minor' | 'status'
>;
export type SnapshotTicket = Pick<WholeTicket, 'id' | 'code' | 'attendees' | 'days' | 'test'>;

export const snapshotOf = (
  registration: WholeRegistration,
  tickets: readonly WholeTicket[],
  reason: string | null = null,
): Snapshot => ({
  registration: {
    code: registration.code,
    status: registration.status,
    total_minor: registration.total_minor,
    paid_minor: registration.paid_minor,
    currency: registration.currency,
    payment_due_at: registration.payment_due_at,
    confirmed_at: registration.confirmed_at,
    attendees: registration.attendees.map(snapshotAttendee),
  },
  tickets: tickets.map(({ id, code, attendees, days, test }) => ({ id, code, attendees, days, test })),
  reason,
  ...(registration.contact.language !== null && { language: registration.contact.language }),
});

const snapshotAttendee = ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  status,
}: RegisteredAttendee): SnapshotAttendee => ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  status,
});
