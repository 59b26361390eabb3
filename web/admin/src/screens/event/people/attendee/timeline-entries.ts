import type { AuditEntry, CheckIn } from '@turnout/client';
import { compareInstants } from '@turnout/contract/instants';

type Entry = Pick<AuditEntry, 'id' | 'at' | 'action' | 'actor' | 'objects'>;

/** What the log tells of something that is in the timeline already, as a ticket, a message, a payment or a check-in. */
const ACTIONS_SHOWN_OTHERWISE: ReadonlySet<string> = new Set([
  ...['registration.created', 'people.imported', 'checkin.recorded', 'checkin.overridden', 'checkin.undone'],
  ...['ticket.issued', 'ticket.voided', 'ticket.reissued', 'ticket.sent'],
  ...['payment.recorded', 'payment.received', 'payment.failed'],
]);

/** Whether an entry of the log tells something that nothing else in the timeline does. */
export const isNews = ({ action }: Pick<AuditEntry, 'action'>): boolean => !ACTIONS_SHOWN_OTHERWISE.has(action);

/** Entries of the registration that are about somebody else of it are left out. Both lists may hold the same entry. */
export function entriesAbout<E extends Entry>(attendee: string, all: readonly E[]): E[] {
  const byId = new Map(all.map((one) => [one.id, one]));
  return [...byId.values()].filter(({ objects }) => {
    const people = objects.filter(({ kind }) => kind === 'attendee');
    return people.length === 0 || people.some(({ id }) => id === attendee);
  });
}

const CLOSE_MS = 5000;

/** Who did something: the entry of the log with one of these actions about this object, at about this time. */
export function actorOf(
  entries: readonly Entry[],
  { id, at, actions }: { id: string; at: string; actions: readonly string[] },
): string | undefined {
  const found = entries.find(
    (one) =>
      actions.includes(one.action) &&
      one.objects.some((object) => object.id === id) &&
      Math.abs(Date.parse(one.at) - Date.parse(at)) < CLOSE_MS,
  );
  return found === undefined || found.actor.kind === 'system' ? undefined : found.actor.name;
}

/** Of several refusals at a point only the last one, if nobody was admitted since, is of interest. */
export const isLatest = (
  { check_in_point, recorded_at }: Pick<CheckIn, 'check_in_point' | 'recorded_at'>,
  all: readonly Pick<CheckIn, 'check_in_point' | 'recorded_at'>[],
): boolean => !all.some((other) => other.check_in_point === check_in_point && other.recorded_at > recorded_at);

/** What happened at the same moment keeps its order. */
export const newestFirst = <Item extends { at: string }>(items: readonly Item[]): Item[] =>
  items.toSorted((a, b) => compareInstants(b.at, a.at));
