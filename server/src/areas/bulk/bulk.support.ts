import { expect } from 'vitest';
import type { Reply } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from '../transfers/import.support.ts';

type Body = Reply['body'];

/** An organization whose events have two days and two attendee types, with helpers for tests of bulk actions. */
export interface Acting extends Importing {
  /** Creates registrations of one attendee each, all at once. `more` adds fields by the number of the attendee. */
  registered(event: string, count: number, more?: (n: number) => object, as?: string): Promise<Body[]>;
  start(event: string, body: object, as?: string): Promise<Reply>;
  /** Starts a bulk action, runs it, and returns the finished job. */
  act(event: string, body: object, as?: string): Promise<Body>;
  registrations(event: string): Promise<Body[]>;
  audit(event: string, action: string): Promise<Body[]>;
  raised(event: string, type: string): Promise<number>;
  mails(event: string): Promise<{ kind: string; recipient: string; bulk: boolean }[]>;
}

export async function openActing(): Promise<Acting> {
  const x = await openImporting();
  const of = (event: string) => sql`(select id from events where code = ${event})`;
  const a: Acting = {
    ...x,
    registered: (event, count, more = () => ({}), as = x.key) =>
      Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const attendee = { attendee_type: 'adult', first_name: `First ${n}`, last_name: 'Last', days: ['fri'] };
          const body = { attendees: [{ ...attendee, email: `p${n}@example.org`, ...more(n) }] };
          const reply = await x.post(`/events/${event}/registrations`, body, as);
          expect(reply.status, reply.text).toBe(201);
          return reply.body;
        }),
      ),
    start: (event, body, as = x.key) => x.post(`/events/${event}/bulk`, body, as),
    act: async (event, body, as = x.key) => {
      const reply = await a.start(event, body, as);
      expect(reply.status, reply.text).toBe(202);
      expect(reply.body).toMatchObject({ kind: 'bulk', status: 'queued', counts: {}, rejects_url: null });
      await x.t.step.jobs();
      const job = await x.job(reply.body.id, as);
      expect(job).toMatchObject({ status: 'succeeded', error: null });
      expect(job.progress.done).toBe(job.progress.total);
      return job;
    },
    registrations: async (event) =>
      (await x.t.call('GET', `/v1/events/${event}/registrations?limit=200`, { key: x.key })).body.data,
    audit: (event, action) =>
      x.t.system((tx) =>
        tx.all(sql`
          select object_kind, object_id, actor_kind, actor_name, source, request_id from audit_log
          where event_id = ${of(event)} and action = ${action}`),
      ),
    raised: (event, type) =>
      x.t.system(
        async (tx) =>
          (
            await tx.one<{ n: number }>(sql`
              select count(*)::int as n from outbox where event_id = ${of(event)} and type = ${type}`)
          ).n,
      ),
    mails: (event) =>
      x.t.system((tx) =>
        tx.all(sql`select kind, recipient, bulk from mails where event_id = ${of(event)} order by recipient, kind`),
      ),
  };
  return a;
}

export const statuses = (registrations: readonly { status: string }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status } of registrations) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
};

interface Registered {
  id: string;
  code: string;
  attendees: { id: string; tickets: { id: string; code: string }[] }[];
}

export const REGISTRANT = 'registrant@example.org';

/** Registers people together, without mails about that. `email` gives the address of the n-th, if they have one of their own. */
export async function together(
  x: Acting,
  event: string,
  count: number,
  email: (n: number) => string | null = () => null,
) {
  const attendees = Array.from({ length: count }, (_, n) => ({
    attendee_type: 'adult',
    first_name: `First ${n}`,
    last_name: 'Last',
    days: ['fri'],
    ...(email(n) !== null && { email: email(n) }),
  }));
  const contact = { first_name: 'Re', last_name: 'Gistrant', email: REGISTRANT };
  const reply = await x.post(`/events/${event}/registrations`, { attendees, contact, send_emails: false });
  expect(reply.status, reply.text).toBe(201);
  return reply.body as Registered;
}

/** Their ids. */
export const people = (...registrations: Registered[]) =>
  registrations.flatMap((one) => one.attendees.map((attendee) => attendee.id));
