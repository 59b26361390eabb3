import type { RegisteredAttendee } from '@turnout/contract';
import type { WholeRegistration, WholeTicket } from './shapes.ts';

/**
 * What mails about a registration say, as it was when they were queued. Only names and codes are copied, and not what no mail shows
 * (answers, e-mail addresses, phone numbers). The fields are those of API v1's shapes, because earlier builds queued mails with
 * complete shapes, and these are read the same way.
 */
export interface Snapshot {
  registration: Pick<
    WholeRegistration,
    'code' | 'status' | 'total_minor' | 'paid_minor' | 'currency' | 'payment_due_at'
  > & {
    /** Absent in mails of earlier builds, which did not copy it. */
    confirmed_at?: string | null;
    /** Until when its places are held if the registrant confirms their address. Absent: that changes nothing. */
    kept_until?: string;
    attendees: SnapshotAttendee[];
  };
  tickets: SnapshotTicket[];
  reason: string | null;
  /** The registrant's language. Null or absent: the event's. */
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
  kept_until: string | null = null,
): Snapshot => ({
  registration: {
    code: registration.code,
    status: registration.status,
    total_minor: registration.total_minor,
    paid_minor: registration.paid_minor,
    currency: registration.currency,
    payment_due_at: registration.payment_due_at,
    confirmed_at: registration.confirmed_at,
    ...(kept_until !== null && { kept_until }),
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
