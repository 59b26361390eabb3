import { DEFAULT_TERMINOLOGY, ROLES } from '@turnout/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import type { Id } from '../../common/ids.ts';
import { PageLinks } from '../../common/page-links.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { changeOrganization } from './settings.ts';

let t: TestTurnout;
let org: Id;
let key: string;
let owner: string;
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  key = (await t.key('acme')).secret;
  owner = await t.session('acme', 'owner');
});
afterAll(() => t.stop());

const as = (session: string) => ({ headers: { cookie: `turnout_session=${session}` } });
const get = (session = owner) => t.call('GET', '/app/api/organization', as(session));
const patch = (body: unknown, session = owner) => t.call('PATCH', '/app/api/organization', { ...as(session), body });
const me = async () => (await t.call('GET', '/v1/me', { key })).body;

describe('who may', () => {
  test.each(ROLES)('%s', async (role) => {
    const session = await t.session('acme', role);
    const may = role === 'owner' || role === 'admin';
    expect((await get(session)).status).toBe(may ? 200 : 403);
    const reply = await patch({ name: 'Acme Events' }, session);
    expect([reply.status, reply.body.error?.code]).toEqual(may ? [200, undefined] : [403, 'permission_required']);
  });

  test('a key with the scope admin may, except for the rule about second factors; a test key may only read', async () => {
    const call = (method: string, secret: string, body?: object) =>
      t.call(method, '/v1/organization', { key: secret, ...(body && { body }) });
    expect((await call('GET', key)).body).toEqual((await get()).body);
    const changed = await call('PATCH', key, { imprint_url: 'https://acme.example/imprint' });
    expect([changed.status, changed.body.imprint_url]).toEqual([200, 'https://acme.example/imprint']);
    const rule = await call('PATCH', key, { name: 'Lifted', require_second_factor: true });
    expect([rule.status, rule.body.error.code]).toEqual([403, 'permission_required']);
    expect((await get()).body).toEqual(changed.body);
    const { secret: writer } = await t.key('acme', { scopes: ['read', 'write'] });
    expect((await call('GET', writer)).body.error.code).toBe('api_key_scope');
    const { secret: tester } = await t.key('acme', { mode: 'test' });
    expect((await call('GET', tester)).status).toBe(200);
    expect((await call('PATCH', tester, { name: 'x' })).body.error.code).toBe('test_key_live_object');
  });

  test('a member limited to a group may read and not change', async () => {
    await t.call('POST', '/v1/groups', { key, body: { code: 'north', name: 'North' } });
    const limited = await t.session('acme', 'admin');
    await t.system((tx) =>
      tx.run(sql`
        update members m set group_id = (select id from groups where org_id = ${org} and code = 'north')
        where m.account_id = (select account_id from account_sessions order by id desc limit 1)`),
    );
    expect((await get(limited)).status).toBe(200);
    expect((await patch({ name: 'Mine' }, limited)).body.error.code).toBe('permission_required');
  });
});

test('name and time zone apply from the next request on', async () => {
  const reply = await patch({ name: 'Acme & Söhne', timezone: 'America/Lima' });
  expect(reply.body).toMatchObject({ code: 'acme', name: 'Acme & Söhne', timezone: 'America/Lima' });
  expect((await me()).organization).toMatchObject({ code: 'acme', name: 'Acme & Söhne', timezone: 'America/Lima' });
  const event = await t.call('POST', '/v1/events', { key, body: { name: 'In Lima' } });
  expect(event.body.timezone).toBe('America/Lima');
});

test('new events get the organization’s currency and language; existing events keep theirs', async () => {
  const create = async (body: object) => (await t.call('POST', '/v1/events', { key, body })).body;
  const shown = ({ currency, language }: Record<string, unknown>) => [currency, language];
  const before = await create({ name: 'Before' });
  expect(shown(before)).toEqual(['EUR', 'en']);
  expect((await patch({ defaults: { currency: 'CHF', language: 'de' } })).body.defaults).toEqual({
    currency: 'CHF',
    language: 'de',
  });
  expect(shown(await create({ name: 'After' }))).toEqual(['CHF', 'de']);
  expect(shown(await create({ name: 'Its own', currency: 'USD', language: 'es' }))).toEqual(['USD', 'es']);
  expect(shown((await t.call('GET', `/v1/events/${before.id}`, { key })).body)).toEqual(['EUR', 'en']);
  expect((await patch({ defaults: { language: 'fr' } })).body.defaults).toEqual({ currency: 'CHF', language: 'fr' });
});

test('the accent is a colour in small letters; null goes back to ours', async () => {
  expect((await get()).body.accent).toBeNull();
  expect((await patch({ accent: '#0B6E66' })).body.accent).toBe('#0b6e66');
  expect((await get()).body.accent).toBe('#0b6e66');
  expect((await patch({ name: 'Acme Events' })).body.accent).toBe('#0b6e66');
  expect((await patch({ accent: null })).body.accent).toBeNull();
});

describe('terminology', () => {
  beforeEach(async () => {
    await patch({ terminology: Object.fromEntries(Object.keys(DEFAULT_TERMINOLOGY).map((noun) => [noun, null])) });
  });

  // claim: profile
  test('the organization’s own word is in GET /me; null or an empty word goes back to the default', async () => {
    expect((await me()).terminology).toEqual(DEFAULT_TERMINOLOGY);
    const changed = await patch({ terminology: { attendee: ' guest ', attendees: 'guests', day: 'session' } });
    const own = { ...DEFAULT_TERMINOLOGY, attendee: 'guest', attendees: 'guests', day: 'session' };
    expect(changed.body.terminology).toEqual(own);
    expect((await me()).terminology).toEqual(own);
    expect((await t.call('GET', '/app/api/me', as(owner))).body.terminology).toEqual(own);
    expect((await get()).body.terminology).toEqual(own);
    const back = await patch({ terminology: { attendee: null, attendees: '', day: '\u200b ' } });
    expect(back.body.terminology).toEqual(DEFAULT_TERMINOLOGY);
    expect((await me()).terminology).toEqual(DEFAULT_TERMINOLOGY);
  });

  test('words that are changed at once are all kept', async () => {
    const nouns = Object.keys(DEFAULT_TERMINOLOGY);
    const replies = await Promise.all(nouns.map((noun) => patch({ terminology: { [noun]: `my ${noun}` } })));
    expect(replies.map(({ status }) => status)).toEqual(nouns.map(() => 200));
    expect((await me()).terminology).toEqual(Object.fromEntries(nouns.map((noun) => [noun, `my ${noun}`])));
    await patch({ terminology: Object.fromEntries(nouns.map((noun) => [noun, null])) });
  });

  test('the control: without the lock, words are lost', async () => {
    const other = await t.org('unlocked');
    let arrived = 0;
    let open = () => {};
    const all = new Promise<void>((resolve) => {
      open = resolve;
    });
    const unlocked = (noun: string) =>
      transaction(t.pool, t.clock, { role: 'app', org: other }, async (tx) => {
        const { terminology } = await tx.one<{ terminology: object }>(sql`
          select terminology from organizations where id = ${other}`);
        arrived += 1;
        if (arrived === 3) open();
        await all;
        await tx.run(sql`
          update organizations set terminology = ${JSON.stringify({ ...terminology, [noun]: 'x' })} where id = ${other}`);
      });
    await Promise.all(['day', 'group', 'ticket'].map(unlocked));
    const { terminology } = await t.system((tx) =>
      tx.one<{ terminology: object }>(sql`select terminology from organizations where id = ${other}`),
    );
    expect(Object.keys(terminology)).toHaveLength(1);
  });
});

test.each([
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ timezone: '+02:00' }, 'timezone'],
  [{ name: '\u200b' }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ defaults: { currency: 'ZZZ' } }, 'defaults/currency'],
  [{ defaults: { language: 'German' } }, 'defaults/language'],
  [{ terminology: { visitor: 'guest' } }, 'terminology/visitor'],
  [{ terminology: { attendee: 'x'.repeat(61) } }, 'terminology/attendee'],
  [{ accent: 'teal' }, 'accent'],
  [{ accent: '#0b6e6' }, 'accent'],
  [{ accent: '#0b6e66;--x:url(//evil.example)' }, 'accent'],
  [{ require_second_factor: 'yes' }, 'require_second_factor'],
  [{ plan: 'scale' }, 'plan'],
  [{ code: 'other' }, 'code'],
])('400 validation_failed: %j', async (body, path) => {
  const before = (await get()).text;
  const reply = await patch(body);
  expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
  expect(reply.body.error.details.map((fault: { path: string }) => fault.path)).toContain(path);
  expect((await get()).text).toBe(before);
});

test('the audit log has each change, before and after; a change to the same value writes nothing', async () => {
  const { body: before } = await get();
  await patch({ name: 'Acme', terminology: { ticket: 'badge' } });
  const { body: after } = await patch({ name: 'Acme', terminology: { ticket: 'badge' } });
  const { data } = (await t.call('GET', '/v1/audit-log?action=organization.changed', { key })).body;
  const renamed = data.filter(
    (one: { changes: { fields: { name?: { after: string } } } }) => one.changes.fields.name?.after === 'Acme',
  );
  expect(renamed).toHaveLength(1);
  expect(renamed[0]).toMatchObject({
    actor: { kind: 'member' },
    source: 'app',
    object: { kind: 'organization', id: before.id },
    changes: {
      fields: {
        name: { before: before.name, after: 'Acme' },
        terminology: { before: before.terminology, after: { ...before.terminology, ticket: 'badge' } },
      },
    },
  });
  expect((await get()).body).toEqual(after);
  expect(after.updated_at > before.updated_at).toBe(true);
  const again = await transaction(t.pool, t.clock, { role: 'system' }, (tx) =>
    changeOrganization({ tx, org, links: new PageLinks(new URL(after.pages_url).origin) }, { name: 'Acme' }),
  );
  expect(again).toEqual({ settings: after, changes: {} });
});

test('nobody changes another organization', async () => {
  await t.org('other');
  const theirs = await t.session('other', 'owner');
  const before = (await get(theirs)).body;
  await patch({ name: 'Only Acme', terminology: { group: 'team' } });
  expect((await get(theirs)).body).toEqual(before);
});
