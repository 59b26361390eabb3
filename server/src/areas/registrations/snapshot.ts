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
    attendees: SnapshotPerson[];
  };
  tickets: SnapshotTicket[];
  reason: string | null;
}
type SnapshotPerson = Pick<
  RegisteredAttendee,
  'id' | 'first_name' | 'last_name' | 'attendee_type' | 'days' | 'price_minor' | 'status'
>;
export type SnapshotTicket = Pick<WholeTicket, 'id' | 'code' | 'attendees' | 'days' | 'test'>;

export const snapshotOf = (
  { code, status, total_minor, paid_minor, currency, payment_due_at, attendees }: WholeRegistration,
  tickets: readonly WholeTicket[],
  reason: string | null = null,
): Snapshot => ({
  registration: {
    code,
    status,
    total_minor,
    paid_minor,
    currency,
    payment_due_at,
    attendees: attendees.map(personOf),
  },
  tickets: tickets.map(({ id, code, attendees, days, test }) => ({ id, code, attendees, days, test })),
  reason,
});

const personOf = ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  status,
}: RegisteredAttendee): SnapshotPerson => ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  status,
});
