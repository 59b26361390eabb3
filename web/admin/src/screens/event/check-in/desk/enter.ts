import { ticketCodeIn } from '@turnout/checkin';

/** An Enter that was pressed before the answer to what stands in the field had come. */
export interface EarlyEnter {
  text: string;
  /** Whom the clerk had picked by then among those shown. */
  picked: string | undefined;
}

/**
 * What becomes of an early Enter. Nobody is checked in whom the clerk has not seen: it waits for the answer, and counts only for a
 * person who was picked, or if exactly one is found. Another text ends it.
 */
export function earlyEnterMeans<Row extends { id: string }>(
  early: EarlyEnter,
  now: { text: string; isCurrent: boolean; rows: readonly Row[] },
): 'wait' | 'nobody' | Row {
  if (early.text !== now.text) return 'nobody';
  if (!now.isCurrent) return 'wait';
  const only = now.rows.length === 1 ? now.rows[0] : undefined;
  return (early.picked === undefined ? only : now.rows.find(({ id }) => id === early.picked)) ?? 'nobody';
}

/**
 * What Enter is about: a code to be scanned, somebody who was found, or whoever was served last. `finds`: people can be looked up, else
 * everything that is typed is a code. `asksWho`: a code may be of several people, and the clerk chooses who of them is here.
 */
export function enterMeans(
  text: string,
  { finds, asksWho }: { finds: boolean; asksWho: boolean },
): { code: string } | 'found' | 'last' {
  const typed = text.trim();
  const code = ticketCodeIn(text) ?? (finds || typed === '' ? null : typed);
  if (code !== null && !asksWho) return { code };
  return typed === '' ? 'last' : 'found';
}
