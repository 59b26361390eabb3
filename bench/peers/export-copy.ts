import { closeSync, openSync, writeSync } from 'node:fs';
import pg from 'pg';
import type { Id } from '../../server/src/common/ids.ts';

/** The methods that `pg` calls on a query, as far as COPY needs them: each is given a message from PostgreSQL. */
class CopyOut {
  readonly #text: string;
  readonly #take: (chunk: Buffer) => void;
  readonly #end: (error: Error | null) => void;
  constructor(text: string, take: (chunk: Buffer) => void, end: (error: Error | null) => void) {
    this.#text = text;
    this.#take = take;
    this.#end = end;
  }
  submit(connection: { query(text: string): void }): void {
    connection.query(this.#text);
  }
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#take(chunk);
  }
  handleCommandComplete(): void {}
  handleReadyForQuery(): void {
    this.#end(null);
  }
  handleError(error: Error): void {
    this.#end(error);
  }
}

/** The columns of an export of people, made by the database alone: codes by joins, times in its own time zones, without our checks. */
const people = (event: Id, timezone: string): string => `
  select a.first_name as "First name", a.last_name as "Last name", a.email as "Email", a.phone as "Phone", y.code as "Type",
    g.code as "Group",
    array_to_string(array(select d.code from days d where d.org_id = a.org_id and d.id = any(a.day_ids) order by d.date, d.code), '; ')
      as "Day",
    a.date_of_birth as "Date of birth", coalesce(a.external_id, a.id::text) as "ID", a.answers->>'diet' as diet, a.status as "Status",
    r.code as "Registration",
    array_to_string(array(
      select t.code from ticket_people p join tickets t on t.org_id = p.org_id and t.id = p.ticket_id
      where p.org_id = a.org_id and p.attendee_id = a.id and t.status = 'valid' order by t.id), '; ') as "Tickets",
    a.checked_in_at is not null as "Checked in",
    to_char(a.checked_in_at at time zone '${timezone}', 'YYYY-MM-DD HH24:MI:SS') as "Checked in at",
    to_char(a.created_at at time zone '${timezone}', 'YYYY-MM-DD HH24:MI:SS') as "Registered at"
  from attendees a
  join registrations r on r.org_id = a.org_id and r.id = a.registration_id
  join attendee_types y on y.org_id = a.org_id and y.id = a.attendee_type_id
  left join groups g on g.org_id = a.org_id and g.id = a.group_id
  where a.event_id = '${event}' order by a.updated_at, a.id`;

/** Exports the same rows to a file with PostgreSQL's COPY, through `pg`. Returns milliseconds and bytes. */
export async function copyPeople(
  url: string,
  event: Id,
  timezone: string,
  path: string,
): Promise<{ ms: number; bytes: number }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const file = openSync(path, 'w');
  let bytes = 0;
  try {
    const at = performance.now();
    await new Promise<void>((resolve, reject) => {
      const take = (chunk: Buffer) => {
        bytes += chunk.length;
        writeSync(file, chunk);
      };
      const text = `copy (${people(event, timezone)}) to stdout with (format csv, header)`;
      client.query(
        new CopyOut(text, take, (error) => (error === null ? resolve() : reject(error))) as unknown as pg.Submittable,
      );
    });
    return { ms: performance.now() - at, bytes };
  } finally {
    closeSync(file);
    await client.end();
  }
}
