import type { Day, DayChange, DayCreate } from '@turnout/client';
import { instantOf, localOf } from '../../../parts/zoned.ts';

/** A day as it is typed: times by the clocks of the event's zone. Empty times: from midnight to midnight. */
export interface DayValues {
  /** Empty: it is called by its date. */
  name: string;
  date: string;
  opens: string;
  closes: string;
  /** In place of the times, for a day that does not open on its own date or is open for longer than 24 hours. */
  opens_at: string | null;
  closes_at: string | null;
  capacity: number | null;
  code: string;
}

export const nextDate = (date: string): string => addDays(date, 1);
export function addDays(date: string, count: number): string {
  const at = Date.parse(`${date}T00:00:00Z`);
  return Number.isNaN(at) ? '' : new Date(at + count * 86_400_000).toISOString().slice(0, 10);
}

/** Midnight at the beginning of the day, and at its end. */
const midnights = (date: string, zone: string) => [
  instantOf(`${date}T00:00`, zone),
  instantOf(`${nextDate(date)}T00:00`, zone),
];
const isSame = (a: string | null, b: string | null): boolean =>
  a !== null && b !== null && Date.parse(a) === Date.parse(b);

/** Whether two times of day say it all: it opens on its date and closes within 24 hours. */
export function isUsual({ date, opens_at, closes_at }: Day, zone: string): boolean {
  const [opens, closes] = [localOf(opens_at, zone), localOf(closes_at, zone)];
  if (opens.slice(0, 10) !== date) return false;
  if (closes.slice(0, 10) === date) return true;
  return closes.slice(0, 10) === nextDate(date) && closes.slice(11) <= opens.slice(11);
}

export function dayValues(day: Day, zone: string): DayValues {
  const [first, last] = midnights(day.date, zone);
  return {
    name: day.name === day.date ? '' : day.name,
    date: day.date,
    opens: isSame(day.opens_at, first!) ? '' : localOf(day.opens_at, zone).slice(11),
    closes: isSame(day.closes_at, last!) ? '' : localOf(day.closes_at, zone).slice(11),
    opens_at: day.opens_at,
    closes_at: day.closes_at,
    capacity: day.capacity,
    code: day.code,
  };
}

/** Whether the closing time is one of the following day, because it is not after the opening time. */
export const isOvernight = (opens: string, closes: string): boolean => closes !== '' && closes <= (opens || '00:00');

export const opensAt = (date: string, opens: string, zone: string): string | null =>
  opens === '' ? null : instantOf(`${date}T${opens}`, zone);
export const closesAt = (date: string, opens: string, closes: string, zone: string): string | null =>
  closes === '' ? null : instantOf(`${isOvernight(opens, closes) ? nextDate(date) : date}T${closes}`, zone);

const nameOf = ({ name, date }: Pick<DayValues, 'name' | 'date'>): string => name.trim() || date;

/** What is sent: only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export function dayChange(before: DayValues, now: DayValues, zone: string, usual: boolean): DayChange | null {
  const body: DayChange = {};
  const isOther = (...names: (keyof DayValues)[]) => names.some((name) => before[name] !== now[name]);
  if (nameOf(before) !== nameOf(now)) body.name = nameOf(now);
  if (isOther('code')) body.code = now.code;
  if (isOther('date')) body.date = now.date;
  if (isOther('capacity')) body.capacity = now.capacity;
  if (usual) {
    if (isOther('date', 'opens')) body.opens_at = opensAt(now.date, now.opens, zone);
    if (isOther('date', 'opens', 'closes')) body.closes_at = closesAt(now.date, now.opens, now.closes, zone);
  } else {
    if (isOther('opens_at')) body.opens_at = now.opens_at;
    if (isOther('closes_at')) body.closes_at = now.closes_at;
  }
  return Object.keys(body).length === 0 ? null : body;
}

/** The day as it will be, for the preview. */
export function previewDay(day: Day, values: DayValues): Pick<Day, 'name' | 'date'> {
  const date = values.date || day.date;
  return { date, name: nameOf({ name: values.name, date }) };
}

/** Several days at once. */
export interface ManyDays {
  from: string;
  /** Empty: only one day. */
  to: string;
  /** Monday is 1, Sunday is 7, as texts for checkboxes. */
  weekdays: string[];
  name: string;
  opens: string;
  closes: string;
  capacity: number | null;
}

export const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;
export const MAX_DAYS = 366;
export const emptyDays = (from: string): ManyDays => ({
  ...{ from, to: '', weekdays: [...WEEKDAYS], name: '', opens: '', closes: '', capacity: null },
});

const weekday = (date: string): string => String(new Date(`${date}T00:00:00Z`).getUTCDay() || 7);
/** The dates of the range; one more than the most if it is too long, which the field then says. */
function datesOf({ from, to, weekdays }: ManyDays): string[] {
  if (to === '' || to === from) return from === '' ? [] : [from];
  const dates: string[] = [];
  for (let date = from; date !== '' && date <= to && dates.length <= MAX_DAYS; date = nextDate(date)) dates.push(date);
  return dates.filter((date) => weekdays.includes(weekday(date)));
}

export interface Plan {
  days: DayCreate[];
  /** Dates in the range that have a day already; they are left out. */
  known: string[];
}

/** The days that the form makes. In a range, dates that have a day already are left out; a single date may have a second one. */
export function planOf(values: ManyDays, days: readonly Day[], zone: string): Plan {
  const dates = datesOf(values);
  const many = values.to !== '' && values.to !== values.from;
  const taken = new Set(days.map(({ date }) => date));
  const known = many ? dates.filter((date) => taken.has(date)) : [];
  const wanted = many ? dates.filter((date) => !taken.has(date)) : dates;
  const name = values.name.trim();
  const names = new Set(days.map((day) => day.name));
  let number = 0;
  const nextName = () => {
    do number += 1;
    while (names.has(`${name} ${number}`));
    return `${name} ${number}`;
  };
  return {
    known,
    days: wanted.map((date) => ({
      date,
      ...(name !== '' && { name: many ? nextName() : name }),
      opens_at: opensAt(date, values.opens, zone),
      closes_at: closesAt(date, values.opens, values.closes, zone),
      capacity: values.capacity,
    })),
  };
}
