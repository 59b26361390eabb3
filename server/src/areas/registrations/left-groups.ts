import { type Id, newId } from '../../common/ids.ts';
import { sha256 } from '../../common/sha256.ts';
import { noteRemoved, type Removal } from '../../road/read/removed.ts';
import { insertAll } from '../../store/bulk.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import type { RegistrationState } from './state.ts';

type Group = Id | null;

/** By which groups callers that are limited to a group see parts of a registration (areas/groups/reach.ts). */
interface GroupsOfParts {
  attendees: ReadonlyMap<Id, Group>;
  /** For each ticket the attendees on it, with their groups. */
  tickets: ReadonlyMap<Id, ReadonlyMap<Id, Group>>;
}

function groupsOfParts({ attendees, tickets }: RegistrationState): GroupsOfParts {
  const groups = new Map(attendees.map((attendee) => [attendee.id, attendee.group_id]));
  return {
    attendees: groups,
    tickets: new Map(
      tickets.map(({ id, attendee_ids }) => [id, new Map(attendee_ids.map((one) => [one, groups.get(one) ?? null]))]),
    ),
  };
}

interface Moved {
  registration: RegistrationState;
  before: GroupsOfParts;
  after: GroupsOfParts;
}

interface Target {
  tx: Tx;
  org: Id;
  event: EventRow;
  stamp: string;
}

/**
 * Notes which attendees, registrations, tickets, payments and hand-outs go out of the reach of callers limited to a group, for lists with
 * `include=removed`, and which tickets leave a roster: a person went to another group or off a ticket, or a person of another group
 * joined.
 *
 * What counts is what was stored before the transaction. A group that somebody passes through in it, and a ticket that is issued in it,
 * were never shown to anybody.
 */
export class LeftGroups {
  readonly #before = new Map<Id, GroupsOfParts>();

  /** Remembers a registration as it was loaded. */
  remember(registration: RegistrationState): void {
    this.#before.set(registration.id, groupsOfParts(registration));
  }

  async write(target: Target, registrations: readonly RegistrationState[]): Promise<void> {
    const { tx, org, event, stamp } = target;
    const moved = registrations.flatMap((registration): Moved[] => {
      const before = this.#before.get(registration.id);
      if (before === undefined) return [];
      const after = groupsOfParts(registration);
      return isSame(before, after) ? [] : [{ registration, before, after }];
    });
    if (moved.length === 0) return;
    noteLeftRosters(target, moved);
    const ids = moved.map(({ registration }) => registration.id);
    const payments = await tx.all<{ id: Id; registration_id: Id }>(
      sql`select id, registration_id from payments where org_id = ${org} and registration_id = any(${ids})`,
    );
    const paymentsOf = Map.groupBy(payments, (payment) => payment.registration_id);
    // The stamp brings them to those who see them from now on.
    const handOuts = await tx.all<{ id: Id; registration_id: Id; attendee_id: Id | null }>(sql`
      update hand_outs set updated_at = ${stamp} where org_id = ${org} and registration_id = any(${ids})
      returning id, registration_id, attendee_id`);
    const handOutsOf = Map.groupBy(handOuts, (one) => one.registration_id);
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
          left('tickets', ticket, some(people.values()), some(after.tickets.get(ticket)?.values() ?? [])),
        ),
        // Only who reaches all attendees sees the payments.
        ...(paymentsOf.get(id) ?? []).flatMap((payment) =>
          left('payments', payment.id, all(before.attendees.values()), all(after.attendees.values())),
        ),
        ...(handOutsOf.get(id) ?? []).flatMap(({ id: one, attendee_id }) =>
          attendee_id === null
            ? left('hand_outs', one, all(before.attendees.values()), all(after.attendees.values()))
            : left(
                'hand_outs',
                one,
                pathOf(before.attendees.get(attendee_id) ?? null),
                pathOf(after.attendees.get(attendee_id) ?? null),
              ),
        ),
      ];
    });
    noteRemoved(tx, org, stamp, removals);
  }
}

function isSame(before: GroupsOfParts, after: GroupsOfParts): boolean {
  if (before.attendees.size !== after.attendees.size) return false;
  for (const [id, group] of before.attendees) if (after.attendees.get(id) !== group) return false;
  for (const [id, people] of before.tickets) {
    const now = after.tickets.get(id);
    if (now?.size !== people.size) return false;
    for (const attendee of people.keys()) if (!now.has(attendee)) return false;
  }
  return true;
}

const LEFT_ROSTER = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  code_sha256: 'text',
  group_id: 'uuid',
  everywhere: 'boolean',
  test: 'boolean',
  at: 'timestamptz',
};

/**
 * Tells scanners that are limited to a group which tickets lost a person of the group. They drop such a ticket, unless another person
 * within their reach is on it (areas/scanning/roster.ts). What had no group was in no limited roster.
 */
function noteLeftRosters({ tx, org, event, stamp }: Target, moved: readonly Moved[]): void {
  const now = tx.clock.now();
  const rows = moved.flatMap(({ registration: { tickets, test }, before, after }) =>
    tickets.flatMap(({ id, code }) => {
      const people = [...(before.tickets.get(id) ?? [])];
      const left = people.filter(
        ([attendee, group]) => !after.tickets.get(id)!.has(attendee) || after.attendees.get(attendee) !== group,
      );
      const groups = new Set(left.map(([, group]) => group ?? event.group_id).filter((group) => group !== null));
      return [...groups].map((group_id) => ({
        org_id: org,
        id: newId(now),
        event_id: event.id,
        code_sha256: sha256(code),
        group_id,
        everywhere: false,
        test,
        at: stamp,
      }));
    }),
  );
  insertAll(tx, 'roster_removed', LEFT_ROSTER, rows);
}

/** Each group with those above it. */
async function pathsOf(tx: Tx, org: Id, groups: readonly Group[]): Promise<Map<string, ReadonlySet<Id>>> {
  const ids = [...new Set(groups.filter((group) => group !== null))];
  const rows = await tx.all<{ id: Id; path: Id[] }>(
    sql`select id, path from groups where org_id = ${org} and id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map(({ id, path }) => [id, new Set(path)]));
}
