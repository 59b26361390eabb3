import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recording } from '../../../../test/support/statements.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { type ChangeItem, changeTogether } from '../registrations/change.ts';
import { touch } from '../registrations/state.ts';
import { type Acting, openActing, people, REGISTRANT, statuses, together } from './bulk.support.ts';
import { callerOf, nothingRecorded, workOf } from './work.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing();
});
afterAll(() => x.t.stop());

describe('a registration is changed once for all of its people', () => {
  const ACTIONS = [
    {
      name: 'reissue',
      body: { action: 'reissue', send: true },
      audit: 'ticket.reissued',
      each: { 'ticket.reissued': 1 },
      mails: ['ticket_reissued'],
      updated: 1,
    },
    {
      name: 'send_tickets',
      body: { action: 'send_tickets' },
      audit: 'ticket.sent',
      each: {},
      mails: ['confirmation'],
      updated: 0,
    },
    {
      name: 'change of days, type and group',
      body: { action: 'change', change: { days: ['sat'], attendee_type: 'child', group: 'north', answers: {} } },
      audit: 'attendee.changed',
      each: {},
      mails: [],
      updated: 1,
    },
  ];

  test.each(ACTIONS)(
    '$name: 200 people take as many statements as 50, and only audit entries and occurrences of each are more',
    async ({ body, audit, each, mails, updated }) => {
      const statements: number[] = [];
      for (const count of [50, 200]) {
        const event = await x.event();
        const ids = people(await together(x, event, count));
        const { id } = (await x.start(event, { ...body, ids })).body;
        const sent = await recording(() => x.t.step.jobs());
        expect((await x.job(id)).counts).toEqual({ done: count, unchanged: 0, failed: 0 });
        statements.push(sent.length);
        const entries = await x.audit(event, audit);
        expect(entries).toHaveLength(count);
        for (const [type, n] of Object.entries(each)) expect(await x.raised(event, type)).toBe(n * count);
        expect(await x.raised(event, 'registration.updated')).toBe(updated);
        expect((await x.mails(event)).map(({ kind, recipient }) => [kind, recipient])).toEqual(
          mails.map((kind) => [kind, REGISTRANT]),
        );
      }
      // The server reads a few things for itself now and then. One statement for each person would be 150 more.
      expect(statements[1]! - statements[0]!).toBeLessThan(15);
    },
  );

  test('what happened to each is told apart in the audit log', async () => {
    const event = await x.event();
    const registration = await together(x, event, 3);
    await x.act(event, { action: 'reissue', ids: people(registration) });
    const log = await x.t.call('GET', `/v1/audit-log?action=ticket.reissued&object=${registration.id}`, { key: x.key });
    const objects = log.body.data.map((entry: AuditEntry) =>
      entry.changes.objects.map(({ kind, id, fields }) => [kind, id, fields.status?.after]),
    );
    const now = (await x.people(event)).map((person) => person.tickets);
    for (const { tickets } of registration.attendees) {
      const issued = now.find((all) => all.some(({ id }: { id: string }) => id === tickets[0]!.id)).at(-1);
      expect(objects).toContainEqual([
        ['ticket', tickets[0]!.id, 'voided'],
        ['ticket', issued.id, 'valid'],
      ]);
    }
    expect(objects).toHaveLength(3);
  });

  test('each audit entry says what its change did to the registration', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/attendee-types`, { code: 'vip', name: 'VIP', price_minor: 1000 });
    const { id, attendees } = await together(x, event, 3);
    const change = { attendee_type: 'vip' };
    const job = await x.act(event, { action: 'change', ids: attendees.map((one) => one.id), change });
    expect(job.counts.done).toBe(3);
    const log = await x.t.call('GET', `/v1/audit-log?action=attendee.changed&object=${id}`, { key: x.key });
    const totals = log.body.data.map((entry: AuditEntry) => entry.changes.fields.total_minor);
    expect(totals).toHaveLength(3);
    for (const n of [0, 1, 2]) expect(totals).toContainEqual({ before: 1000 * n, after: 1000 * (n + 1) });
  });

  test('those for whom a change makes no difference leave no trace', async () => {
    const event = await x.event();
    const ids = people(await together(x, event, 3));
    const body = { attendee_type: 'child', days: ['sat'] };
    const byHand = await x.t.call('PATCH', `/v1/events/${event}/attendees/${ids[1]}`, { key: x.key, body });
    expect(byHand.status).toBe(200);
    const stamps = async () => {
      const found = await x.people(event);
      return ids.map((id) => found.find((person) => person.id === id).updated_at);
    };
    const before = await stamps();
    const job = await x.act(event, { action: 'change', ids, change: { days: ['sat'] } });
    expect(job.counts).toEqual({ done: 2, unchanged: 1, failed: 0 });
    const after = await stamps();
    expect(ids.map((_, n) => after[n] === before[n])).toEqual([false, true, false]);
    expect(await x.audit(event, 'attendee.changed'), 'one by hand').toHaveLength(1 + 2);
    const again = await x.act(event, { action: 'change', ids, change: { days: ['sat'] } });
    expect(again.counts).toEqual({ done: 0, unchanged: 3, failed: 0 });
    expect(await stamps()).toEqual(after);
    expect(await x.raised(event, 'registration.updated'), 'one by hand').toBe(1 + 1);
  });
});

interface AuditEntry {
  changes: {
    fields: Record<string, unknown>;
    objects: { kind: string; id: string; fields: Record<string, { after?: unknown }> }[];
  };
}

describe('an item that is refused', () => {
  test('does not affect the others of its registration, and is reported by itself', async () => {
    const event = await x.event();
    const registration = await together(x, event, 4);
    const [, voided] = registration.attendees;
    const { id } = (await x.start(event, { action: 'reissue', ids: people(registration), send: true })).body;
    const ticket = voided!.tickets[0]!;
    expect((await x.post(`/tickets/${ticket.id}/void`, { reason: 'lost' })).status).toBe(200);
    await x.t.step.jobs();
    const job = await x.job(id);
    expect(job.counts).toEqual({ done: 3, unchanged: 0, failed: 1 });
    expect(await x.rejects(job)).toMatchObject([
      { ID: voided!.id, Code: 'invalid_state', Message: 'The ticket was voided already (lost).' },
    ]);
    expect(await x.audit(event, 'ticket.reissued')).toHaveLength(3);
    expect(await x.raised(event, 'ticket.reissued')).toBe(3);
    expect((await x.mails(event)).map((mail) => mail.kind)).toEqual(['ticket_reissued']);
    const valid = (await x.people(event)).map((person) => [person.id, statuses(person.tickets)]);
    expect(Object.fromEntries(valid)).toEqual(
      Object.fromEntries(
        registration.attendees.map((one) => [one.id, one === voided ? { voided: 1 } : { valid: 1, voided: 1 }]),
      ),
    );
    const sent = await x.act(event, { action: 'send_tickets', ids: people(registration) });
    expect(sent.counts, 'the one without a ticket').toEqual({ done: 3, unchanged: 0, failed: 1 });
    expect(await x.rejects(sent)).toMatchObject([{ ID: voided!.id, Message: 'The attendee has no valid ticket.' }]);
  });

  test('leaves its place to the next one of the same registration', async () => {
    const event = await x.event();
    await x.t.call('PATCH', `/v1/events/${event}/days/sat`, { key: x.key, body: { capacity: 2 } });
    const registration = await together(x, event, 4);
    await x.post(`/events/${event}/attendees/${people(registration)[0]}/cancel`);
    const change = { days: ['sat'] };
    const job = await x.act(event, { action: 'change', ids: people(registration), change });
    expect((await x.rejects(job)).map((row) => [row.ID, row.Code])).toEqual([
      [people(registration)[0], 'invalid_state'],
      [people(registration)[3], 'day_full'],
    ]);
    expect(job.counts).toEqual({ done: 2, unchanged: 0, failed: 2 });
  });

  test('with its whole registration is reported for each of its people, and nothing is left of it', async () => {
    const event = await x.event();
    const live = await together(x, event, 3);
    const ids = [...people(live), (await x.registered(event, 1, () => ({}), x.testKey))[0].attendees[0].id];
    const job = await x.act(event, { action: 'reissue', ids }, x.testKey);
    expect(job.counts).toEqual({ done: 1, unchanged: 0, failed: 3 });
    expect((await x.rejects(job)).map((row) => row.Code)).toEqual(Array(3).fill('test_key_live_object'));
    expect(await x.audit(event, 'ticket.reissued')).toHaveLength(1);
  });
});

describe('an act that refuses after it has changed something', () => {
  const LATE = new Refusal('invalid_state', { message: 'Too late.' });

  test('is refused with all others of the registration, because nobody knows what it left behind', async () => {
    const event = await x.event();
    const { id, attendees } = await together(x, event, 2);
    const acts: ChangeItem<unknown>['act'][] = [
      (_book, registration) => {
        touch(registration);
      },
      (_book, registration) => {
        touch(registration);
        throw LATE;
      },
    ];
    const { org_id: org, id: event_id } = await x.t.system((tx) =>
      tx.one<{ org_id: Id; id: Id }>(sql`select org_id, id from events where code = ${event}`),
    );
    const changing = transaction(x.t.pool, x.t.clock, { role: 'app', org }, async (tx) => {
      const actor = { kind: 'key', id: null, name: 'Test', source: 'api', client: null, requestId: null } as const;
      const run = { org, group: null, mode: 'live', actor, outside: x.t.outside } as const;
      const work = workOf(tx, run, await callerOf(tx, run), nothingRecorded());
      const found = { event_id, registration_id: toUuid(id), test: false };
      return changeTogether(
        'attendee',
        acts.map((act, n) => ({ work, act, found: { ...found, id: toUuid(attendees[n]!.id) } })),
      );
    });
    await expect(changing).rejects.toBe(LATE);
    expect(await x.raised(event, 'registration.updated')).toBe(0);
  });
});

describe('the order', () => {
  test('people of one registration follow its first one, and then come those of the next registration', async () => {
    const event = await x.event();
    await x.t.call('PATCH', `/v1/events/${event}/days/sat`, { key: x.key, body: { capacity: 9 } });
    const registrations: string[][] = [];
    for (let n = 0; n < 6; n += 1) registrations.push(people(await together(x, event, 2)));
    const ids = [0, 1].flatMap((n) => registrations.toReversed().map((both) => both[n]!));
    const job = await x.act(event, { action: 'change', ids, change: { days: ['sat'] } });
    const [first, second] = registrations as [string[], string[]];
    expect((await x.rejects(job)).map((row) => row.ID)).toEqual([second[1], ...first]);
    expect(await x.raised(event, 'registration.updated'), 'once for each of which somebody was changed').toBe(5);
  });
});
