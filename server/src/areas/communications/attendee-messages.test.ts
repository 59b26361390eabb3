import { MESSAGE_KINDS } from '@turnout/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MAIL_KINDS } from '../../outside/mail-templates/index.ts';
import { Fair } from './communications.support.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const code of ['north', 'south']) await t.call('POST', '/v1/groups', { key, body: { code, name: code } });
  north = (await t.key('acme', { group: 'north' })).secret;
});
afterAll(() => t.stop());

const messages = async (fair: Fair, attendee: string, more = '', as = key): Promise<Row> => {
  const reply = await fair.call('GET', `/attendees/${attendee}/messages${more}`, undefined, as);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
};
const messagesIn = (rows: Row[]) => rows.map(({ kind, about, email, status }) => [kind, about, email, status]);

test('the kinds are those of all mails that are sent', () => {
  expect([...MESSAGE_KINDS].sort()).toEqual([...MAIL_KINDS, 'communication'].sort());
});

test('shows every mail about the attendee, newest first, with what became of it', async () => {
  const fair = await Fair.open(t, key, 'one');
  const made = await fair.register(
    [
      { first_name: 'Ada', email: 'ada@example.org' },
      { first_name: 'Bob', email: 'bob@example.org' },
    ],
    { send_emails: true, contact: { first_name: 'Cleo', last_name: 'Guest', email: 'cleo@example.org' } },
  );
  const [ada, bob] = made.attendees as Row[];
  t.clock.advance(1000);
  const draft = await fair.draft({ subject: 'Bring {{first_name}}', audience: { attendee_types: ['adult'] } });
  expect((await fair.call('POST', `/communications/${draft}/send`, {})).status).toBeLessThan(300);
  // A test of a message is no message to the person.
  await fair.call('POST', `/communications/${draft}/test`, { to: ['me@example.org'], attendee: ada.id });
  await t.step.jobs();
  expect(messagesIn((await messages(fair, ada.id)).data)).toEqual([
    ['communication', 'attendee', 'ada@example.org', 'queued'],
    ['attendee_ticket', 'attendee', 'ada@example.org', 'queued'],
    ['confirmation', 'registration', 'cleo@example.org', 'queued'],
  ]);
  await fair.background();
  t.clock.advance(1000);
  await fair.call('POST', `/attendees/${ada.id}/cancel`, {});
  const { data, page } = await messages(fair, ada.id);
  expect(messagesIn(data)).toEqual([
    ['attendee_cancelled', 'attendee', 'ada@example.org', 'queued'],
    ['communication', 'attendee', 'ada@example.org', 'sent'],
    ['attendee_ticket', 'attendee', 'ada@example.org', 'sent'],
    ['confirmation', 'registration', 'cleo@example.org', 'sent'],
  ]);
  expect(page).toEqual({ next_cursor: null, has_more: false });
  expect(data[1]).toMatchObject({ id: draft, subject: 'Bring {{first_name}}', reason: null, error: null });
  expect(data[2]).toMatchObject({ subject: null, settled_at: expect.any(String) });
  // In pages of one, nothing is missing and nothing comes twice.
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const one: Row = await messages(fair, ada.id, `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
    ids.push(...one.data.map((row: Row) => row.id));
    cursor = one.page.next_cursor;
  }
  expect(ids).toEqual(data.map((row: Row) => row.id));
  expect(messagesIn((await messages(fair, bob.id)).data)[2]).toEqual([
    'confirmation',
    'registration',
    'cleo@example.org',
    'sent',
  ]);
});

test('shows a communication for which no mail was sent, and why', async () => {
  const fair = await Fair.open(t, key, 'two');
  const { attendees } = await fair.register([{ first_name: 'Dan' }]);
  const draft = await fair.draft({});
  await fair.call('POST', `/communications/${draft}/send`, {});
  await t.step.jobs();
  const [row] = (await messages(fair, attendees[0].id)).data;
  expect(row).toMatchObject({ kind: 'communication', status: 'skipped', reason: 'no_address', email: null });
});

test('a key limited to a group sees neither mails to a registrant of another group nor the address', async () => {
  const fair = await Fair.open(t, key, 'three');
  const made = await fair.register(
    [
      { first_name: 'Eve', group: 'north' },
      { first_name: 'Fay', email: 'fay@example.org', group: 'south' },
    ],
    {
      send_emails: true,
      group: 'south',
      contact: { first_name: 'Fay', last_name: 'Guest', email: 'fay@example.org' },
    },
  );
  const eve = made.attendees[0].id;
  const draft = await fair.draft({}, north);
  await fair.call('POST', `/communications/${draft}/send`, {}, north);
  const other = await fair.draft({ subject: 'To everybody' });
  await fair.call('POST', `/communications/${other}/send`, {});
  await t.step.jobs();
  const kinds = (rows: Row[]) => rows.map((row) => row.kind).sort();
  const whole = (await messages(fair, eve)).data;
  expect(kinds(whole)).toEqual(['communication', 'communication', 'confirmation']);
  expect(whole.find((row: Row) => row.id === other).email).toBe('fay@example.org');
  const limited = (await messages(fair, eve, '', north)).data;
  expect(limited).toHaveLength(1);
  expect(limited[0]).toMatchObject({ kind: 'communication', id: draft, email: null });
  const fay = await fair.call('GET', `/attendees/${made.attendees[1].id}/messages`, undefined, north);
  expect(fay.status).toBe(404);
});

test('after an erasure the mails remain, without the address', async () => {
  const fair = await Fair.open(t, key, 'four');
  const made = await fair.register([{ first_name: 'Gil', email: 'gil@example.org' }], { send_emails: true });
  await t.step.mails();
  const [gil] = made.attendees;
  const erased = await t.call('POST', `/v1/contacts/${gil.contact_id}/erase`, { key, body: {} });
  expect(erased.status).toBe(200);
  const { data } = await messages(fair, gil.id);
  expect(messagesIn(data)).toEqual([['confirmation', 'registration', null, 'sent']]);
});
