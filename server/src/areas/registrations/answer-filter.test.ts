import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { fillBounds, keepFilters } from '../events/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
const usual = { ...fillBounds };
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme', { scopes: ['read', 'write', 'admin', 'scanner'] })).secret;
  await done('POST', '/groups', { code: 'north', name: 'North' });
  north = (await t.key('acme', { group: 'north' })).secret;
});
afterEach(() => Object.assign(fillBounds, usual));
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown, as = key): Promise<Row> {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
const DIET = { code: 'diet', label: 'What do you eat?', kind: 'choice', options: ['vegan', 'fish', 'meat, please'] };
const SHIRT = { code: 'shirt', label: 'Shirts', kind: 'choices', options: ['S', 'M', 'L'] };
const PHOTO = { code: 'photo', label: 'A photo?', kind: 'yes_no' };
let events = 0;
/** A published event of its own, with three questions. Returns its code. */
async function makeEvent(filterable: boolean): Promise<string> {
  events += 1;
  const code = `fair${events}`;
  await done('POST', '/events', { code, name: code });
  // Open now, wherever the event is and whatever the time is.
  const at = (hours: number) => new Date(t.clock.now().getTime() + hours * HOUR).toISOString();
  const day = { code: 'd1', date: at(0).slice(0, 10), opens_at: at(-1), closes_at: at(24) };
  await done('POST', `/events/${code}/days`, day);
  await done('POST', `/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
  for (const question of [DIET, SHIRT, PHOTO])
    await done('POST', `/events/${code}/questions`, { ...question, ...(filterable && { filterable }) });
  await done('POST', `/events/${code}/publish`);
  return code;
}
const register = (event: string, name: string, answers: object = {}, more: object = {}): Promise<Row> =>
  done('POST', `/events/${event}/registrations`, {
    attendees: [{ attendee_type: 'adult', first_name: name, last_name: 'Doe', answers, ...more }],
    send_emails: false,
  });
const answerQuery = (answers: string[]) => answers.map((one) => `answers=${encodeURIComponent(one)}`).join('&');
/** The first names of whom a list shows, in its order, read in pages of two. */
async function names(event: string, answers: string[], more = '', as = key): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page }: Row = await done(
      'GET',
      `/events/${event}/attendees?limit=2&${answerQuery(answers)}${more}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      undefined,
      as,
    );
    found.push(...data.map((one: Row) => one.first_name));
    cursor = page.next_cursor;
  }
  return found;
}
const sorted = async (...of: Parameters<typeof names>) => (await names(...of)).sort();
const question = (event: string, code: string, change: object) =>
  done('PATCH', `/events/${event}/questions/${code}`, change);
const keep = () => keepFilters(t.pool, t.clock);
const isReady = (event: string): Promise<boolean> =>
  t.system(async (tx) => {
    const rows = await tx.all<{ ready: boolean }>(sql`
      select f.ready from answer_filters f join events e on e.org_id = f.org_id and e.id = f.event_id
      where e.code = ${event} and not f.ended`);
    return rows.length > 0 && rows.every((row) => row.ready);
  });
/** The rows as they are, and as they should be by the attendees. */
const rows = (event: string) =>
  t.system(async (tx) => {
    const own = sql`e.code = ${event}`;
    const are = await tx.all<Row>(sql`
      select v.attendee_id, q.code, v.value, v.name_key, v.updated_at from attendee_answers v
      join questions q on q.filter_id = v.filter_id join events e on e.id = q.event_id where ${own} order by 1, 2, 3`);
    const should = await tx.all<Row>(sql`
      select a.id as attendee_id, q.code, v.value, a.name_key, a.updated_at from attendees a join events e on e.id = a.event_id
      join questions q on q.event_id = e.id and q.filter_id is not null
      cross join lateral answer_values(a.answers, q.code) v(value) where ${own} order by 1, 2, 3`);
    return { are, should };
  });
async function expectRows(event: string): Promise<void> {
  const { are, should } = await rows(event);
  expect(are).toEqual(should);
}

describe('a question', () => {
  test('can be filterable if its answers are chosen', async () => {
    const event = await makeEvent(true);
    expect((await done('GET', `/events/${event}/questions/diet`)).filterable).toBe(true);
    const reply = await t.call('POST', `/v1/events/${event}/questions`, {
      key,
      body: { label: 'Name?', kind: 'text', filterable: true },
    });
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, 'filterable']);
    // With another kind it is no longer filterable, as its options are dropped.
    expect((await question(event, 'photo', { kind: 'text' })).filterable).toBe(false);
    expect((await question(event, 'photo', { kind: 'yes_no' })).filterable).toBe(false);
    expect((await question(event, 'photo', { filterable: true })).filterable).toBe(true);
    expect((await question(event, 'photo', { label: 'One photo?' })).filterable).toBe(true);
  });

  test('ten of an event can be filterable', async () => {
    const event = await makeEvent(true);
    const make = (n: number) =>
      t.call('POST', `/v1/events/${event}/questions`, { key, body: { ...PHOTO, code: `q${n}`, filterable: true } });
    for (let n = 4; n <= 10; n += 1) expect((await make(n)).status).toBe(201);
    expect((await make(11)).body.error.code).toBe('invalid_state');
    const again = await t.call('PATCH', `/v1/events/${event}/questions/q4`, { key, body: { code: 'other' } });
    expect([again.status, again.body.filterable]).toEqual([200, true]);
    await done('DELETE', `/events/${event}/questions/diet`);
    expect((await make(11)).status).toBe(201);
  });

  test('stays filterable in a template', async () => {
    const event = await makeEvent(true);
    const template = await done('GET', `/events/${event}/template`);
    expect(template.questions.map((one: Row) => one.filterable)).toEqual([true, true, true]);
    for (const one of template.questions) if (one.code === 'photo') delete one.filterable; // as an earlier release wrote it
    const many = Array.from({ length: 11 }, (_, n) => ({ ...template.questions[0], code: `q${n}` }));
    const refused = await t.call('POST', '/v1/event-templates/imports', {
      key,
      body: { template: { ...template, questions: many } },
    });
    expect([refused.status, refused.body.error.details.map((one: Row) => one.path)]).toEqual([
      400,
      ['template/questions/10/filterable'],
    ]);
    const job = await done('POST', '/event-templates/imports', { template });
    const copied = (await done('GET', `/events/${job.event_id}/questions`)).data;
    expect(Object.fromEntries(copied.map((one: Row) => [one.code, one.filterable]))).toEqual({
      diet: true,
      shirt: true,
      photo: false,
    });
  });
});

describe('attendees by answers', () => {
  let event: string;
  beforeAll(async () => {
    event = await answered();
  });
  /** An event of its own, with five people. */
  async function answered(): Promise<string> {
    const code = await makeEvent(true);
    await register(code, 'Ann', { diet: 'vegan', shirt: ['S', 'M'], photo: true });
    await register(code, 'Ben', { diet: 'fish', shirt: ['M'], photo: false }, { group: 'north' });
    await register(code, 'Cem', { diet: 'vegan', photo: true }, { group: 'north' });
    await register(code, 'Dag', { diet: 'meat, please', shirt: ['L'] });
    await register(code, 'Eva');
    return code;
  }

  test.each([
    [['diet:vegan'], ['Ann', 'Cem']],
    [['DIET:vegan'], ['Ann', 'Cem']],
    [['diet:Vegan'], []],
    [['diet:meat, please'], ['Dag']],
    [['photo:true'], ['Ann', 'Cem']],
    [['photo:false'], ['Ben']],
    [['photo:'], ['Dag', 'Eva']],
    [['shirt:M'], ['Ann', 'Ben']],
    [
      ['shirt:S', 'shirt:M'],
      ['Ann', 'Ben'],
    ],
    [
      ['diet:vegan', 'diet:fish'],
      ['Ann', 'Ben', 'Cem'],
    ],
    [['diet:vegan', 'shirt:M'], ['Ann']],
    [['diet:vegan', 'shirt:'], ['Cem']],
    [['diet:vegan', 'photo:false'], []],
    [['diet:nothing'], []],
  ])('%j finds %j in every order', async (answers, found) => {
    expect(await isReady(event)).toBe(true);
    expect(await names(event, answers)).toEqual(found);
    expect(await names(event, answers, '&order=name')).toEqual(found);
    expect(await names(event, answers, '&order=newest')).toEqual(found.toReversed());
  });

  test('with a search, a status and a change since', async () => {
    expect(await names(event, ['diet:vegan'], '&search=cem')).toEqual(['Cem']);
    expect(await names(event, ['diet:vegan'], '&search=cem&order=newest')).toEqual(['Cem']);
    expect(await names(event, ['diet:fish'], '&search=cem')).toEqual([]);
    expect(await names(event, ['diet:vegan'], '&status=cancelled')).toEqual([]);
    expect(await names(event, ['diet:vegan'], '&status=confirmed')).toEqual(['Ann', 'Cem']);
    const [cem] = (await done('GET', `/events/${event}/attendees?search=cem`)).data;
    expect(await names(event, ['diet:vegan'], `&updated_since=${cem.updated_at}`)).toEqual(['Cem']);
    expect(await names(event, ['diet:vegan'], `&updated_since=${cem.updated_at}&order=name`)).toEqual(['Cem']);
  });

  test('a key that is limited to a group finds those of its group', async () => {
    expect(await names(event, ['diet:vegan'], '', north)).toEqual(['Cem']);
    expect(await names(event, ['diet:vegan', 'diet:fish'], '&order=name', north)).toEqual(['Ben', 'Cem']);
    expect(await names(event, ['photo:'], '', north)).toEqual([]);
  });

  test('only filterable questions of the event can be asked for', async () => {
    await done('POST', `/events/${event}/questions`, { ...PHOTO, code: 'plain' });
    const reply = await t.call(
      'GET',
      `/v1/events/${event}/attendees?${answerQuery(['plain:true', 'nobody:knows', 'vegan', 'diet:vegan', ':x'])}`,
      { key },
    );
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toEqual([
      { path: 'answers/0', message: 'the question plain is not filterable' },
      { path: 'answers/1', message: 'no such question: nobody' },
      { path: 'answers/2', message: expect.stringContaining('a colon') },
      { path: 'answers/4', message: expect.stringContaining('a colon') },
    ]);
    const long = await t.call('GET', `/v1/events/${event}/attendees?answers=${'x'.repeat(300)}`, { key });
    expect([long.status, long.body.error.details[0].path]).toEqual([400, 'answers/0']);
  });

  test('exports and bulk actions take the same filter', async () => {
    // The bulk action changes an answer, which the other tests must not find.
    const event = await answered();
    await done('POST', `/events/${event}/questions`, { ...PHOTO, code: 'plain' });
    const exported = await done('POST', '/exports', {
      what: 'people',
      format: 'csv',
      event,
      filter: { answers: ['diet:vegan', 'photo:true'] },
    });
    expect(exported.counts.rows).toBe(2);
    const wrong = await t.call('POST', '/v1/exports', {
      key,
      body: { what: 'people', format: 'csv', event, filter: { answers: ['nobody:knows'] } },
    });
    expect([wrong.status, wrong.body.error.details[0].path]).toEqual([400, 'filter/answers/0']);
    const bulk = await t.call('POST', `/v1/events/${event}/bulk`, {
      key,
      body: { action: 'change', filter: { answers: ['plain:true'] }, change: { answers: { photo: false } } },
    });
    expect([bulk.status, bulk.body.error.details[0].path]).toEqual([400, 'filter/answers/0']);
    const job = await done('POST', `/events/${event}/bulk`, {
      action: 'change',
      filter: { answers: ['diet:meat, please'] },
      change: { answers: { photo: false } },
    });
    await t.step.jobs();
    expect((await done('GET', `/jobs/${job.id}`)).status).toBe('succeeded');
    expect(await sorted(event, ['photo:false'])).toEqual(['Ben', 'Dag']);
    await expectRows(event);
  });
});

describe('whatever changes a person', () => {
  test('changes what filters find: answers, name, cancelling, moving, scanning, undoing, erasing', async () => {
    const event = await makeEvent(true);
    await done('POST', `/events/${event}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
    const ann = await register(event, 'Ann', { diet: 'vegan', shirt: ['S'] }, { email: 'ann@example.org' });
    await register(event, 'Ben', { diet: 'vegan' });
    const path = `/events/${event}/attendees/${ann.attendees[0].id}`;
    await done('PATCH', path, { answers: { diet: 'fish', shirt: ['S', 'L'] } });
    expect([await names(event, ['diet:vegan']), await names(event, ['diet:fish'])]).toEqual([['Ben'], ['Ann']]);
    await expectRows(event);
    await done('PATCH', path, { answers: { diet: null }, last_name: 'Zed', group: 'north' });
    expect(await names(event, ['diet:'])).toEqual(['Ann']);
    expect(await names(event, ['shirt:', 'shirt:L'], '&order=name')).toEqual(['Ben', 'Ann']);
    await expectRows(event);

    const code = (await done('GET', path)).tickets[0].code;
    const scan = await done('POST', `/events/${event}/scan`, {
      code,
      check_in_point: 'gate',
      client_uuid: crypto.randomUUID(),
    });
    expect(scan.admitted).toBe(true);
    await expectRows(event);
    expect(await names(event, ['shirt:', 'shirt:L'])).toEqual(['Ben', 'Ann']);
    expect(await names(event, ['shirt:L'], '&checked_in=true')).toEqual(['Ann']);

    await done('POST', `${path}/cancel`);
    expect(await names(event, ['shirt:L'], '&status=cancelled')).toEqual(['Ann']);
    await expectRows(event);
    await done('POST', `/contacts/${(await done('GET', path)).contact_id}/erase`);
    expect(await names(event, ['shirt:L'])).toEqual([]);
    await expectRows(event);
  });

  test('an option that is removed still finds those who chose it', async () => {
    const event = await makeEvent(true);
    await register(event, 'Ann', { diet: 'fish' });
    await question(event, 'diet', { options: ['vegan'] });
    expect(await names(event, ['diet:fish'])).toEqual(['Ann']);
  });
});

describe('a question that becomes filterable when people have answered', () => {
  async function answeredEvent(people: number): Promise<string> {
    const event = await makeEvent(false);
    for (let n = 0; n < people; n += 1) {
      const diet = n % 2 === 0 ? 'vegan' : 'fish';
      await register(event, `P${n}`, { diet }, { last_name: n % 3 === 0 ? 'Same' : `Doe${n}` });
    }
    return event;
  }

  test('finds everybody at once, also while their answers are still being written', async () => {
    fillBounds.people = 2;
    const event = await answeredEvent(7);
    await question(event, 'diet', { filterable: true });
    expect(await isReady(event)).toBe(false);
    const even = ['P0', 'P2', 'P4', 'P6'];
    expect(await names(event, ['diet:vegan'])).toEqual(even);
    expect(await sorted(event, ['diet:vegan'], '&order=name')).toEqual(even);
    await keep();
    expect(await isReady(event)).toBe(true);
    await expectRows(event);
    expect(await names(event, ['diet:vegan'])).toEqual(even);
    expect(await sorted(event, ['diet:vegan'], '&order=name')).toEqual(even);
  });

  test('finds the same before and after its rows are written, however an answer is stored', async () => {
    const event = await makeEvent(false);
    await register(event, 'Ann', { shirt: ['S', 'M'], photo: true });
    await register(event, 'Ben', { shirt: ['L'], photo: false });
    await register(event, 'Cem');
    await register(event, 'Dag', { photo: true });
    // As an import keeps a column under its heading, and as a question of another kind was answered before.
    await t.system((tx) =>
      tx.run(sql`update attendees a set answers = '{"SHIRT": "M", "Photo": "true", "photo ": "x", "diet": 5}'
        from events e where e.id = a.event_id and e.code = ${event} and a.first_name = 'Dag'`),
    );
    fillBounds.people = 1;
    for (const code of ['shirt', 'photo', 'diet']) await question(event, code, { filterable: true });
    const all = async () => {
      const found: Record<string, string[]> = {};
      for (const one of ['shirt:M', 'shirt:L', 'shirt:', 'photo:true', 'photo:false', 'photo:', 'diet:5', 'diet:'])
        found[one] = await sorted(event, [one]);
      return found;
    };
    expect(await isReady(event)).toBe(false);
    const before = await all();
    expect(before).toEqual({
      'shirt:M': ['Ann', 'Dag'],
      'shirt:L': ['Ben'],
      'shirt:': ['Cem'],
      'photo:true': ['Ann', 'Dag'],
      'photo:false': ['Ben'],
      'photo:': ['Cem'],
      'diet:5': ['Dag'],
      'diet:': ['Ann', 'Ben', 'Cem'],
    });
    await keep();
    expect(await isReady(event)).toBe(true);
    expect(await all()).toEqual(before);
  });

  test('goes on where it was interrupted', async () => {
    fillBounds.people = 2;
    const event = await answeredEvent(7);
    await question(event, 'diet', { filterable: true });
    await keepFilters(t.pool, t.clock, 1); // one piece, and then the time is up
    const written = (await rows(event)).are.length;
    expect(written).toBeGreaterThan(1);
    expect(written).toBeLessThan(7);
    await keep();
    await expectRows(event);
    expect((await rows(event)).are).toHaveLength(7);
  });

  test('loses nothing that is registered, changed or renamed in between', async () => {
    fillBounds.people = 1;
    const event = await answeredEvent(12);
    const list = (await done('GET', `/events/${event}/attendees?limit=50&order=name`)).data;
    await question(event, 'diet', { filterable: true });
    const changes = [
      ...list.slice(0, 6).map(
        (one: Row, n: number) => () =>
          done('PATCH', `/events/${event}/attendees/${one.id}`, {
            answers: { diet: 'meat, please' },
            // Half of them move behind, half before the place that has been reached.
            last_name: n % 2 === 0 ? 'Zzz' : 'Aaa',
          }),
      ),
      ...[1, 2, 3].map((n) => () => register(event, `New${n}`, { diet: 'fish' })),
    ];
    const filling = keep();
    for (const change of changes) await change();
    await filling;
    await keep();
    expect(await isReady(event)).toBe(true);
    await expectRows(event);
    expect(await names(event, ['diet:meat, please'])).toHaveLength(6);
  });

  test('the control: a piece that is written without the clock brings an old answer back', async () => {
    const event = await answeredEvent(1);
    const [one] = (await done('GET', `/events/${event}/attendees`)).data;
    fillBounds.people = 0; // nothing is written at once
    await question(event, 'diet', { filterable: true });
    const id = toUuid(one.id);
    await t.system(async (tx) => {
      // What a piece does, with a change of the person between its reading and its writing.
      const read =
        await tx.one<Row>(sql`select a.answers ->> 'diet' as value, a.name_key, a.updated_at, q.filter_id, a.org_id
        from attendees a join questions q on q.event_id = a.event_id and q.filter_id is not null where a.id = ${id}`);
      await done('PATCH', `/events/${event}/attendees/${one.id}`, { answers: { diet: 'fish' } });
      await tx.run(sql`insert into attendee_answers (org_id, attendee_id, filter_id, value, name_key, updated_at)
        values (${read.org_id}, ${id}, ${read.filter_id}, ${read.value}, ${read.name_key}, ${read.updated_at}) on conflict do nothing`);
    });
    const { are, should } = await rows(event);
    expect(should.map((row: Row) => row.value)).toEqual(['fish']);
    expect(are.map((row: Row) => row.value)).toEqual(['fish', 'vegan']);
    await question(event, 'diet', { filterable: false });
  });

  test('begins anew when it is switched off and on, and when its code changes', async () => {
    const event = await answeredEvent(4);
    await question(event, 'diet', { filterable: true });
    await question(event, 'diet', { filterable: false });
    const off = await t.call('GET', `/v1/events/${event}/attendees?answers=diet:vegan`, { key });
    expect(off.status).toBe(400);
    // While it is off, nobody writes rows; those from before must not be found when it is on again.
    const [one] = (await done('GET', `/events/${event}/attendees?search=P0`)).data;
    await done('PATCH', `/events/${event}/attendees/${one.id}`, { answers: { diet: 'fish' } });
    await question(event, 'diet', { filterable: true });
    expect(await sorted(event, ['diet:fish'])).toEqual(['P0', 'P1', 'P3']);
    expect(await names(event, ['diet:vegan'])).toEqual(['P2']);
    await question(event, 'diet', { code: 'food' });
    expect(await names(event, ['food:fish'])).toEqual([]);
    expect(await names(event, ['food:'])).toHaveLength(4);
    await question(event, 'food', { code: 'DIET' });
    expect(await names(event, ['diet:vegan'])).toEqual(['P2']);
    await keep();
    await expectRows(event);
    const left = await t.system((tx) =>
      tx.one<{ rows: number; filters: number }>(sql`
        select (select count(*)::int from attendee_answers v join attendees a on a.id = v.attendee_id where a.event_id = e.id) as rows,
          (select count(*)::int from answer_filters f where f.event_id = e.id) as filters
        from events e where e.code = ${event}`),
    );
    expect(left).toEqual({ rows: 4, filters: 1 });
  });

  test('the rows of a deleted question are removed in pieces', async () => {
    const event = await answeredEvent(5);
    await question(event, 'diet', { filterable: true });
    await done('DELETE', `/events/${event}/questions/diet`);
    fillBounds.removed = 2;
    await keep();
    const left = await t.system((tx) =>
      tx.one<{ rows: number }>(sql`select count(*)::int as rows from attendee_answers v
        join attendees a on a.id = v.attendee_id join events e on e.id = a.event_id where e.code = ${event}`),
    );
    expect(left.rows).toBe(0);
  });
});
