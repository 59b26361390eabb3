import { randomUUID } from 'node:crypto';
import Papa from 'papaparse';
import { expect } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

/** One organization with a tree of groups (north above hill, south beside) and events of two days and two types. */
export interface Importing {
  t: TestTurnout;
  org: Id;
  key: string;
  testKey: string;
  /** Limited to the group north. */
  northKey: string;
  post(path: string, body?: unknown, as?: string): Promise<Reply>;
  /** A new published event. */
  event(more?: object): Promise<string>;
  /** Sends the file as JSON. */
  send(event: string, csv: string, more?: object, as?: string): Promise<Reply>;
  /** Imports a file that is small enough to be done at once. Answers its counts. */
  take(event: string, csv: string, more?: object, as?: string): Promise<Record<string, number>>;
  /** The rows that a job rejected, by heading. */
  rejects(job: { rejects_url: string | null }): Promise<Record<string, string>[]>;
  rejectsText(job: { rejects_url: string | null }): Promise<string>;
  people(event: string, as?: string): Promise<Reply['body'][]>;
  job(id: string, as?: string): Promise<Reply['body']>;
  count(table: string, event: string): Promise<number>;
}

export async function openImporting(options: Parameters<typeof startTest>[0] = {}): Promise<Importing> {
  const t = await startTest(options);
  const org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  const key = (await t.key('acme')).secret;
  const testKey = (await t.key('acme', { mode: 'test' })).secret;
  const make = async (path: string, body?: unknown): Promise<Reply['body']> => {
    const reply = await x.post(path, body);
    expect(reply.status, reply.text).toBeLessThan(300);
    return reply.body;
  };
  const x: Importing = {
    t,
    org,
    key,
    testKey,
    northKey: '',
    post: (path, body, as = key) => t.call('POST', `/v1${path}`, { key: as, body }),
    event: async (more = {}) => {
      const code = `fair-${randomUUID().slice(0, 8)}`;
      await make('/events', { code, name: 'Fair', ...more });
      const events = `/events/${code}`;
      await make(`${events}/days`, { code: 'fri', name: 'Friday, 1 May', date: '2055-05-01' });
      await make(`${events}/days`, { code: 'sat', name: 'Samstag', date: '2055-05-02' });
      await make(`${events}/attendee-types`, { code: 'adult', name: 'Erwachsene' });
      await make(`${events}/attendee-types`, { code: 'child', name: 'Child', days: ['sat'] });
      await make(`${events}/publish`);
      return code;
    },
    send: (event, csv, more = {}, as = key) => x.post(`/events/${event}/imports`, { csv, ...more }, as),
    take: async (event, csv, more = {}, as = key) => {
      const reply = await x.send(event, csv, more, as);
      expect(reply.status, reply.text).toBe(201);
      expect(reply.body).toMatchObject({ kind: 'import', status: 'succeeded', error: null, result_url: null });
      const { tickets_issued: _i, tickets_voided: _v, ...outcomes } = reply.body.counts;
      return outcomes;
    },
    rejectsText: async ({ rejects_url }) => {
      expect(rejects_url).not.toBeNull();
      const response = await fetch(t.url + new URL(rejects_url!).pathname);
      expect(response.status).toBe(200);
      return response.text();
    },
    rejects: async (job) =>
      Papa.parse<Record<string, string>>(await x.rejectsText(job), { header: true, skipEmptyLines: true }).data,
    people: async (event, as = key) => {
      const reply = await t.call('GET', `/v1/events/${event}/attendees?limit=200`, { key: as });
      expect(reply.status).toBe(200);
      return reply.body.data;
    },
    job: async (id, as = key) => (await t.call('GET', `/v1/jobs/${id}`, { key: as })).body,
    count: (table, event) =>
      t.system(async (tx) => {
        const { n } = await tx.one<{ n: number }>(sql`
          select count(*)::int as n from ${table === 'outbox' ? sql`outbox` : table === 'mails' ? sql`mails` : sql`attendees`} o
          join events e on e.org_id = o.org_id and e.id = o.event_id where e.code = ${event}`);
        return n;
      }),
  };
  await make('/groups', { code: 'north', name: 'The North' });
  await make('/groups', { code: 'hill', name: 'Hill', parent: 'north' });
  await make('/groups', { code: 'south', name: 'The South' });
  x.northKey = (await t.key('acme', { group: 'north' })).secret;
  return x;
}
