import type { Attendee, AttendeeMessage, AuditEntry, CheckIn, Payment, Registration, Ticket } from '@turnout/client';
import {
  AlertIcon,
  CardIcon,
  CheckIcon,
  CloseIcon,
  type Icon,
  MailIcon,
  PencilIcon,
  PlusIcon,
  ScanIcon,
  TicketIcon,
  type Tone,
} from '@turnout/ui';
import type { Translate } from '@turnout/words';
import type { ReactNode } from 'react';
import type { EventParts } from '../../../../frame/event.tsx';
import type { useActionText } from '../../../../parts/audit/entry.tsx';
import type { useNameText, useReasonText, useStateText } from '../../../../parts/status.tsx';
import { AuditedChanges } from './audited-changes.tsx';
import { CheckInActions } from './check-in-actions.tsx';
import { isLatest } from './timeline-entries.ts';

/** Something that happened, at its place in the timeline. */
export interface TimelineEntry {
  id: string;
  at: string;
  icon: Icon;
  tone?: Tone;
  title: ReactNode;
  text?: ReactNode;
  /** Who did it, where the log says so. */
  by?: string;
  actions?: ReactNode;
}

/** The words with which things are told. */
export interface Telling extends Pick<EventParts, 'money' | 'pointName' | 'dayName'> {
  t: Translate<'people'>;
  stateText: ReturnType<typeof useStateText>;
  reasonText: ReturnType<typeof useReasonText>;
  nameText: ReturnType<typeof useNameText>;
  actionText: ReturnType<typeof useActionText>;
  /** Who did one of these actions to an object at that time, if the log says so. */
  by: (object: string, at: string, ...actions: string[]) => { by?: string };
}

const joined = (parts: readonly (string | false | null | undefined)[]): string => parts.filter(Boolean).join(' · ');

export const tellRegistered = (
  { id, created_at }: Pick<Attendee, 'id' | 'created_at'>,
  registration: Pick<Registration, 'source'> | undefined,
  { t, nameText, by }: Telling,
): TimelineEntry => ({
  ...{ id: 'registered', at: created_at, icon: PlusIcon, title: t('registered') },
  ...(registration !== undefined && { text: nameText.source(registration.source) }),
  ...by(id, created_at, 'registration.created', 'registration.attendee_added', 'people.imported'),
});

/** `isLogged`: the log can be read, and tells of a cancellation by itself. */
export function tellRegistration(
  { created_at, confirmed_at, cancelled_at }: Pick<Registration, 'created_at' | 'confirmed_at' | 'cancelled_at'>,
  isLogged: boolean,
  { stateText }: Telling,
): TimelineEntry[] {
  const told: TimelineEntry[] = [];
  if (confirmed_at !== null && confirmed_at !== created_at)
    told.push({
      ...{ id: 'confirmed', at: confirmed_at, icon: CheckIcon, tone: 'good' },
      title: stateText('registration', 'confirmed'),
    });
  if (cancelled_at !== null && !isLogged)
    told.push({
      ...{ id: 'cancelled', at: cancelled_at, icon: CloseIcon },
      title: stateText('registration', 'cancelled'),
    });
  return told;
}

const ISSUED_BY = ['ticket.issued', 'ticket.reissued', 'registration.approved', 'payment.recorded'];
const VOIDED_BY = [
  ...['ticket.voided', 'ticket.reissued', 'attendee.cancelled', 'attendee.handed_on'],
  'registration.cancelled',
];

export function tellTicket(one: Ticket, { t, by }: Telling): TimelineEntry[] {
  const code = one.code ?? undefined;
  const issued: TimelineEntry = {
    ...{ id: `${one.id} issued`, at: one.issued_at, icon: TicketIcon, title: t('ticketIssued') },
    ...(code !== undefined && { text: <code>{code}</code> }),
    ...by(one.id, one.issued_at, ...ISSUED_BY),
  };
  if (one.voided_at === null) return [issued];
  const voided: TimelineEntry = {
    ...{ id: `${one.id} voided`, at: one.voided_at, icon: CloseIcon, tone: 'bad' },
    title: t(one.replaced_by === null ? 'ticketVoided' : 'ticketReplaced'),
    text: joined([code, one.void_reason]),
    ...by(one.id, one.voided_at, ...VOIDED_BY),
  };
  return [issued, voided];
}

export const tellMessage = (one: AttendeeMessage, { t, stateText, nameText }: Telling): TimelineEntry => ({
  ...{ id: `${one.id} message`, at: one.settled_at ?? one.created_at, icon: MailIcon },
  ...(one.status === 'failed' && { tone: 'bad' as const }),
  title: one.subject ?? t(`message.${one.kind}`),
  text: joined([
    stateText('recipient', one.status),
    one.email,
    one.reason !== null && nameText.skipped(one.reason),
    one.error,
  ]),
});

export const tellPayment = (one: Payment, { t, nameText, money, by }: Telling): TimelineEntry => ({
  ...{ id: one.id, at: one.created_at, icon: CardIcon, tone: one.status === 'failed' ? 'bad' : 'good' },
  title: t(one.status === 'failed' ? 'paymentFailed' : 'paymentReceived', { amount: money(one.amount_minor) }),
  text: joined([nameText.method(one.method), one.reference]),
  ...by(one.id, one.created_at, 'payment.recorded'),
});

export function tellCheckIn(one: CheckIn, all: readonly CheckIn[], telling: Telling): TimelineEntry {
  const { t, stateText, reasonText, pointName, dayName } = telling;
  const result = stateText('result', one.result);
  const reason = one.reason === null || one.admitted ? null : reasonText(one.reason);
  return {
    ...{ id: one.id, at: one.scanned_at },
    ...(one.admitted ? { icon: ScanIcon, tone: 'good' } : { icon: AlertIcon, tone: 'warn' }),
    title: t('resultAt', { result, point: pointName(one.check_in_point) }),
    text: joined([
      one.day !== null && dayName(one.day),
      reason !== result && reason,
      one.override !== null && t('overriddenFor', { reason: one.override.reason }),
      one.undone_at !== null && t('undone'),
      one.test && t('test'),
    ]),
    by: one.device?.name ?? one.actor.name,
    actions: <CheckInActions checkIn={one} latest={isLatest(one, all)} />,
  };
}

export const tellEntry = (one: AuditEntry, attendee: string, { actionText }: Telling): TimelineEntry => ({
  ...{ id: one.id, at: one.at, icon: PencilIcon, title: actionText(one.action) },
  ...(one.actor.kind !== 'system' && { by: one.actor.name }),
  text: <AuditedChanges entry={one} about={attendee} />,
});
