import type { Id } from '../../common/ids.ts';
import { noteRemoved, type Removal } from '../../road/read/removed.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import type { RegistrationState } from './state.ts';

type Group = Id | null;

/** By which groups callers that are limited to a group see parts of a registration (areas/groups/reach.ts). */
interface GroupsOfParts {
  attendees: ReadonlyMap<Id, Group>;
  /** The groups of the attendees on each ticket. */
  tickets: ReadonlyMap<Id, readonly Group[]>;
}

function groupsOfParts({ attendees, tickets }: RegistrationState): GroupsOfParts {
  const groups = new Map(attendees.map((attendee) => [attendee.id, attendee.group_id]));
  return {
    attendees: groups,
    tickets: new Map(tickets.map(({ id, attendee_ids }) => [id, attendee_ids.map((one) => groups.get(one) ?? null)])),
  };
}

/**
 * Notes which attendees, registrations, tickets and payments go out of the reach of callers limited to a group, for lists with
 * `include=removed`: a person went to another group or off a ticket, or a person of another group joined.
 */
export class LeftGroups {
  readonly #before = new Map<Id, GroupsOfParts>();

  /** Remembers a registration as it was loaded. */
  remember(registration: RegistrationState): void {
    this.#before.set(registration.id, groupsOfParts(registration));
  }

  async write(
    { tx, org, event, stamp }: { tx: Tx; org: Id; event: EventRow; stamp: string },
    registrations: readonly RegistrationState[],
  ): Promise<void> {
    const moved = registrations.flatMap((registration) => {
      const before = this.#before.get(registration.id);
      if (before === undefined) return [];
      const after = groupsOfParts(registration);
      return isSame(before, after) ? [] : [{ registration, before, after }];
    });
    if (moved.length === 0) return;
    const ids = moved.map(({ registration }) => registration.id);
    const payments = await tx.all<{ id: Id; registration_id: Id }>(
      sql`select id, registration_id from payments where org_id = ${org} and registration_id = any(${ids})`,
    );
    const paymentsOf = Map.groupBy(payments, (payment) => payment.registration_id);
    const groups = moved.flatMap(({ before, after }) => [...before.attendees.values(), ...after.attendees.values()]);
    const paths = await pathsOf(tx, org, [...groups, event.group_id]);
    const pathOf = (group: Group): ReadonlySet<Id> => paths.get(group ?? event.group_id ?? '') ?? new Set();
    const some = (of: Iterable<Group>) => new Set([...of].flatMap((group) => [...pathOf(group)]));
    const all = (of: Iterable<Group>) => {
      const [first, ...rest] = [...of].map(pathOf);
      return new Set([...(first ?? [])].filter((group) => rest.every((path) => path.has(group))));
    };
    const removals = moved.flatMap(({ registration: { id, test }, before, after }) => {
      const left = (list: Removal['list'], object: Id, was: ReadonlySet<Id>, is: ReadonlySet<Id>): Removal[] =>
        [...was]
          .filter((group) => !is.has(group))
          .map((audience) => ({ list, id: object, audience, event: event.id, test }));
      return [
        ...left('registrations', id, some(before.attendees.values()), some(after.attendees.values())),
        ...[...before.attendees].flatMap(([attendee, group]) =>
          left('attendees', attendee, pathOf(group), pathOf(after.attendees.get(attendee) ?? null)),
        ),
        ...[...before.tickets].flatMap(([ticket, people]) =>
          left('tickets', ticket, some(people), some(after.tickets.get(ticket) ?? [])),
        ),
        // Only who reaches all attendees sees the payments.
        ...(paymentsOf.get(id) ?? []).flatMap((payment) =>
          left('payments', payment.id, all(before.attendees.values()), all(after.attendees.values())),
        ),
      ];
    });
    noteRemoved(tx, org, stamp, removals);
  }
}

function isSame(before: GroupsOfParts, after: GroupsOfParts): boolean {
  if (before.attendees.size !== after.attendees.size) return false;
  for (const [id, group] of before.attendees) if (after.attendees.get(id) !== group) return false;
  for (const [id, groups] of before.tickets) if (after.tickets.get(id)?.join() !== groups.join()) return false;
  return true;
}

/** Each group with those above it. */
async function pathsOf(tx: Tx, org: Id, groups: readonly Group[]): Promise<Map<string, ReadonlySet<Id>>> {
  const ids = [...new Set(groups.filter((group) => group !== null))];
  const rows = await tx.all<{ id: Id; path: Id[] }>(
    sql`select id, path from groups where org_id = ${org} and id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, path }) => [id, new Set(path)]));
}
