import type { LetterWords } from '@turnout/words/mails';
import type { WayToPay } from '../way-to-pay.ts';
import type { MailKind } from './mail.ts';

/** What sentences are built from. Amounts and dates are already formatted. */
export interface Facts {
  event: string;
  status: string;
  code: string;
  people: number;
  tickets: number;
  /** How many of the tickets are attached. */
  attached: number;
  /** The amount that is still to pay; null if there is none. */
  open: string | null;
  due: string | null;
  /** Until when the places are held if the registrant confirms their address; null if that changes nothing. */
  keep: string | null;
  /** How the open amount is paid: by the button, as the mail says below, or however the organizer tells. */
  way: WayToPay;
}

type Sentences = (facts: Facts, t: LetterWords['t']) => string[];

/** Where the tickets are. */
const tickets: Sentences = ({ tickets: count, attached }, t) => {
  if (count === 0) return [];
  if (attached === 0) return [t('tickets.online', { count })];
  if (attached < count) return [t('tickets.firstAttached', { attached: String(attached), tickets: String(count) })];
  return [t('tickets.attached', { count })];
};

const HOW_TO_PAY = { online: 'pay.then', instructions: 'pay.quote', ask: 'pay.ask' } as const;

const payment: Sentences = ({ open, due, keep, code, way }, t) => {
  if (open === null) return [];
  return [
    due === null ? t('pay.open', { open }) : t('pay.until', { open, due }),
    ...(keep === null ? [] : [t('pay.keep', { keep })]),
    t(HOW_TO_PAY[way], { code }),
  ];
};

/** What comes next, by the status that the registration now has. */
const next: Sentences = (facts, t) => {
  if (facts.status === 'pending_payment') return payment(facts, t);
  if (facts.status === 'pending_approval') return [t('next.review')];
  return [t('next.confirmed'), ...tickets(facts, t)];
};

const ticketsSoon: Sentences = (facts, t) =>
  facts.status === 'confirmed' ? tickets(facts, t) : [t('next.ticketFollows')];

/** The paragraphs of each kind of mail. */
export const SENTENCES: Readonly<Record<MailKind, Sentences>> = {
  confirmation: (facts, t) => [t('confirmation.line1'), ...tickets(facts, t)],
  waitlisted: (_, t) => [t('waitlisted.line1'), t('waitlisted.line2')],
  approval_pending: (_, t) => [t('approval_pending.line1')],
  approved: next,
  declined: (_, t) => [t('declined.line1')],
  cancelled: (_, t) => [t('cancelled.line1')],
  ticket_reissued: (facts, t) => [t('ticket_reissued.line1'), ...tickets(facts, t)],
  payment_due: payment,
  promoted: (facts, t) => [t('promoted.line1'), ...next(facts, t)],
  registration_expired: (_, t) => [t('registration_expired.line1'), t('registration_expired.line2')],
  attendee_ticket: (facts, t) => [t('attendee_ticket.line1'), ...tickets(facts, t)],
  attendee_cancelled: (_, t) => [t('attendee_cancelled.line1'), t('attendee_cancelled.line2')],
  place_received: (facts, t) => [t('place_received.line1'), ...ticketsSoon(facts, t)],
  place_handed_on: (_, t) => [t('place_handed_on.line1'), t('place_handed_on.line2')],
};

export const subjectOf = (kind: MailKind, { event, tickets: count }: Facts, t: LetterWords['t']): string =>
  kind === 'attendee_ticket'
    ? t(`${kind}.subject`, { event, count: Math.max(1, count) })
    : t(`${kind}.subject`, { event });

export const titleOf = (kind: MailKind, { tickets: count }: Facts, t: LetterWords['t']): string =>
  kind === 'attendee_ticket' ? t(`${kind}.title`, { count: Math.max(1, count) }) : t(`${kind}.title`);
