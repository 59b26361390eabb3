import { randomUUID } from 'node:crypto';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { type ReadSheet, readXlsx } from '../../../../test/support/read-xlsx.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { HeldClock } from '../scanning/fair.support.ts';

export type Row = Record<string, unknown>;

/** One event in Berlin with two days, two types, questions, a gate and a tree of groups (north above hill, south beside). */
export interface Exporting {
  t: TestTurnout;
  org: Id;
  event: Id;
  key: string;
  testKey: string;
  post(path: string, body?: unknown, as?: string): Promise<Reply>;
  /** A registration of these attendees; each is an adult on d1 unless given otherwise. */
  register(people: object[], more?: object, as?: string): Promise<Reply['body']>;
  scan(code: string, more?: object, as?: string): Promise<Reply>;
  ask(body: object, as?: string): Promise<Reply>;
  download(job: { result_url: string }): Promise<Response>;
  /** Creates an export that is written at once, and reads its rows by heading. */
  rows(body: object, as?: string): Promise<Row[]>;
  job(id: string): Promise<Reply['body']>;
  sheet(body: object, as?: string): Promise<ReadSheet>;
  headings(body: object, as?: string): Promise<string[]>;
}

/** The time until a test moves it: 02:30 summer time, in the hour before clocks in Berlin are put back. */
export const START = '2026-10-25T00:30:00Z';

/** An attendee with every field. */
export const ADA = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.org',
  phone: '+49 30 901820',
  date_of_birth: '1990-12-10',
  external_id: 'M-1',
  group: 'hill',
  days: ['d2', 'd1'],
  answers: { diet: ['fish', 'rice'], size: 42.5, vegan: true, since: '2020-02-29' },
};

export async function openExporting(options: Parameters<typeof startTest>[0] = {}): Promise<Exporting> {
  const t = await startTest({ clock: new HeldClock(Date.parse(START)), ...options });
  const org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const testKey = (await t.key('acme', { mode: 'test' })).secret;
  const make = async (path: string, body?: unknown) => {
    const reply = await x.post(path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const small = async (body: object, as?: string): Promise<Response> => {
    const reply = await x.ask(body, as);
    expect(reply.status, reply.text).toBe(201);
    expect(reply.body).toMatchObject({ kind: 'export', status: 'succeeded', error: null, rejects_url: null });
    return x.download(reply.body);
  };
  const x: Exporting = {
    t,
    org,
    event: '',
    key,
    testKey,
    post: (path, body, as = key) => t.call('POST', `/v1${path}`, { key: as, body }),
    register: async (people, more = {}, as = key) => {
      const attendees = people.map((person) => ({ attendee_type: 'adult', days: ['d1'], ...person }));
      const reply = await x.post('/events/fair/registrations', { attendees, send_emails: false, ...more }, as);
      expect(reply.status, reply.text).toBe(201);
      return reply.body;
    },
    scan: (code, more = {}, as = key) =>
      x.post('/events/fair/scan', { code, check_in_point: 'gate', client_uuid: randomUUID(), ...more }, as),
    ask: (body, as = key) => x.post('/exports', { format: 'csv', event: 'fair', ...body }, as),
    job: async (id) => (await t.call('GET', `/v1/jobs/${id}`, { key })).body,
    download: (job) => fetch(t.url + new URL(job.result_url).pathname),
    rows: async (body, as) => {
      const text = await (await small({ format: 'csv', ...body }, as)).text();
      return Papa.parse<Row>(text, { header: true, skipEmptyLines: true }).data;
    },
    sheet: async (body, as) => {
      const sheets = readXlsx(Buffer.from(await (await small({ ...body, format: 'xlsx' }, as)).arrayBuffer()));
      expect(sheets).toHaveLength(1);
      return sheets[0]!;
    },
    headings: async (body, as) => {
      const text = await (await small({ format: 'csv', ...body }, as)).text();
      return Papa.parse<string[]>(text, { preview: 1 }).data[0]!;
    },
  };
  await make('/groups', { code: 'north', name: 'North' });
  await make('/groups', { code: 'hill', name: 'Hill', parent: 'north' });
  await make('/groups', { code: 'south', name: 'South' });
  const event = { code: 'fair', name: 'Fair', timezone: 'Europe/Berlin', currency: 'EUR' };
  x.event = toUuid((await make('/events', event)).id);
  await make('/events/fair/days', { code: 'd1', date: '2026-10-25' });
  await make('/events/fair/days', { code: 'd2', date: '2026-10-26' });
  await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/fair/attendee-types', { code: 'child', name: 'Child' });
  await make('/events/fair/attendee-types', { code: 'guest', name: 'Guest', price_minor: 2550 });
  await make('/events/fair/questions', {
    code: 'diet',
    label: 'What do you eat?',
    kind: 'choices',
    options: ['fish', 'rice'],
  });
  await make('/events/fair/questions', { code: 'size', label: 'Size', kind: 'number' });
  await make('/events/fair/questions', { code: 'vegan', label: 'Vegan?', kind: 'yes_no' });
  await make('/events/fair/questions', { code: 'since', label: 'Since', kind: 'date' });
  await make('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/fair/publish');
  return x;
}

/** Attendees for a large file, inserted by SQL into an event of their own: one registration and 400 random letters each. */
export async function crowd(x: Exporting, code: string, people: number): Promise<Crowd> {
  const made = await x.post('/events', { code, name: code, timezone: 'Europe/Berlin' });
  expect(made.status).toBe(201);
  const event = toUuid(made.body.id);
  const type = toUuid((await x.post(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' })).body.id);
  await crowdIn(x, { event, type }, 1, people);
  return { event, type };
}
export interface Crowd {
  event: Id;
  type: Id;
}

export const crowdIn = (x: Exporting, { event, type }: Crowd, from: number, to: number): Promise<void> =>
  x.t.system(async (tx) => {
    await tx.run(sql`
      insert into registrations (org_id, id, event_id, code, status, source, test, currency, total_minor, paid_minor, send_emails,
        created_at, updated_at)
      select ${x.org}, md5(${event} || 'r' || n)::uuid, ${event}, 'R' || n, 'confirmed', 'api', false, 'EUR', 0, 0, false, now(), now()
      from generate_series(${from}::int, ${to}::int) n`);
    await tx.run(sql`
      insert into attendees (org_id, id, event_id, registration_id, position, attendee_type_id, day_ids, first_name, last_name, email,
        answers, price_minor, status, test, name_key, given_key, created_at, updated_at)
      select ${x.org}, md5(${event} || 'a' || n)::uuid, ${event}, md5(${event} || 'r' || n)::uuid, 0, ${type}, '{}', 'Person', 'No ' || n,
        (select string_agg(md5(n || '.' || i), '') from generate_series(1, 12) i) || '@example.org', '{}', 0, 'confirmed', false, '', '', now(), now()
      from generate_series(${from}::int, ${to}::int) n`);
  });
