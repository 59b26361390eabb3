import type { DateOrder, ImportError } from '@turnout/contract';
import { diff } from '../../road/diff.ts';
import type { Change, Occurrence } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type EventRow, eventById } from '../events/index.ts';
import {
  type AttendeeDetails,
  applyDetails,
  attendeeFacts,
  auditCreation,
  Book,
  type EventWorld,
  enroll,
  forecastTickets,
  hideGroup,
  Places,
  type TicketCounts,
  ticketsDue,
  worldOf,
} from '../registrations/index.ts';
import { type PersonRow, Rejected } from './import-cells.ts';
import { type Desk, decide, Lookup, type Named } from './import-decide.ts';
import { type Known, People } from './import-people.ts';
import { groupsIn, type ImportScope, knownBy, ownIdsAmong, type RejectRow } from './import-queries.ts';

/** An archived event is kept as it was. */
export function requireUnarchived(event: EventRow): void {
  if (event.status === 'archived') refuse('invalid_state', { message: 'The event is archived and kept as it was.' });
}

/** A row of the file as it was read, or why it could not be. */
export interface ReadRow {
  number: number;
  /** The byte of the file behind it. */
  end: number;
  said: PersonRow | Rejected;
}

export const OUTCOMES = ['created', 'updated', 'unchanged', 'rejected'] as const;
type Outcomes = Record<(typeof OUTCOMES)[number], number>;
export type ImportCounts = Outcomes & TicketCounts;
export const COUNTED = [...OUTCOMES, 'tickets_issued', 'tickets_voided'] as const;

interface Decided {
  outcomes: Outcomes;
  rejects: RejectRow[];
}

interface Done {
  counts: ImportCounts;
  rejects: RejectRow[];
}

export interface Imported extends Done {
  changes: Change[];
  raised: Occurrence[];
}

/** How a file is read. */
export interface Reading {
  order: DateOrder;
  /** It is an export of ours. */
  own: boolean;
}

/** One transaction's worth of rows: decided one after the other under the event's clock, written together. */
export async function importRows(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  how: Reading & { emails: boolean },
): Promise<Imported> {
  const { org, event, mode } = scope;
  // In one packet, the clock before the people: they are read with it held.
  const [book, met] = await Promise.all([Book.open(tx, org, event, scope.cap), meet(tx, scope, rows, how.own, null)]);
  requireUnarchived(book.world.event);
  const desk = deskOf(scope, how.order, book.now, book.world, book.places, met);
  const { outcomes, rejects } = decideAll(desk, rows);
  const changes: Change[] = [];
  for (const person of desk.added) {
    const making = {
      source: 'import',
      test: mode === 'test',
      group_id: person.group_id,
      send_emails: how.emails,
    } as const;
    const registration = enroll(book, making, [detailsOf(person)]);
    changes.push({
      kind: 'registration',
      id: registration.id,
      event,
      group: person.group_id,
      ...auditCreation(registration),
    });
  }
  changes.push(...(await changeAll(book, desk.changed)));
  const { occurred } = await book.close({ mails: how.emails, bulk: true, promote: false });
  const raised = [...occurred.values()].flat().map((one) => ({ ...one, event }));
  const told = (type: Occurrence['type']) => raised.reduce((sum, one) => sum + (one.type === type ? 1 : 0), 0);
  const tickets = { tickets_issued: told('ticket.issued'), tickets_voided: told('ticket.voided') };
  return { counts: { ...outcomes, ...tickets }, rejects, changes, raised };
}

async function changeAll(book: Book, changed: Desk['changed']): Promise<Change[]> {
  // Whom an earlier row of these added is added as the last one left it.
  const standing = [...changed].filter(([person]) => person.registration_id !== null);
  if (standing.length === 0) return [];
  const loaded = await book.load(sql`id = any(${standing.map(([person]) => person.registration_id)})`);
  const registrations = new Map(loaded.map((registration) => [registration.id, registration]));
  return standing.map(([known]) => {
    const registration = registrations.get(known.registration_id!)!;
    const person = registration.attendees.find((one) => one.id === known.id)!;
    const before = attendeeFacts(book, registration, person);
    applyDetails(book, registration, person, detailsOf(known));
    return {
      kind: 'attendee',
      id: known.id,
      event: book.world.event.id,
      group: known.group_id,
      changes: hideGroup(known.group_id, diff(before, attendeeFacts(book, registration, person))),
      objects: [{ kind: 'registration', id: registration.id }],
    };
  });
}

/** What a preview carries from rows to rows: places that it would have taken or freed, by scope. */
export type Taken = Record<Id, number>;

export interface Previewed extends Done {
  taken: Taken;
  /** As they would be: for rows to come. */
  people: Known[];
}

/** The same decisions, and nothing written. `job`: where rows before these have left their people. */
export async function previewRows(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  how: Reading & { job: Id | null; taken: Taken },
): Promise<Previewed> {
  const { org, mode } = scope;
  const event = (await eventById(tx, org, scope.event)) ?? refuse('not_found');
  requireUnarchived(event);
  const world = await worldOf(tx, org, event);
  const places = new Places(world, scope.cap, await Places.counts(tx, org, event.id));
  const test = mode === 'test';
  const before = new Map(
    [event.id, ...world.types.keys(), ...world.days.keys()].map((id) => [id, places.taken(id, test)]),
  );
  places.take(new Map(Object.entries(how.taken)), test, 1);
  const met = await meet(tx, scope, rows, how.own, how.job);
  const desk = deskOf(scope, how.order, tx.clock.now(), world, places, met);
  const { outcomes, rejects } = decideAll(desk, rows);
  const taken = Object.fromEntries([...before].map(([id, count]) => [id, places.taken(id, test) - count]));
  const counts = { ...outcomes, ...(await foretold(tx, org, desk)) };
  return { counts, rejects, taken, people: [...new Set([...desk.added, ...desk.changed.keys()])] };
}

/** Tickets that a run would issue and void. Whom an earlier step of the preview added has tickets only in it. */
async function foretold(tx: Tx, org: Id, { world, places, added, moved }: Desk): Promise<TicketCounts> {
  const fresh = new Set(added);
  const standing = [...moved].filter(([person]) => !fresh.has(person));
  const movers = standing.flatMap(([person, before]) =>
    person.registration_id === null
      ? []
      : [{ id: person.id, registration_id: person.registration_id, before, after: detailsOf(person) }],
  );
  const counts = await forecastTickets(tx, org, { world, places }, added, movers);
  for (const [person, before] of standing) {
    if (person.registration_id !== null) continue;
    const [was, is] = [ticketsDue(world, before), ticketsDue(world, person)];
    counts.tickets_issued += is.filter((one) => !was.includes(one)).length;
    counts.tickets_voided += was.filter((one) => !is.includes(one)).length;
  }
  return counts;
}

interface Met {
  known: Known[];
  groups: Named[];
  foreign: Desk['foreign'];
}

/** Everybody and every group that these rows may mean. */
async function meet(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  own: boolean,
  preview: Id | null,
): Promise<Met> {
  const people = rows.flatMap(({ said }) => (said instanceof Rejected ? (said.rest ?? []) : said));
  const [known, groups, foreign] = await Promise.all([
    knownBy(tx, scope, people, preview),
    people.some((row) => row.group !== undefined) ? groupsIn(tx, scope) : [],
    own ? ('all' as const) : ownIdsAmong(tx, scope, people),
  ]);
  return { known, groups, foreign };
}

const deskOf = (
  scope: ImportScope,
  order: DateOrder,
  now: Date,
  world: EventWorld,
  places: Places,
  { known, groups, foreign }: Met,
): Desk => ({
  world,
  places,
  people: new People(known),
  types: new Lookup(world.types.values()),
  days: new Lookup(world.days.values()),
  groups: new Lookup(groups),
  home: scope.group ?? world.event.group_id,
  test: scope.mode === 'test',
  order,
  now,
  added: [],
  changed: new Map(),
  moved: new Map(),
  foreign,
});

function decideAll(desk: Desk, rows: readonly ReadRow[]): Decided {
  const outcomes: Outcomes = { created: 0, updated: 0, unchanged: 0, rejected: 0 };
  const rejects: { number: number; code: ImportError; words: string }[] = [];
  for (const { number, said } of rows) {
    const outcome = decide(desk, said);
    if (outcome instanceof Rejected) {
      outcomes.rejected += 1;
      rejects.push({ number, code: outcome.code, words: outcome.words });
    } else outcomes[outcome] += 1;
  }
  return { outcomes, rejects };
}

const detailsOf = ({ id: _i, registration_id: _r, placed: _p, ...details }: Known): AttendeeDetails => details;
