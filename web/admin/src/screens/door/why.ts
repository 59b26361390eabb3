import type { Decision, Reason } from '@turnout/checkin';
import type { CheckInPoint } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { useEvent } from '../../frame/event.tsx';
import { useStateText } from '../../parts/status.tsx';
import { listed, whoOf } from './sentence.ts';
import type { SimulatedTicket } from './simulated-ticket.ts';
import { useWriting } from './use-writing.ts';

interface About {
  ticket: SimulatedTicket;
  point: CheckInPoint;
  at: number;
}

/** Why the door refuses, with the values that made the rule decide. */
export function useWhy() {
  const writing = useWriting();
  const t = useWords('door');
  const { formats, names } = writing;
  const textOf = useStateText();
  const { timezone, days } = useEvent();
  const when = (at: number | string) => formats.dateTime(at, timezone);
  const dayOf = names.day;
  const of = (decision: Decision, { ticket, point }: About): string => {
    const { policy } = point;
    const [person] = ticket.people;
    const [decided] = decision.people;
    const first = decided?.first_admission ?? null;
    const before =
      first === null ? '' : t('admittedBefore', { when: when(first.at), where: names.point(first.check_in_point) });
    const day = decided?.day ?? null;
    const texts: Partial<Record<Reason, () => string>> = {
      limit: () => before,
      cooldown: () => before,
      locked: () => {
        const locked = days.find(({ code }) => code === day)?.locked_at ?? null;
        return locked === null || day === null
          ? t('why.locked')
          : t('whyLocked', { day: dayOf(day), when: when(locked) });
      },
      day_not_on_ticket: () =>
        t('whyDay', { days: listed(person?.days ?? [], dayOf, writing), day: day === null ? '' : dayOf(day) }),
      capacity: () => t('room', { count: policy.capacity ?? 0 }),
      not_confirmed: () => t('whyStatus', { status: textOf('registration', ticket.registration) }),
      type_not_admitted: () =>
        t('whyWho', {
          admitted: whoOf({ attendee_types: policy.attendee_types, groups: null }, writing),
          who: names.type(person?.attendee_type ?? ''),
        }),
      group_not_admitted: () =>
        t('whyWho', {
          admitted: listed(policy.groups ?? [], names.group, writing),
          who: person?.group == null ? t('withoutGroup') : names.group(person.group),
        }),
    };
    const reason = decision.reason!;
    return texts[reason]?.() ?? t(`why.${reason as keyof typeof PLAIN}`);
  };
  return { of, dayOf };
}

/** The reasons that need no values. */
const PLAIN = {
  locked: 1,
  pass_used: 1,
  test_ticket: 1,
  pre_check_required: 1,
  entry_required: 1,
  nobody_present: 1,
  after_closing: 1,
  before_opening: 1,
  ticket_voided: 1,
  code_unknown: 1,
} as const;
