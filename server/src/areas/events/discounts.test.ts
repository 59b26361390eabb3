import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { sql } from '../../store/sql.ts';

let t: TestTurnout;
let key: string;
/** Keys limited to a group. The event belongs to north; coast and hills are below it. */
const limited: Record<string, string> = {};

const call = (method: string, path: string, body?: object, as = key) =>
  t.call(method, `/v1${path}`, { key: as, ...(body && { body }) });
const made = async (path: string, body: object, as = key) => {
  const reply = await call('POST', path, body, as);
  expect(reply.status, reply.text).toBe(201);
  return reply.body;
};
const discount = (body: object, as = key) =>
  made('/events/fair/discounts', { name: 'A discount', kind: 'percent', value: 10, ...body }, as);
const answer = ({ status, body }: Reply) => [status, body?.error?.code];
const faults = ({ status, body }: Reply) => [status, body?.error?.details?.map((one: { path: string }) => one.path)];
const codes = async (query: string, as = key, event = 'fair') => {
  const reply = await call('GET', `/events/${event}/discounts?${query}`, undefined, as);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data.map((one: { code: string }) => one.code).sort();
};

beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { rpm: 1_000_000 })).secret;
  for (const [code, parent] of [['north'], ['coast', 'north'], ['hills', 'north'], ['south']] as const) {
    await made('/groups', { code, name: code, ...(parent && { parent }) });
    limited[code] = (await t.key('acme', { group: code, rpm: 1_000_000 })).secret;
  }
  await made('/events', { code: 'fair', name: 'Fair', group: 'north' });
  await made('/events/fair/days', { code: 'sat', date: '2055-05-01' });
  await made('/events/fair/attendee-types', { code: 'adult', name: 'Adult', price_minor: 2000 });
  await made('/events/fair/attendee-types', { code: 'crew', name: 'Crew', visible: false });
  await made('/events/fair/products', { code: 'shirt', name: 'T-shirt', price_minor: 1500, max: 2 });
  await made('/events/fair/products', { code: 'parking', name: 'Car park', price_minor: 1000, per: 'registration' });
  await call('POST', '/events/fair/publish');
});
afterAll(() => t.stop());

/** A registration that was made with a code; each person takes so many T-shirts. */
const registered = (discount_code: string, shirts: readonly number[], more: object = {}, event = 'fair') =>
  made(`/events/${event}/registrations`, {
    attendees: shirts.map((quantity, i) => ({
      ...{ attendee_type: 'adult', first_name: 'Ada', last_name: `Number ${i}`, days: ['sat'] },
      ...(quantity > 0 && { products: [{ product: 'shirt', quantity }] }),
    })),
    discount_code,
    send_emails: false,
    ...more,
  });

describe('a code', () => {
  test('is one code however it is typed, and shown as it was made', async () => {
    const { id } = await discount({ code: 'Friends-25' });
    for (const typed of ['FRIENDS25', 'friends 25', 'F-R-I-E-N-D-S-25'])
      expect(
        answer(await call('POST', '/events/fair/discounts', { code: typed, name: 'N', kind: 'percent', value: 5 })),
      ).toEqual([409, 'code_taken']);
    const found = await call('GET', `/events/fair/discounts/${encodeURIComponent('friends 25')}`);
    expect([found.body.id, found.body.code]).toEqual([id, 'Friends-25']);
    // In another event it is free.
    await made('/events', { code: 'other', name: 'Other' });
    await made('/events/other/discounts', { code: 'friends25', name: 'N', kind: 'percent', value: 5 });
  });

  test('that looks like an id is found by itself, and never in the place of an id', async () => {
    const { id } = await discount({ code: 'HAS-AN-ID' });
    const twin = await discount({ code: id, name: 'Looks like the other' });
    const like = '01JCQ8Z7M4T3V9R1X5K2N6P8DA';
    const alone = await discount({ code: like });
    const get = async (ref: string) => (await call('GET', `/events/fair/discounts/${ref}`)).body.id;
    expect([await get(id), await get(twin.id), await get(like)]).toEqual([id, twin.id, alone.id]);
  });

  test('changes only while nobody has registered with it; nor can it be deleted then', async () => {
    const free = await discount({ code: 'TYPO-1' });
    expect((await call('PATCH', `/events/fair/discounts/${free.id}`, { code: 'RIGHT-1' })).body.code).toBe('RIGHT-1');
    expect((await call('DELETE', `/events/fair/discounts/${free.id}`)).status).toBe(204);
    const used = await discount({ code: 'USED-1' });
    const { id } = await registered('USED-1', [0]);
    const path = `/events/fair/discounts/${used.id}`;
    const refuses = async () => {
      expect(answer(await call('PATCH', path, { code: 'OTHER-1' }))).toEqual([409, 'invalid_state']);
      expect(answer(await call('PATCH', path, { code: 'used-1' }))).toEqual([409, 'invalid_state']);
      expect(answer(await call('DELETE', path))).toEqual([409, 'invalid_state']);
    };
    await refuses();
    // Also once they have cancelled: the registration still names the code.
    expect((await call('POST', `/events/fair/registrations/${id}/cancel`, {})).status).toBe(200);
    await refuses();
    expect((await call('PATCH', path, { active: false })).body.active).toBe(false);
  });
});

describe('400 validation_failed', () => {
  const create = (body: object) =>
    call('POST', '/events/fair/discounts', { code: 'WRONG-1', name: 'N', kind: 'percent', value: 10, ...body });

  test('percent takes 1 to 100, also when only one of kind and value changes', async () => {
    for (const value of [0, 101]) expect(faults(await create({ value }))).toEqual([400, ['value']]);
    const { id } = await discount({ code: 'BOUNDS-1', kind: 'amount', value: 500 });
    expect(faults(await call('PATCH', `/events/fair/discounts/${id}`, { kind: 'percent' }))).toEqual([400, ['value']]);
    const changed = await call('PATCH', `/events/fair/discounts/${id}`, { kind: 'percent', value: 100 });
    expect([changed.body.kind, changed.body.value]).toEqual(['percent', 100]);
    expect((await discount({ code: 'BOUNDS-2', kind: 'price', value: 0 })).value).toBe(0);
  });

  test('it closes after it opens, and all faults are named at once', async () => {
    const times = { opens_at: '2055-01-01T00:00:00Z', closes_at: '2055-01-01T00:00:00Z' };
    expect(faults(await create({ ...times, value: 0, max_people: 0 }))).toEqual([
      400,
      ['max_people', 'value', 'closes_at'],
    ]);
    const { id } = await discount({ code: 'TIMES-1', opens_at: times.opens_at });
    const path = `/events/fair/discounts/${id}`;
    expect(faults(await call('PATCH', path, { closes_at: '2054-01-01T00:00:00Z' }))).toEqual([400, ['closes_at']]);
    expect((await call('PATCH', path, { opens_at: null, closes_at: '2054-01-01T00:00:00Z' })).status).toBe(200);
  });

  test('what it is for exists in the event; a code has three letters and digits', async () => {
    const wrong = { attendee_types: ['adult', 'nobody'], products: ['nothing'], reveals: ['crew'] };
    const [, paths] = faults(await create(wrong));
    expect(paths).toContain('attendee_types/1');
    for (const code of ['AB', 'A-B', '-- --', 'ÄÖÜ', 'A_BC'])
      expect(faults(await create({ code }))).toEqual([400, ['code']]);
    const right = await discount({ code: 'RIGHT-2', attendee_types: ['adult'], products: null, reveals: ['crew'] });
    expect(right).toMatchObject({ attendee_types: ['adult'], products: null, reveals: ['crew'], active: true });
    expect(await discount({ code: 'RIGHT-3' })).toMatchObject({ attendee_types: null, products: [], reveals: [] });
  });
});

describe('how often it is used, and what it took off', () => {
  test('counts who holds places, with their lines and those of the whole registration', async () => {
    const one = await discount({ code: 'GIVEN-1', products: null });
    await discount({ code: 'GIVEN-2', kind: 'amount', value: 150 });
    expect([one.used, one.given_minor]).toEqual([0, 0]);
    // Each ticket costs 20.00, each T-shirt 15.00, and the car park 10.00 for all of them.
    const first = await registered('GIVEN-1', [2, 0], { products: [{ product: 'parking' }] });
    await registered('given 2', [0]);
    const shown = async () =>
      (await call('GET', '/events/fair/discounts?search=given')).body.data.map((row: Record<string, unknown>) => [
        row.code,
        row.used,
        row.given_minor,
      ]);
    expect(await shown()).toEqual([
      ['GIVEN-1', 2, 800],
      ['GIVEN-2', 1, 150],
    ]);
    expect((await call('GET', `/events/fair/discounts/${one.id}`)).body.given_minor).toBe(800);
    // Being used is no change, neither for If-Match nor for the audit log.
    const { updated_at } = (await call('GET', `/events/fair/discounts/${one.id}`)).body;
    expect(updated_at).toBe(one.updated_at);
    expect((await call('POST', `/events/fair/registrations/${first.id}/cancel`, {})).status).toBe(200);
    const { used, given_minor } = (await call('GET', `/events/fair/discounts/${one.id}`)).body;
    expect([used, given_minor]).toEqual([0, 0]);
  });

  test('a test event counts its tests', async () => {
    await made('/events', { code: 'trial', name: 'Trial', test: true });
    await made('/events/trial/days', { code: 'sat', date: '2055-05-01' });
    await made('/events/trial/attendee-types', { code: 'adult', name: 'Adult', price_minor: 2000 });
    await call('POST', '/events/trial/publish');
    const { id } = await made('/events/trial/discounts', { code: 'TRY-1', name: 'Try', kind: 'percent', value: 10 });
    await registered('TRY-1', [0], {}, 'trial');
    const { used, given_minor } = (await call('GET', `/events/trial/discounts/${id}`)).body;
    expect([used, given_minor]).toEqual([1, 200]);
  });
});

describe('the list', () => {
  test('is searched by the beginning of the code and by words of the name', async () => {
    await discount({ code: 'PRESS-A1', name: 'Zeitung für Ærø' });
    await discount({ code: 'PRESS-B2', name: 'Radio' });
    await discount({ code: 'XPRESS-C3', name: 'Größe zählt', active: false });
    expect(await codes('search=press')).toEqual(['PRESS-A1', 'PRESS-B2']);
    expect(await codes('search=press%20b')).toEqual(['PRESS-B2']);
    expect(await codes('search=aer')).toEqual(['PRESS-A1']);
    expect(await codes('search=zahlt+grosse')).toEqual(['XPRESS-C3']);
    expect(await codes('search=zahlt&active=true')).toEqual([]);
    expect(await codes('active=false')).toContain('XPRESS-C3');
    for (const nothing of ['%25', '--', '%20']) expect(await codes(`search=${nothing}`)).toEqual([]);
  });
});

describe('callers limited to a group below that of the event', () => {
  test('see, change and delete the discounts of their groups, and no others', async () => {
    const all = await discount({ code: 'WALL-ALL' });
    const coast = await discount({ code: 'WALL-COAST', group: 'coast' });
    const own = await discount({ code: 'WALL-OWN' }, limited.coast);
    expect(own.group).toBe('coast');
    expect(await codes('search=wall', limited.coast)).toEqual(['WALL-COAST', 'WALL-OWN']);
    expect(await codes('search=wall', limited.hills)).toEqual([]);
    expect(await codes('search=wall', limited.north)).toEqual(['WALL-ALL', 'WALL-COAST', 'WALL-OWN']);
    const path = (id: string) => `/events/fair/discounts/${id}`;
    for (const ref of [all.id, 'WALL-ALL']) {
      expect(answer(await call('GET', path(ref), undefined, limited.coast))).toEqual([404, 'not_found']);
      expect(answer(await call('PATCH', path(ref), { value: 99 }, limited.coast))).toEqual([404, 'not_found']);
      expect(answer(await call('DELETE', path(ref), undefined, limited.coast))).toEqual([404, 'not_found']);
    }
    expect((await call('PATCH', path(coast.id), { value: 20 }, limited.coast)).body.value).toBe(20);
    expect((await call('DELETE', path(own.id), undefined, limited.coast)).status).toBe(204);
    expect(answer(await call('GET', '/events/fair/discounts', undefined, limited.south))).toEqual([404, 'not_found']);
  });

  test('make them only for their groups', async () => {
    const body = { code: 'REACH-1', name: 'N', kind: 'percent', value: 10 };
    const create = (more: object) => call('POST', '/events/fair/discounts', { ...body, ...more }, limited.coast);
    for (const group of ['north', 'hills', null]) expect(faults(await create({ group }))).toEqual([400, ['group']]);
    const { id } = await made('/events/fair/discounts', body, limited.coast);
    const path = `/events/fair/discounts/${id}`;
    expect(faults(await call('PATCH', path, { group: null }, limited.coast))).toEqual([400, ['group']]);
    expect((await call('PATCH', path, { group: null }, limited.north)).body.group).toBeNull();
  });

  test('are told that one has left their group, and nobody else is', async () => {
    const { id } = await discount({ code: 'LEAVES-1', group: 'coast' });
    const told = async (as: string) => {
      const { body } = await call('GET', '/events/fair/discounts?limit=200&include=removed', undefined, as);
      return body.data
        .filter((row: { id: string }) => row.id === id)
        .map((row: { removed?: true }) => (row.removed ? 'removed' : 'there'));
    };
    const everybody = async () => [
      await told(limited.coast!),
      await told(limited.hills!),
      await told(limited.north!),
      await told(key),
    ];
    expect(await everybody()).toEqual([['there'], [], ['there'], ['there']]);
    await call('PATCH', `/events/fair/discounts/${id}`, { group: 'hills' });
    expect(await everybody()).toEqual([['removed'], ['there'], ['there'], ['there']]);
    await call('PATCH', `/events/fair/discounts/${id}`, { group: 'coast' });
    expect(await everybody()).toEqual([['there'], ['removed'], ['there'], ['there']]);
    await call('DELETE', `/events/fair/discounts/${id}`);
    expect(await everybody()).toEqual([['removed'], ['removed'], ['removed'], ['removed']]);
  });
});

describe('409 invalid_state', () => {
  test('a group with discounts stays', async () => {
    await made('/groups', { code: 'guests', name: 'Guests' });
    const { id } = await discount({ code: 'GUESTS-1', group: 'guests' });
    const refused = await call('DELETE', '/groups/guests');
    expect(answer(refused)).toEqual([409, 'invalid_state']);
    expect(refused.body.error.message).toContain('1 discount');
    await call('DELETE', `/events/fair/discounts/${id}`);
    expect((await call('DELETE', '/groups/guests')).status).toBe(204);
  });

  test('types and products that a discount names stay, however many name them', async () => {
    await made('/events/fair/attendee-types', { code: 'guest', name: 'Guest' });
    for (let n = 0; n < 7; n += 1) await discount({ code: `NAMES-${n}`, reveals: ['guest'], products: ['shirt'] });
    const type = await call('DELETE', '/events/fair/attendee-types/guest');
    expect(answer(type)).toEqual([409, 'invalid_state']);
    expect(type.body.error.message.match(/NAMES-/g)).toHaveLength(5);
    expect(answer(await call('DELETE', '/events/fair/products/shirt'))).toEqual([409, 'invalid_state']);
  });

  test('of an archived event nothing changes, and beyond 20,000 nothing is added', async () => {
    const org = (await t.system((tx) => tx.one<{ id: string }>(sql`select id from organizations where code = 'acme'`)))
      .id;
    await made('/events', { code: 'full', name: 'Full' });
    await t.system((tx) =>
      tx.run(sql`
        insert into discounts (org_id, id, event_id, code, code_key, name, kind, value, active, created_at, updated_at)
        select e.org_id, gen_random_uuid(), e.id, 'N' || n, 'N' || n, 'One of many ' || n, 'percent', 10, true, now(), now()
        from events e, generate_series(1, 20000) n where e.org_id = ${org} and e.code = 'full'`),
    );
    const body = { code: 'ONE-MORE', name: 'N', kind: 'percent', value: 10 };
    expect(answer(await call('POST', '/events/full/discounts', body))).toEqual([409, 'invalid_state']);
    expect(await codes('search=nothing', key, 'full')).toEqual([]);
    await call('POST', '/events/full/archive');
    expect(answer(await call('DELETE', '/events/full/discounts/N1'))).toEqual([409, 'invalid_state']);
  });
});

test('a change that changes nothing is none; one in another event or mode is refused', async () => {
  const body = { code: 'SAME-1', attendee_types: ['adult', 'crew'], note: 'x', closes_at: '2055-02-01T00:00:00Z' };
  const one = await discount(body);
  const path = `/events/fair/discounts/${one.id}`;
  const again = await call('PATCH', path, {
    attendee_types: ['crew', 'adult'],
    closes_at: '2055-02-01T01:00:00+01:00',
  });
  expect(again.body).toEqual(one);
  expect((await call('PATCH', path, { note: null })).body.note).toBeNull();
  const test = (await t.key('acme', { mode: 'test' })).secret;
  expect(answer(await call('PATCH', path, { value: 11 }, test))).toEqual([403, 'test_key_live_object']);
  expect(answer(await call('GET', `/events/other/discounts/${one.id}`))).toEqual([404, 'not_found']);
  const log = await call('GET', `/audit-log?action=discount.changed&limit=1`);
  expect(log.body.data[0].changes.fields).toEqual({ note: { before: 'x', after: null } });
});
