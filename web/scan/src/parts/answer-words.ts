import { opensNext, toneOfRefusal } from '@turnout/checkin';
import type { PersonAnswer, ScanAnswer } from '../engine/types.ts';
import type { IconName } from './icons.tsx';
import { doorWorld, timezone } from './session.ts';
import { find, formats, t } from './words.ts';

/** The colour of an answer. `open`: nobody could judge. */
export type Shade = 'good' | 'look' | 'stop' | 'mixed' | 'open';

export const shadeOf = ({ by, tone }: Pick<ScanAnswer, 'by' | 'tone'>): Shade =>
  by === 'nobody' ? 'open' : ({ success: 'good', warning: 'look', danger: 'stop', mixed: 'mixed' } as const)[tone];

/** The colour of one person among several: the same as if they had come alone. */
export function shadeOfPerson({ admitted, result, reason }: PersonAnswer): Shade {
  if (admitted) return 'good';
  return result === 'undone' || (reason !== null && toneOfRefusal(reason) === 'warning') ? 'look' : 'stop';
}

/** Each shade has a sign of its own, for those who do not tell the colours apart. */
export const SIGNS: Readonly<Record<Shade, IconName>> = {
  good: 'check',
  look: 'bang',
  stop: 'cross',
  mixed: 'bang',
  open: 'question',
};

/** The server may know results that this version does not; then it is said whether the person is admitted. */
export const resultText = (result: string, admitted: boolean): string =>
  find(`result.${result}`) ?? (admitted ? t('result.accepted') : t('result.rejected'));

const reasonText = (reason: string): string | null => find(`reason.${reason}`);

export const nameOf = ({ first_name, last_name }: { first_name: string; last_name: string }): string =>
  `${first_name} ${last_name}`.trim();

const DATE = /^\d{4}-\d{2}-\d{2}$/;
/** A day without a name is called by its date, and answers may be dates; both are written as the reader writes dates. */
export const textOf = (text: string): string => (DATE.test(text) ? formats().date(text) : text);

export const daysText = (days: readonly string[]): string => formats().list(days.map(textOf));

/** What is known of somebody, in one line: “Adult · North · Saturday and Sunday”. */
export const describe = (...parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null && part !== '').join(' · ');

/** The word that is read from two metres. */
export function titleOf(answer: ScanAnswer): string {
  if (answer.by === 'nobody') return t('notJudged');
  if (answer.tone !== 'mixed') return resultText(answer.result, answer.admitted);
  const admitted = answer.people.filter((one) => one.admitted).length;
  return t('someAdmitted', { admitted, all: answer.people.length });
}

/** Words that are short enough are written larger; the longest one must fit into the width of a small phone. */
export const titleClass = (title: string): string =>
  title.split(/\s/).every((word) => word.length <= 8) ? 'answer-title short' : 'answer-title';

/** What stands below the word for the whole ticket: why, where there is nobody to say it of. */
export function whyOf(answer: ScanAnswer): string | null {
  if (answer.by === 'nobody') return t('notJudgedText');
  return answer.people.length === 0 && answer.reason !== null ? reasonText(answer.reason) : null;
}

/** When a point opens that was not open yet. Without the event's times, or at a point that is gone, nobody knows. */
function openingOf(reason: string, { point, scanned_at }: ScanAnswer): string | null {
  const world = doorWorld.value;
  if (reason !== 'before_opening' || world === null || !world.points.has(point)) return null;
  const opens = opensNext(world, point, scanned_at);
  return opens === null ? null : t('opensAt', { when: momentOf(opens, scanned_at) });
}

/** Why one person was refused: the reason, and for a duplicate when and where they were admitted first. */
export function whyOfPerson(one: PersonAnswer, answer: ScanAnswer): string | null {
  if (one.first !== null) {
    return t('admittedAt', { when: momentOf(one.first.at, answer.scanned_at), where: one.first.point });
  }
  return one.reason === null ? null : (openingOf(one.reason, answer) ?? reasonText(one.reason));
}

/** A time, with its day if that is another one than the day of `now`. */
export function momentOf(at: number, now: number): string {
  const style = { day: 'numeric', month: 'short' } as const;
  const [day, today] = [at, now].map((moment) => formats().when(moment, style, timezone.value));
  const time = formats().time(at, timezone.value).replaceAll(' ', '\u00a0');
  return day === today ? time : `${day}, ${time}`;
}

/** The same reason twice says nothing: "Zone full" is the word of the answer already. */
export const saysMore = (why: string | null, title: string): why is string => why !== null && why !== title;
