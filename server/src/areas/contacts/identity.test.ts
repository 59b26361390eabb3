import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from '../transfers/import.support.ts';
import { emailKey, externalKey, keysOf, phoneKey } from './index.ts';

let x: Importing;
let event: string;
beforeAll(async () => {
  x = await openImporting();
  event = await x.event();
});
afterAll(() => x.t.stop());

/** Invisible texts: spaces of all kinds, zero-width and filling characters, marks without a letter. */
const BLANKS = [
  ' ',
  '\t \n',
  '\u00a0',
  '\u200b',
  '\u2060\u200d',
  '\u3164',
  '\u00ad',
  '\u0301\u0308',
  '\ufeff \u200e',
  '\u2800',
];

async function register(more: object, names: object = {}) {
  const reply = await x.post(`/events/${event}/registrations`, {
    attendees: [{ attendee_type: 'adult', days: ['fri'], first_name: 'Ada', last_name: 'Lovelace', ...names, ...more }],
    send_emails: false,
  });
  expect(reply.status, reply.text).toBe(201);
  return reply.body.attendees[0];
}
const patch = (path: string, body: object) => x.t.call('PATCH', `/v1${path}`, { key: x.key, body });
const contact = async (id: string) => (await x.t.call('GET', `/v1/contacts/${id}`, { key: x.key })).body;

describe('different people get different contacts', () => {
  test.each(BLANKS.map((blank) => [JSON.stringify(blank), blank]))('if their ID is %s', async (_, blank) => {
    const one = await register({ external_id: blank }, { first_name: 'Ann', last_name: 'First' });
    const two = await register({ external_id: blank }, { first_name: 'Bob', last_name: 'Second' });
    expect(two.contact_id).not.toBe(one.contact_id);
    expect([one.external_id, two.external_id]).toEqual([null, null]);
    expect((await contact(one.contact_id)).external_id).toBeNull();
    await x.post(`/contacts/${one.contact_id}/erase`);
    expect(await contact(two.contact_id)).toMatchObject({ first_name: 'Bob', erased_at: null });
  });

  test('if they have the same name and a phone number without digits', async () => {
    const one = await register({ phone: '---' });
    expect((await register({ phone: '---' })).contact_id).not.toBe(one.contact_id);
    expect((await register({ phone: ' - ' })).contact_id).not.toBe(one.contact_id);
  });

  test('if they share an e-mail address and nothing is left of their names for comparison', async () => {
    const marks = { first_name: '\u0301', last_name: '\u0308', email: 'shared@example.org', phone: '030 777' };
    const rows = [marks, { ...marks, first_name: '\u0300' }].map((names) => keysOf(names));
    expect(rows.map((keys) => keys.name_key)).toEqual(['', '']);
    const { linkContacts } = await import('./link.ts');
    const ids = await x.t.system((tx) =>
      linkContacts(
        tx,
        x.org,
        Promise.resolve(new Date().toISOString()),
        [marks, { ...marks, first_name: '\u0300' }].map((names) => ({
          ...names,
          external_id: ' ',
          date_of_birth: null,
          group_id: null,
          test: false,
        })),
      ),
    );
    expect(new Set(ids).size).toBe(2);
  });

  test('even if an earlier build has stored a blank ID', async () => {
    const old = await register({}, { first_name: 'Old', last_name: 'Row' });
    await x.t.system(async (tx) => {
      await tx.run(sql`update contacts set external_id = '' where id = ${toUuid(old.contact_id)}`);
      await tx.run(sql`update attendees set external_id = '' where id = ${toUuid(old.id)}`);
    });
    const fresh = await register({ external_id: ' ' }, { first_name: 'New', last_name: 'Comer' });
    expect(fresh.contact_id).not.toBe(old.contact_id);
    // A stored blank ID is not "a different ID", so the contact is still found by its e-mail address.
    const known = await register({ email: 'known@example.org' }, { first_name: 'Known', last_name: 'One' });
    await x.t.system((tx) => tx.run(sql`update contacts set external_id = '' where id = ${toUuid(known.contact_id)}`));
    const again = await register(
      { email: 'known@example.org', external_id: 'K-1' },
      { first_name: 'Known', last_name: 'One' },
    );
    expect(again.contact_id).toBe(known.contact_id);
  });
});

describe('a change to blank text', () => {
  test.each(BLANKS.map((blank) => [JSON.stringify(blank), blank]))('%s removes the ID', async (_, blank) => {
    const person = await register({ external_id: `C-${BLANKS.indexOf(blank)}` }, { first_name: 'Change' });
    expect((await patch(`/contacts/${person.contact_id}`, { external_id: blank })).body.external_id).toBeNull();
    const changed = await patch(`/events/${event}/attendees/${person.id}`, { external_id: blank });
    expect([changed.status, changed.body.external_id]).toEqual([200, null]);
  });
});

describe('an import', () => {
  test('treats a blank ID, e-mail address or phone number as absent', async () => {
    const fair = await x.event();
    const head = 'first name,last name,id,phone,type,day';
    const rows = BLANKS.map((blank, i) => `Guest,Number${i},"${blank}","---",adult,fri`);
    expect(await x.take(fair, [head, ...rows].join('\n'))).toMatchObject({ created: BLANKS.length, rejected: 0 });
    // The same name and a phone number without digits: a new person each time.
    expect(await x.take(fair, `${head}\nGuest,Number1,,---,adult,fri`)).toMatchObject({ created: 1 });
    const people = await x.people(fair);
    expect(people.map((one) => one.external_id)).toEqual(people.map(() => null));
    expect(new Set(people.map((one) => one.contact_id)).size).toBe(people.length);
  });
});

test('a search for blank text is the same as no search', async () => {
  const all = await x.t.call('GET', '/v1/contacts?limit=3', { key: x.key });
  const blank = await x.t.call('GET', `/v1/contacts?limit=3&search=${encodeURIComponent('\u200b ')}`, { key: x.key });
  expect(blank.body.data).toEqual(all.body.data);
  const people = await x.t.call('GET', `/v1/events/${event}/attendees?limit=3`, { key: x.key });
  const search = `&search=${encodeURIComponent('\u200b ')}`;
  expect((await x.t.call('GET', `/v1/events/${event}/attendees?limit=3${search}`, { key: x.key })).body.data).toEqual(
    people.body.data,
  );
});

test('invisible text gives no key', () => {
  const invisible = fc
    .array(fc.constantFrom(...BLANKS.join(''), '\u061c', '\u180e', '\ufe0f', '\u{e0001}', '\u115f', '\u001f'), {
      maxLength: 8,
    })
    .map((letters) => letters.join(''));
  fc.assert(
    fc.property(invisible, invisible, fc.stringMatching(/^[^0-9]*$/), (one, two, phone) => {
      expect([emailKey(one), externalKey(one), phoneKey(phone)]).toEqual([null, null, null]);
      expect(keysOf({ first_name: one, last_name: two, email: one, phone })).toEqual({
        name_key: '',
        given_key: '',
        email_key: null,
        phone_key: null,
      });
    }),
  );
});
