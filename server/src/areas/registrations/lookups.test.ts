import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { scopes: ['read', 'write', 'admin'] })).secret;
  await done('POST', '/groups', { code: 'north', name: 'North' });
  await done('POST', '/groups', { code: 'polar', name: 'Polar', parent: 'north' });
  await done('POST', '/groups', { code: 'south', name: 'South' });
  north = (await t.key('acme', { group: 'north' })).secret;
  await publish('fair');
});
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown, as = key) {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
async function publish(event: string) {
  await done('POST', '/events', { code: event, name: event });
  await done('POST', `/events/${event}/days`, { code: 'd1', date: '2030-06-01' });
  await done('POST', `/events/${event}/attendee-types`, { code: 'adult', name: 'Adult' });
  await done('POST', `/events/${event}/publish`);
}
interface Person {
  first_name: string;
  last_name: string;
  [more: string]: unknown;
}
const register = (people: Person | Person[], more: object = {}, event = 'fair') =>
  done('POST', `/events/${event}/registrations`, {
    attendees: [people].flat().map((one) => ({ attendee_type: 'adult', ...one })),
    send_emails: false,
    ...more,
  });
const named = (name: string, more: object = {}): Person => {
  const [first_name, last_name] = name.split('|') as [string, string];
  return { first_name, last_name, ...more };
};
/** Reads all pages of a list, two rows each, and checks that nobody is listed twice. */
async function all(path: string, as = key): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const next: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const { data, page }: Row = await done(
      'GET',
      `${path}${path.includes('?') ? '&' : '?'}limit=2${next}`,
      undefined,
      as,
    );
    found.push(...data);
    cursor = page.next_cursor;
  }
  expect(new Set(found.map((one) => one.id)).size).toBe(found.length);
  return found;
}
const search = (list: string, text: string, as = key, more = '') =>
  all(`${list}?search=${encodeURIComponent(text)}${more}`, as);
const lasts = (people: Row[]) => people.map((one) => one.last_name).sort();
const PEOPLE = '/events/fair/attendees';
const REGISTRATIONS = '/events/fair/registrations';

describe('a search finds any word of a name', () => {
  const NAMES = [
    'Ludwig|van Beethoven',
    'Anna|Müller',
    'Åsa|Strom',
    'Bo|Ström-Berg',
    'Conor|O’Brien',
    'María José|García',
  ];
  beforeAll(async () => {
    for (const name of NAMES) await register(named(name));
  });
  test.each([
    ['beethoven', ['van Beethoven']],
    ['BEETHOV', ['van Beethoven']],
    ['van beethoven', ['van Beethoven']],
    ['beethoven ludwig', ['van Beethoven']],
    ['lud beet', ['van Beethoven']],
    ['muller', ['Müller']],
    ['ström', ['Strom', 'Ström-Berg']],
    ['berg', ['Ström-Berg']],
    ['berg strom', ['Ström-Berg']],
    ["o'brien", ['O’Brien']],
    ['brien', ['O’Brien']],
    ['jose', ['García']],
    ['garcia jose maria', ['García']],
    ['thoven', []],
    ['beethoven anna', []],
    ['-', []],
  ])('%s', async (text, found) => {
    expect(lasts(await search(PEOPLE, text))).toEqual(found);
    expect(lasts(await search('/contacts', text))).toEqual(found);
    expect(lasts((await search(REGISTRATIONS, text)).map((one) => one.contact))).toEqual(found);
    for (const order of ['newest', 'name']) {
      expect(lasts(await search(PEOPLE, text, key, `&order=${order}`))).toEqual(found);
      expect(lasts(await search('/contacts', text, key, `&order=${order}`))).toEqual(found);
      const registrations = await search(REGISTRATIONS, text, key, `&order=${order}`);
      expect(lasts(registrations.map((one) => one.contact))).toEqual(found);
    }
  });

  test('by the new name after a change, and not by the old one', async () => {
    const { attendees } = await register(named('Carl|von Ossietzky'));
    await done('PATCH', `${PEOPLE}/${attendees[0].id}`, { last_name: 'de la Tour' });
    await done('PATCH', `/contacts/${attendees[0].contact_id}`, { last_name: 'de la Tour' });
    for (const list of [PEOPLE, '/contacts']) {
      expect(lasts(await search(list, 'tour carl'))).toEqual(['de la Tour']);
      expect(await search(list, 'ossietzky')).toEqual([]);
    }
  });

  test('but nobody who was erased, and nothing of the name is left', async () => {
    const { attendees, contact } = await register(named('Wolfgang|von Goethe'), {
      contact: { first_name: 'Johann', last_name: 'von der Vogelweide', email: 'vogel@example.org' },
    });
    expect(await search(REGISTRATIONS, 'vogelweide')).toHaveLength(1);
    await done('POST', `/contacts/${attendees[0].contact_id}/erase`);
    await done('POST', `/contacts/${contact.id}/erase`);
    for (const text of ['goethe', 'vogelweide', 'vogel@']) {
      for (const list of [PEOPLE, '/contacts', REGISTRATIONS]) expect(await search(list, text)).toEqual([]);
    }
    const left = await t.system((tx) =>
      tx.all(sql`
        select word from attendee_words where word ~ 'goethe|vogel' union all select word from contact_words where word ~ 'goethe|vogel'
        union all select word from registrant_words where word ~ 'goethe|vogel'`),
    );
    expect(left).toEqual([]);
  });
});

describe('registrations are found', () => {
  let family: Row;
  beforeAll(async () => {
    family = await register(
      [
        named('Ida|Sand', { email: 'ida@sand.example' }),
        named('Ole|Sand', { email: 'ole@sand.example' }),
        named('Sandra|Sand'),
      ],
      { contact: { first_name: 'Gro', last_name: 'van den Heuvel', email: 'gro@heuvel.example' } },
    );
    await register(named('Sandy|Kite', { email: 'kite@sand.example' }), { group: 'north' });
  });
  const ids = async (query: string, list = REGISTRATIONS) => (await all(`${list}?${query}`)).map((one) => one.id);

  test('by the e-mail address of the registrant and of any attendee', async () => {
    for (const email of ['gro@heuvel.example', 'IDA@sand.example', 'ole@sand.example'])
      expect(await ids(`email=${email}`)).toEqual([family.id]);
    expect(await ids('email=nobody@sand.example')).toEqual([]);
  });

  test('by a search, each of them once, however many of its names match', async () => {
    expect(await ids('search=sand&source=api')).toHaveLength(2);
    for (const text of ['heuvel', 'gro heuvel', 'gro@heu', 'ole@', 'sandra', family.code, family.code.toLowerCase()])
      expect(await ids(`search=${encodeURIComponent(text)}`)).toEqual([family.id]);
    const { code } = family.attendees[1].tickets[0];
    const printed = code.replace(/(.{4})/g, '$1 ').trim();
    for (const text of [code, printed, printed.replaceAll(' ', '-').toLowerCase()]) {
      expect(await ids(`search=${encodeURIComponent(text)}`)).toEqual([family.id]);
      expect((await search(PEOPLE, text)).map((one) => one.first_name)).toEqual(['Ole']);
    }
    expect((await search(PEOPLE, family.code)).map((one) => one.first_name)).toEqual(['Ida', 'Ole', 'Sandra']);
  });

  test('by group and source', async () => {
    await publish('grouped');
    const list = '/events/grouped/registrations';
    const first = await register(named('Per|Elm'), {}, 'grouped');
    const second = await register(named('Liv|Elm'), {}, 'grouped');
    const northern = await register(named('Siri|Elm'), { group: 'north' }, 'grouped');
    const polar = await register(named('Nanook|Bear'), { group: 'polar' }, 'grouped');
    expect(await ids('group=polar', list)).toEqual([polar.id]);
    expect(await ids('group=north', list)).toEqual([northern.id, polar.id]);
    expect(await ids('group=south', list)).toEqual([]);
    expect(await ids('source=import', list)).toEqual([]);
    expect(await ids('source=api', list)).toEqual([first.id, second.id, northern.id, polar.id]);
    const unknown = await t.call('GET', `/v1${list}?group=nowhere`, { key });
    expect([unknown.status, unknown.body.error.details[0].path]).toEqual([400, 'group']);
  });
});

describe('a key limited to a group', () => {
  const people = '/events/limited/attendees';
  const registrations = '/events/limited/registrations';
  let mixed: Row;
  beforeAll(async () => {
    await publish('limited');
    mixed = await register(
      [
        named('Quentin|Zander', { group: 'north', email: 'quentin@zander.example' }),
        named('Rhea|von Zander', { group: 'south', email: 'rhea@zander.example' }),
      ],
      { group: 'south', contact: { first_name: 'Xaver', last_name: 'Zanderer', email: 'xaver@zander.example' } },
      'limited',
    );
    await register(named('Sandy|Kite'), { group: 'north' }, 'limited');
    await register(named('Nanook|Bear'), { group: 'polar' }, 'limited');
    await register(named('Per|Elm'), {}, 'limited');
  });
  test('finds its own attendees, and registrations only by them', async () => {
    const ids = async (query: string) => (await all(`${registrations}?${query}`, north)).map((one) => one.id);
    for (const order of ['', '&order=newest', '&order=name']) {
      expect((await search(people, 'zander', north, order)).map((one) => one.first_name)).toEqual(['Quentin']);
      expect(await ids(`search=zander${order}`)).toEqual([mixed.id]);
      for (const text of ['rhea', 'xaver', 'zanderer', 'von', 'rhea@zander', 'xaver@zander'])
        expect(await ids(`search=${text}${order}`)).toEqual([]);
    }
    expect(await ids('email=quentin@zander.example')).toEqual([mixed.id]);
    for (const email of ['rhea@zander.example', 'xaver@zander.example'])
      expect(await ids(`email=${email}`)).toEqual([]);
    const foreign = mixed.attendees[1].tickets[0].code;
    expect(await ids(`search=${foreign}`)).toEqual([]);
    expect(await search(people, foreign, north)).toEqual([]);
    expect((await all(`${registrations}?order=name`, north)).map((one) => one.attendees[0].last_name)).toEqual([
      'Bear',
      'Kite',
      'Zander',
    ]);
  });
});

describe('attendees are found', () => {
  test('by external_id and phone, compared as imports compare them', async () => {
    await register(named('Ext|One', { external_id: 'Mitglied 7é', phone: '+49 (30) 90-1820' }));
    await register(named('Ext|Two', { external_id: 'Mitglied 8', phone: '+49 (30) 90-1821' }));
    const by = async (query: string) => lasts(await all(`${PEOPLE}?${query}`));
    expect(await by(`external_id=${encodeURIComponent('mitglied  7E')}`)).toEqual(['One']);
    expect(await by('external_id=mitglied')).toEqual([]);
    expect(await by(`phone=${encodeURIComponent('0049 30 901820')}`)).toEqual(['One']);
    expect(await by('phone=4930901821&status=confirmed')).toEqual(['Two']);
    expect(await by('phone=4930901821&status=cancelled')).toEqual([]);
    expect(await by('phone=---')).toEqual([]);
    expect(await by('external_id=%20')).toEqual([]);
  });
});

describe('order', () => {
  const ordered = '/events/ordered/attendees';
  beforeAll(async () => {
    await publish('ordered');
    for (const names of [['Moa|Quist', 'Eli|Quist'], ['Tor|Dahl'], ['Una|Wik'], ['Ivo|Falk'], ['Pia|Dahl'], ['Jan|Ek']])
      await register(
        names.map((name) => named(name)),
        {},
        'ordered',
      );
  });

  test('newest: by last change, newest first, on every list of changes', async () => {
    const lists = [
      ordered,
      '/events/ordered/registrations',
      '/contacts',
      '/groups',
      '/events',
      '/events/ordered/days',
      '/events/ordered/tickets',
    ];
    for (const list of lists) {
      const [oldest, newest] = [await all(list), await all(`${list}?order=newest`)];
      expect(newest).toEqual(oldest.toReversed());
      const { updated_at } = newest[Math.floor(newest.length / 2)];
      const since = `updated_since=${updated_at}`;
      expect(await all(`${list}?order=newest&${since}`)).toEqual((await all(`${list}?${since}`)).toReversed());
    }
  });

  test('name: by last name, then first name', async () => {
    await publish('sorted');
    for (const people of [['Zoe|Öz', 'Abe|Aaron'], ['Bea|Oz'], ['Al|Núñez'], ['Cy|Nunez']])
      await register(
        people.map((name) => named(name)),
        {},
        'sorted',
      );
    const names = (rows: Row[]) => rows.map((one) => `${one.last_name} ${one.first_name}`);
    const people = await all('/events/sorted/attendees?order=name');
    expect(names(people)).toEqual(['Aaron Abe', 'Núñez Al', 'Nunez Cy', 'Oz Bea', 'Öz Zoe']);
    const registrations = await all('/events/sorted/registrations?order=name');
    expect(names(registrations.map((one) => one.contact))).toEqual(['Núñez Al', 'Nunez Cy', 'Oz Bea', 'Öz Zoe']);
    const contacts = names(await all('/contacts?order=name'));
    expect(contacts.filter((name) => /^(Aaron|N[uú][nñ]ez|[OÖ]z) /.test(name))).toEqual(names(people));
  });

  test('a cursor is only valid for its own order and filters', async () => {
    const { page } = await done('GET', `${ordered}?order=name&limit=1`);
    for (const other of ['', '&order=newest', '&order=name&phone=1', '&order=name&search=a']) {
      const reply = await t.call('GET', `/v1${ordered}?limit=1${other}&cursor=${page.next_cursor}`, { key });
      expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'cursor']);
    }
  });

  test('an attendee who changes while a list by name or search is paged is listed once', async () => {
    const path = `${ordered}?order=name&limit=3`;
    const first = await done('GET', path);
    for (const { id } of first.data) await done('PATCH', `${ordered}/${id}`, { phone: '123' });
    const rest: Row[] = [];
    let { next_cursor } = first.page;
    while (next_cursor !== null) {
      const { data, page } = await done('GET', `${path}&cursor=${next_cursor}`);
      rest.push(...data);
      next_cursor = page.next_cursor;
    }
    const everybody = [...first.data, ...rest].map((one) => one.id);
    expect(new Set(everybody).size).toBe(everybody.length);
    expect(everybody.length).toBe((await all(ordered)).length);
  });
});

test('an event is found by its code, in any case', async () => {
  expect((await all('/events?code=FAIR')).map((one) => one.code)).toEqual(['fair']);
  expect(await all('/events?code=fai')).toEqual([]);
});
