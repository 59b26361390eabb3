import Papa from 'papaparse';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADA, type Exporting, openExporting } from './export.support.ts';

let x: Exporting;
beforeAll(async () => {
  x = await openExporting();
});
afterAll(() => x.t.stop());

const get = async (path: string) => (await x.t.call('GET', `/v1${path}`, { key: x.key })).body;

/** An empty copy of the event, made from its template. */
async function copyOfFair(): Promise<string> {
  const job = await x.post('/event-templates/imports', { template: await get('/events/fair/template') });
  expect(job.body).toMatchObject({ status: 'succeeded' });
  const { code } = await get(`/events/${job.body.event_id}`);
  expect((await x.post(`/events/${code}/publish`)).status).toBe(200);
  expect((await get(`/events/${code}/attendees`)).data).toEqual([]);
  return code;
}

async function exported(event: string): Promise<string> {
  const job = await x.ask({ what: 'people', event });
  expect(job.body).toMatchObject({ status: 'succeeded' });
  return (await x.download(job.body)).text();
}

/** An attendee without what every event gives anew: ids, registration, tickets, times, price. */
async function peopleOf(event: string, status: string): Promise<unknown[]> {
  const { data } = await get(`/events/${event}/attendees?limit=200`);
  return data
    .filter((one: { status: string }) => one.status === status)
    .map((one: Record<string, unknown>) => ({
      first_name: one.first_name,
      last_name: one.last_name,
      email: one.email,
      phone: one.phone,
      date_of_birth: one.date_of_birth,
      external_id: one.external_id,
      attendee_type: one.attendee_type,
      group: one.group,
      days: one.days,
      answers: one.answers,
    }))
    .toSorted((a: { last_name: string }, b: { last_name: string }) => (a.last_name < b.last_name ? -1 : 1));
}

test('attendees who are exported and imported into an empty copy of the event are the same', async () => {
  await x.register([ADA], { group: 'hill' });
  await x.register([
    { first_name: '=HYPERLINK("http://x")', last_name: 'Bob "the"; Builder,', answers: { size: -1, vegan: false } },
    { first_name: 'Zoë', last_name: '日本', attendee_type: 'child', days: ['d2'], group: 'south' },
    { first_name: "'quoted", last_name: "O'Brien", email: 'bob@example.org' },
    { first_name: 'Semi;=1+1', last_name: "Tab;'-x, +y|@z", email: 'eve@example.org' },
  ]);
  const [ticket] = (await get('/events/fair/tickets')).data;
  await x.scan(ticket.code);
  const gone = await x.register([{ first_name: 'Con', last_name: 'Cancelled' }]);
  expect((await x.post(`/events/fair/registrations/${gone.id}/cancel`)).status).toBe(200);
  await x.register([{ first_name: 'Tess', last_name: 'Test' }], {}, x.testKey);

  const copy = await copyOfFair();
  const file = await exported('fair');
  const job = await x.post(`/events/${copy}/imports`, { csv: file });
  expect(job.body).toMatchObject({ status: 'succeeded', counts: { created: 5, updated: 0, rejected: 1 } });

  const people = await peopleOf(copy, 'confirmed');
  expect(people).toEqual(await peopleOf('fair', 'confirmed'));
  expect(people).toHaveLength(5);
  expect(await (await fetch(x.t.url + new URL(job.body.rejects_url).pathname)).text()).toMatch(
    /"Con","Cancelled".*Only the confirmed people of an export are imported/s,
  );

  // Importing the copy's own export into it changes nobody.
  const again = await x.post(`/events/${copy}/imports`, { csv: await exported(copy) });
  expect(again.body).toMatchObject({
    status: 'succeeded',
    counts: { created: 0, updated: 0, unchanged: 5, rejected: 0 },
  });
});

/** The contract's headings in the contract's order, as in a template that somebody fills in. */
const NINE = 'First name,Last name,Email,Phone,Type,Group,Day,Date of birth,ID';

test('a file with the columns of an export keeps all other columns as answers, and so does its own export', async () => {
  const copy = await copyOfFair();
  const answers = {
    Status: 'speaker',
    Price: '12',
    Company: 'Acme',
    Registration: 'R-7',
    'Checked in': 'no',
    Tickets: '3',
    'Registered at': 'the desk',
    Test: 'passed',
    'answers.Status': 'asked',
  };
  const csv = `${NINE},${Object.keys(answers)}\nAda,Byron,ada@example.org,,adult,,d1,,M-9,${Object.values(answers)}\n`;
  const job = await x.post(`/events/${copy}/imports`, { csv });
  expect(job.body).toMatchObject({ status: 'succeeded', counts: { created: 1, rejected: 0 } });
  const [ada] = (await get(`/events/${copy}/attendees`)).data;
  expect(ada.answers).toEqual(answers);

  const file = await exported(copy);
  const headings = Papa.parse<string[]>(file, { preview: 1 }).data[0]!;
  expect(new Set(headings).size).toBe(headings.length);
  expect(headings).toEqual(expect.arrayContaining(['Status', 'answers.Status', 'answers.answers.Status', 'Company']));
  const other = await copyOfFair();
  expect((await x.post(`/events/${other}/imports`, { csv: file })).body).toMatchObject({ counts: { created: 1 } });
  expect((await get(`/events/${other}/attendees`)).data).toMatchObject([{ external_id: 'M-9', answers }]);
  expect((await get(`/events/${other}/attendees`)).data[0].answers).toEqual(answers);
  const again = await x.post(`/events/${copy}/imports`, { csv: file });
  expect(again.body).toMatchObject({ counts: { created: 0, updated: 0, unchanged: 1, rejected: 0 } });
});

test('a question whose code is a heading of the export is imported as an answer', async () => {
  const copy = await copyOfFair();
  for (const code of ['status', 'type', 'turnout_export']) {
    expect((await x.post(`/events/${copy}/questions`, { code, label: `Q ${code}`, kind: 'text' })).status).toBe(201);
  }
  const answers = { status: 'retired', type: 'B', turnout_export: 'x' };
  const person = { attendee_type: 'adult', days: ['d1'], first_name: 'Ada', last_name: 'Byron', answers };
  expect((await x.post(`/events/${copy}/registrations`, { attendees: [person] })).status).toBe(201);
  const file = await exported(copy);
  const again = await x.post(`/events/${copy}/imports`, { csv: file });
  expect(again.body).toMatchObject({ counts: { unchanged: 1, rejected: 0 } });
  const changed = await x.post(`/events/${copy}/imports`, { csv: file.replace('retired', 'active') });
  expect(changed.body).toMatchObject({ counts: { updated: 1, rejected: 0 } });
  expect((await get(`/events/${copy}/attendees`)).data[0].answers).toEqual({ ...answers, status: 'active' });
});

test('only a file with the reserved heading is treated as an export', async () => {
  const copy = await copyOfFair();
  const take = async (heading: string, name: string) => {
    const csv = `${NINE},Status,${heading}\n${name},Byron,,,adult,,d1,,,cancelled,\n`;
    return (await x.post(`/events/${copy}/imports`, { csv })).body.counts;
  };
  expect(await take('turnout_export', 'Ada')).toMatchObject({ created: 0, rejected: 1 });
  expect(await take('Turnout export', 'Bob')).toMatchObject({ created: 1, rejected: 0 });
  expect((await get(`/events/${copy}/attendees`)).data).toMatchObject([
    { first_name: 'Bob', answers: { Status: 'cancelled' } },
  ]);
});
