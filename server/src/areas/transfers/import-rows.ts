import type { DateOrder, ImportError } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Change, Occurrence } from '../../road/operation.ts';
import { diff } from '../../road/write/diff.ts';
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
import { type KnownAttendee, KnownAttendees } from './import-attendees.ts';
import { type Desk, decide, Lookup, type NamedRow } from './import-decide.ts';
import { groupsIn, type ImportScope, knownBy, ownIdsAmong, type RejectRow } from './import-queries.ts';
import { type ImportRow, Rejected } from './import-row.ts';

export function requireUnarchived(event: EventRow): void {
  if (event.status === 'archived') refuse('invalid_state', { message: 'The event is archived and cannot be changed.' });
}

/** A row of the file: what it says, or why it is rejected. */
export interface ReadRow {
  number: number;
  /** The byte offset behind the row. */
  end: number;
  read: ImportRow | Rejected;
}

export const OUTCOMES = ['created', 'updated', 'unchanged', 'rejected'] as const;
type Outcomes = Record<(typeof OUTCOMES)[number], number>;
export type ImportCounts = Outcomes & TicketCounts;
export const COUNTED = [...OUTCOMES, 'tickets_issued', 'tickets_voided'] as const;

interface Decided {
  outcomes: Outcomes;
  rejects: RejectRow[];
}

interface RowsResult {
  counts: ImportCounts;
  rejects: RejectRow[];
}

export interface Imported extends RowsResult {
  changes: Change[];
  raised: Occurrence[];
}

/** How the rows of a file are understood. */
export interface ReadOptions {
  order: DateOrder;
  /** Whether the file is an export of Turnout's. */
  own: boolean;
}

/** Imports the rows of one transaction: each is decided in turn while the event's clock is held, then all are written at once. */
export async function importRows(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  how: ReadOptions & { emails: boolean },
): Promise<Imported> {
  const { org, event, mode } = scope;
  // Both are sent in one packet. The clock is taken first, so the attendees are read while it is held.
  const [book, matches] = await Promise.all([
    Book.open(tx, org, event, scope.cap),
    findMatches(tx, scope, rows, how.own, null),
  ]);
  requireUnarchived(book.world.event);
  const desk = deskOf(scope, how.order, book.now, book.world, book.places, matches);
  const { outcomes, rejects } = decideAll(desk, rows);
  const changes: Change[] = [];
  for (const attendee of desk.added) {
    const making = {
      source: 'import',
      test: mode === 'test',
      group_id: attendee.group_id,
      send_emails: how.emails,
    } as const;
    const registration = enroll(book, making, [detailsOf(attendee)]);
    changes.push({
      kind: 'registration',
      id: registration.id,
      event,
      group: attendee.group_id,
      ...auditCreation(registration),
    });
  }
  changes.push(...(await changeAll(book, desk.changed)));
  const { occurred } = await book.close({ mails: how.emails, bulk: true });
  const raised = [...occurred.values()].flat().map((one) => ({ ...one, event }));
  const countOf = (type: Occurrence['type']) => raised.reduce((sum, one) => sum + (one.type === type ? 1 : 0), 0);
  const tickets = { tickets_issued: countOf('ticket.issued'), tickets_voided: countOf('ticket.voided') };
  return { counts: { ...outcomes, ...tickets }, rejects, changes, raised };
}

async function changeAll(book: Book, changed: Desk['changed']): Promise<Change[]> {
  // Attendees that these rows add are already created as the last row left them, so only existing ones are changed here.
  const existing = [...changed].filter(([attendee]) => attendee.registration_id !== null);
  if (existing.length === 0) return [];
  const loaded = await book.load(sql`id = any(${existing.map(([attendee]) => attendee.registration_id)})`);
  const registrations = new Map(loaded.map((registration) => [registration.id, registration]));
  return existing.map(([known]) => {
    const registration = registrations.get(known.registration_id!)!;
    const attendee = registration.attendees.find((one) => one.id === known.id)!;
    const before = attendeeFacts(book, registration, attendee);
    applyDetails(book, registration, attendee, detailsOf(known));
    return {
      kind: 'attendee',
      id: known.id,
      event: book.world.event.id,
      group: known.group_id,
      changes: hideGroup(known.group_id, diff(before, attendeeFacts(book, registration, attendee))),
      objects: [{ kind: 'registration', id: registration.id }],
    };
  });
}

/** What a preview carries from step to step: the places that it would have taken or freed, by scope. */
export type TakenPlaces = Record<Id, number>;

export interface Previewed extends RowsResult {
  taken: TakenPlaces;
  /** The attendees as they would be after these rows, for the rows of later steps. */
  attendees: KnownAttendee[];
}

/** Makes the same decisions and writes nothing. `job` is the job under which earlier steps stored their attendees, if any. */
export async function previewRows(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  how: ReadOptions & { job: Id | null; taken: TakenPlaces },
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
  const matches = await findMatches(tx, scope, rows, how.own, how.job);
  const desk = deskOf(scope, how.order, tx.clock.now(), world, places, matches);
  const { outcomes, rejects } = decideAll(desk, rows);
  const taken = Object.fromEntries([...before].map(([id, count]) => [id, places.taken(id, test) - count]));
  const counts = { ...outcomes, ...(await previewTickets(tx, org, desk)) };
  return { counts, rejects, taken, attendees: [...new Set([...desk.added, ...desk.changed.keys()])] };
}

/**
 * The number of tickets that the import would issue and void. Attendees whom an earlier step of the preview added have no tickets
 * in the database, so theirs are computed here.
 */
async function previewTickets(tx: Tx, org: Id, { world, places, added, moved }: Desk): Promise<TicketCounts> {
  const fresh = new Set(added);
  const existing = [...moved].filter(([attendee]) => !fresh.has(attendee));
  const movers = existing.flatMap(([attendee, before]) =>
    attendee.registration_id === null
      ? []
      : [{ id: attendee.id, registration_id: attendee.registration_id, before, after: detailsOf(attendee) }],
  );
  const counts = await forecastTickets(tx, org, { world, places }, added, movers);
  for (const [attendee, before] of existing) {
    if (attendee.registration_id !== null) continue;
    const [was, is] = [ticketsDue(world, before), ticketsDue(world, attendee)];
    counts.tickets_issued += is.filter((one) => !was.includes(one)).length;
    counts.tickets_voided += was.filter((one) => !is.includes(one)).length;
  }
  return counts;
}

interface Matches {
  known: KnownAttendee[];
  groups: NamedRow[];
  foreign: Desk['foreign'];
}

/** Reads every attendee and group that these rows may refer to. */
async function findMatches(
  tx: Tx,
  scope: ImportScope,
  rows: readonly ReadRow[],
  own: boolean,
  preview: Id | null,
): Promise<Matches> {
  const readable = rows.flatMap(({ read }) => (read instanceof Rejected ? (read.readable ?? []) : read));
  const [known, groups, foreign] = await Promise.all([
    knownBy(tx, scope, readable, preview),
    readable.some((row) => row.group !== undefined) ? groupsIn(tx, scope) : [],
    own ? ('all' as const) : ownIdsAmong(tx, scope, readable),
  ]);
  return { known, groups, foreign };
}

const deskOf = (
  scope: ImportScope,
  order: DateOrder,
  now: Date,
  world: EventWorld,
  places: Places,
  { known, groups, foreign }: Matches,
): Desk => ({
  world,
  places,
  attendees: new KnownAttendees(known),
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
  for (const { number, read } of rows) {
    const outcome = decide(desk, read);
    if (outcome instanceof Rejected) {
      outcomes.rejected += 1;
      rejects.push({ number, code: outcome.code, words: outcome.words });
    } else outcomes[outcome] += 1;
  }
  return { outcomes, rejects };
}

const detailsOf = ({ id: _i, registration_id: _r, placed: _p, ...details }: KnownAttendee): AttendeeDetails => details;
