import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DAY } from '../../clock.ts';
import { ADA, crowd, type Exporting, openExporting, type Row, START } from './export.support.ts';

type Registered = Awaited<ReturnType<Exporting['register']>>;
let x: Exporting;
let ada: Registered;
beforeAll(async () => {
  x = await openExporting();
  ada = await registerPeople(x);
  await scanAda(x, ada);
});
afterAll(() => x.t.stop());

const IMPORTED = ['First name', 'Last name', 'Email', 'Phone', 'Type', 'Group', 'Day', 'Date of birth', 'ID'];
const names = (rows: Row[]): unknown[] => rows.map((row) => row['First name']);
const exported = async (body: object, as?: string): Promise<unknown[]> => names(await x.rows(body, as)).sort();

/**
 * Exported below: Ada with every field, Bob with awkward texts an hour later, a shared ticket, one unpaid registration, and two
 * test attendees.
 */
async function registerPeople(world: Exporting): Promise<Registered> {
  const first = await world.register([ADA], { group: 'hill' });
  world.t.clock.advance(3_600_000); // 02:30 again, winter time
  await world.register([
    { first_name: '=HYPERLINK("http://x")', last_name: 'Bob "the", Builder\n2nd line', answers: { size: -1 } },
    { first_name: 'Zoë', last_name: '日本', attendee_type: 'child', days: ['d2'], group: 'south' },
  ]);
  await world.register([{ first_name: 'Gus', last_name: 'Guest', attendee_type: 'guest' }], { group: 'north' });
  await world.register([{ first_name: 'Tess', last_name: 'Test' }], {}, world.testKey);
  return first;
}
/** Ada is admitted, and scanned again; once as a test; and once by a scanner that had admitted her offline. */
async function scanAda(world: Exporting, { attendees }: Registered): Promise<void> {
  const [ticket] = attendees[0].tickets;
  expect((await world.scan(ticket.code)).body.result).toBe('accepted');
  expect((await world.scan(ticket.code)).body.result).toBe('duplicate');
  await world.scan(ticket.code, {}, world.testKey);
  const scan = { code: ticket.code, check_in_point: 'gate', client_uuid: randomUUID(), offline_result: 'accepted' };
  await world.t.call('POST', '/api/v1/events/fair/scan/batch', { key: world.key, body: { scans: [scan] } });
}

describe('people', () => {
  // Nobody of these has been scanned.
  let x: Exporting;
  let ada: Registered;
  beforeAll(async () => {
    x = await openExporting();
    ada = await registerPeople(x);
  });
  afterAll(() => x.t.stop());
  const exported = async (body: object): Promise<unknown[]> => names(await x.rows(body)).sort();

  test('the first headings are those of an import; answers and other columns follow', async () => {
    expect(await x.headings({ what: 'people' })).toEqual([
      ...IMPORTED,
      ...['diet', 'size', 'vegan', 'since'],
      ...['Status', 'Registration', 'Tickets', 'Checked in', 'Checked in at', 'Registered at', 'turnout_export'],
    ]);
  });

  // claim: export-kinds, export-times
  test('as CSV', async () => {
    const [first, second] = await x.rows({ what: 'people' });
    expect(first).toEqual({
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Email: 'ada@example.org',
      Phone: "'+49 30 901820",
      Type: 'adult',
      Group: 'hill',
      Day: 'd1; d2',
      'Date of birth': '1990-12-10',
      ID: 'M-1',
      diet: 'fish; rice',
      size: '42.5',
      vegan: 'true',
      since: '2020-02-29',
      turnout_export: '',
      Status: 'confirmed',
      Registration: ada.code,
      Tickets: ada.attendees[0].tickets[0].code,
      'Checked in': 'false',
      'Checked in at': '',
      'Registered at': '2026-10-25 02:30:00',
    });
    expect(second).toMatchObject({
      'First name': `'=HYPERLINK("http://x")`,
      'Last name': 'Bob "the", Builder\n2nd line',
      size: '-1',
      ID: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
      'Registered at': '2026-10-25 02:30:00',
    });
  });

  // claim: export-kinds
  test('as Excel: the same rows with typed cells and unguarded texts', async () => {
    const { rows, name, frozen } = await x.sheet({ what: 'people' });
    expect({ name, frozen }).toEqual({ name: 'People', frozen: 1 });
    const [headings, first, second] = rows;
    const cells = (row: unknown[]): Row => Object.fromEntries(headings!.map((heading, i) => [heading, row[i]]));
    expect(cells(first!)).toMatchObject({
      Phone: '+49 30 901820',
      'Date of birth': '1990-12-10',
      size: 42.5,
      vegan: true,
      since: '2020-02-29',
      'Checked in': false,
      'Checked in at': null,
      'Registered at': '2026-10-25 02:30:00',
    });
    expect(cells(second!)).toMatchObject({ 'First name': '=HYPERLINK("http://x")', size: -1 });
    expect(rows).toHaveLength(5);
  });

  test.each([
    [{ status: 'confirmed' }, ['\'=HYPERLINK("http://x")', 'Ada', 'Zoë']],
    [{ status: 'pending_payment' }, ['Gus']],
    [{ attendee_type: 'child' }, ['Zoë']],
    [{ day: 'd2' }, ['Ada', 'Zoë']],
    [{ group: 'north' }, ['Ada', 'Gus']],
    [{ group: 'hill' }, ['Ada']],
    [{ checked_in: true }, []],
    [{ updated_since: '2026-10-25T01:00:00Z', status: 'confirmed' }, ['\'=HYPERLINK("http://x")', 'Zoë']],
  ])('only some: %j', async (filter, expected) => {
    expect(await exported({ what: 'people', filter })).toEqual(expected);
  });

  test('columns are those asked for, in that order', async () => {
    const columns = ['status', 'answers.SIZE', 'last_name', 'answers.nothing', 'attendee_id', 'price', 'currency'];
    const [first] = (await x.sheet({ what: 'people', columns, filter: { attendee_type: 'guest' } })).rows.slice(1);
    expect(await x.headings({ what: 'people', columns })).toEqual([
      ...['Status', 'size', 'Last name', 'nothing', 'Attendee ID', 'Price', 'Currency'],
    ]);
    expect(first).toEqual(['pending_payment', null, 'Guest', null, expect.any(String), 25.5, 'EUR']);
  });

  test('an export without rows has only the headings', async () => {
    expect(await x.rows({ what: 'people', filter: { status: 'declined' } })).toEqual([]);
    expect((await x.sheet({ what: 'people', filter: { status: 'declined' } })).rows).toHaveLength(1);
  });
});

// claim: export-kinds
test('registrations: one row each, amounts in major units', async () => {
  const rows = await x.rows({ what: 'registrations' });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toEqual({
    ...{
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Email: 'ada@example.org',
      Phone: "'+49 30 901820",
      Group: 'hill',
    },
    ...{
      Registration: ada.code,
      Status: 'confirmed',
      People: '1',
      Total: '0.00',
      Paid: '0.00',
      Currency: 'EUR',
      Source: 'api',
    },
    ...{ 'Registered at': '2026-10-25 02:30:00', 'Confirmed at': '2026-10-25 02:30:00', 'Cancelled at': '' },
  });
  expect(rows[1]).toMatchObject({ People: '2' });
  expect(rows[2]).toMatchObject({ 'First name': 'Gus', Total: '25.50', Status: 'pending_payment', 'Confirmed at': '' });

  const { rows: sheet } = await x.sheet({ what: 'registrations', columns: ['total', 'people', 'confirmed_at'] });
  expect(sheet).toEqual([
    ['Total', 'People', 'Confirmed at'],
    [0, 1, '2026-10-25 02:30:00'],
    [0, 2, '2026-10-25 02:30:00'],
    [25.5, 1],
  ]);
  expect(await exported({ what: 'registrations', filter: { group: 'north' } })).toEqual(['Ada', 'Gus']);
  expect(await exported({ what: 'registrations', filter: { status: 'pending_payment' } })).toEqual(['Gus']);
});

// claim: export-kinds
test('tickets: one row each, with the attendees they admit', async () => {
  const rows = await x.rows({ what: 'tickets' });
  expect(rows).toHaveLength(3);
  expect(rows[0]).toEqual({
    ...{
      'First name': 'Ada',
      'Last name': 'Lovelace',
      Email: 'ada@example.org',
      Type: 'adult',
      Group: 'hill',
      Day: 'd1; d2',
    },
    ...{ Ticket: ada.attendees[0].tickets[0].code, Status: 'valid', People: '1', Registration: ada.code },
    ...{ 'Issued at': '2026-10-25 02:30:00', 'Voided at': '', 'Void reason': '' },
  });
  const columns = ['names', 'days', 'attendee_ids'];
  const { rows: sheet } = await x.sheet({ what: 'tickets', columns, filter: { attendee_type: 'child' } });
  expect(sheet[1]).toEqual(['Zoë 日本', 'd2', expect.any(String)]);
  expect(await exported({ what: 'tickets', filter: { day: 'd2', status: 'valid' } })).toEqual(['Ada', 'Zoë']);
  expect(await exported({ what: 'tickets', filter: { group: 'north' } })).toEqual(['Ada']);
  expect(await exported({ what: 'tickets', filter: { status: 'voided' } })).toEqual([]);
});

test('a shared ticket is one row, with the names of all its attendees in the column `names`', async () => {
  await x.post('/events', { code: 'shared', name: 'Shared', ticketing: 'shared' });
  await x.post('/events/shared/days', { code: 'd1', date: '2031-10-25' });
  await x.post('/events/shared/attendee-types', { code: 'adult', name: 'Adult' });
  await x.post('/events/shared/publish');
  const attendees = ['Una', 'Duo'].map((first_name) => ({ first_name, last_name: 'Shared', attendee_type: 'adult' }));
  await x.post('/events/shared/registrations', { attendees });
  const columns = ['first_name', 'people', 'names'];
  expect((await x.sheet({ what: 'tickets', event: 'shared', columns })).rows).toEqual([
    ['First name', 'People', 'Names'],
    ['Una', 2, 'Una Shared; Duo Shared'],
  ]);
});

describe('check-ins', () => {
  test('one row a person and scan, the oldest first', async () => {
    const rows = await x.rows({ what: 'checkins' });
    expect(rows.map((row) => row.Result)).toEqual(['accepted', 'duplicate', 'duplicate']);
    expect(rows[0]).toMatchObject({
      ...{
        'First name': 'Ada',
        'Last name': 'Lovelace',
        Type: 'adult',
        Group: 'hill',
        Day: 'd1',
        'Check-in point': 'gate',
      },
      ...{ Admitted: 'true', Reason: '', 'Offline result': '', Registration: ada.code, 'Undone at': '' },
      'Scanned at': '2026-10-25 02:30:00',
      'Scanned by': expect.stringMatching(/^key /),
    });
    const { rows: sheet } = await x.sheet({ what: 'checkins', columns: ['admitted', 'ticket', 'check_in_id'] });
    expect(sheet[1]).toEqual([true, ada.attendees[0].tickets[0].code, expect.any(String)]);
  });

  test.each([
    [{ report: 'all' }, 3],
    [{ report: 'attendance' }, 1],
    [{ report: 'reconciliation' }, 1],
    [{ admitted: false }, 2],
    [{ result: 'accepted', check_in_point: 'gate', day: 'd1', attendee_type: 'adult', group: 'north' }, 1],
    [{ day: 'd2' }, 0],
    [{ group: 'south' }, 0],
    [{ attendee_type: 'child' }, 0],
    [{ from: START, to: '2026-10-25T01:00:00Z' }, 0],
    [{ from: '2026-10-25T01:00:00Z' }, 3],
  ])('only some: %j', async (filter, count) => {
    expect(await x.rows({ what: 'checkins', filter })).toHaveLength(count);
  });

  test('attendance leaves out what was undone', async () => {
    const own = await openExporting();
    await scanAda(own, await registerPeople(own));
    const session = await own.t.session('acme', 'owner');
    const [{ 'Check-in ID': id } = {}] = await own.rows({
      what: 'checkins',
      columns: ['check_in_id'],
      filter: { report: 'attendance' },
    });
    const headers = { cookie: `turnout_session=${session}` };
    expect((await own.t.call('POST', `/app/api/checkins/${id}/undo`, { headers, body: {} })).status).toBe(200);
    expect(await own.rows({ what: 'checkins', filter: { report: 'attendance' } })).toEqual([]);
    const [row] = await own.rows({ what: 'checkins' });
    await own.t.stop();
    expect(row!['Undone at']).toBe('2026-10-25 02:30:00');
  });
});

describe('test mode', () => {
  // claim: test-scans-left-out
  test('an export of a live key contains nothing that a test key created', async () => {
    expect(await exported({ what: 'people' })).not.toContain('Tess');
    expect(await x.rows({ what: 'registrations' })).toHaveLength(3);
    expect(await x.rows({ what: 'tickets' })).toHaveLength(3);
    const tests = await x.rows({ what: 'checkins', columns: ['test'] });
    expect(tests.every((row) => row.Test === 'false')).toBe(true);
  });

  test('a test key exports what its lists show: live and test attendees, marked as such, and only test check-ins', async () => {
    const people = await x.rows({ what: 'people', columns: ['first_name', 'test'] }, x.testKey);
    expect(people).toContainEqual({ 'First name': 'Tess', Test: 'true' });
    expect(people).toContainEqual({ 'First name': 'Ada', Test: 'false' });
    const checkins = await x.rows({ what: 'checkins', columns: ['result', 'test'] }, x.testKey);
    expect(checkins).toEqual([{ Result: 'accepted', Test: 'true' }]);
  });

  test('a live key does not see the job of a test key', async () => {
    const { id } = (await x.ask({ what: 'people' }, x.testKey)).body;
    expect((await x.t.call('GET', `/v1/jobs/${id}`, { key: x.key })).status).toBe(404);
  });
});

describe('a key limited to a group', () => {
  test.each([
    ['north', ['Ada', 'Gus']],
    ['hill', ['Ada']],
    ['south', ['Zoë']],
  ])('%s exports its subtree only', async (group, expected) => {
    const { secret } = await x.t.key('acme', { group });
    expect(await exported({ what: 'people' }, secret)).toEqual(expected);
    expect(await exported({ what: 'tickets' }, secret)).toEqual(expected.filter((name) => name !== 'Gus'));
    // Zoë’s registrant is in no group, so her registration is shown without the registrant’s details.
    const registrants = expected.map((name) => (name === 'Zoë' ? '' : name));
    expect(await exported({ what: 'registrations' }, secret)).toEqual(registrants);
    const checkins = await x.rows({ what: 'checkins', columns: ['first_name'] }, secret);
    expect(new Set(names(checkins))).toEqual(new Set(group === 'south' ? [] : ['Ada']));
  });

  test('a filter does not show more than the key may see', async () => {
    const { secret } = await x.t.key('acme', { group: 'hill' });
    const reply = await x.ask({ what: 'people', filter: { group: 'south' } }, secret);
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toEqual([{ path: 'filter/group', message: 'no such group: south' }]);
  });
});

describe('400 validation_failed', () => {
  const faults = async (body: object, as?: string) => {
    const reply = await x.ask(body, as);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    return reply.body.error.details.map((fault: { path: string }) => fault.path);
  };

  test('an event of another organization is not found', async () => {
    await x.t.org('bravo');
    const { secret } = await x.t.key('bravo');
    expect(await faults({ what: 'people' }, secret)).toEqual(['event']);
  });

  test('all faults are reported at once', async () => {
    const filter = { day: 'd9', attendee_type: 'none', checked_in: true, status: 'confirmed' };
    const columns = ['ticket', 'nonsense', 'status', 'answers.size'];
    expect((await faults({ what: 'tickets', columns, filter })).sort()).toEqual([
      ...['columns/1', 'columns/3', 'filter/attendee_type', 'filter/checked_in', 'filter/day', 'filter/status'],
    ]);
  });

  test('a status must be one of the exported kind', async () => {
    expect(await faults({ what: 'people', filter: { status: 'valid' } })).toEqual(['filter/status']);
    expect(await faults({ what: 'checkins', filter: { status: 'valid' } })).toEqual(['filter/status']);
  });
});

describe('the answer', () => {
  /** An event of one person more than an export writes at once. */
  const throng = (world: Exporting) => crowd(world, 'throng', 2001);

  test('a small export is a job that has succeeded, with a link that needs no key', async () => {
    const reply = await x.ask({ what: 'people', format: 'xlsx' });
    expect(reply.status).toBe(201);
    expect(reply.body).toMatchObject({ status: 'succeeded', progress: { done: 4, total: 4 }, counts: { rows: 4 } });
    const file = await x.download(reply.body);
    expect(file.status).toBe(200);
    expect(file.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
    expect(file.headers.get('content-disposition')).toContain('fair-people-2026-10-25.xlsx');
    const csv = await x.download((await x.ask({ what: 'people' })).body);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  });

  test('a retry gets the same job', async () => {
    const options = { key: x.key, idempotencyKey: 'once', body: { what: 'people', format: 'csv', event: 'fair' } };
    const first = await x.t.call('POST', '/v1/exports', options);
    const second = await x.t.call('POST', '/v1/exports', options);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
  });

  // claim: export-2000
  test('2,000 rows are written at once, 2,001 in the background', async () => {
    await crowd(x, 'crowd', 2000);
    const [at, below] = [
      await x.ask({ what: 'people', event: 'crowd' }),
      await x.ask({ what: 'people', event: 'fair' }),
    ];
    expect([at.status, below.status]).toEqual([201, 201]);
    expect(at.body.counts).toEqual({ rows: 2000 });
    await throng(x);
    for (const format of ['csv', 'xlsx']) {
      const { status, body } = await x.ask({ what: 'people', event: 'throng', format });
      expect(status).toBe(202);
      expect(body).toMatchObject({ status: 'queued', result_url: null });
      await x.t.step.jobs();
      const job = await x.job(body.id);
      expect(job).toMatchObject({ status: 'succeeded', progress: { done: 2001, total: 2001 }, counts: { rows: 2001 } });
      expect((await x.download(job)).status).toBe(200);
    }
  });

  // claim: export-link-one-day
  test('the link works for one day', async () => {
    // Its clock is moved by a day, which the names of files show.
    const own = await openExporting();
    await own.register([ADA]);
    const small = (await own.ask({ what: 'people' })).body;
    await throng(own);
    const large = (await own.ask({ what: 'registrations', event: 'throng' })).body;
    await own.t.step.jobs();
    const link = await own.job(large.id);
    own.t.clock.advance(DAY - 60_000);
    expect([(await own.download(small)).status, (await own.download(link)).status]).toEqual([200, 200]);
    own.t.clock.advance(61_000);
    expect([(await own.download(small)).status, (await own.download(link)).status]).toEqual([404, 404]);
    expect((await own.job(small.id)).result_url).toBeNull();
    await own.t.stop();
  });
});
