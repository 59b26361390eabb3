import type { Admission, Pass, Person } from '@turnout/checkin';
import { insideZone } from '@turnout/checkin';
import { type Attendee, fieldsOf, MAX_SCAN_PEOPLE, pickFields } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { columns, type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { readBooked } from './booked.ts';
import type { ScanWorld } from './world.ts';

/** What is shown at the door of what people typed. */
export const DOOR_TEXTS = fieldsOf('attendee', { typed: true, door: true });
export type DoorTexts = Pick<Attendee, (typeof DOOR_TEXTS)[number]>;

export interface DoorPerson extends DoorTexts {
  id: Id;
  attendee_type_id: Id;
  group_id: Id | null;
  status: string;
  day_ids: Id[];
}
export interface DoorTicket {
  id: Id;
  code: string;
  registration_id: Id;
  status: 'valid' | 'voided';
  test: boolean;
  day_ids: Id[] | null;
  people: DoorPerson[];
}

/** An admission as a row: somebody passed a check-in point. */
interface PassRow {
  check_in_point_id: Id;
  kind: Admission['kind'];
  day_id: Id | null;
  scanned_at: string;
  seq: number;
}
const admissionOf = (row: PassRow): Admission => ({
  check_in_point: row.check_in_point_id,
  kind: row.kind,
  day: row.day_id,
  at: Date.parse(row.scanned_at),
  seq: row.seq,
});

/** Tickets by their codes and by their ids, and the admissions of the people on them, by attendee. */
export interface TicketsOnRecord {
  /** How many people the tickets have together, if these are too many to read. Then nothing else is here. */
  unread: number;
  tickets: Map<string, DoorTicket>;
  history: Map<Id, Admission[]>;
}

/**
 * One row per person on a ticket and admission of that person; one row for a person without any admission. If nobody is on the tickets, or
 * too many are, there is one row with their number.
 */
type TicketRow = { counted: number } & ({ id: null } | PersonRow);
type PersonRow = Omit<DoorTicket, 'status' | 'people'> &
  Omit<DoorPerson, 'id' | 'day_ids'> & {
    ticket_status: DoorTicket['status'];
    attendee_id: Id;
    person_days: Id[];
  } & (PassRow | { seq: null });

/**
 * Reads in a statement of its own, after the event's clock is held. A single statement that locks and reads sees the state from
 * before its wait for the lock, and admits people twice (measured: 22 of 200 tickets). `materialized` makes PostgreSQL go step
 * by step. Left to itself, it kept a plan from when the tables were still empty: it compared every ticket with every person,
 * and read all check-ins once per person. Looking up 2,000 tickets took 400 ms that way; this takes 3 ms (measured).
 *
 * People are counted before they are read, and too many are not read. The people of 500 tickets that 200 share took this process 1.1 s
 * to read, and take 2 ms to count (measured, processor time). One ticket is always read.
 */
export async function readTickets(
  tx: Tx,
  org: Id,
  event: Sql,
  test: Sql,
  { codes, ids }: { codes: readonly string[]; ids: readonly string[] },
): Promise<TicketsOnRecord> {
  const named = ids.length === 0 ? sql`code = any(${codes})` : sql`(code = any(${codes}) or id = any(${ids}::uuid[]))`;
  const rows = await tx.all<TicketRow>(sql`
    with t as materialized (
      select id, code, registration_id, status, test, day_ids from tickets
      where org_id = ${org} and event_id = ${event} and ${named}),
    counted as materialized (
      select count(*)::int as people from ticket_people p
      where p.org_id = ${org} and p.ticket_id = any(array(select id from t))),
    people as materialized (
      select t.id, t.code, t.registration_id, t.status as ticket_status, t.test, t.day_ids, p.position, a.id as attendee_id,
        ${columns(DOOR_TEXTS, 'a')}, a.attendee_type_id, a.group_id, a.status, a.day_ids as person_days
      from t
      join ticket_people p on p.org_id = ${org} and p.ticket_id = t.id
      join attendees a on a.org_id = ${org} and a.id = p.attendee_id
      where (select counted.people <= ${MAX_SCAN_PEOPLE}::int or (select count(*) from t) = 1 from counted)),
    history as materialized (
      select attendee_id, check_in_point_id, kind, day_id, scanned_at, seq from checkins
      where org_id = ${org} and attendee_id = any(array(select attendee_id from people))
        and admitted and undone_at is null and test = ${test})
    select counted.people as counted, people.*, h.check_in_point_id, h.kind, h.day_id, h.scanned_at, h.seq
    from counted left join people on true left join history h on h.attendee_id = people.attendee_id
    order by people.id, people.position, people.attendee_id`);
  const found: TicketsOnRecord = { unread: 0, tickets: new Map(), history: new Map() };
  for (const row of rows) {
    if (row.id === null) {
      if (row.counted > MAX_SCAN_PEOPLE) found.unread = row.counted;
      break;
    }
    let ticket = found.tickets.get(row.code);
    if (ticket === undefined) {
      const { id, code, registration_id, ticket_status, test, day_ids } = row;
      ticket = { id, code, registration_id, status: ticket_status, test, day_ids, people: [] };
      found.tickets.set(code, ticket);
      found.tickets.set(id, ticket);
    }
    const { attendee_id, attendee_type_id, group_id, status, person_days } = row;
    if (ticket.people.at(-1)?.id !== attendee_id) {
      const day_ids = person_days;
      const texts = pickFields(DOOR_TEXTS, row);
      ticket.people.push({ id: attendee_id, ...texts, attendee_type_id, group_id, status, day_ids });
      // Starts afresh for each ticket: the rows of a person with two tickets hold the full history beside each of them.
      found.history.set(attendee_id, []);
    }
    if (row.seq !== null) found.history.get(attendee_id)!.push(admissionOf(row));
  }
  return found;
}

/** What the scans of one batch look at: the tickets, their admissions, and who is in the zones. */
export class Door {
  readonly world: ScanWorld;
  readonly test: boolean;
  readonly #tx: Tx;
  readonly #org: Id;
  readonly #onRecord: TicketsOnRecord;
  readonly #zones = new Map<Id, Pass[]>();
  /** By attendee: what they have booked of the products that a point asks for. */
  readonly #booked = new Map<Id, Id[]>();
  /** Greater than every `seq` on record: what this transaction admits counts as recorded last. */
  #seq = Number.MAX_SAFE_INTEGER - 1_000_000_000;

  constructor(tx: Tx, org: Id, world: ScanWorld, test: boolean, onRecord: TicketsOnRecord) {
    this.#tx = tx;
    this.#org = org;
    this.world = world;
    this.test = test;
    this.#onRecord = onRecord;
  }

  /** Reads who passed into these zones and out of them: the passes at the zone itself, and at the exits that lead out of it. */
  async readZones(zones: readonly Id[]): Promise<void> {
    for (const zone of zones) {
      const points = [...this.world.points.values()]
        .filter(
          (point) =>
            point.id === zone || (point.kind === 'exit' && (point.leaves_id === null || point.leaves_id === zone)),
        )
        .map((point) => point.id);
      const rows = await this.#tx.all<PassRow & { attendee_id: Id }>(sql`
        select attendee_id, check_in_point_id, kind, day_id, scanned_at, seq from checkins
        where org_id = ${this.#org} and check_in_point_id = any(${points}) and admitted and undone_at is null and test = ${this.test}`);
      this.#zones.set(
        zone,
        rows.map((row) => ({ ...admissionOf(row), person: row.attendee_id })),
      );
    }
  }

  /**
   * Reads who on these tickets has booked which of these products. Only now is known whether a point of these scans asks for any: the
   * others are sent one statement less, and none of the statements that they are sent knows of products.
   */
  async readBooked(tickets: readonly DoorTicket[], products: readonly Id[]): Promise<void> {
    if (products.length === 0) return;
    const people = [...new Set(tickets.flatMap((ticket) => ticket.people.map(({ id }) => id)))];
    for (const row of await readBooked(this.#tx, this.#org, people, products))
      this.#booked.set(row.attendee_id, row.products);
  }

  /** By its code or its id. */
  ticket(key: string): DoorTicket | null {
    return this.#onRecord.tickets.get(key) ?? null;
  }

  person(ticket: DoorTicket, person: DoorPerson): Person {
    return {
      id: person.id,
      attendee_type: person.attendee_type_id,
      group: person.group_id,
      confirmed: person.status === 'confirmed',
      products: this.#booked.get(person.id) ?? [],
      days: ticket.day_ids === null ? person.day_ids : ticket.day_ids.filter((day) => person.day_ids.includes(day)),
      admissions: this.#onRecord.history.get(person.id)!,
    };
  }

  othersInside(zone: Id, at: number, ticket: DoorTicket | null): Record<string, number> {
    const except = ticket?.people.map((person) => person.id) ?? [];
    return insideZone(this.world.prepared, zone, this.#zones.get(zone) ?? [], at, except);
  }

  /** Adds an admission, so that the next scan of the batch is decided with it. */
  admit(person: Id, admission: Omit<Admission, 'seq'>): void {
    const full = { ...admission, seq: ++this.#seq };
    this.#onRecord.history.get(person)!.push(full);
    for (const passes of this.#zones.values()) passes.push({ ...full, person });
  }
}
