import type { Decision, Reason } from '@turnout/checkin';
import type { CheckInPoint, Day } from '@turnout/client';
import type { Translate } from '@turnout/words';
import { listed, oneOf, type Writing, whoOf } from '@turnout/words/point-sentence';
import type { SimulatedTicket } from './simulated-ticket.ts';

/** What was shown at which point. */
export interface RefusedScan {
  ticket: SimulatedTicket;
  point: Pick<CheckInPoint, 'policy'>;
}

interface WhyContext {
  t: Translate<'door'>;
  writing: Writing;
  timezone: string;
  days: readonly Pick<Day, 'code' | 'locked_at'>[];
  /** The state of a registration in words. */
  statusText: (status: string) => string;
}

/** Why the door refuses, with the values that made the rule decide. */
export function whyOf(
  decision: Decision,
  { ticket, point: { policy } }: RefusedScan,
  { t, writing, timezone, days, statusText }: WhyContext,
): string {
  const { formats, names } = writing;
  const when = (at: number | string) => formats.dateTime(at, timezone);
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
        : t('whyLocked', { day: names.day(day), when: when(locked) });
    },
    day_not_on_ticket: () =>
      t('whyDay', { days: listed(person?.days ?? [], names.day, writing), day: day === null ? '' : names.day(day) }),
    capacity: () => writing.t('room', { count: policy.capacity ?? 0 }),
    not_confirmed: () => t('whyStatus', { status: statusText(ticket.registration) }),
    type_not_admitted: () =>
      t('whyWho', {
        admitted: whoOf({ attendee_types: policy.attendee_types }, writing),
        who: names.type(person?.attendee_type ?? ''),
      }),
    group_not_admitted: () =>
      t('whyWho', {
        admitted: listed(policy.groups ?? [], names.group, writing),
        who: person?.group == null ? t('withoutGroup') : names.group(person.group),
      }),
    product_missing: () => {
      const booked = person?.products ?? [];
      return t('whyProduct', {
        products: oneOf(policy.products ?? [], names.product, formats),
        booked: booked.length === 0 ? t('nothingBooked') : listed(booked, names.product, writing),
      });
    },
  };
  const reason = decision.reason!;
  return texts[reason]?.() ?? t(`why.${reason as keyof typeof PLAIN}`);
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
