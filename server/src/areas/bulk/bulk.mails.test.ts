import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Acting, openActing, REGISTRANT, together } from './bulk.support.ts';

let x: Acting;
beforeAll(async () => {
  x = await openActing();
});
afterAll(() => x.t.stop());

const recipients = async (event: string) =>
  (await x.mails(event)).map(({ kind, recipient, bulk }) => [kind, recipient, bulk]);
/** The mails, after all of them were sent. */
const contents = async (event: string) => {
  while ((await x.t.step.mails()) > 0);
  return x.t.system((tx) =>
    tx.all<{ recipient: string; error: string | null; data: { tickets: { code: string }[] } }>(sql`
      select m.recipient, m.last_error as error, m.data from mails m join events e on e.id = m.event_id
      where e.code = ${event} order by m.id`),
  );
};
const ADDRESSES = [null, 'own@example.org', 'both@example.org', 'Both@example.org', REGISTRANT];

test('send_tickets: one for each address, with all tickets for it', async () => {
  const event = await x.event();
  const registration = await together(x, event, ADDRESSES.length, (n) => ADDRESSES[n]!);
  expect((await x.act(event, { action: 'send_tickets', filter: {} })).counts.done).toBe(ADDRESSES.length);
  expect(await recipients(event)).toEqual([
    ['attendee_ticket', 'both@example.org', true],
    ['attendee_ticket', 'own@example.org', true],
    ['confirmation', REGISTRANT, true],
  ]);
  const codes = registration.attendees.map(({ tickets }) => tickets[0]!.code);
  const holds = new Map(
    (await contents(event)).map(({ recipient, data, error }) => {
      expect(error).toBeNull();
      const held = data.tickets.map(({ code }) => code);
      return [recipient, codes.map((code) => held.includes(code))];
    }),
  );
  expect(holds.get('own@example.org')).toEqual([false, true, false, false, false]);
  expect(holds.get('both@example.org')).toEqual([false, false, true, true, false]);
  expect(holds.get(REGISTRANT), 'those without another address').toEqual([true, false, false, false, true]);
});

test('two people who share an address get one mail, and if one of them is erased, the other one still gets theirs', async () => {
  const event = await x.event();
  const registration = await together(x, event, 2, () => 'pair@example.org');
  await x.act(event, { action: 'send_tickets', filter: {} });
  const [gone, other] = await x.people(event);
  const erased = await x.post(`/contacts/${gone.contact_id}/erase`, {});
  expect(erased.status, erased.text).toBeLessThan(300);
  const [mail] = await contents(event);
  expect(mail!.recipient).toBe('pair@example.org');
  expect(mail!.error).toBeNull();
  const text = JSON.stringify(mail!.data);
  expect(text).toContain(other.first_name);
  expect(text).not.toContain(gone.first_name);
  const kept = registration.attendees.find(({ id }) => id === other.id)!;
  expect(text).toContain(kept.tickets[0]!.code);
});

test('reissue: one for each address, and none with `send: false`', async () => {
  const event = await x.event();
  await together(x, event, ADDRESSES.length, (n) => ADDRESSES[n]!);
  expect((await x.act(event, { action: 'reissue', filter: {}, send: false })).counts.done).toBe(ADDRESSES.length);
  expect(await recipients(event)).toEqual([]);
  expect((await x.act(event, { action: 'reissue', filter: {}, send: true })).counts.done).toBe(ADDRESSES.length);
  expect(await recipients(event)).toEqual([
    ['attendee_ticket', 'both@example.org', true],
    ['attendee_ticket', 'own@example.org', true],
    ['ticket_reissued', REGISTRANT, true],
  ]);
});
