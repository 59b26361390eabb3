import {
  type Attendee,
  type AttendeeMessage,
  type AuditEntry,
  type CheckIn,
  type Payment,
  Problem,
  type Registration,
  type Ticket,
} from '@turnout/client';
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
  useWords,
} from '@turnout/ui';
import type { ReactNode } from 'react';
import { usePages } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useActionText } from '../../../../parts/audit/entry.tsx';
import { useNameText, useReasonText, useStateText } from '../../../../parts/status.tsx';
import { AuditedChanges } from './audited-changes.tsx';
import { CheckInActions } from './check-in-actions.tsx';
import { useTickets } from './tickets.tsx';
import { actorOf, entriesAbout, isLatest, isNews, newestFirst } from './timeline-entries.ts';

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

const MANY = 100;

/** Everything that happened to a person, newest first, out of all that tells of it. What this member may not read is left out. */
export function useTimeline(attendee: Attendee, registration: Registration | undefined) {
  const { base } = useEvent();
  const { org, may } = useOrganization();
  const audits = may('tenant.audit');
  const about = (object: string) => ({ org, query: { object, limit: MANY } });
  const checkIns = usePages(
    'listCheckIns',
    { ...base, query: { attendee: attendee.id, limit: MANY } },
    { enabled: may('door.scan') },
  );
  const tickets = useTickets(attendee.id);
  const messages = usePages('listAttendeeMessages', { ...base, attendee: attendee.id, query: { limit: MANY } });
  const payments = usePages('listPayments', {
    ...{ ...base, registration: attendee.registration_id, query: { limit: MANY } },
  });
  const ofPerson = usePages('listAuditLog', about(attendee.id), { enabled: audits });
  const ofRegistration = usePages('listAuditLog', about(attendee.registration_id), { enabled: audits });
  const entries = entriesAbout(attendee.id, [...(ofPerson.rows ?? []), ...(ofRegistration.rows ?? [])]);
  const tell = useTellers(attendee, entries);
  const all = [checkIns, tickets, messages, payments, ofPerson, ofRegistration];
  const items = [
    ...(tickets.rows ?? []).flatMap(tell.ticket),
    ...(messages.rows ?? []).map(tell.message),
    ...(payments.rows ?? []).flatMap(tell.payment),
    ...(checkIns.rows ?? []).flatMap((one) => tell.checkIn(one, checkIns.rows ?? [])),
    ...entries.filter(isNews).map(tell.entry),
    // Last, because what happened at the same moment followed from it.
    ...tell.registration(registration),
  ];
  return {
    items: newestFirst(items),
    error: all.map((one) => one.error).find((error) => error !== null && !isHidden(error)) ?? null,
    loading: all.some((one) => one.isLoading),
  };
}

/** A member of a group does not see the money of registrations that also belong to others. */
const HIDDEN = ['mixed_groups', 'not_found', 'permission_required'];
const isHidden = (error: Error): boolean => error instanceof Problem && HIDDEN.includes(error.code);

/** How each kind of thing is told. */
function useTellers(attendee: Attendee, entries: readonly AuditEntry[]) {
  const t = useWords('people');
  const stateText = useStateText();
  const reasonText = useReasonText();
  const nameText = useNameText();
  const actionText = useActionText();
  const { money, pointName, dayName } = useEvent();
  const by = (id: string, at: string, ...actions: string[]): { by?: string } => {
    const name = actorOf(entries, { id, at, actions });
    return name === undefined ? {} : { by: name };
  };
  return {
    registration: (one: Registration | undefined): TimelineEntry[] => [
      {
        ...{ id: 'registered', at: attendee.created_at, icon: PlusIcon, title: t('registered') },
        ...(one !== undefined && { text: nameText.source(one.source) }),
        ...by(
          attendee.id,
          attendee.created_at,
          'registration.created',
          'registration.attendee_added',
          'people.imported',
        ),
      },
      ...(one?.confirmed_at && one.confirmed_at !== one.created_at
        ? [
            {
              id: 'confirmed',
              at: one.confirmed_at,
              icon: CheckIcon,
              tone: 'good' as const,
              title: stateText('registration', 'confirmed'),
            },
          ]
        : []),
      ...(one?.cancelled_at && entries.length === 0
        ? [{ id: 'cancelled', at: one.cancelled_at, icon: CloseIcon, title: stateText('registration', 'cancelled') }]
        : []),
    ],
    ticket: (one: Ticket): TimelineEntry[] => {
      const code = one.code ?? undefined;
      const issued: TimelineEntry = {
        ...{ id: `${one.id} issued`, at: one.issued_at, icon: TicketIcon, title: t('ticketIssued') },
        ...(code !== undefined && { text: <code>{code}</code> }),
        ...by(one.id, one.issued_at, 'ticket.issued', 'ticket.reissued', 'registration.approved', 'payment.recorded'),
      };
      if (one.voided_at === null) return [issued];
      return [
        issued,
        {
          ...{ id: `${one.id} voided`, at: one.voided_at, icon: CloseIcon, tone: 'bad' },
          title: t(one.replaced_by === null ? 'ticketVoided' : 'ticketReplaced'),
          text: [code, one.void_reason].filter(Boolean).join(' · '),
          ...by(
            one.id,
            one.voided_at,
            'ticket.voided',
            'ticket.reissued',
            'attendee.cancelled',
            'attendee.handed_on',
            'registration.cancelled',
          ),
        },
      ];
    },
    message: (one: AttendeeMessage): TimelineEntry => ({
      ...{ id: `${one.id} message`, at: one.settled_at ?? one.created_at, icon: MailIcon },
      ...(one.status === 'failed' && { tone: 'bad' as const }),
      title: one.subject ?? t(`message.${one.kind}`),
      text: [
        stateText('recipient', one.status),
        one.email,
        one.reason !== null && nameText.skipped(one.reason),
        one.error,
      ]
        .filter(Boolean)
        .join(' · '),
    }),
    payment: (one: Payment): TimelineEntry[] => [
      {
        ...{ id: one.id, at: one.created_at, icon: CardIcon, tone: one.status === 'failed' ? 'bad' : 'good' },
        title: t(one.status === 'failed' ? 'paymentFailed' : 'paymentReceived', { amount: money(one.amount_minor) }),
        text: [nameText.method(one.method), one.reference].filter(Boolean).join(' · '),
        ...by(one.id, one.created_at, 'payment.recorded'),
      },
    ],
    checkIn: (one: CheckIn, all: readonly CheckIn[]): TimelineEntry[] => [
      {
        ...{
          id: one.id,
          at: one.scanned_at,
          icon: one.admitted ? ScanIcon : AlertIcon,
          tone: one.admitted ? 'good' : 'warn',
        },
        title: t('resultAt', { result: stateText('result', one.result), point: pointName(one.check_in_point) }),
        text: [
          one.day !== null && dayName(one.day),
          one.reason !== null &&
            !one.admitted &&
            reasonText(one.reason) !== stateText('result', one.result) &&
            reasonText(one.reason),
          one.override !== null && t('overriddenFor', { reason: one.override.reason }),
          one.undone_at !== null && t('undone'),
          one.test && t('test'),
        ]
          .filter(Boolean)
          .join(' · '),
        by: one.device?.name ?? one.actor.name,
        actions: <CheckInActions checkIn={one} latest={isLatest(one, all)} />,
      },
    ],
    entry: (one: AuditEntry): TimelineEntry => ({
      ...{ id: one.id, at: one.at, icon: PencilIcon, title: actionText(one.action) },
      ...(one.actor.kind !== 'system' && { by: one.actor.name }),
      text: <AuditedChanges entry={one} about={attendee.id} />,
    }),
  };
}
