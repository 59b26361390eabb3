import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { TSchema } from 'typebox';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { operations } from '../server/src/areas/index.ts';
import type { Operation } from '../server/src/road/operation.ts';
import { sql } from '../server/src/store/sql.ts';
import { runSql } from './support/database.ts';
import { arrangeWorking, canWork, MOUNTS, send, worked } from './support/matrix/calls.ts';
import { HOME, World } from './support/matrix/world.ts';

/** A repeated request changes nothing and causes no error, for every operation that is declared. */

const v1 = MOUNTS[0];
const offered = operations.filter((op) => v1.offers(op) && canWork(op));

let world: World;
beforeAll(async () => {
  world = await World.small();
});
afterAll(() => world?.stop());

describe('a POST that is repeated by its Idempotency-Key', () => {
  const posts = offered.filter((op) => op.method === 'POST' && op.keysRefused === undefined);

  test.each(posts.map((op) => [op.id, op] as const))('leaves no line in the log of PostgreSQL: %s', async (_, op) => {
    const key = await world.key(HOME.org);
    const subject = await arrangeWorking(world, op);
    const idempotencyKey = randomUUID();
    const before = (await logged()).length;
    const first = await send(world, op, v1, { key }, subject, { idempotencyKey });
    worked(op, first);
    const again = await send(world, op, v1, { key }, subject, { idempotencyKey });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect((await logged()).slice(before)).toEqual([]);
  });

  test('the control: a statement that PostgreSQL refuses leaves a line', async () => {
    const before = (await logged()).length;
    await expect(world.t.system((tx) => tx.run(sql`select 1 / 0`))).rejects.toThrow('division by zero');
    expect((await logged()).slice(before).join('\n')).toContain('ERROR:  division by zero');
  });
});

/** How many rows the installation has in each table that a change would write to. */
const traces = () =>
  world.t.system((tx) =>
    tx.one<{ audit: number; outbox: number; mails: number }>(sql`
      select (select count(*)::int from audit_log) as audit, (select count(*)::int from outbox) as outbox,
        (select count(*)::int from mails) as mails`),
  );

const patches = offered.filter((op) => op.method === 'PATCH');
const getOf = (patch: Operation): Operation =>
  operations.find((op) => op.method === 'GET' && op.path === patch.path) ?? missing(`${patch.id} has no GET beside it`);
const missing = (what: string): never => {
  throw new Error(what);
};

/** The fields that a caller can set and that the answer shows; also those inside of `policy`. */
function sayable(schema: TSchema, shown: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, TSchema> };
  const entries = Object.entries(properties).filter(([name]) => shown[name] !== undefined);
  return Object.fromEntries(
    entries.map(([name, child]) => {
      const value = shown[name];
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      return [name, isObject && 'properties' in child ? sayable(child, value as Record<string, unknown>) : value];
    }),
  );
}

/** An answer without the fields that only this answer has. */
const shown = ({ applied_to_registrations: _, ...object }: Record<string, unknown>) => object;

describe('a PATCH with the values that the object already has', () => {
  test.each(patches.map((op) => [op.id, op] as const))('changes nothing and leaves no trace: %s', async (_, op) => {
    const as = { key: await world.key(HOME.org) };
    const subject = await arrangeWorking(world, op);
    const get = () => send(world, getOf(op), v1, as, { ...subject, body: undefined, query: {} });
    const before = await get();
    const said = sayable(op.body!, before.body);
    expect(Object.keys(said).length, 'fields that can be said again').toBeGreaterThan(0);
    const trace = await traces();
    for (const body of [said, ...Object.entries(said).map(([name, value]) => ({ [name]: value }))]) {
      const reply = await send(world, op, v1, as, subject, { body });
      expect([reply.status, shown(reply.body)], JSON.stringify(body)).toEqual([200, before.body]);
    }
    expect([(await get()).body, await traces()]).toEqual([before.body, trace]);

    // The control: another value is a change, once.
    const body = Object.fromEntries(
      Object.entries(subject.body as object).map(([name, value]) => [name, value === said[name] ? `${value}x` : value]),
    );
    const changed = await send(world, op, v1, as, subject, { body });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body.updated_at > before.body.updated_at).toBe(true);
    const after = await traces();
    expect(after.audit).toBe(trace.audit + 1);
    const again = await send(world, op, v1, as, subject, { body });
    expect([again.body, await traces()]).toEqual([changed.body, after]);
  });

  test('also if the same values are written differently', async () => {
    const key = await world.key(HOME.org);
    const api = async (method: string, path: string, body?: object) => {
      const reply = await world.t.call(method, `/v1${path}`, { key, ...(body !== undefined && { body }) });
      expect(reply.status, reply.text).toBeLessThan(300);
      return reply.body;
    };
    const group = await api('POST', '/groups', { code: 'words', name: 'Words' });
    const event = await api('POST', '/events', { name: 'Words', group: 'words', starts_at: '2099-05-01T08:00:00Z' });
    const at = `/events/${event.id}`;
    const first = await api('POST', `${at}/days`, { code: 'first', date: '2099-05-01' });
    const second = await api('POST', `${at}/days`, { code: 'second', date: '2099-05-02' });
    const type = await api('POST', `${at}/attendee-types`, { code: 'adult', name: 'Adult', days: ['first', 'second'] });
    const question = await api('POST', `${at}/questions`, {
      code: 'q',
      label: 'Q',
      kind: 'text',
      attendee_types: ['adult'],
    });
    const point = await api('POST', `${at}/check-in-points`, {
      ...{ code: 'gate', name: 'Gate', kind: 'entry' },
      policy: { days: ['first', 'second'], groups: ['words'] },
    });
    await api('POST', `${at}/publish`);
    const person = { attendee_type: 'adult', first_name: 'Ada', last_name: 'L', email: 'ada@example.org' };
    const { attendees } = await api('POST', `${at}/registrations`, {
      attendees: [{ ...person, days: ['first', 'second'], answers: { q: 'yes' } }],
    });
    const mail = await api('POST', `${at}/communications`, {
      ...{ subject: 'Hello', text: 'Hello', send_at: '2099-04-01T10:00:00Z' },
      audience: { days: ['first', 'second'], statuses: ['confirmed', 'cancelled'] },
    });
    const hook = await api('POST', '/webhooks', {
      url: 'https://hooks.example.org',
      events: ['ticket.issued', 'ticket.voided'],
    });

    const words: [string, object][] = [
      [at, { group: group.id, starts_at: '2099-05-01T10:00:00.000+02:00' }],
      [`${at}/days/first`, { opens_at: first.opens_at.replace('Z', '+00:00') }],
      [`${at}/attendee-types/adult`, { days: [second.id, 'FIRST'] }],
      [`${at}/questions/${question.id}`, { attendee_types: [type.id] }],
      [`${at}/check-in-points/${point.id}`, { policy: { days: ['second', first.id], groups: [group.id] } }],
      [
        `${at}/attendees/${attendees[0].id}`,
        { attendee_type: type.id, days: [second.id, 'first'], group: group.id, first_name: ' Ada ' },
      ],
      [`/contacts/${attendees[0].contact_id}`, { first_name: ' Ada ', phone: ' ' }],
      [
        `${at}/communications/${mail.id}`,
        {
          send_at: '2099-04-01T12:00:00+02:00',
          audience: { days: ['second', 'first'], statuses: ['cancelled', 'confirmed'] },
        },
      ],
      [`/webhooks/${hook.id}`, { events: ['ticket.voided', 'ticket.issued'] }],
    ];
    for (const [path, body] of words) {
      const before = await api('GET', path);
      const trace = await traces();
      expect(shown(await api('PATCH', path, body)), path).toEqual(before);
      expect([await api('GET', path), await traces()], path).toEqual([before, trace]);
    }
  });
});

/** The lines that PostgreSQL logged about connections of this test; other tests share the server. */
async function logged(): Promise<string[]> {
  const mine = await runSql(
    world.t.database.adminUrl,
    'select pid from pg_stat_activity where datname = current_database()',
  );
  const pids = new Set(mine.map(({ pid }) => `[${pid}]`));
  const lines = readFileSync(inject('postgresLog'), 'utf8').split('\n');
  return lines.filter((line) => pids.has(/\[\d+\]/.exec(line)?.[0] ?? ''));
}
