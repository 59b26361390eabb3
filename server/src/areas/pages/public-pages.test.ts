import { createHash } from 'node:crypto';
import { PublicEvent, PublicEvents } from '@turnout/contract';
import type { FastifyRequest } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../clock.ts';
import { type Id, toUlid, toUuid } from '../../common/ids.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { sql } from '../../store/sql.ts';
import { addMember } from '../access/index.ts';
import { openSession } from '../accounts/index.ts';
import {
  addressesIn,
  ask,
  Form,
  type Got,
  openPages,
  type Pages,
  PUBLIC_URL,
  textOf,
  tokensOf,
} from './pages.support.ts';
import { hrefOf, placeOf, type Site } from './site.ts';

let x: Pages;
let owner: Record<string, string>;
beforeAll(async () => {
  x = await openPages();
  owner = cookieOf(await x.t.session('acme', 'owner'));
});
afterAll(() => x.t.stop());

const cookieOf = (token: string) => ({ cookie: `__Host-turnout_session=${token}` });
/** Pages are kept for a second. A test that has changed something looks at them later. */
const later = () => x.clock.advance(1000);
const get = (path: string, headers: Record<string, string> = {}) => {
  later();
  return x.get(path, headers);
};
const json = async (path: string) => {
  const got = await get(path);
  expect([path, got.status]).toEqual([path, 200]);
  return JSON.parse(got.text);
};
const settings = async (change: object, cookie = owner) => {
  const reply = await x.t.call('PATCH', '/app/api/organization', { body: change, headers: cookie, org: 'acme' });
  expect(reply.status, reply.text).toBe(200);
};
/** What two answers may differ in. */
const same = ({ status, headers, text }: Got) => {
  const { 'x-request-id': _id, date: _date, etag: _etag, ...rest } = headers;
  return { status, headers: rest, text };
};

describe('the list of events', () => {
  const codes = async (org = 'acme') =>
    (await json(`/o/${org}/events.json`)).events.map((one: { code: string }) => one.code);
  const at = (starts_at: string) => ({ starts_at, ends_at: new Date(Date.parse(starts_at) + DAY).toISOString() });

  test('published, listed, not a test, not over; the newest dates last', async () => {
    await x.t.org('lister');
    const { secret } = await x.t.key('lister');
    const make = (code: string, event: object, as?: 'draft' | 'closed' | 'archived') =>
      x.event({ event: { code, name: code, ...event }, ...(as && { as }) }, secret);
    await make('third', at('2031-06-01T10:00:00Z'));
    await make('first', at('2030-06-01T10:00:00Z'));
    await make('second', at('2030-07-01T10:00:00Z'));
    await make('unlisted', { ...at('2030-07-01T10:00:00Z'), listed: false });
    await make('test', { ...at('2030-07-01T10:00:00Z'), test: true });
    await make('draft', at('2030-07-01T10:00:00Z'), 'draft');
    await make('closed', at('2030-07-01T10:00:00Z'), 'closed');
    await make('archived', at('2030-07-01T10:00:00Z'), 'archived');
    const now = x.clock.now().getTime();
    await make('over', { starts_at: new Date(now - 2 * DAY).toISOString(), ends_at: new Date(now).toISOString() });
    await make('runs', { starts_at: new Date(now - DAY).toISOString(), ends_at: new Date(now + DAY).toISOString() });
    await x.event({ event: { code: 'foreign' } });
    expect(await codes('lister')).toEqual(['runs', 'first', 'second', 'third']);
    const page = await get('/o/lister');
    expect(addressesIn(page.text).filter((to) => /^\/o\/lister\/[a-z]+$/.test(to) && !to.endsWith('/my'))).toEqual(
      ['runs', 'first', 'second', 'third'].map((code) => `/o/lister/${code}`),
    );
    expect((await get('/o/lister/')).text).toBe(page.text);
  });

  test('100 a page, and each event once', async () => {
    await x.t.org('many');
    await x.t.plan('many', 'scale', [['api_rate_per_min', '1000000']]);
    const { secret } = await x.t.key('many');
    const dates = ['2030-03-01T00:00:00.000001Z', '2030-03-01T00:00:00Z', '2030-02-01T00:00:00Z', null];
    for (let i = 0; i < 104; i += 1)
      await x.api('POST', '/events', { code: `m${i}`, name: `m${i}`, starts_at: dates[i % 4] }, secret);
    await x.t.system((tx) =>
      tx.run(sql`update events set status = 'published' where code ~ '^m[0-9]+$' and org_id in
        (select id from organizations where code = 'many')`),
    );
    const pages: { code: string; starts_at: string | null }[][] = [];
    const html: string[][] = [];
    let path: string | null = '/o/many/events.json';
    let shown: string | undefined = '/o/many';
    while (path !== null && pages.length < 5) {
      const { events, next } = await json(path);
      pages.push(events);
      expect(next === null || next.startsWith(`${PUBLIC_URL}/o/many/events.json?after=`)).toBe(true);
      path = next === null ? null : next.slice(PUBLIC_URL.length);
      const page: Got = await get(shown!);
      html.push([...page.text.matchAll(/href="\/o\/many\/(m\d+)"/g)].map((match) => match[1]!));
      shown = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
      expect(page.text.includes('content="noindex"')).toBe(pages.length > 1);
    }
    expect(pages.map((events) => events.length)).toEqual([100, 4]);
    expect(html).toEqual(pages.map((events) => events.map(({ code }) => code)));
    expect(new Set(pages.flat().map(({ code }) => code)).size).toBe(104);
    const order = pages.flat().map(({ starts_at }) => (starts_at ?? '9999').replace(/:00Z$/, ':00.000000Z'));
    expect(order).toEqual([...order].sort());
    expect(shown).toBeUndefined();
  });

  test('a made-up place in the list is no place', async () => {
    const whole = await get('/o/acme/events.json');
    const cursor = (text: string) => Buffer.from(text).toString('base64url');
    const ulid = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
    for (const after of [
      '',
      'x',
      '%00',
      'a'.repeat(5000),
      cursor(`2030-02-30T00:00:00Z ${ulid}`),
      cursor(`0000-01-01T00:00:00Z ${ulid}`),
      cursor(`2030-01-01T24:00:00Z ${ulid}`),
      cursor(`2030-01-01T00:00:60Z ${ulid}`),
      cursor(`2030-01-01T00:00:00Z ${ulid.toLowerCase()}`),
      cursor(`infinity ${ulid}`),
      cursor("' or 1=1 --"),
    ]) {
      for (const path of ['/o/acme/events.json', '/o/acme'])
        expect([after, (await get(`${path}?after=${after}`)).status]).toEqual([after, 200]);
      expect((await get(`/o/acme/events.json?after=${after}&after=2`)).text).toBe(whole.text);
    }
  });
});

test('an address of no organization is a page in the visitor’s language, and JSON for programs', async () => {
  const page = await get('/o/nobody/summer?lang=de');
  expect([page.status, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.text).toContain('<html lang="de">');
  expect(page.text).toContain('<h1>Seite nicht gefunden</h1>');
  expect(page.headers['content-security-policy']).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:/,
  );
  const other = await get('/o/nobody', { 'accept-language': 'fr' });
  expect([other.status, textOf(other.text)]).toEqual([404, expect.stringContaining('Page introuvable')]);
  expect(JSON.parse((await get('/o/nobody/events.json')).text).error.code).toBe('not_found');
});

describe('who sees an event', () => {
  const ways = (code: string) => [
    `/o/acme/${code}`,
    `/o/acme/${code}/register`,
    `/o/acme/${code}/done`,
    `/o/acme/${code}/calendar.ics`,
  ];

  test('unlisted: everybody at its address, and no search engine', async () => {
    const { code } = await x.event({ event: { listed: false } });
    const page = await get(`/o/acme/${code}`);
    expect([page.status, page.headers['x-robots-tag']]).toEqual([200, 'noindex']);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.text).not.toContain('application/ld+json');
    const document = await get(`/o/acme/${code}.json`);
    expect([document.status, document.headers['x-robots-tag']]).toEqual([200, 'noindex']);
    expect((await get('/o/acme')).text).not.toContain(`/o/acme/${code}"`);
    const listed = await get(`/o/acme/${(await x.event()).code}`);
    expect([listed.headers['x-robots-tag'], listed.text.includes('noindex')]).toEqual([undefined, false]);
  });

  test('drafts and test events: members who may see them, and everybody else what is not there', async () => {
    const north = await x.api('POST', '/groups', { code: 'north', name: 'North' });
    const south = await x.api('POST', '/groups', { code: 'south', name: 'South' });
    const limited = async (group: { id: string }) => {
      const token = await x.t.system(async (tx) => {
        const { id } = await tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`);
        const member = await addMember(tx, id, { email: `${group.id}@example.org`, role: 'manager' });
        await tx.run(sql`update members set group_id = ${toUuid(group.id)} where id = ${toUuid(member.id)}`);
        return openSession(tx, { account: member.account, method: 'password', secondFactor: false });
      });
      return cookieOf(token);
    };
    await x.t.org('neighbour');
    const [ofNorth, ofSouth] = [await limited(north), await limited(south)];
    const foreign = cookieOf(await x.t.session('neighbour', 'owner'));
    const nothing = same(await get('/o/acme/nothing'));
    expect(nothing.status).toBe(404);
    for (const [event, as] of [
      [{ group: 'north' }, 'draft'],
      [{ group: 'north', test: true }, undefined],
    ] as const) {
      const { id, code } = await x.event({ event, ...(as && { as }) });
      for (const ref of [code, id, code.toUpperCase()]) {
        const path = `/o/acme/${ref}`;
        for (const [who, seen] of [
          [owner, 200],
          [ofNorth, 200],
          [ofSouth, 404],
          [foreign, 404],
          [{}, 404],
          [cookieOf('made-up'), 404],
        ] as const) {
          const page = await get(path, who);
          expect([who, page.status]).toEqual([who, seen]);
          if (seen === 404) {
            const missing = same(page);
            expect({ ...missing, text: missing.text.replaceAll(ref, 'nothing') }).toEqual({
              ...nothing,
              headers: { ...nothing.headers, 'content-length': missing.headers['content-length'] },
            });
          } else {
            expect([page.headers['cache-control'], page.headers['x-robots-tag']]).toEqual(['no-store', 'noindex']);
            expect(textOf(page.text)).toContain('Only members see it');
          }
        }
      }
      // A member who has looked leaves nothing for others, not even within the second that pages are kept.
      expect((await x.get(`/o/acme/${code}`, owner)).status).toBe(200);
      expect((await x.get(`/o/acme/${code}`)).status).toBe(404);
      for (const way of ways(code)) expect([way, (await get(way)).status]).toEqual([way, 404]);
      expect((await get(`/o/acme/${code}.json`)).status).toBe(404);
    }
  });

  test('a draft is previewed as visitors will see it, but nothing can be sent', async () => {
    const types = [{ code: 'adult', name: 'Adult', price_minor: 1200 }];
    const days = [
      { code: 'd1', name: 'First day', date: '2030-06-01' },
      { code: 'd2', name: 'Second day', date: '2030-06-02' },
    ];
    const questions = [{ code: 'size', label: 'T-shirt size', kind: 'text' }];
    const { id, code } = await x.event({ types, days, questions, as: 'draft' });
    const page = textOf((await get(`/o/acme/${code}`, owner)).text);
    for (const words of ['First day', 'Adult', '€12.00', 'Continue', 'This is a preview.'])
      expect(page).toContain(words);
    expect(page).not.toContain('closed');
    const got = await get(`/o/acme/${code}/register?n-adult=1`, owner);
    expect(textOf(got.text)).toContain('This is a preview.');
    expect(textOf(got.text)).toContain('T-shirt size');
    const form = new Form(got.text, 'register').fill({
      ...{ 'c-first': 'Ada', 'c-last': 'L', 'c-email': 'ada@example.org' },
      'p0-days': ['d1'],
    });
    x.clock.advance(2000);
    const summary = await x.post(form.action, form.sent('review'), owner);
    expect(summary.text).toMatch(/<button disabled name="do" value="book">Register</);
    const again = new Form(summary.text, 'register').sent();
    again.append('do', 'book');
    const sent = await x.post(form.action, again, owner);
    expect(sent.status).toBe(422);
    expect(textOf(sent.text)).toContain('This is a preview, so nothing was sent.');
    expect(await x.registrations(id)).toEqual([]);
    // Its own opening time holds in the preview as well.
    await x.api('PATCH', `/events/${id}`, { registration: { opens_at: '2030-05-01T10:00:00Z' } });
    expect(textOf((await get(`/o/acme/${code}`, owner)).text)).toContain('Registration opens on');
    expect((await get(`/o/acme/${code}/register`, owner)).status).toBe(303);
  });

  test('says the hours with the dates where all days have the same, else beside each day', async () => {
    const day = (n: number, from: number, to: number) => ({
      ...{ code: `d${n}`, name: `Part ${n}`, date: `2030-06-0${n}` },
      ...{ opens_at: `2030-06-0${n}T0${from}:00:00Z`, closes_at: `2030-06-0${n}T${to}:00:00Z` },
    });
    const event = { timezone: 'Europe/Berlin' };
    const shown = async (days: object[]) =>
      textOf((await get(`/o/acme/${(await x.event({ event, days })).code}`)).text);
    const same = await shown([day(1, 7, 16), day(2, 7, 16)]);
    expect(same).toContain('Sat, 1 June – Sun, 2 June 2030, 09:00 – 18:00 each day');
    const different = await shown([day(1, 7, 16), day(2, 8, 16)]);
    expect(different).not.toContain('each day');
    expect(different).toContain('Sun, 2 June 2030, 10:00 – 18:00');
    expect(await shown([day(1, 7, 16)])).toContain('Saturday, 1 June 2030, 09:00 – 18:00');
    expect(
      await shown([
        { code: 'd1', date: '2030-06-01' },
        { code: 'd2', date: '2030-06-02' },
      ]),
    ).not.toContain('each day');
  });

  test('what a member registers in a test event is a test', async () => {
    const { code } = await x.event({ event: { test: true } });
    const form = new Form((await get(`/o/acme/${code}/register`, owner)).text, 'register');
    form.fill({ 'c-first': 'Ada', 'c-last': 'L', 'c-email': 'ada@example.org' });
    x.clock.advance(2000);
    const summary = new Form((await x.post(form.action, form.sent('review'), owner)).text, 'register');
    expect((await x.post(summary.action, summary.sent('book'))).status).toBe(404);
    expect((await x.post(summary.action, summary.sent('book'), owner)).status).toBe(303);
    const registered = await x.t.system((tx) =>
      tx.all<{ test: boolean }>(
        sql`select r.test from registrations r join events e on e.id = r.event_id where e.code = ${code}`,
      ),
    );
    expect(registered).toEqual([{ test: true }]);
  });

  test('closed: the page without the form; archived: nothing', async () => {
    const { code } = await x.event({ as: 'closed' });
    const page = await get(`/o/acme/${code}`);
    expect([page.status, page.text.includes('<form'), textOf(page.text).includes('Registration is closed.')]).toEqual([
      200,
      false,
      true,
    ]);
    expect(await json(`/o/acme/${code}.json`)).toMatchObject({ registration: 'closed' });
    await x.api('POST', `/events/${code}/archive`);
    for (const way of [...ways(code), `/o/acme/${code}.json`]) {
      expect([way, (await get(way)).status]).toEqual([way, 404]);
      expect([way, (await get(way, owner)).status]).toEqual([way, 404]);
    }
  });

  test('before it opens: when, and no form', async () => {
    const { code } = await x.event({
      event: { timezone: 'Europe/Berlin', registration: { opens_at: '2030-05-01T08:00:00Z' } },
    });
    const page = await get(`/o/acme/${code}`);
    expect(page.text).not.toContain('<form');
    expect(textOf(page.text)).toContain('Registration opens on Wednesday, 1 May 2030, 10:00 (CEST).');
    expect(await json(`/o/acme/${code}.json`)).toMatchObject({ registration: 'not_yet' });
  });

  test('an event or an organization of somebody else is like one that does not exist', async () => {
    await x.t.org('elsewhere');
    const { id, code } = await x.event({}, (await x.t.key('elsewhere')).secret);
    expect((await get(`/o/elsewhere/${code}`)).status).toBe(200);
    const missing = same(await get(`/o/acme/01JCQ8Z7M4T3V9R1X5K2N6P8DA`));
    const other = same(await get(`/o/acme/${id}`));
    expect(other).toEqual({ ...missing, text: missing.text.replaceAll('01JCQ8Z7M4T3V9R1X5K2N6P8DA', id) });
    for (const ref of ['nobody', 'acme%00', '%20acme', 'a'.repeat(5000), "acme'--", '01JCQ8Z7M4T3V9R1X5K2N6P8DA'])
      for (const path of [`/o/${ref}`, `/o/${ref}/events.json`, `/o/${ref}/${code}`, `/o/${ref}/${code}.json`])
        expect([path.slice(0, 60), (await get(path)).status]).toEqual([path.slice(0, 60), 404]);
    for (const ref of ['%00', 'x'.repeat(5000), "'--", '%27', '..%2f..%2fetc', '%E0%A4%A'])
      expect([ref, (await get(`/o/acme/${ref}`)).status]).toEqual([ref, 404]);
  });

  test('an organization is found by its code in any case, and by its id', async () => {
    const { organization } = await json('/o/acme/events.json');
    const id = await x.t.system((tx) => tx.one<{ id: Id }>(sql`select id from organizations where code = 'acme'`));
    for (const ref of ['ACME', 'Acme', toUlid(id.id)])
      expect((await json(`/o/${ref}/events.json`)).organization).toEqual(organization);
  });

  test('reserved codes are refused, and an event that has one already is reached by its id', async () => {
    for (const code of ['my', 'Events', 'ASSETS', 'embed', 'robots', 'favicon']) {
      const refused = await x.t.call('POST', '/v1/events', { key: x.key, body: { code, name: 'x' } });
      expect([code, refused.status]).toEqual([code, 409]);
    }
    const made = await x.api('POST', '/events', { name: 'My' });
    expect(made.code).not.toBe('my');
    const { id } = await x.event({ event: { name: 'Mine' } });
    for (const code of ['my', 'assets', 'Events']) {
      await x.t.system((tx) => tx.run(sql`update events set code = ${code} where id = ${toUuid(id)}`));
      const page = await get(`/o/acme/${id}`);
      expect([page.status, textOf(page.text).includes('Mine')]).toEqual([200, true]);
      expect(new Form(page.text, 'choose').action).toBe(`/o/acme/${id}/register`);
      expect(await json(`/o/acme/${id}.json`)).toMatchObject({ code, url: `${PUBLIC_URL}/o/acme/${id}` });
      expect((await get('/o/acme')).text).toContain(`href="/o/acme/${id}"`);
    }
    await x.t.system((tx) => tx.run(sql`update events set code = 'not-mine' where id = ${toUuid(id)}`));
  });
});

describe('public JSON', () => {
  const listFaults = bodyCheck(PublicEvents);
  const eventFaults = bodyCheck(PublicEvent);

  test('it is as published, without hidden types, and without a number of people', async () => {
    const { id, code } = await x.event({
      event: {
        name: 'Fair',
        venue: 'Hall 1',
        capacity: 777,
        currency: 'EUR',
        starts_at: '2030-06-01T08:00:00Z',
        description: 'Text',
      },
      days: [
        { code: 'd1', name: 'First', date: '2030-06-01', capacity: 555 },
        { code: 'd2', date: '2030-06-02' },
      ],
      types: [
        { code: 'adult', name: 'Adult', price_minor: 1250, capacity: 333 },
        { code: 'crew', name: 'Crew', visible: false },
      ],
    });
    const event = await json(`/o/acme/${code}.json`);
    expect(eventFaults(event)).toEqual([]);
    expect(event).toEqual({
      id,
      code,
      name: 'Fair',
      url: `${PUBLIC_URL}/o/acme/${code}`,
      starts_at: '2030-06-01T08:00:00Z',
      ends_at: '2030-06-02T22:00:00Z',
      timezone: 'Europe/Berlin',
      venue: 'Hall 1',
      image: null,
      currency: 'EUR',
      registration: 'open',
      days: [
        { code: 'd1', name: 'First', date: '2030-06-01', availability: 'available' },
        { code: 'd2', name: '2030-06-02', date: '2030-06-02', availability: 'available' },
      ],
      attendee_types: [
        {
          ...{ code: 'adult', name: 'Adult', description: null, price_minor: 1250 },
          ...{ current_price_minor: 1250, current_price_until: null, availability: 'available' },
        },
      ],
      products: [],
    });
    const list = await json('/o/acme/events.json');
    expect(listFaults(list)).toEqual([]);
    expect(list.organization).toEqual({ code: 'acme', name: 'acme events', url: `${PUBLIC_URL}/o/acme`, logo: null });
    expect(list.events.find((one: { code: string }) => one.code === code)).toEqual(event);
    expect((await get(`/o/acme/${code}`)).text).not.toMatch(/crew|777|555|333/i);
  });

  test('prices that change: what it costs now, until when, and what comes next', async () => {
    const until = '2031-01-01T11:00:00Z';
    const { code } = await x.event({
      types: [
        {
          ...{ code: 'adult', name: 'Adult', description: 'With <b>lunch</b>.', price_minor: 2000 },
          prices: [{ name: 'Early bird', from: null, until, price_minor: 1500 }],
          min_per_registration: 2,
          max_per_registration: 3,
        },
        { code: 'late', name: 'Late', on_sale: { from: until, until: null } },
        { code: 'past', name: 'Past', on_sale: { from: null, until: '2020-01-01T00:00:00Z' } },
      ],
    });
    const [adult, late, past] = (await json(`/o/acme/${code}.json`)).attendee_types;
    expect(adult).toMatchObject({ price_minor: 2000, current_price_minor: 1500, current_price_until: until });
    expect([late.availability, past.availability]).toEqual(['sold_out', 'sold_out']);
    const { text } = await get(`/o/acme/${code}?lang=en`);
    expect(text).toContain('€15.00');
    expect(text).toContain('Early bird');
    expect(text).toMatch(/until Wed[^<]*2031[^<]*12:00[^<]*, then €20\.00/);
    expect(text).toContain('With &lt;b&gt;lunch&lt;/b&gt;.');
    expect(text).toMatch(/Late<[\s\S]*on sale from [^<]*2031/);
    expect(text).toMatch(/Past<[\s\S]*>over</);
    expect([...text.matchAll(/<option value="(\d)"/g)].map(([, count]) => count)).toEqual(['0', '2', '3']);
  });

  test('what it says is what somebody gets who registers', async () => {
    const people = (count: number, days?: string[]) => ({
      attendees: Array.from({ length: count }, () => ({
        attendee_type: 'adult',
        first_name: 'A',
        last_name: 'B',
        ...(days && { days }),
      })),
    });
    const { code } = await x.event({ event: { capacity: 3, registration: { waitlist: true } } });
    const register = (count: number) =>
      x.t.call('POST', `/v1/events/${code}/registrations`, { key: x.key, body: people(count) });
    const shown = async () => (await json(`/o/acme/${code}.json`)).attendee_types[0].availability;
    expect([await shown(), (await register(2)).body.status]).toEqual(['few', 'confirmed']);
    // Two wait for the one place that is left, so whoever comes later waits, too.
    expect([await shown(), (await register(2)).body.status]).toEqual(['few', 'waitlisted']);
    expect([await shown(), (await register(1)).body.status]).toEqual(['waitlist', 'waitlisted']);
    await x.api('PATCH', `/events/${code}`, { registration: { waitlist: false } });
    expect([await shown(), (await register(1)).status]).toEqual(['few', 201]);
    expect([await shown(), (await register(1)).body.error.code]).toEqual(['sold_out', 'event_full']);
    expect(new Form((await get(`/o/acme/${code}`)).text, 'choose').buttons).toEqual([]);
    await x.api('PATCH', `/events/${code}`, { capacity: null });
    await x.t.plan('acme', 'scale', [['attendees_per_event', '3']]);
    expect([await shown(), (await register(1)).body.error.code]).toEqual(['sold_out', 'attendee_cap_reached']);
    await x.t.plan('acme', 'scale', [
      ['attendees_per_event', '100000'],
      ['api_rate_per_min', '1000000'],
    ]);
  });

  test('ETag, 304, HEAD, OPTIONS and CORS', async () => {
    const { code } = await x.event();
    for (const path of ['/o/acme/events.json', `/o/acme/${code}.json`]) {
      const got = await get(path, { origin: 'https://anybody.example' });
      expect(got.headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=5',
        'x-content-type-options': 'nosniff',
        etag: expect.stringMatching(/^"[\w-]{22}"$/),
      });
      expect(got.headers['access-control-allow-credentials']).toBeUndefined();
      expect(got.headers['set-cookie']).toBeUndefined();
      for (const known of [got.headers.etag!, `W/${got.headers.etag}`, `"x", ${got.headers.etag}`, '*']) {
        const unchanged = await get(path, { 'if-none-match': known });
        expect([unchanged.status, unchanged.bytes.length, unchanged.headers.etag]).toEqual([304, 0, got.headers.etag]);
        expect(unchanged.headers['access-control-allow-origin']).toBe('*');
      }
      expect((await get(path, { 'if-none-match': '"x"' })).status).toBe(200);
      const head = await ask(x.t.url, path, { method: 'HEAD' });
      expect([head.status, head.bytes.length, head.headers['content-length'], head.headers.etag]).toEqual([
        200,
        0,
        got.headers['content-length'],
        got.headers.etag,
      ]);
      const options = await ask(x.t.url, path, {
        method: 'OPTIONS',
        headers: { origin: 'https://anybody.example', 'access-control-request-method': 'GET' },
      });
      expect([options.status, options.headers['access-control-allow-origin']]).toEqual([204, '*']);
      expect(options.headers['access-control-allow-methods']).toBe('GET, HEAD, OPTIONS');
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const refused = await ask(x.t.url, path, { method });
        expect([method, refused.status]).toEqual([method, 405]);
      }
    }
    const before = (await get(`/o/acme/${code}.json`)).headers.etag;
    await x.api('PATCH', `/events/${code}`, { name: 'Another name' });
    const after = await get(`/o/acme/${code}.json`, { 'if-none-match': before! });
    expect([after.status, JSON.parse(after.text).name]).toEqual([200, 'Another name']);
  });

  test('what is not there is said in JSON, which every origin may read', async () => {
    for (const path of ['/o/acme/nothing.json', '/o/nobody/events.json', '/o/nobody/x.json']) {
      const got = await get(path);
      expect([got.status, got.headers['access-control-allow-origin']]).toEqual([404, '*']);
      expect(JSON.parse(got.text)).toMatchObject({ error: { code: 'not_found' } });
    }
  });

  test('it is as small as the client allows', async () => {
    const { code } = await x.event();
    for (const path of [`/o/acme/${code}.json`, `/o/acme/${code}`, '/o/acme']) {
      const plain = await x.get(path);
      for (const [header, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip', 'gzip'],
        ['gzip;q=0.8, br;q=0.9', 'br'],
        ['br;q=0, gzip', 'gzip'],
        ['br;q=0.0, gzip;q=0', undefined],
        ['identity', undefined],
        ['', undefined],
      ] as const) {
        const got = await x.get(path, { 'accept-encoding': header });
        expect([header, got.headers['content-encoding']]).toEqual([header, encoding]);
        expect(got.text).toBe(plain.text);
        expect(got.headers.vary).toContain('Accept-Encoding');
        if (encoding !== undefined) expect(got.bytes.length).toBeLessThan(plain.bytes.length);
      }
    }
  });
});

describe('the page of an event', () => {
  const langOf = (html: string) => /<html lang="(\w+)">/.exec(html)?.[1];

  test('in the language that was chosen, else that of the browser, else that of the event', async () => {
    const { code } = await x.event({ event: { language: 'fr' } });
    const at = async (query: string, accept?: string) =>
      langOf((await x.get(`/o/acme/${code}${query}`, accept === undefined ? {} : { 'accept-language': accept })).text);
    expect(await at('')).toBe('fr');
    expect(await at('', '*')).toBe('fr');
    expect(await at('', 'nl, pt;q=0.9')).toBe('fr');
    expect(await at('', 'nl, es-AR;q=0.5, de;q=0.9')).toBe('de');
    expect(await at('', 'de;q=0, es;q=0.1')).toBe('es');
    expect(await at('?lang=en', 'de')).toBe('en');
    expect(await at('?lang=xx', 'de')).toBe('de');
    expect(await at('?lang=de&lang=es', 'en')).toBe('en');
    expect(await at('?lang=', 'x'.repeat(9000))).toBe('fr');
    const german = await x.get(`/o/acme/${code}?lang=de`);
    expect(new Form(german.text, 'choose').sent().get('lang')).toBe('de');
    expect(german.headers.vary).toContain('Accept-Language');
  });

  test('in the words of the organization', async () => {
    const { code } = await x.event({
      days: [
        { code: 'd1', name: 'A', date: '2030-06-01' },
        { code: 'd2', name: 'B', date: '2030-06-02' },
      ],
    });
    await settings({ terminology: { event: 'race', events: 'races', days: 'legs', registration: 'entry' } });
    expect(textOf((await get('/o/acme')).text)).toContain('acme events: races');
    const text = textOf((await get(`/o/acme/${code}`)).text);
    expect([text.includes('Legs'), text.includes('Find my entry')]).toEqual([true, true]);
    await settings({ terminology: { event: null, events: null, days: null, registration: null } });
  });

  test('times are those of the event’s place, and it says which', async () => {
    const { code } = await x.event({
      event: { timezone: 'Pacific/Auckland', starts_at: '2030-01-25T20:00:00Z', ends_at: '2030-01-26T04:30:00Z' },
      days: [{ code: 'd1', date: '2030-01-26' }],
    });
    const text = textOf((await get(`/o/acme/${code}`)).text);
    expect(text).toContain('Saturday, 26 January 2030, 09:00 – 17:30 New Zealand Time (GMT+13)');
    expect((await get(`/o/acme/${code}`)).text).toContain('data-zone="Pacific/Auckland"');
    expect(textOf((await get(`/o/acme/${code}?lang=de`)).text)).toMatch(
      /Samstag, 26\. Januar 2030, 09:00 – 17:30 .*\(GMT\+13\)/,
    );
  });

  test('the hours are right on the days on which clocks are changed in Berlin', async () => {
    const hours = async (starts_at: string, ends_at: string) => {
      const { code } = await x.event({ event: { timezone: 'Europe/Berlin', starts_at, ends_at } });
      return textOf((await get(`/o/acme/${code}`)).text);
    };
    expect(await hours('2030-10-26T23:30:00Z', '2030-10-27T02:30:00Z')).toContain(
      'Sunday, 27 October 2030, 01:30 – 03:30 Central European Time (GMT+2)',
    );
    expect(await hours('2030-03-31T00:30:00Z', '2030-03-31T01:30:00Z')).toContain(
      'Sunday, 31 March 2030, 01:30 – 03:30 Central European Time (GMT+1)',
    );
    const day = (date: string, opens: string, closes: string) => ({
      code: date,
      date,
      opens_at: `${date}T${opens}Z`,
      closes_at: `${date}T${closes}Z`,
    });
    const { code } = await x.event({
      event: { timezone: 'Europe/Berlin' },
      days: [
        day('2030-10-26', '08:00:00', '16:00:00'),
        day('2030-10-27', '09:00:00', '17:00:00'),
        { ...day('2030-10-28', '09:00:00', '17:00:00'), name: 'The last' },
      ],
    });
    const text = textOf((await get(`/o/acme/${code}`)).text);
    for (const line of [
      'Sat, 26 October 2030, 10:00 – 18:00',
      'Sun, 27 October 2030, 10:00 – 18:00',
      'The last Mon, 28 October 2030, 10:00 – 18:00',
    ])
      expect(text).toContain(line);
  });

  test('its policy allows nothing but what is ours, and frames only where the organization says so', async () => {
    const { code } = await x.event();
    const policy = (got: Got) => got.headers['content-security-policy'];
    const usual = (ancestors: string) =>
      new RegExp(
        `^default-src 'none'; script-src 'self'; style-src 'sha256-[A-Za-z0-9+/]{43}='; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors ${ancestors}$`,
      );
    const paths = ['/o/acme', `/o/acme/${code}`, `/o/acme/${code}/register`, `/o/acme/${code}/done`, '/o/acme/nothing'];
    for (const path of paths) {
      const got = await get(path);
      expect(policy(got)).toMatch(usual("'none'"));
      expect(policy(await get(`${path}?embed=1`))).toMatch(usual("'none'"));
      expect(got.headers).toMatchObject({ 'referrer-policy': 'same-origin', 'x-content-type-options': 'nosniff' });
      expect(got.headers['set-cookie']).toBeUndefined();
    }
    const style = /<style>(.*?)<\/style>/s.exec((await get('/o/acme')).text)?.[1];
    expect(policy(await get('/o/acme'))).toContain(`'sha256-${createHash('sha256').update(style!).digest('base64')}'`);
    const before = (await get(`/o/acme/${code}?embed=1`)).headers.etag!;
    await settings({ embed_origins: ['https://www.example.org', 'http://[::1]:8080'] });
    // A browser that is told 304 keeps the policy of before.
    expect((await get(`/o/acme/${code}?embed=1`, { 'if-none-match': before })).status).toBe(200);
    for (const path of paths) {
      expect(policy(await get(path))).toMatch(usual("'none'"));
      expect(policy(await get(`${path}?embed=0`))).toMatch(usual("'none'"));
      expect(policy(await get(`${path}?embed=1`))).toMatch(usual('https://www\\.example\\.org http://\\[::1\\]:8080'));
    }
    await settings({ embed_origins: [] });
  });

  test('the calendar file', async () => {
    const { id, code } = await x.event({
      event: {
        name: 'Fair;\\ A,B',
        venue: 'Hall\nATTENDEE:mailto:x',
        starts_at: '2030-06-01T08:00:00Z',
        ends_at: '2030-06-01T10:00:00Z',
      },
    });
    const link = addressesIn((await get(`/o/acme/${code}`)).text).find((to) => to.endsWith('.ics'));
    const got = await get(link!);
    expect([got.status, got.headers['content-type'], got.headers['content-disposition']]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      `attachment; filename="${code}.ics"`,
    ]);
    const lines = got.text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'BEGIN:VCALENDAR',
        `UID:${id}@turnout`,
        'DTSTART:20300601T080000Z',
        'DTEND:20300601T100000Z',
        'SUMMARY:Fair\\;\\\\ A\\,B',
        'LOCATION:Hall ATTENDEE:mailto:x',
        `DESCRIPTION:${PUBLIC_URL}/o/acme/${code}`,
        'END:VCALENDAR',
      ]),
    );
    expect(lines.some((line) => line.startsWith('ATTENDEE'))).toBe(false);
    const undated = await x.event();
    await x.t.system((tx) =>
      tx.run(sql`update events set days_start_at = null, days_end_at = null where id = ${toUuid(undated.id)}`),
    );
    expect((await get(`/o/acme/${undated.code}/calendar.ics`)).status).toBe(404);
    expect((await get(`/o/acme/${undated.code}`)).text).not.toContain('calendar.ics');
  });

  test('robots stay out of what belongs to somebody', async () => {
    const got = await get('/o/acme/robots.txt');
    expect([got.status, got.headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(got.text).toContain('Disallow: /my');
    expect(got.text).not.toMatch(/Disallow: \/\s/);
  });
});

describe('what organizers type stays text', () => {
  const EVIL = [
    '</script><script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    `' onmouseover='alert(1)`,
    '<!--',
    '</title></textarea></style>',
    '[a](javascript:alert(1))',
    '{{constructor}}',
    '&lt;b&gt;',
  ].join(' ');
  /** Everything about a page that a browser acts on: its tags and the names of their attributes, and what attributes do something. */
  const structure = (html: string) =>
    tokensOf(html).flatMap((one) =>
      one.is === 'start' ? [`${one.tag} ${Object.keys(one.attributes).sort().join(' ')}`] : [],
    );

  async function pagesWith(text: string): Promise<Record<string, string>> {
    const line = text.slice(0, 180);
    const { code } = await x.event({
      event: { name: line, venue: text, description: text, terms: text, starts_at: '2030-06-01T08:00:00Z' },
      days: [
        { code: 'd1', name: line, date: '2030-06-01' },
        { code: 'd2', name: line, date: '2030-06-02' },
      ],
      types: [
        { code: 'a', name: line, price_minor: 100 },
        { code: 'b', name: line },
      ],
      questions: [
        { code: 'q1', label: text, kind: 'text', required: true },
        { code: 'q2', label: text, kind: 'choice', options: [line, 'x'] },
        { code: 'q3', label: text, kind: 'choices', options: [line, 'x'] },
        { code: 'q4', label: text, kind: 'choice', options: [line, '1', '2', '3', '4', '5', '6'] },
        { code: 'q5', label: text, kind: 'long_text' },
      ],
    });
    await settings({
      name: line,
      imprint_url: `https://example.org/${encodeURIComponent('x')}?${line.replaceAll(/\s/g, '')}`,
    });
    const event = await get(`/o/acme/${code}`);
    const form = await get(`/o/acme/${code}/register?n-a=1&n-b=1`);
    const fields = new Form(form.text, 'register');
    const wrong = await x.post(
      fields.action,
      fields.put('c-first', [text]).put('p0-type', [text]).put('c-email', [text]).sent('review'),
    );
    const filled = new Form(form.text, 'register').fill({
      'c-first': line,
      'c-last': line,
      'c-email': 'a@example.org',
      'c-phone': text.slice(0, 50),
      'p1-first': line,
      'p1-last': line,
      'p0-days': ['d1', 'd2'],
      'p1-days': ['d1'],
      'p0-q-q1': text,
      'p1-q-q1': text,
      'p0-q-q3': [line],
      'p0-q-q5': text,
    });
    const summary = await x.post(filled.action, filled.sent('review'));
    expect([event.status, form.status, wrong.status, summary.status]).toEqual([200, 200, 422, 200]);
    const list = await get('/o/acme');
    const done = await get(`/o/acme/${code}/done`);
    const missing = await get('/o/acme/nothing');
    await x.api('POST', `/events/${code}/archive`);
    return Object.fromEntries(
      Object.entries({ event, form, wrong, summary, list, done, missing }).map(([name, got]) => [name, got.text]),
    );
  }

  test('on every page', async () => {
    const [plain, evil] = [await pagesWith('harmless'), await pagesWith(EVIL)];
    await settings({ name: 'acme events', imprint_url: null });
    for (const [name, html] of Object.entries(evil)) {
      expect([name, structure(html)]).toEqual([name, structure(plain[name]!)]);
      for (const token of tokensOf(html)) {
        if (token.is !== 'start') continue;
        expect(Object.keys(token.attributes).filter((one) => one.startsWith('on') || one === 'srcdoc')).toEqual([]);
      }
      for (const to of addressesIn(html))
        expect(to).toMatch(/^(\/o\/acme|#|https:\/\/(turnout\.example|example\.org)\/|data:,$)/);
      expect(html).not.toMatch(/<(script|img)[^>]*(alert|=x)/);
    }
    // The control: the texts are there.
    expect(textOf(evil.event!)).toContain('<img src=x onerror=alert(1)>');
    expect(
      tokensOf(evil.form!).filter((one) => one.is === 'text' && one.text.includes('onerror=')).length,
    ).toBeGreaterThan(5);
  });

  test('the description for search engines can be read, and holds what was typed', async () => {
    const name = `</script><script>alert("&amp;")</script>\u2028<!-- '`;
    const { code } = await x.event({
      event: { name, venue: name, currency: 'JPY', starts_at: '2030-06-01T08:00:00Z' },
      types: [{ code: 'a', name, price_minor: 1250 }],
    });
    const html = (await get(`/o/acme/${code}`)).text;
    const tokens = tokensOf(html);
    const at = tokens.findIndex((one) => one.is === 'start' && one.attributes.type === 'application/ld+json');
    const inside = tokens[at + 1];
    expect(
      tokens.filter((one) => one.is === 'start' && one.tag === 'script' && one.attributes.src === undefined),
    ).toHaveLength(1);
    const event = JSON.parse(inside?.is === 'text' ? inside.text : '');
    expect(event).toMatchObject({
      '@context': 'https://schema.org',
      '@type': 'Event',
      name,
      startDate: '2030-06-01T08:00:00Z',
      url: `${PUBLIC_URL}/o/acme/${code}`,
      location: { '@type': 'Place', name },
      offers: [{ '@type': 'Offer', price: 1250, priceCurrency: 'JPY', availability: 'https://schema.org/InStock' }],
    });
  });
});

describe('links lead nowhere else', () => {
  const isOurs = (address: string, from: string): boolean => {
    const { origin, protocol } = new URL(address, `${PUBLIC_URL}${from}`);
    return origin === PUBLIC_URL || protocol === 'data:';
  };

  test('whatever host the request says it is for', async () => {
    const { code } = await x.event();
    for (const path of [
      '/o/acme',
      `/o/acme/${code}`,
      `/o/acme/${code}/register`,
      '/o/acme/events.json',
      `/o/acme/${code}.json`,
      `/o/acme/${code}/calendar.ics`,
      '/o/acme/nothing',
    ]) {
      const got = await get(path, {
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
        'x-forwarded-proto': 'gopher',
        'x-original-url': '//evil.example',
      });
      expect(got.text).not.toContain('evil');
      expect(JSON.stringify(got.headers)).not.toContain('evil');
      if (path.endsWith('.json') || path.endsWith('.ics')) continue;
      for (const to of addressesIn(got.text)) expect([to, isOurs(to, path)]).toEqual([to, true]);
    }
  });

  test('on a host of the organization’s own, too', () => {
    for (const asked of ['//evil.example', '///evil.example', '/\\evil.example', '/\\/evil.example', '/evil.example']) {
      const request = { url: `/o/acme${asked}?lang=de`, originalUrl: `${asked}?lang=de` } as FastifyRequest;
      const { base, path } = placeOf(request);
      const href = hrefOf({ base, chosen: false, embedded: false } as Site, path, { lang: 'fr' });
      expect(new URL(href, 'https://tickets.example').href).toBe('https://tickets.example/evil.example?lang=fr');
    }
  });

  test('whatever stands in the address', async () => {
    const { code } = await x.event();
    const closed = await x.event({ as: 'closed' });
    const evil = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      'javascript:alert(1)',
      '%2f%2fevil.example',
      '\t//evil.example',
    ];
    const paths = [
      ...evil.map((one) => `/o/acme/${encodeURI(one)}`),
      ...evil.map((one) => `/o/acme/${encodeURIComponent(one)}`),
      ...evil.map((one) => `/o/${encodeURIComponent(one)}/`),
      '/o/acme//evil.example',
      '/o/acme//register',
      '/o/acme//done',
      '/o//evil.example',
      '//evil.example/o/acme',
      '/o/acme/..//evil.example',
      `/o/acme/${code}//evil.example`,
      ...evil.flatMap((one) =>
        ['lang', 'after', 'r', 'new', 'embed', 'next', 'url', `n-adult`].flatMap((name) => [
          `/o/acme?${name}=${encodeURIComponent(one)}`,
          `/o/acme/${code}?${name}=${encodeURIComponent(one)}`,
          `/o/acme/${code}/done?${name}=${encodeURIComponent(one)}`,
          `/o/acme/${closed.code}/register?${name}=${encodeURIComponent(one)}`,
        ]),
      ),
    ];
    for (const path of paths) {
      const got = await x.get(path);
      expect([path, got.status < 500]).toEqual([path, true]);
      if (got.headers.location !== undefined) expect([path, isOurs(got.headers.location, path)]).toEqual([path, true]);
      if (got.headers['content-type']?.startsWith('text/html') !== true) continue;
      for (const to of addressesIn(got.text)) expect([path, to, isOurs(to, path)]).toEqual([path, to, true]);
    }
  });
});
