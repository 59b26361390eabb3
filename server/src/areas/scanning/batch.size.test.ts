import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runSql } from '../../../../test/support/database.ts';
import { explain, nodesOf, recording } from '../../../../test/support/statements.ts';
import type { Reply } from '../../../../test/support/turnout.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { TooMuchTogether } from '../../road/write/too-much-together.ts';
import { sql } from '../../store/sql.ts';
import { newTicketCode } from '../registrations/codes.ts';
import { type Fair, openFair, type Registered } from './fair.support.ts';
import { placeOf, readAnswersByPlace } from './scan-answers.ts';

/** Tickets that 200 people share: 25 scans of them are 5,000 results, which is the most that is recorded at once. */
const PEOPLE = 200;
let fair: Fair;
let crowd: Registered;
beforeAll(async () => {
  fair = await openFair();
  crowd = await fair.register({ people: PEOPLE });
});
afterAll(() => fair.t.stop());

interface Scan {
  code: string;
  check_in_point: string;
  client_uuid: string;
  people?: string[];
}
const scansOf = (count: number, more: Partial<Scan> = {}): Scan[] =>
  Array.from({ length: count }, () => ({
    code: crowd.code,
    check_in_point: 'gate',
    client_uuid: randomUUID(),
    ...more,
  }));
const upload = (scans: readonly Scan[]) =>
  fair.t.call('POST', '/api/v1/events/fair/scan/batch', { key: fair.key, body: { scans } });
const outcome = ({ status, body }: Reply) => [status, body.error?.code ?? body.results.length];
const count = (scans: readonly Scan[]) => {
  const uuids = scans.map(({ client_uuid }) => client_uuid);
  return fair.t.system((tx) =>
    tx.one<{ checkins: number; answers: number }>(sql`
      select (select count(*)::int from checkins where client_uuid = any(${uuids}::uuid[])) as checkins,
        (select count(*)::int from scans where client_uuid = any(${uuids}::uuid[])) as answers`),
  );
};

describe('413 payload_too_large', () => {
  test('a batch of more than 5,000 results is refused as a whole and records nothing', async () => {
    const scans = scansOf(26);
    const reply = await upload(scans);
    expect(outcome(reply)).toEqual([413, 'payload_too_large']);
    expect(reply.body.error.message).toMatch(/5,200 people .* at most 5,000\. .* Send fewer scans at once/);
    expect(await count(scans)).toEqual({ checkins: 0, answers: 0 });
  });

  test('whoever halves the batch gets every scan recorded once', async () => {
    const scans = scansOf(40);
    const sizes: [number, number][] = [];
    const send = async (part: readonly Scan[]): Promise<void> => {
      const { status } = await upload(part);
      sizes.push([part.length, status]);
      if (status === 200) return;
      const half = Math.ceil(part.length / 2);
      await send(part.slice(0, half));
      await send(part.slice(half));
    };
    await send(scans);
    expect(sizes).toEqual([
      [40, 413],
      [20, 200],
      [20, 200],
    ]);
    expect(await count(scans)).toEqual({ checkins: 40 * PEOPLE, answers: 40 });
  });

  test('scans that repeat each other within the batch count each, because each is answered', async () => {
    const scans = scansOf(26, { client_uuid: randomUUID() });
    expect(outcome(await upload(scans))).toEqual([413, 'payload_too_large']);
    expect(await count(scans)).toEqual({ checkins: 0, answers: 0 });
  });

  test('stored answers of more than 8 MB are not sent at once; a part of them is', async () => {
    const scans = scansOf(75);
    for (let i = 0; i < 75; i += 25) expect(outcome(await upload(scans.slice(i, i + 25)))).toEqual([200, 25]);
    const reply = await upload(scans);
    expect(outcome(reply)).toEqual([413, 'payload_too_large']);
    expect(reply.body.error.message).toMatch(/stored answers have [\d,]+ bytes, .* at most 8,000,000/);
    const [first] = scans as [Scan];
    expect(outcome(await upload(Array.from({ length: 75 }, () => first)))).toEqual([413, 'payload_too_large']);
    expect(outcome(await upload(scans.slice(0, 38)))).toEqual([200, 38]);
    expect(await count(scans)).toEqual({ checkins: 75 * PEOPLE, answers: 75 });
  });
});

describe('tickets that have more than 20,000 people', () => {
  /** Each has 800 people, so 26 of them have more than 20,000. */
  const codes = Array.from({ length: 26 }, newTicketCode);
  let org: Id;
  let reader: pg.Client;
  beforeAll(async () => {
    const more = await Promise.all(Array.from({ length: 3 }, () => fair.register({ people: PEOPLE })));
    const people = [crowd, ...more].flatMap((one) => one.people).map(toUuid);
    org = (await fair.t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`))).id;
    await runSql(
      fair.t.database.adminUrl,
      `with made as (
          insert into tickets (org_id, id, event_id, registration_id, code, status, test, extra, issued_at, created_at, updated_at)
          select org_id, gen_random_uuid(), event_id, registration_id, c, status, test, true, issued_at, created_at, updated_at
          from tickets, unnest($1::text[]) c where code = $2 returning org_id, id)
      insert into ticket_people (org_id, ticket_id, attendee_id, position)
      select org_id, id, a, n from made, unnest($3::uuid[]) with ordinality as of(a, n)`,
      [codes, crowd.code, people],
    );
    reader = new pg.Client(fair.t.database.adminUrl);
    await reader.connect();
  });
  afterAll(() => reader.end());

  /** Scans of one person on each of the tickets. */
  const scansOfTickets = (tickets: number): Scan[] =>
    codes.slice(0, tickets).flatMap((code) => scansOf(1, { code, people: crowd.people.slice(0, 1) }));
  /** Uploads the scans. Answers the reply, and how many people PostgreSQL reads for it. */
  const uploadAndCount = async (scans: readonly Scan[]) => {
    let reply!: Reply;
    const statements = await recording(async () => {
      reply = await upload(scans);
    });
    const reading = statements.find(({ text }) => text.includes('history as materialized'))!;
    const nodes = nodesOf(await explain(reader, org, reading, { analyze: true }));
    const people = nodes.filter((node) => node['Relation Name'] === 'attendees');
    const read = people.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0), 0);
    return { reply, read };
  };

  test('are not read: the batch is refused, however few results it would record, and records nothing', async () => {
    const scans = scansOfTickets(26);
    const { reply, read } = await uploadAndCount(scans);
    expect(outcome(reply)).toEqual([413, 'payload_too_large']);
    expect(reply.body.error.message).toMatch(/20,800 people on them, .* at most 20,000 people\. .* Send fewer scans/);
    expect(read).toBe(0);
    expect(await count(scans)).toEqual({ checkins: 0, answers: 0 });
  });

  test('a batch with 20,000 is accepted, and they are read', async () => {
    const { reply, read } = await uploadAndCount(scansOfTickets(25));
    expect(outcome(reply)).toEqual([200, 25]);
    // The tickets share their 800 people. Whether PostgreSQL reads them once or for each ticket is up to its plan.
    expect([4 * PEOPLE, 25 * 4 * PEOPLE]).toContain(read);
  });

  test('single scans that wait together are divided, and each is answered, also those beside repeated ones', async () => {
    const send = (scans: readonly Scan[]) =>
      Promise.all(
        scans.map((body) => {
          const options = { key: fair.key, body, idempotencyKey: body.client_uuid };
          return fair.t.call('POST', '/api/v1/events/fair/scan', options);
        }),
      );
    const results = (replies: readonly Reply[]) => new Set(replies.map(({ body }) => body.result));
    const scans = Array.from({ length: 4 }, () => scansOfTickets(26)).flat();
    const first = await send(scans);
    expect(results(first)).toEqual(new Set(['duplicate']));
    const mixed = scans.flatMap((scan, i) => (i % 26 === 0 ? scansOfTickets(1) : scan));
    const again = await send(mixed);
    expect(results(again)).toEqual(new Set(['duplicate']));
    for (const [i, { text }] of again.entries()) if (i % 26 > 0) expect(text).toBe(first[i]!.text);
  });
});

describe('a batch is accepted', () => {
  test('with exactly 5,000 results, and as a repeat of them beside new ones', async () => {
    const scans = scansOf(25);
    expect(outcome(await upload(scans))).toEqual([200, 25]);
    expect(outcome(await upload([...scans, ...scansOf(1)]))).toEqual([200, 26]);
    expect(await count(scans)).toEqual({ checkins: 25 * PEOPLE, answers: 25 });
  });

  test('with one scan of everybody', async () => {
    expect(outcome(await upload(scansOf(1)))).toEqual([200, 1]);
  });

  test('if only the people who are named are few', async () => {
    const scans = scansOf(100, { people: crowd.people.slice(0, 2) });
    expect(outcome(await upload(scans))).toEqual([200, 100]);
    expect(await count(scans)).toEqual({ checkins: 200, answers: 100 });
  });
});

test('single scans that wait together are recorded in transactions of at most 5,000 results', async () => {
  const scans = scansOf(64);
  const sent = () =>
    Promise.all(scans.map((body) => fair.t.call('POST', '/api/v1/events/fair/scan', { key: fair.key, body })));
  const first = await sent();
  expect(first.map(({ status }) => status)).toEqual(scans.map(() => 200));
  expect(await count(scans)).toEqual({ checkins: 64 * PEOPLE, answers: 64 });
  const { most } = await fair.t.system((tx) =>
    tx.one<{ most: number }>(sql`
      select max(n)::int as most from (
        select count(*) as n from checkins
        where client_uuid = any(${scans.map(({ client_uuid }) => client_uuid)}::uuid[]) group by recorded_at) as per_transaction`),
  );
  expect(most).toBeLessThanOrEqual(5000);
  // The same scans again, whose stored answers are more than is read at once.
  const again = await sent();
  expect(again.map(({ text }) => text)).toEqual(first.map(({ text }) => text));
  // So are those of repeated keys: the calls are divided until their answers fit.
  const read = (few: number): Promise<number> =>
    fair.t.system(async (tx) => {
      const { id, org_id } = await tx.one<{ id: Id; org_id: Id }>(
        sql`select id, org_id from events where code = 'fair'`,
      );
      const places = scans.slice(0, few).map(({ client_uuid }) => placeOf(id, client_uuid, false));
      return (await readAnswersByPlace(tx, org_id, places)).size;
    });
  expect([await read(1), await read(32)]).toEqual([1, 32]);
  await expect(read(64)).rejects.toThrow(TooMuchTogether);
});
