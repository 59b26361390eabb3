import { ATTENDEE_ACTIONS, Body, type BulkAction, REGISTRATION_ACTIONS } from '@turnout/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import type { Operation, Work } from '../../road/operation.ts';
import { type Fault, Refusal } from '../../road/refusal.ts';
import { bodyCheck, type Check } from '../../road/validate.ts';
import { type Id, toUuid } from '../../store/ids.ts';
import type { EventRow } from '../events/index.ts';
import { operations } from '../registrations/index.ts';

/**
 * A filter is one of a list, and whom it means is asked of that list: what a list can be filtered by, and who may see whom in it,
 * holds here by itself.
 */
export type Kind = 'registration' | 'attendee';

const ABOUT_REGISTRATIONS: readonly string[] = REGISTRATION_ACTIONS;
export const kindOf = (action: BulkAction): Kind =>
  ABOUT_REGISTRATIONS.includes(action) ? 'registration' : 'attendee';

const listOf = (id: string): Operation => operations.find((one) => one.id === id)!;
const LISTS: Record<Kind, Operation> = {
  registration: listOf('listRegistrations'),
  attendee: listOf('listAttendees'),
};

/** How a list is paged and sorted is no part of whom it shows. */
const PAGING = ['limit', 'cursor', 'order'];
const fieldsOf = (kind: Kind): TProperties => {
  const { properties } = LISTS[kind].query as TSchema & { properties: TProperties };
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !PAGING.includes(name)));
};
const FIELDS: Record<Kind, TProperties> = { registration: fieldsOf('registration'), attendee: fieldsOf('attendee') };
const CHECKS: Record<Kind, Check> = {
  registration: bodyCheck(Body(FIELDS.registration)),
  attendee: bodyCheck(Body(FIELDS.attendee)),
};

const only = (fields: TProperties, others: TProperties, actions: readonly string[]): TProperties =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      if (Object.hasOwn(others, name)) return [name, field];
      const { description } = field as { description?: string };
      const where = `Only for ${actions.map((action) => `\`${action}\``).join(', ')}.`;
      return [
        name,
        Type.Optional({ ...field, description: [description, where].filter(Boolean).join(' ') } as TSchema),
      ];
    }),
  );

export const BulkFilter = Body(
  {
    ...only(FIELDS.registration, FIELDS.attendee, REGISTRATION_ACTIONS),
    ...only(FIELDS.attendee, FIELDS.registration, ATTENDEE_ACTIONS),
  },
  {
    description:
      'To all whom the list of registrations, or of attendees, shows when it is filtered so, at the moment the job starts; `{}` means everybody. Either this or `ids`.',
  },
);
export type Filter = Record<string, unknown>;

/** What the list would not take. */
export const filterFaults = (kind: Kind, filter: Filter): Fault[] =>
  CHECKS[kind](filter).map((fault) => ({ ...fault, path: `filter/${fault.path}` }));

interface Listed {
  data: { id: string; status: string }[];
  page: { next_cursor: string | null };
}
const pageOf = (work: Work, event: EventRow, kind: Kind, query: Filter): Promise<Listed> =>
  LISTS[kind].handle!({ ...work, at: { event }, query, body: undefined, file: null }) as Promise<Listed>;

/** References in it that lead nowhere: the list says so. */
export async function filterReferenceFaults(work: Work, event: EventRow, kind: Kind, filter: Filter): Promise<Fault[]> {
  try {
    await pageOf(work, event, kind, { ...filter, limit: 1 });
    return [];
  } catch (error) {
    const details = error instanceof Refusal ? error.options.details : undefined;
    if (details === undefined) throw error;
    return details.map((fault) => ({ ...fault, path: `filter/${fault.path}` }));
  }
}

/** Everybody it means. The transaction sees one instant, so nobody is passed over while others move. */
export async function allOf(work: Work, event: EventRow, kind: Kind, filter: Filter): Promise<Listed['data']> {
  const found: Listed['data'] = [];
  let cursor: string | null = null;
  do {
    const { data, page }: Listed = await pageOf(work, event, kind, {
      ...filter,
      limit: 200,
      ...(cursor !== null && { cursor }),
    });
    for (const { id, status } of data) found.push({ id, status });
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/**
 * Oldest first, whatever the list's order is, so that the first to come are the first to get what there is. Those who wait are
 * cancelled before the others: else they would be promoted for a moment into places that come free.
 */
export function inOrder(action: BulkAction, found: Listed['data']): Id[] {
  const turn = ({ status }: { status: string }) => (action === 'cancel' && status === 'waitlisted' ? 0 : 1);
  return found.toSorted((a, b) => turn(a) - turn(b) || (a.id < b.id ? -1 : 1)).map(({ id }) => toUuid(id));
}
