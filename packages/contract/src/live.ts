import { compareInstants } from './instants.ts';
import type { LiveChange, LiveList, LiveSnapshot } from './resources/live.ts';

/*
 * How a live page goes from one moment to the next. The server tells changes by these rules and the browser puts them together by the
 * same ones, so this file brings nothing else into the browser.
 */

/** By which field the entries of each list are told apart. */
export const LIVE_KEYS = {
  check_in_points: 'check_in_point',
  days: 'day',
  attendee_types: 'attendee_type',
  reasons: 'reason',
  minutes: 'minute',
  check_ins: 'id',
  devices: 'id',
} as const satisfies Record<LiveList, string>;

/** How many check-ins are shown, and how many minutes. */
export const LIVE_CHECK_INS = 50;
export const LIVE_MINUTES = 60;

type Entry = Record<string, unknown>;
const lists = Object.entries(LIVE_KEYS) as [LiveList, string][];

/** What a page shows after a change. Entries that are not named stay as they were, and new ones are added. */
export function applyLive(before: LiveSnapshot, change: LiveChange): LiveSnapshot {
  const after: Record<string, unknown> = { ...before, as_of: change.as_of };
  for (const [list, key] of lists) {
    const news = change[list] as Entry[] | undefined;
    if (news !== undefined) after[list] = mergeEntries((before[list] ?? []) as Entry[], news, key);
  }
  return trimmed(after as LiveSnapshot);
}

function mergeEntries(entries: readonly Entry[], news: readonly Entry[], key: string): Entry[] {
  const byKey = new Map(news.map((entry) => [entry[key], entry]));
  const kept = entries.map((entry) => {
    const changed = byKey.get(entry[key]);
    byKey.delete(entry[key]);
    return changed ?? entry;
  });
  return [...kept, ...byKey.values()];
}

/** The newest check-ins, the last minutes, and the most frequent reasons first. */
export function trimmed(shown: LiveSnapshot): LiveSnapshot {
  const since = new Date(Date.parse(shown.as_of) - LIVE_MINUTES * 60_000).toISOString();
  return {
    ...shown,
    reasons: shown.reasons.toSorted((a, b) => b.refusals - a.refusals || order(a.reason, b.reason)),
    minutes: shown.minutes
      .filter(({ minute }) => Date.parse(minute) >= Date.parse(since))
      .toSorted((a, b) => order(a.minute, b.minute)),
    check_ins: shown.check_ins
      .toSorted((a, b) => compareInstants(b.recorded_at, a.recorded_at) || order(b.id, a.id))
      .slice(0, LIVE_CHECK_INS),
  };
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What has to be told so that a page that shows `before` shows `after`. Null: nothing. */
export function liveChange(before: LiveSnapshot, after: LiveSnapshot): LiveChange | null {
  const change: Record<string, unknown> = {};
  for (const [list, key] of lists) {
    const known = new Map(((before[list] ?? []) as Entry[]).map((entry) => [entry[key], JSON.stringify(entry)]));
    const news = ((after[list] ?? []) as Entry[]).filter((entry) => known.get(entry[key]) !== JSON.stringify(entry));
    if (news.length > 0) change[list] = news;
  }
  return Object.keys(change).length === 0 ? null : ({ as_of: after.as_of, ...change } as LiveChange);
}
