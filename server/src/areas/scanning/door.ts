import type { Admission, Pass, Person } from '@turnout/checkin';
import { insideZone } from '@turnout/checkin';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { ScanWorld } from './world.ts';

export interface DoorPerson {
  id: Id;
  first_name: string;
  last_name: string;
  attendee_type_id: Id;
  group_id: Id | null;
  status: string;
  day_ids: Id[];
  checked_in_at: string | null;
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

interface HistoryRow {
  attendee_id: Id;
  check_in_point_id: Id;
  kind: Admission['kind'];
  day_id: Id | null;
  scanned_at: string;
  seq: number;
}
const admissionOf = (row: HistoryRow): Admission => ({
  check_in_point: row.check_in_point_id,
  kind: row.kind,
  day: row.day_id,
  at: Date.parse(row.scanned_at),
  seq: row.seq,
});

/**
 * Everything that the scans of one batch look at, read in new statements after the event's clock is held: a statement that
 * locks and reads at once would read from before its wait, and admit twice (22 times in 200 tickets [m]).
 */
export class Door {
  readonly world: ScanWorld;
  readonly test: boolean;
  readonly #tx: Tx;
  readonly #org: Id;
  readonly #tickets = new Map<string, DoorTicket>();
  readonly #history = new Map<Id, Admission[]>();
  readonly #zones = new Map<Id, Pass[]>();
  /** Beyond every recorded one: what this transaction admits comes after all of it. */
  #seq = Number.MAX_SAFE_INTEGER - 1_000_000_000;

  constructor(tx: Tx, org: Id, world: ScanWorld, test: boolean) {
    this.#tx = tx;
    this.#org = org;
    this.world = world;
    this.test = test;
  }

  /**
   * Tickets with their people by one statement, the people's history by another. The tickets first: joined freely, a plan made
   * while the tables were still empty compared every ticket with every person (2,000 tickets: 400 ms, so 3 [m]).
   */
  async read(codes: readonly string[]): Promise<void> {
    const rows = await this.#tx.all<
      DoorTicket & DoorPerson & { attendee_id: Id; ticket_status: 'valid' | 'voided'; person_days: Id[] }
    >(sql`
      with t as materialized (
        select id, code, registration_id, status, test, day_ids from tickets
        where org_id = ${this.#org} and event_id = ${this.world.event.id} and code = any(${codes}))
      select t.id, t.code, t.registration_id, t.status as ticket_status, t.test, t.day_ids, a.id as attendee_id, a.first_name,
        a.last_name, a.attendee_type_id, a.group_id, a.status, a.day_ids as person_days, a.checked_in_at
      from t
      join ticket_people p on p.org_id = ${this.#org} and p.ticket_id = t.id
      join attendees a on a.org_id = ${this.#org} and a.id = p.attendee_id
      order by t.id, p.position`);
    for (const row of rows) {
      let ticket = this.#tickets.get(row.code);
      if (ticket === undefined) {
        const { id, code, registration_id, ticket_status, test, day_ids } = row;
        ticket = { id, code, registration_id, status: ticket_status, test, day_ids, people: [] };
        this.#tickets.set(code, ticket);
      }
      const { attendee_id, first_name, last_name, attendee_type_id, group_id, status, person_days, checked_in_at } =
        row;
      ticket.people.push({
        id: attendee_id,
        first_name,
        last_name,
        attendee_type_id,
        group_id,
        status,
        day_ids: person_days,
        checked_in_at,
      });
    }
    await this.#readHistory([...new Set(rows.map((row) => row.attendee_id))]);
  }

  async #readHistory(people: readonly Id[]): Promise<void> {
    if (people.length === 0) return;
    const rows = await this.#tx.all<HistoryRow>(sql`
      select attendee_id, check_in_point_id, kind, day_id, scanned_at, seq from checkins
      where org_id = ${this.#org} and attendee_id = any(${people}) and admitted and undone_at is null and test = ${this.test}`);
    for (const row of rows) this.#of(row.attendee_id).push(admissionOf(row));
  }

  /** Passes of the zones with a capacity that this batch asks about: the zone's own, and of exits that lead out of it. */
  async readZones(zones: readonly Id[]): Promise<void> {
    for (const zone of zones) {
      const doors = [...this.world.points.values()]
        .filter(
          (point) =>
            point.id === zone || (point.kind === 'exit' && (point.leaves_id === null || point.leaves_id === zone)),
        )
        .map((point) => point.id);
      const rows = await this.#tx.all<HistoryRow>(sql`
        select attendee_id, check_in_point_id, kind, day_id, scanned_at, seq from checkins
        where org_id = ${this.#org} and check_in_point_id = any(${doors}) and admitted and undone_at is null and test = ${this.test}`);
      this.#zones.set(
        zone,
        rows.map((row) => ({ ...admissionOf(row), person: row.attendee_id })),
      );
    }
  }

  ticket(code: string): DoorTicket | null {
    return this.#tickets.get(code) ?? null;
  }

  #of(person: Id): Admission[] {
    let list = this.#history.get(person);
    if (list === undefined) {
      list = [];
      this.#history.set(person, list);
    }
    return list;
  }

  person(ticket: DoorTicket, person: DoorPerson): Person {
    return {
      id: person.id,
      attendee_type: person.attendee_type_id,
      group: person.group_id,
      confirmed: person.status === 'confirmed',
      days: ticket.day_ids === null ? person.day_ids : ticket.day_ids.filter((day) => person.day_ids.includes(day)),
      admissions: this.#of(person.id),
    };
  }

  othersInside(zone: Id, at: number, ticket: DoorTicket | null): Record<string, number> {
    const except = ticket?.people.map((person) => person.id) ?? [];
    return insideZone(this.world.prepared, zone, this.#zones.get(zone) ?? [], at, except);
  }

  /** What was just admitted counts for the next scan of the batch. */
  admit(person: Id, admission: Omit<Admission, 'seq'>): void {
    const full = { ...admission, seq: ++this.#seq };
    this.#of(person).push(full);
    for (const passes of this.#zones.values()) passes.push({ ...full, person });
  }
}
