import type { CheckInPoint } from '@turnout/contract';
import type { Formats } from './formats.ts';
import type { Translate } from './words.ts';

/** What things are called, by their codes. */
export interface Names {
  type: (code: string) => string;
  group: (code: string) => string;
  day: (code: string) => string;
  product: (code: string) => string;
  point: (code: string) => string;
}
export interface Writing {
  t: Translate<'policy'>;
  formats: Formats;
  names: Names;
}
export type PointRules = Pick<CheckInPoint, 'kind' | 'policy'>;

/**
 * What a check-in point does, in plain words: “Admits Adult and Crew once a day, from 30 minutes before opening.” It is written from the
 * policy alone, so it says the same in the list, while somebody edits, and beside the simulator.
 */
export function sentenceOf({ kind, policy }: PointRules, writing: Writing): string {
  const { t } = writing;
  const who = whoOf(policy, writing);
  const limit = t(`limit.${policy.limit}`);
  const head =
    kind === 'exit' && policy.leaves !== null
      ? t('saysExitOf', { who, limit, zone: writing.names.point(policy.leaves) })
      : t(`says.${kind}`, { who, limit });
  const first = [head, ...whenOf(policy, writing), ...daysOf(policy, writing)].join(', ');
  return [`${first}.`, ...furtherRules(policy, writing)].join(' ');
}

/** Who is admitted, as a part of a sentence: “Adult and Crew from North with Workshop or Dinner”. */
export function whoOf(
  { attendee_types, groups, products }: Partial<Pick<PointRules['policy'], 'attendee_types' | 'groups' | 'products'>>,
  { t, formats, names }: Writing,
): string {
  let who = attendee_types == null ? t('everybody') : listed(attendee_types, names.type, { t, formats });
  if (groups != null) who = t('whoFrom', { who, groups: listed(groups, names.group, { t, formats }) });
  return products == null ? who : t('whoWith', { who, products: oneOf(products, names.product, formats) });
}

/** Names as a list: “Friday, Saturday and Sunday”; nobody if there are none. */
export const listed = (
  codes: readonly string[],
  nameOf: (code: string) => string,
  { t, formats }: Pick<Writing, 't' | 'formats'>,
): string => (codes.length === 0 ? t('nobody') : formats.list(codes.map(nameOf)));

/** Names of which one is enough: “Workshop or Dinner”. */
export const oneOf = (codes: readonly string[], nameOf: (code: string) => string, formats: Formats): string =>
  formats.list(codes.map(nameOf), 'disjunction');

function whenOf({ opens_minutes_before: before, closes_minutes_after: after }: PointRules['policy'], w: Writing) {
  const { t } = w;
  if (before === 0 && after === 0) return [t('duringHours')];
  return [
    ...(before > 0 ? [t('fromBefore', { time: duration(before * 60, w) })] : []),
    ...(after > 0 ? [t('untilAfter', { time: duration(after * 60, w) })] : []),
  ];
}

const daysOf = ({ days }: PointRules['policy'], { t, formats, names }: Writing): string[] =>
  days === null ? [] : [t('onlyFor', { days: listed(days, names.day, { t, formats }) })];

function furtherRules({ requires, cooldown_seconds: pause, capacity }: PointRules['policy'], w: Writing): string[] {
  const { t } = w;
  return [
    ...(requires === null ? [] : [t(`needs.${requires}`)]),
    ...(pause > 0 ? [t('pause', { time: duration(pause, w) })] : []),
    ...(capacity === null ? [] : [t('room', { count: capacity })]),
  ];
}

/** A length of time in its largest whole unit: 90 minutes, but 2 hours. */
function duration(seconds: number, { formats }: Writing): string {
  const [count, unit] =
    seconds % 3600 === 0
      ? [seconds / 3600, 'hour']
      : seconds % 60 === 0
        ? [seconds / 60, 'minute']
        : [seconds, 'second'];
  return formats.number(count as number, { style: 'unit', unit: unit as string, unitDisplay: 'long' });
}
