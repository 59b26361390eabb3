import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Id, toUlid, toUuid } from '../server/src/common/ids.ts';
import type { Truth } from './check.ts';
import type { Callers, Planned } from './client.ts';

/** An event of today: one entry, one type without limit and one with too few places for all who want one. */
export interface DrillEvent {
  code: string;
  id: Id;
  capacity: number;
  tickets: string[];
}

interface Registered {
  id: string;
  attendees: { tickets: { code: string }[] }[];
}
const PEOPLE_AT_ONCE = 100;

export async function newEvent(
  callers: Callers,
  { code, capacity, tickets }: { code: string; capacity: number; tickets: number },
): Promise<DrillEvent> {
  const post = async <T>(path: string, body?: object): Promise<T> => {
    return (await callers.succeed(`/v1/events${path}`, body)) as T;
  };
  const { id } = await post<{ id: string }>('', { code, name: code, timezone: 'UTC' });
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
  await post(`/${code}/days`, { code: 'd1', date: hours(0).slice(0, 10), opens_at: hours(-12), closes_at: hours(12) });
  await post(`/${code}/attendee-types`, { code: 'open', name: 'Open' });
  await post(`/${code}/attendee-types`, { code: 'limited', name: 'Limited', capacity });
  await post(`/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await post(`/${code}/publish`);
  const codes: string[] = [];
  while (codes.length < tickets) {
    const attendees = Array.from({ length: PEOPLE_AT_ONCE }, (_, i) => person('open', `guest-${codes.length + i}`));
    const registered = await post<Registered>(`/${code}/registrations`, { attendees, send_emails: false });
    codes.push(...registered.attendees.flatMap((one) => one.tickets.map((ticket) => ticket.code)));
  }
  return { code, id: toUuid(id), capacity, tickets: codes };
}

const person = (type: string, mark: string) => ({
  attendee_type: type,
  first_name: 'Ada',
  last_name: mark,
  email: `${mark}@example.org`,
  days: ['d1'],
});

/** In ten calls six scans, two of them by a second device that scans the same ticket, and four registrations, two of them limited. */
export function mixedCalls(event: DrillEvent): () => Planned {
  const path = `/v1/events/${event.code}`;
  let sent = 0;
  let scanned = 0;
  const scan = (isSecond: boolean): Planned => {
    if (!isSecond) scanned += 1;
    const mark: string = randomUUID();
    const code = event.tickets[scanned];
    if (code === undefined) throw new Error('the load is longer than there are tickets');
    return {
      kind: 'scan',
      mark,
      path: `${path}/scan`,
      body: { code, check_in_point: 'gate', client_uuid: mark },
      read: (body) => (body as { result: string }).result,
    };
  };
  const register = (type: string): Planned => {
    const mark = `caller-${sent}`;
    return {
      kind: 'registration',
      mark: `${mark}@example.org`,
      path: `${path}/registrations`,
      body: { attendees: [person(type, mark)], send_emails: false },
      read: (body) => (body as { id: string }).id,
    };
  };
  const turns = [
    () => scan(false),
    () => scan(true),
    () => register('open'),
    () => scan(false),
    () => register('limited'),
    () => scan(false),
    () => scan(true),
    () => register('open'),
    () => scan(false),
    () => register('limited'),
  ];
  return () => {
    sent += 1;
    return turns[sent % turns.length]!();
  };
}

/** What is stored of the event, read from the primary as a superuser. */
export async function readTruth(primary: string, org: string, event: DrillEvent): Promise<Truth> {
  const client = new pg.Client({ connectionString: primary.replace(/[^/]*$/, 'turnout') });
  await client.connect();
  const read = async <Row>(text: string) => (await client.query(text, [org, event.id])).rows as Row[];
  try {
    const registrations = await read<{ id: Id; mark: string; type: string; holdsPlace: boolean }>(`
      select r.id, a.email as mark, t.code as type, a.status = 'confirmed' as "holdsPlace"
      from registrations r join attendees a on a.org_id = r.org_id and a.registration_id = r.id
        join attendee_types t on t.org_id = a.org_id and t.id = a.attendee_type_id
      where r.org_id = $1 and r.event_id = $2`);
    const scans = await read<Truth['scans'][number]>(`
      select c.client_uuid as mark, t.code as ticket, c.result, c.admitted and c.undone_at is null as admitted
      from checkins c join tickets t on t.org_id = c.org_id and t.id = c.ticket_id
      where c.org_id = $1 and c.event_id = $2`);
    return { registrations: registrations.map((one) => ({ ...one, id: toUlid(one.id) })), scans };
  } finally {
    await client.end();
  }
}
