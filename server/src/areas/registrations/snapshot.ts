import type { RegisteredAttendee, RegisteredProduct } from '@turnout/contract';
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
    /** What is booked for all of them together. Absent: nothing. */
    products?: RegisteredProduct[];
    /** The code that was registered with, and what it took off in all. Absent: nothing was. */
    discount?: { code: string; minor: number };
  };
  tickets: SnapshotTicket[];
  reason: string | null;
  /** The registrant's language. Null or absent: the event's. */
  language?: string | null;
}
type SnapshotAttendee = Pick<
  RegisteredAttendee,
  'id' | 'first_name' | 'last_name' | 'attendee_type' | 'days' | 'price_minor' | 'status'
> & {
  /** The place was handed to somebody else, so the registrant's mails leave it out. */
  handed_on?: true;
  /** What they have booked beside the ticket. Absent: nothing. */
  products?: RegisteredProduct[];
  /** What the code took off the ticket. Absent: nothing. */
  discount_minor?: number;
};
export type SnapshotTicket = Pick<WholeTicket, 'id' | 'code' | 'attendees' | 'days' | 'test'>;

export const snapshotOf = (
  registration: WholeRegistration,
  tickets: readonly WholeTicket[],
  reason: string | null = null,
  /** The ids of attendees whose place was handed on. */
  handedOn: ReadonlySet<string> = new Set(),
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
    ...booked(registration),
    ...(registration.discount_minor > 0 && {
      discount: { code: registration.discount_code ?? '', minor: registration.discount_minor },
    }),
    attendees: registration.attendees.map((attendee) => ({
      ...snapshotAttendee(attendee),
      ...(handedOn.has(attendee.id) && { handed_on: true as const }),
    })),
  },
  tickets: tickets.map(({ id, code, attendees, days, test }) => ({ id, code, attendees, days, test })),
  reason,
  ...(registration.contact.language !== null && { language: registration.contact.language }),
});

/** A line without what was handed out, which no mail shows. */
const booked = ({ products }: { products: readonly RegisteredProduct[] }): { products?: RegisteredProduct[] } =>
  products.length === 0
    ? {}
    : {
        products: products.map(({ product, option, quantity, price_minor, discount_minor }) => ({
          ...{ product, option, quantity },
          ...{ price_minor, discount_minor },
        })),
      };

const snapshotAttendee = ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  discount_minor,
  products,
  status,
}: RegisteredAttendee): SnapshotAttendee => ({
  id,
  first_name,
  last_name,
  attendee_type,
  days,
  price_minor,
  status,
  ...booked({ products }),
  ...(discount_minor > 0 && { discount_minor }),
});
