import type { EventTemplate } from '@turnout/client';

/** The server takes no larger template; a file of this size is something else. */
const MAX_BYTES = 2_000_000;

export type NoTemplate = 'tooLarge' | 'notJson' | 'notTemplate' | 'newer';
export type TemplateResult = { template: EventTemplate } | { fault: NoTemplate };

/** Reads a template file. Whether its content is right is for the server to say; here only whether it is a template at all. */
export async function readTemplate(file: Pick<File, 'size' | 'text'>): Promise<TemplateResult> {
  if (file.size > MAX_BYTES) return { fault: 'tooLarge' };
  let content: unknown;
  try {
    content = JSON.parse(await file.text());
  } catch {
    return { fault: 'notJson' };
  }
  const { kind, version, event, days } = (content ?? {}) as Partial<Record<string, unknown>>;
  if (kind !== 'turnout.event-template' || typeof event !== 'object' || event === null || !Array.isArray(days))
    return { fault: 'notTemplate' };
  if (version !== 1) return { fault: 'newer' };
  return { template: content as EventTemplate };
}

const DAY_MS = 86_400_000;
/** A year has 52 weeks and a day or two: after 52 weeks it is the same day of the week again. */
const YEAR = 364 * DAY_MS;

/** The date of a template's first day; without days, the date on which it begins. Null: it has no date at all. */
export function firstDay({ event, days }: Pick<EventTemplate, 'event' | 'days'>): string | null {
  const dates = days.map(({ date }) => date).sort();
  return dates[0] ?? event.starts_at?.slice(0, 10) ?? null;
}

/** The same day of the week a year later, and again until it lies ahead of `today`. */
export function nextYear(date: string, today: string): string {
  let at = Date.parse(date);
  if (Number.isNaN(at)) return date;
  do at += YEAR;
  while (at < Date.parse(today));
  return new Date(at).toISOString().slice(0, 10);
}

/** A name for the next time: “Summer Fair 2026” becomes “Summer Fair 2027”; a name without a year stays as it is. */
export function nextName(name: string, from: string | null, to: string): string {
  const year = from?.slice(0, 4);
  return year === undefined ? name : name.replaceAll(year, to.slice(0, 4));
}
