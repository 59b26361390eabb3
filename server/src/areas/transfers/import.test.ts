import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
beforeAll(async () => {
  x = await openImporting();
});
afterAll(() => x.t.stop());

const HEAD = 'First name,Last name,Email,Phone,Type,Day,ID\n';
const counts = (created: number, updated = 0, unchanged = 0, rejected = 0) => ({
  created,
  updated,
  unchanged,
  rejected,
});

describe('a file of people', () => {
  // claim: import-csv, import-mails
  test('adds attendees, confirmed and with tickets, one registration per row', async () => {
    const event = await x.event({ registration: { approval: true, unique_email: true, max_people: 1 } });
    const csv = `${HEAD}Ada,Lovelace,ada@example.org,+49 30 1,adult,fri,A1\nByron,Lovelace,ada@example.org,,Child,,\n`;
    expect(await x.take(event, csv)).toEqual(counts(2));
    const [ada, byron] = await x.people(event);
    expect(ada).toMatchObject({
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.org',
      phone: '+49 30 1',
      attendee_type: 'adult',
      days: ['fri'],
      external_id: 'A1',
      status: 'confirmed',
      answers: {},
      test: false,
    });
    expect(ada.tickets).toMatchObject([{ status: 'valid' }]);
    expect(byron).toMatchObject({ attendee_type: 'child', days: ['sat'], external_id: null, status: 'confirmed' });
    expect(byron.registration_id).not.toBe(ada.registration_id);
    const registration = await x.t.call('GET', `/v1/events/${event}/registrations/${ada.registration_id}`, {
      key: x.key,
    });
    expect(registration.body).toMatchObject({ source: 'import', status: 'confirmed', contact: { id: ada.contact_id } });
    expect(await x.count('mails', event)).toBe(0);
  });

  test('is reported to webhooks and the audit log, with the key as actor', async () => {
    const event = await x.event();
    const reply = await x.send(event, `${HEAD}Ada,L,a@example.org,,adult,fri,\n`);
    await x.send(event, `${HEAD}Ada,L,a@example.org,77,adult,"fri, sat",\n`);
    const raised = await x.t.system((tx) =>
      tx.all<{ type: string }>(sql`
        select o.type from outbox o join events e on e.org_id = o.org_id and e.id = o.event_id where e.code = ${event} order by o.id`),
    );
    expect(raised.map((one) => one.type)).toEqual([
      'registration.created',
      'registration.confirmed',
      'ticket.issued',
      'registration.updated',
    ]);
    const log = await x.t.call('GET', `/v1/audit-log?event=${event}`, { key: x.key });
    const rows = log.body.data.filter((row: { action: string }) => row.action === 'people.imported');
    expect(rows.map((row: { object: { kind: string } }) => row.object.kind).sort()).toEqual([
      'attendee',
      'job',
      'job',
      'registration',
    ]);
    const changed = rows.find((row: { object: { kind: string } }) => row.object.kind === 'attendee');
    expect(changed).toMatchObject({
      source: 'api',
      objects: [{ kind: 'attendee' }, { kind: 'registration' }],
      changes: { fields: { days: { before: expect.any(Array), after: expect.any(Array) }, phone: { changed: true } } },
    });
    expect(reply.body.actor.kind).toBe('key');
  });

  // claim: import-mails
  test('sends mails only if asked to', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Ada,L,a@example.org,,adult,fri,\n`, { send_ticket_emails: true });
    expect(await x.count('mails', event)).toBe(1);
  });

  // claim: import-unknown-column
  test('may have a column for answers, a group, a birthday and several days', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/questions`, {
      code: 'size',
      label: 'T-Shirt',
      kind: 'choice',
      options: ['S', 'M'],
      required: true,
    });
    await x.post(`/events/${event}/questions`, { code: 'terms', label: 'Terms', kind: 'yes_no', required: true });
    const csv =
      'Vorname;Nachname;Typ;Tag;Gruppe;Geburtsdatum;T-Shirt;Notiz\n' +
      'Ada;L;erwachsene;fri|Samstag;The North;10.12.1990;m;Bringt Kuchen\n' +
      'Bob;M;adult;Friday, 1 May;hill;;;\n' +
      'Cid;N;adult;02.05.2055;;;;\n';
    expect(await x.take(event, csv)).toEqual(counts(3));
    expect(await x.people(event)).toMatchObject([
      {
        days: ['fri', 'sat'],
        group: 'north',
        date_of_birth: '1990-12-10',
        answers: { size: 'M', Notiz: 'Bringt Kuchen' },
      },
      { days: ['fri'], group: 'hill', date_of_birth: null, answers: {} },
      { days: ['sat'], group: null },
    ]);
  });

  test('is accepted for a draft or closed event, but not for an archived one', async () => {
    const event = await x.event();
    await x.post(`/events/${event}/close`);
    expect(await x.take(event, `${HEAD}Ada,L,,,adult,fri,\n`)).toEqual(counts(1));
    await x.post(`/events/${event}/archive`);
    const reply = await x.send(event, `${HEAD}Bob,L,,,adult,fri,\n`);
    expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
  });
});

describe('matching', () => {
  const seeded = async () => {
    const event = await x.event();
    const csv = `${HEAD}Zoë,Müller,zoe@example.org,+49 (30) 1,adult,fri,Z-1\nBob,Berg,bob@example.org,0049 40 2,adult,fri,\n`;
    expect(await x.take(event, csv)).toEqual(counts(2));
    return event;
  };

  // claim: import-keeps-tickets, import-matching
  test.each([
    [
      'by ID, ignoring case and spacing, whatever else is said',
      'Zoë Maria,Schmidt,new@example.org,,,, z-1 ',
      counts(0, 1),
    ],
    ['by e-mail and name, ignoring case and accents', 'ZOE,MULLER,Zoe@Example.org,,,,', counts(0, 0, 1)],
    ['by phone and name, by its digits', 'Zoë,Müller,,49-30-1,,,', counts(0, 1)],
    ['by phone and name, and says nothing new', 'Zoë,Müller,,+49 (30) 1,,,', counts(0, 0, 1)],
  ])('%s', async (_how, row, expected) => {
    const event = await seeded();
    const zoe = (await x.people(event)).find((one) => one.external_id === 'Z-1');
    expect(await x.take(event, `${HEAD}${row}\n`)).toEqual(expected);
    const people = await x.people(event);
    expect(people).toHaveLength(2);
    expect(people.find((one) => one.id === zoe.id).tickets).toEqual(zoe.tickets);
  });

  test('by the attendee’s own id, which does not become an external one', async () => {
    const event = await seeded();
    const bob = (await x.people(event)).find((one) => one.first_name === 'Bob');
    expect(await x.take(event, `ID,Phone\n${bob.id.toLowerCase()},77\n`)).toEqual(counts(0, 1));
    expect((await x.people(event)).find((one) => one.id === bob.id)).toMatchObject({ phone: '77', external_id: null });
  });

  // claim: import-matching
  test('a row whose ID nobody has is matched by e-mail and name, but never to an attendee with another ID', async () => {
    const event = await seeded();
    expect(await x.take(event, `${HEAD}Bob,Berg,bob@example.org,,adult,fri,B-9\n`)).toEqual(counts(0, 1));
    expect(await x.take(event, `${HEAD}Zoë,Müller,zoe@example.org,,adult,fri,Z-2\n`)).toEqual(counts(1));
    expect((await x.people(event)).map((one) => one.external_id).sort()).toEqual(['B-9', 'Z-1', 'Z-2']);
  });

  // claim: import-matching
  test('if e-mail and phone lead to two people of the same name, the e-mail decides', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Ann,Lee,ann@example.org,,adult,fri,\nAnn,Lee,,+49 30 7,adult,fri,\n`);
    const [byEmail, byPhone] = await x.people(event);
    expect(await x.take(event, `${HEAD}Ann,Lee,ann@example.org,+49 30 7,adult,sat,\n`)).toEqual(counts(0, 1));
    const after = new Map((await x.people(event)).map((one) => [one.id, one]));
    expect(after.get(byEmail.id)).toMatchObject({ phone: '+49 30 7', days: ['sat'] });
    expect(after.get(byPhone.id)).toMatchObject({ email: null, days: ['fri'] });
  });

  test('an address alone, or a name alone, matches nobody', async () => {
    const event = await seeded();
    expect(await x.take(event, `${HEAD}Carl,Berg,bob@example.org,,adult,fri,\nBob,Berg,,,adult,fri,\n`)).toEqual(
      counts(2),
    );
  });

  test('a row that matches several attendees is rejected: ambiguous_match', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Ann,Lee,ann@example.org,,adult,fri,1\nAnn,Lee,ann@example.org,,adult,fri,2\n`);
    const reply = await x.send(event, `${HEAD}Ann,Lee,ann@example.org,5,,,\n`);
    expect(reply.body.counts).toMatchObject(counts(0, 0, 0, 1));
    expect(await x.rejects(reply.body)).toMatchObject([
      { 'First name': 'Ann', import_error: expect.stringMatching(/^ambiguous_match: /) },
    ]);
  });

  test('a cancelled attendee is not matched', async () => {
    const event = await seeded();
    const bob = (await x.people(event)).find((one) => one.first_name === 'Bob');
    await x.post(`/events/${event}/registrations/${bob.registration_id}/cancel`);
    expect(await x.take(event, `${HEAD}Bob,Berg,bob@example.org,,adult,fri,\n`)).toEqual(counts(1));
  });

  test('attendees of earlier rows are matched: the same row again changes nothing, a different one changes that attendee', async () => {
    const event = await x.event();
    const row = 'Ann,Lee,ann@example.org,,adult,fri,\n';
    const csv = `${HEAD}${row}${row}Ann,Lee,ann@example.org,5,adult,sat,\nAnn,Lee,,5,,,\n`;
    expect(await x.take(event, csv, { preview: true })).toEqual(counts(1, 1, 2));
    expect(await x.take(event, csv)).toEqual(counts(1, 1, 2));
    expect(await x.people(event)).toMatchObject([{ phone: '5', days: ['sat'], tickets: [{ status: 'valid' }] }]);
  });

  test('an attendee whom a row renames is matched by the new name, not by the old one', async () => {
    const event = await seeded();
    const csv = `${HEAD}Bo,Hill,bo@example.org,,adult,fri,Z-1\nBo,Hill,bo@example.org,9,,,\nZoë,Müller,zoe@example.org,,adult,fri,\n`;
    expect(await x.take(event, csv, { preview: true })).toEqual(counts(1, 2));
    expect(await x.take(event, csv)).toEqual(counts(1, 2));
  });

  test('empty cells change nothing, and neither does the same file again', async () => {
    const event = await seeded();
    const before = await x.people(event);
    expect(await x.take(event, `${HEAD},,,,,,Z-1\nBob,Berg,bob@example.org,,,,\n`)).toEqual(counts(0, 0, 2));
    expect(await x.people(event)).toEqual(before);
  });

  test('a matched attendee who waits for approval is changed and still waits', async () => {
    const event = await x.event({ registration: { approval: true } });
    const body = {
      attendees: [
        { attendee_type: 'adult', first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org', days: ['fri'] },
      ],
    };
    await x.post(`/events/${event}/registrations`, body);
    expect(await x.take(event, `${HEAD}Ann,Lee,ann@example.org,5,,,\n`)).toEqual(counts(0, 1));
    expect(await x.people(event)).toMatchObject([{ phone: '5', status: 'pending_approval', tickets: [] }]);
  });
});

describe('groups and modes', () => {
  test('a limited key adds to its group, and rows of other groups are rejected', async () => {
    const event = await x.event();
    const csv =
      'First name,Last name,Type,Day,Group\nAda,L,adult,fri,\nBob,M,adult,fri,hill\nCid,N,adult,fri,south\nDan,O,adult,fri,nowhere\n';
    const reply = await x.send(event, csv, {}, x.northKey);
    expect(reply.body.counts).toMatchObject(counts(2, 0, 0, 2));
    const [south, nowhere] = await x.rejects(reply.body);
    expect(south!.import_error).toBe('unknown_group: There is no group "south".');
    expect(nowhere!.import_error).toBe('unknown_group: There is no group "nowhere".');
    expect((await x.people(event)).map((one) => one.group)).toEqual(['north', 'hill']);
  });

  test('a limited key never matches attendees it cannot see: not by ID, own id or e-mail', async () => {
    const event = await x.event();
    await x.take(
      event,
      'First name,Last name,Email,Type,Day,Group,ID\nAda,L,ada@example.org,adult,fri,south,A1\nBob,M,bob@example.org,adult,fri,south,\n',
    );
    const bob = (await x.people(event)).find((one) => one.first_name === 'Bob');
    const csv = `${HEAD}Ada,L,ada@example.org,5,adult,fri,A1\nBob,M,bob@example.org,5,adult,fri,${bob.id}\n`;
    expect(await x.take(event, csv, { preview: true }, x.northKey)).toEqual(counts(2));
    expect(await x.take(event, csv, {}, x.northKey)).toEqual(counts(2));
    const people = await x.people(event);
    expect(people.filter((one) => one.group === 'south').map((one) => one.phone)).toEqual([null, null]);
    expect(people.filter((one) => one.group === 'north').map((one) => one.external_id)).toEqual(['A1', bob.id]);
  });

  test('a test key imports test attendees next to live ones', async () => {
    const event = await x.event();
    const csv = `${HEAD}Ada,L,ada@example.org,,adult,fri,A1\n`;
    expect(await x.take(event, csv)).toEqual(counts(1));
    expect(await x.take(event, csv, {}, x.testKey)).toEqual(counts(1));
    expect(await x.take(event, csv, {}, x.testKey)).toEqual(counts(0, 0, 1));
    expect(await x.people(event)).toHaveLength(1);
    expect((await x.people(event, x.testKey)).map((one) => one.test).sort()).toEqual([false, true]);
  });
});

describe('a day', () => {
  test('may be a word for all days, which are those of the type; a day that is called so comes first', async () => {
    const event = await x.event();
    const csv =
      'First name,Last name,ID,Type,Day\nAda,Berg,1,adult,all\nBo,Berg,2,child,ALLE TAGE\nCy,Berg,3,adult,todos los dias\n';
    expect(await x.take(event, csv)).toEqual(counts(3, 0, 0));
    const daysOf = async () =>
      Object.fromEntries((await x.people(event)).map(({ external_id, days }) => [external_id, days]));
    expect(await daysOf()).toEqual({ 1: ['fri', 'sat'], 2: ['sat'], 3: ['fri', 'sat'] });
    await x.post(`/events/${event}/days`, { code: 'sun', name: 'All', date: '2055-05-03' });
    expect(await x.take(event, 'First name,Last name,ID,Type,Day\nAda,Berg,1,adult,all\n')).toEqual(counts(0, 1, 0));
    expect((await daysOf())[1]).toEqual(['sun']);
  });

  test('that is missing is asked for in a whole sentence', async () => {
    const event = await x.event();
    const reply = await x.send(event, 'First name,Last name,Type,Day\nAda,Berg,adult,\nBo,Berg,,\n');
    expect((await x.rejects(reply.body)).map((row) => row.import_error)).toEqual([
      'day_required: A day is needed; choose one or more of: fri, sat.',
      'type_required: A type is needed; choose one of: adult, child.',
    ]);
  });
});

test('a column is mapped to a question of the event, over the query as well', async () => {
  const event = await x.event();
  await x.post(`/events/${event}/questions`, {
    ...{ code: 'diet', label: 'What do you eat?', kind: 'choice', options: ['Vegan', 'Everything'] },
  });
  const csv = 'First name,Last name,Type,Day,Essen\nAda,Berg,adult,fri,vegan\nBo,Berg,adult,fri,meat\n';
  const reply = await x.send(event, csv, { mapping: { Essen: 'answers.diet' } });
  expect(reply.body.columns.at(-1)).toEqual({ heading: 'Essen', became: 'question', field: 'diet', why: null });
  expect((await x.people(event)).map(({ answers }) => answers)).toEqual([{ diet: 'Vegan' }]);
  expect((await x.rejects(reply.body))[0]!.import_error).toBe(
    'invalid_value: The value "meat" of diet is not an answer to the question, which takes one of its options.',
  );
  const query = new URLSearchParams({ mapping: JSON.stringify({ Essen: 'answers.meal' }) });
  const refused = await x.t.call('POST', `/v1/events/${event}/imports?${query}`, { key: x.key, body: { csv } });
  expect([refused.status, refused.body.error.details]).toEqual([
    400,
    [{ path: 'mapping/Essen', message: 'there is no question meal in this event' }],
  ]);
});

describe('rows that cannot be imported', () => {
  // claim: import-rejects
  test('are left out and returned unchanged, each with its reason', async () => {
    const event = await x.event();
    const csv =
      'First name;Last name;Email;Type;Day;Note\r\n' +
      'Ada;Lovelace;ada@example.org;adult;fri;"a ""b"";c"\r\n' +
      ';Berg;bob@example.org;adult;fri; x\r\n' +
      'Cid;Dorn;cid@example.org;vip;fri;\r\n' +
      'Dan;Ems;dan@example.org;;fri;\r\n' +
      'Eve;Falk;eve@example.org;adult;sun;\r\n' +
      'Fay;Gold;fay@example.org;adult;;\r\n' +
      'Gus;Holm;gus@example.org;child;fri;\r\n' +
      'Hal;Iver;no address;adult;fri;\r\n' +
      'Ida;Juhl;ida@example.org;adult;fri;1;2\r\n';
    const reply = await x.send(event, csv);
    expect(reply.status).toBe(201);
    expect(reply.body.counts).toMatchObject(counts(1, 0, 0, 8));
    const rejects = await x.rejects(reply.body);
    expect(rejects.map((row) => row.import_error!.split(':')[0])).toEqual([
      'name_required',
      'unknown_type',
      'type_required',
      'unknown_day',
      'day_required',
      'day_not_available',
      'invalid_value',
      'broken_row',
    ]);
    const text = await x.rejectsText(reply.body);
    expect(text.split('\r\n')[0]).toBe('"First name";"Last name";"Email";"Type";"Day";"Note";"import_error"');
    expect(text.split('\r\n')[1]).toMatch(/^;"Berg";"bob@example.org";"adult";"fri";" x";/);

    const corrected = text
      .replace('\n;"Berg"', '\nBob;Berg')
      .replace(';"vip";', ';adult;')
      .replace('dan@example.org";;', 'dan@example.org";adult;')
      .replace(';"sun";', ';sat;')
      .replace('fay@example.org";"adult";;', 'fay@example.org";adult;fri;')
      .replace(';"child";"fri";', ';child;sat;')
      .replace('no address', 'hal@example.org')
      .replace(/;"2"\r\n$/, '\r\n');
    expect(await x.take(event, corrected)).toEqual(counts(8));
    expect((await x.people(event)).flatMap((one) => Object.keys(one.answers))).toEqual(['Note', 'Note', 'Note']);
  });

  test('are rejected if the day is full, in the preview as in the import', async () => {
    const event = await x.event();
    await x.t.call('PATCH', `/v1/events/${event}/days/fri`, { key: x.key, body: { capacity: 2 } });
    const csv = `${HEAD}A,A,,,adult,fri,1\nB,B,,,adult,fri;sat,2\nC,C,,,adult,fri,3\nA,A,,,adult,sat,1\nD,D,,,adult,fri,4\nB,B,,,adult,fri,2\n`;
    const preview = await x.send(event, csv, { preview: true });
    const real = await x.send(event, csv);
    expect(real.body.counts).toMatchObject(counts(3, 2, 0, 1));
    expect(preview.body.counts).toEqual(real.body.counts);
    expect(await x.rejectsText(preview.body)).toBe(await x.rejectsText(real.body));
    expect(await x.rejects(real.body)).toMatchObject([{ ID: '3', import_error: 'day_full: The day fri is full.' }]);
    // Importing the file again rejects the same row and changes nobody.
    expect(await x.take(event, csv.replace('A,A,,,adult,fri,1\n', ''))).toMatchObject({ created: 0, rejected: 1 });
  });

  // claim: import-rejects
  test('the plan’s cap rejects the row', async () => {
    await x.t.org('small');
    await x.t.plan('small', 'scale', [['attendees_per_event', '2']]);
    const key = (await x.t.key('small')).secret;
    await x.post('/events', { code: 'tiny', name: 'Tiny' }, key);
    await x.post('/events/tiny/days', { code: 'd', date: '2055-05-01' }, key);
    await x.post('/events/tiny/attendee-types', { code: 'adult', name: 'Adult' }, key);
    const reply = await x.send('tiny', 'First name,Last name\nA,A\nB,B\nC,C\n', {}, key);
    expect(reply.body.counts).toMatchObject(counts(2, 0, 0, 1));
    expect((await x.rejects(reply.body))[0]!.import_error).toBe(
      'attendee_cap_reached: The plan allows 2 attendees for one event.',
    );
  });

  test('are rejected if others are waiting for the place', async () => {
    const event = await x.event({ registration: { waitlist: true } });
    await x.t.call('PATCH', `/v1/events/${event}/days/fri`, { key: x.key, body: { capacity: 2 } });
    const person = { attendee_type: 'adult', first_name: 'W', last_name: 'W', days: ['fri'] };
    await x.post(`/events/${event}/registrations`, { attendees: [person] });
    await x.post(`/events/${event}/registrations`, { attendees: [person, person] });
    const reply = await x.send(event, `${HEAD}Ada,L,,,adult,fri,\n`);
    expect(reply.body.counts).toMatchObject(counts(0, 0, 0, 1));
    expect((await x.rejects(reply.body))[0]!.import_error).toMatch(/^day_full: Others wait/);
  });

  test('links to the rejects work for one day', async () => {
    const event = await x.event();
    const reply = await x.send(event, `${HEAD}Ada,,,,,,\n`);
    await x.rejectsText(reply.body);
    x.t.clock.advance(25 * 3600 * 1000);
    expect((await fetch(x.t.url + new URL(reply.body.rejects_url).pathname)).status).toBe(404);
    expect((await x.job(reply.body.id)).rejects_url).toBeNull();
  });
});

describe('preview', () => {
  // claim: import-preview
  test('counts what the import would do and changes nothing', async () => {
    const event = await x.event();
    await x.take(event, `${HEAD}Ada,L,ada@example.org,,adult,fri,\n`);
    const before = [await x.people(event), await x.count('outbox', event)];
    const csv = `${HEAD}Ada,L,ada@example.org,5,,,\nBob,M,bob@example.org,,adult,fri,\nCid,,,,,,\n`;
    expect(await x.take(event, csv, { preview: true, send_ticket_emails: true })).toEqual(counts(1, 1, 0, 1));
    expect([await x.people(event), await x.count('outbox', event)]).toEqual(before);
    expect(await x.take(event, csv)).toEqual(counts(1, 1, 0, 1));
  });
});

describe('files that cannot be read', () => {
  test.each([
    ['an empty text', '', 'csv must not be empty'],
    ['nothing but empty lines', ' \n\n', 'is empty'],
    ['no headings', 'Ada,Lovelace,ada@example.org\n', 'line of headings'],
    ['the same heading twice', 'Email,Email\na@example.org,b@example.org\n', 'occurs twice'],
    ['a quote that swallows rows', 'Email,Note\na@example.org,"x\nb@example.org,y\n', 'a quote in row 2'],
  ])('400 validation_failed: %s', async (_name, csv, words) => {
    const reply = await x.send(await x.event(), csv);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(JSON.stringify(reply.body.error)).toContain(words);
  });

  test('a file of headings without rows imports nobody', async () => {
    expect(await x.take(await x.event(), HEAD)).toEqual(counts(0));
  });

  test('a last line with an open quote is rejected, the others are imported', async () => {
    const event = await x.event();
    const reply = await x.send(event, `${HEAD}Ada,L,,,adult,fri,1\nBob,M,,,adult,"fri`);
    expect(reply.body.counts).toMatchObject(counts(1, 0, 0, 1));
    expect((await x.rejects(reply.body))[0]).toMatchObject({
      'First name': 'Bob',
      Day: 'fri',
      import_error: expect.stringMatching(/^broken_row: /),
    });
  });

  test('300 columns are kept as answers', async () => {
    const event = await x.event();
    const more = Array.from({ length: 295 }, (_, i) => `q${i}`);
    const csv = `First name,Last name,Type,Day,ID,${more.join(',')}\nAda,L,adult,fri,7,${more.map((q) => `a${q}`).join(',')}\n`;
    expect(await x.take(event, csv)).toEqual(counts(1));
    const [ada] = await x.people(event);
    expect(Object.keys(ada.answers)).toHaveLength(295);
    expect(ada.answers.q294).toBe('aq294');
    expect(await x.take(event, csv)).toEqual(counts(0, 0, 1));
  });
});
