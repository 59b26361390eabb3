import { ATTENDEE_ACTIONS, Body, type BulkAction, REGISTRATION_ACTIONS } from '@turnout/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { type Id, toUuid } from '../../common/ids.ts';
import { type Fault, Refusal } from '../../common/refusal.ts';
import type { Operation, Work } from '../../road/operation.ts';
import { bodyCheck, type Check } from '../../road/request/validate.ts';
import type { EventRow } from '../events/index.ts';
import { operations } from '../registrations/index.ts';

/*
 * The filter of a bulk action takes the fields of a list's query, and that list finds the items. So whatever the list can be filtered
 * by, and whatever it hides from a caller, applies here without further code.
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

/** Fields that say how a list is paged and sorted, and not what it shows. */
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

/** Notes on the fields that only one of the two lists has for which actions they can be used. */
const noteActions = (fields: TProperties, others: TProperties, actions: readonly string[]): TProperties =>
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
    ...noteActions(FIELDS.registration, FIELDS.attendee, REGISTRATION_ACTIONS),
    ...noteActions(FIELDS.attendee, FIELDS.registration, ATTENDEE_ACTIONS),
  },
  {
    description:
      'Acts on all registrations or attendees that the list shows with this filter when the job starts; `{}` means all of them. Send either this or `ids`.',
  },
);
export type Filter = Record<string, unknown>;

/** The fields that the list would refuse. */
export const filterFaults = (kind: Kind, filter: Filter): Fault[] =>
  CHECKS[kind](filter).map((fault) => ({ ...fault, path: `filter/${fault.path}` }));

interface ListedRow {
  id: string;
  status: string;
  /** Of an attendee. */
  registration_id?: string;
}
interface Listed {
  data: ListedRow[];
  page: { next_cursor: string | null };
}
const pageOf = (work: Work, event: EventRow, kind: Kind, query: Filter): Promise<Listed> =>
  LISTS[kind].handle!({ ...work, at: { event }, query, body: undefined, file: null }) as Promise<Listed>;

/** References in the filter that lead nowhere. The list itself is asked. */
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

/** Everything that the filter finds. The transaction sees one instant, so nothing is skipped while rows change. */
export async function allOf(work: Work, event: EventRow, kind: Kind, filter: Filter): Promise<ListedRow[]> {
  const found: ListedRow[] = [];
  let cursor: string | null = null;
  do {
    const { data, page }: Listed = await pageOf(work, event, kind, {
      ...filter,
      limit: 200,
      ...(cursor !== null && { cursor }),
    });
    // Only this is kept of each: there may be very many.
    for (const { id, status, registration_id } of data)
      found.push({ id, status, ...(registration_id !== undefined && { registration_id }) });
    cursor = page.next_cursor;
  } while (cursor !== null);
  return found;
}

/**
 * The items, oldest first whatever the order of the list, so that places go to those who registered first. Waitlisted registrations
 * are cancelled before the others: otherwise they would be promoted for a moment into places that become free.
 */
export function inOrder(action: BulkAction, found: readonly ListedRow[]): Id[] {
  const turn = ({ status }: ListedRow) => (action === 'cancel' && status === 'waitlisted' ? 0 : 1);
  const sorted = found.toSorted((a, b) => turn(a) - turn(b) || (a.id < b.id ? -1 : 1));
  return byRegistration(
    sorted.map(({ id, registration_id }) => ({ id: toUuid(id), registration: registration_id ?? id })),
  );
}

/** Attendees of one registration follow each other, because it is changed once for all of them: where the first of them was. */
export const byRegistration = (objects: readonly { id: Id; registration: string }[]): Id[] =>
  [...Map.groupBy(objects, ({ registration }) => registration).values()].flat().map(({ id }) => id);
