import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
beforeAll(async () => {
  x = await openImporting();
});
afterAll(() => x.t.stop());

const HEAD = 'First name,Last name,Email,Phone,Type,Day,ID\n';
const patch = (path: string, body: object) => x.t.call('PATCH', `/v1${path}`, { key: x.key, body });
const faultsOf = async (event: string, csv: string, more: object = {}): Promise<string[][]> => {
  const reply = await x.send(event, csv, more);
  expect(reply.status, reply.text).toBe(201);
  const rows = await x.rejects(reply.body);
  return rows.map((row) => row.import_error!.split(' | ').map((one) => one.split(':')[0]!));
};

describe('a rejected row names all its faults', () => {
  test('those of its cells, its references and its places, both in a preview and in an import', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/questions`, { code: 'size', label: 'Size', kind: 'number' });
    await x.post(`/events/${event}/questions`, { code: 'call', label: 'Call', kind: 'phone' });
    await x.take(event, `${HEAD}Sue,First,,,adult,sat,\n`);
    expect((await patch(`/events/${event}/days/sat`, { capacity: 1 })).status).toBe(200);
    const csv =
      'First name,Last name,Email,Type,Group,Day,Date of birth,size,call\n' +
      ',Berg,no address,vip,nowhere,sun;mon,31.02.1990,large,x\n' +
      'Ann,,no address,adult,,sat,,,\n' +
      'Bob,Lee,,child,,fri,,,no\n';
    const all = [
      [
        ...['invalid_value', 'invalid_value', 'invalid_value', 'name_required', 'unknown_type', 'unknown_group'],
        ...['unknown_day', 'unknown_day', 'invalid_value'],
      ],
      ['invalid_value', 'name_required', 'day_full'],
      ['day_not_available', 'invalid_value'],
    ];
    expect(await faultsOf(event, csv, { preview: true })).toEqual(all);
    expect(await faultsOf(event, csv)).toEqual(all);
    const [first] = await x.rejects((await x.send(event, csv)).body);
    expect(first!.import_error).toContain('The value "no address" of email must be an e-mail address.');
    expect(first!.import_error).toContain('There is no day "sun". | unknown_day: There is no day "mon".');
    expect(first!.import_error).toContain('of call must be a phone number.');
    expect(await x.people(event)).toMatchObject([{ first_name: 'Sue' }]);
  });

  test('those of a matched attendee, without the faults that only a new attendee can have', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Ann,Lee,ann@example.org,,adult,fri,7\n`);
    expect(await faultsOf(event, 'ID,Email,Group,Type\n7,nobody,nowhere,vip\n')).toEqual([
      ['invalid_value', 'unknown_type', 'unknown_group'],
    ]);
    await x.take(event, `${HEAD}Ann,Lee,ann@example.org,,adult,fri,8\n`);
    const several = 'First name,Last name,Email,Day\nAnn,Lee,ann@example.org,sun\n';
    expect(await faultsOf(event, several)).toEqual([['ambiguous_match', 'unknown_day']]);
  });

  test('but an unreadable cell is not reported as missing as well', async () => {
    const event = await x.event();
    const long = 'x'.repeat(5001);
    expect(await faultsOf(event, `${HEAD}${'y'.repeat(201)},Lee,,,${long},${long},\n`)).toEqual([
      ['invalid_value', 'invalid_value', 'invalid_value'],
    ]);
  });

  test('and of a thousand faults it names ten and the number of the others', async () => {
    const event = await x.event();
    const columns = Array.from({ length: 40 }, (_, i) => `q${i}`);
    for (const code of columns.slice(0, 15)) {
      await x.post(`/events/${event}/questions`, { code, label: code, kind: 'number' });
    }
    const reply = await x.send(event, `Name,Type,Day,${columns}\nAda L,adult,fri,${columns.map(() => 'z')}\n`);
    const [row] = await x.rejects(reply.body);
    const told = row!.import_error!.split(' | ');
    expect([told.length, told.at(-1)]).toEqual([11, 'and 5 more']);
  });
});

describe('a different spelling', () => {
  const seeded = async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Zoë,de Müller,zoe@example.org,+49 30 1,adult,fri,Z-1\n`);
    return event;
  };

  test.each([
    ['by e-mail and name', 'ZOE,De  MULLER,Zoe@Example.ORG,,,,'],
    ['by e-mail and name, with a phone', 'ZOE,de muller,zoe@example.org,+49301,,,'],
    ['by phone and name', 'zoë,DE MÜLLER,,+49 301,,,'],
  ])('is no change where the row was matched %s', async (_how, row) => {
    const event = await seeded();
    const before = await x.people(event);
    expect(await x.take(event, `${HEAD}${row}\n`)).toEqual({ created: 0, updated: 0, unchanged: 1, rejected: 0 });
    expect(await x.people(event)).toEqual(before);
  });

  test('is a change if the row was matched by ID, external or own', async () => {
    const event = await seeded();
    expect(await x.take(event, `${HEAD}ZOE,de Muller,Zoe@example.org,+49301,,,z-1\n`)).toMatchObject({ updated: 1 });
    const [zoe] = await x.people(event);
    expect(zoe).toMatchObject({ first_name: 'ZOE', last_name: 'de Muller', email: 'Zoe@example.org', phone: '+49301' });
    expect(await x.take(event, `First name,ID\nZoë,${zoe.id}\n`)).toMatchObject({ updated: 1 });
    expect(await x.people(event)).toMatchObject([{ first_name: 'Zoë', external_id: 'z-1' }]);
  });

  test('is a change if the row gives the attendee an ID; the same row again changes nothing', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}zoe,muller,zoe@example.org,,adult,fri,\n`);
    const row = `${HEAD}Zoë,Müller,zoe@example.org,,,,Z-2\n`;
    expect(await x.take(event, row)).toMatchObject({ updated: 1 });
    expect(await x.people(event)).toMatchObject([{ first_name: 'Zoë', last_name: 'Müller', external_id: 'Z-2' }]);
    expect(await x.take(event, row)).toMatchObject({ updated: 0, unchanged: 1 });
  });

  test('is no change even next to a real change; answers are stored as they are written', async () => {
    const event = await seeded();
    const csv = 'First name,Last name,Email,Phone,Note\nZOE,DE MULLER,ZOE@EXAMPLE.ORG,+49 30 2,vegan\n';
    expect(await x.take(event, csv)).toMatchObject({ updated: 1 });
    expect(await x.people(event)).toMatchObject([
      { first_name: 'Zoë', last_name: 'de Müller', email: 'zoe@example.org', phone: '+49 30 2' },
    ]);
    expect(await x.take(event, csv.replace('vegan', 'Vegan'))).toMatchObject({ updated: 1 });
    expect(await x.people(event)).toMatchObject([{ answers: { Note: 'Vegan' } }]);
  });
});

describe('an ID that is the id of an attendee of another event', () => {
  test('is not stored, whether the row adds or matches an attendee; other IDs are', async () => {
    const [one, two] = [await x.event(), await x.event()];
    await x.take(one, `${HEAD}Ann,Lee,ann@example.org,,adult,fri,\nBob,Ray,bob@example.org,,adult,fri,\n`);
    const [ann, bob] = await x.people(one);
    await x.take(two, `${HEAD}Bob,Ray,bob@example.org,,adult,fri,\n`);
    const elsewhere = '01HZZZZZZZZZZZZZZZZZZZZZZZ';
    const csv = `${HEAD}Ann,Lee,ann@example.org,,adult,fri,${ann.id}\nBob,Ray,bob@example.org,,adult,fri,${bob.id}\nCid,Fox,,,adult,fri,${elsewhere}\n`;
    expect(await x.take(two, csv, { preview: true })).toMatchObject({ created: 2, unchanged: 1 });
    expect(await x.take(two, csv)).toEqual({ created: 2, updated: 0, unchanged: 1, rejected: 0 });
    const stored = Object.fromEntries((await x.people(two)).map((person) => [person.first_name, person.external_id]));
    expect(stored).toEqual({ Ann: null, Bob: null, Cid: elsewhere });
    expect(await x.take(two, csv)).toEqual({ created: 0, updated: 0, unchanged: 3, rejected: 0 });
  });

  test('nor is any id in a file that is an export of Turnout, whatever event it is of', async () => {
    const event = await x.event();
    const csv = `${HEAD.trim()},turnout_export\nAnn,Lee,ann@example.org,,adult,fri,01HZZZZZZZZZZZZZZZZZZZZZZZ,\nBob,Ray,,,adult,fri,M-7,\n`;
    expect(await x.take(event, csv)).toMatchObject({ created: 2 });
    expect((await x.people(event)).map((person) => person.external_id)).toEqual([null, 'M-7']);
  });

  test('is stored like any other ID if the caller may not see that attendee', async () => {
    const [one, two] = [await x.event(), await x.event()];
    await x.take(one, 'First name,Last name,Type,Day,Group\nAnn,Lee,adult,fri,south\n');
    const [ann] = await x.people(one);
    await x.take(two, `${HEAD}Ann,Lee,,,adult,fri,${ann.id}\n`, {}, x.northKey);
    expect(await x.people(two, x.northKey)).toMatchObject([{ external_id: ann.id }]);
  });
});

describe('counts of tickets', () => {
  const counted = async (event: string, csv: string) => {
    const preview = await x.send(event, csv, { preview: true });
    const real = await x.send(event, csv);
    expect(preview.body.counts).toEqual(real.body.counts);
    const { tickets_issued, tickets_voided } = real.body.counts;
    return [tickets_issued, tickets_voided];
  };

  test('are the tickets that were issued and voided, and a preview counts the same', async () => {
    const event = await x.event({ ticketing: 'per_day' });
    const two = `${HEAD}Ann,Lee,,,adult,fri;sat,1\nBob,Ray,,,adult,fri,2\nCid,,,,adult,fri,3\n`;
    expect(await counted(event, two)).toEqual([3, 0]);
    expect(await counted(event, two)).toEqual([0, 0]);
    expect(
      await counted(event, `${HEAD},,,,,sat,1\n,,,,child,sat,2\nDan,Fox,,,adult,fri,4\nDan,Fox,,,,sat,4\n`),
    ).toEqual([2, 2]);
    const tickets = (await x.t.call('GET', `/v1/events/${event}/tickets?limit=200`, { key: x.key })).body.data;
    const by = (status: string) => tickets.filter((ticket: { status: string }) => ticket.status === status).length;
    expect([by('valid') + by('voided'), by('voided')]).toEqual([5, 2]);
  });

  test('one per attendee where tickets are for all days, and none for those on the waitlist', async () => {
    const event = await x.event({ registration: { approval: true } });
    const person = { attendee_type: 'adult', first_name: 'Wan', last_name: 'Ng', external_id: 'W', days: ['fri'] };
    await x.post(`/events/${event}/registrations`, { attendees: [person] });
    expect(await counted(event, `${HEAD}Ann,Lee,,,adult,fri;sat,1\n,,,,,sat,W\n`)).toEqual([1, 0]);
    expect(await counted(event, `${HEAD},,,,,sat,1\n`)).toEqual([0, 0]);
  });
});

describe('a job describes itself', () => {
  const columns = (body: { columns: unknown }) => body.columns;

  test('an import: whether it is a preview, and what became of each column', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/questions`, { code: 'diet', label: 'What do you eat?', kind: 'text' });
    const csv =
      'Vorname,Name,E-Mail,Typ,Tag,What do you eat?,Company,Skip,import_error,\nAda,L,a@example.org,adult,fri,fish,Acme,x,y,\n';
    const mapping = { Skip: 'ignore' };
    const expected = [
      { heading: 'Vorname', became: 'field', field: 'first_name', why: null },
      { heading: 'Name', became: 'field', field: 'last_name', why: null },
      { heading: 'E-Mail', became: 'field', field: 'email', why: null },
      { heading: 'Typ', became: 'field', field: 'attendee_type', why: null },
      { heading: 'Tag', became: 'field', field: 'days', why: null },
      { heading: 'What do you eat?', became: 'question', field: 'diet', why: null },
      { heading: 'Company', became: 'answer', field: 'Company', why: null },
      { heading: 'Skip', became: 'ignored', field: null, why: 'The mapping says to ignore it.' },
      { heading: 'import_error', became: 'ignored', field: null, why: expect.stringContaining('reserved') },
      { heading: '', became: 'ignored', field: null, why: expect.stringContaining('no heading') },
    ];
    for (const preview of [true, false]) {
      const { body } = await x.send(event, csv, { preview, mapping });
      expect(body).toMatchObject({ kind: 'import', preview, what: null, format: null, columns_total: 10 });
      expect(columns(body)).toEqual(expected);
      expect(await x.job(body.id)).toEqual(body);
    }
  });

  test('an import in the background, from the start to the end', async () => {
    const event = await x.event();
    const rows = Array.from({ length: 501 }, (_, i) => `P${i},L,adult,fri\n`).join('');
    const reply = await x.send(event, `First name,Last name,Type,Day\n${rows}`, { preview: true });
    expect(reply.status).toBe(202);
    expect(reply.body).toMatchObject({ preview: true, columns_total: 4 });
    await x.t.step.jobs();
    const job = await x.job(reply.body.id);
    expect(job).toMatchObject({ status: 'succeeded', preview: true, columns: reply.body.columns });
    expect(job.counts).toMatchObject({ created: 501, tickets_issued: 501, tickets_voided: 0 });
  });

  test('the number of columns and the length of headings are limited', async () => {
    const event = await x.event();
    const more = Array.from({ length: 300 }, (_, i) => `${i}-${'x'.repeat(190)}`);
    const { body } = await x.send(event, `Email,${more}\n`);
    expect([body.columns.length, body.columns_total]).toEqual([100, 301]);
    const longest = Math.max(...body.columns.map((one: { heading: string }) => one.heading.length));
    expect(longest).toBe(100);
  });

  test('an export: what, in which format, which columns', async () => {
    const event = await x.event();
    const usual = (await x.post('/exports', { what: 'people', format: 'csv', event })).body;
    expect(usual).toMatchObject({ kind: 'export', what: 'people', format: 'csv', preview: null });
    expect(usual.columns).toEqual(expect.arrayContaining(['first_name', 'answers', 'turnout_export']));
    const wanted = { what: 'people', format: 'xlsx', event, columns: ['last_name', 'answers.diet'] };
    const some = (await x.post('/exports', wanted)).body;
    expect(some).toMatchObject({ what: 'people', format: 'xlsx', columns: wanted.columns, columns_total: 2 });
    expect(await x.job(some.id)).toMatchObject({ columns: wanted.columns });
  });

  test('jobs of other kinds have none of these fields', async () => {
    const event = await x.event();
    const template = (await x.t.call('GET', `/v1/events/${event}/template`, { key: x.key })).body;
    const { body } = await x.post('/event-templates/imports', { template });
    const none = { preview: null, what: null, format: null, columns: null, columns_total: null };
    expect(body).toMatchObject({ kind: 'event_template', ...none });
  });

  test('but only to callers who may see the job', async () => {
    const event = await x.event();
    const { body } = await x.send(event, `${HEAD}Ada,L,,,adult,fri,\n`);
    expect((await x.t.call('GET', `/v1/jobs/${body.id}`, { key: x.northKey })).status).toBe(404);
  });
});
