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

/** What a person is, without what every event gives anew: ids, registration, tickets, times, price. */
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
      external_id: one.external_id ?? one.id,
      attendee_type: one.attendee_type,
      group: one.group,
      days: one.days,
      answers: one.answers,
    }))
    .toSorted((a: { external_id: string }, b: { external_id: string }) => (a.external_id < b.external_id ? -1 : 1));
}

test('people who are exported and imported into an empty copy of the event are the same people', async () => {
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
    /"Con","Cancelled".*Of an export only confirmed people are imported/s,
  );

  // And once more: the copy's own file changes nobody in it.
  const again = await x.post(`/events/${copy}/imports`, { csv: await exported(copy) });
  expect(again.body).toMatchObject({
    status: 'succeeded',
    counts: { created: 0, updated: 0, unchanged: 5, rejected: 0 },
  });
});

test('a file that only resembles an export keeps its columns as answers', async () => {
  const copy = await copyOfFair();
  const job = await x.post(`/events/${copy}/imports`, {
    csv: 'First name,Last name,Type,Day,Status\nAda,Byron,adult,d1,speaker',
  });
  expect(job.body).toMatchObject({ status: 'succeeded', counts: { created: 1 } });
  const [ada] = (await get(`/events/${copy}/attendees`)).data;
  expect(ada.answers).toEqual({ Status: 'speaker' });
});
