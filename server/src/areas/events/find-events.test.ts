import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Row = any;

let t: TestTurnout;
let key: string;
/** A key limited to the group `north`. */
let north: string;
beforeAll(async () => {
  t = await startTest();
  await t.org('acme');
  key = (await t.key('acme')).secret;
  for (const code of ['north', 'south']) await done('POST', '/groups', { code, name: code });
  north = (await t.key('acme', { group: 'north' })).secret;
  const events = [
    { code: 'fair-26', name: 'Été au Lac', starts_at: '2026-07-01T08:00:00Z' },
    { code: 'fair-27', name: 'Summer Fair', starts_at: '2027-07-01T08:00:00Z', group: 'south' },
    { code: 'gala', name: 'Winter Gala 27' },
    { code: 'expo', name: 'Expo', ends_at: '2027-01-01T08:00:00Z', group: 'north' },
    { code: 'same', name: 'Fair again', starts_at: '2026-07-01T08:00:00Z' },
  ];
  for (const event of events) await done('POST', '/events', event);
});
afterAll(() => t.stop());

async function done(method: string, path: string, body?: unknown, as = key): Promise<Row> {
  const reply = await t.call(method, `/v1${path}`, { key: as, body });
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
/** The codes of a list, read in pages of two. */
async function codes(query: string, as = key): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, page }: Row = await done(
      'GET',
      `/events?limit=2&${query}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      undefined,
      as,
    );
    found.push(...data.map((one: Row) => one.code));
    cursor = page.next_cursor;
  }
  return found;
}
const search = (text: string) => `search=${encodeURIComponent(text)}`;

describe('events are found by', () => {
  test.each([
    ['ete', ['fair-26']],
    ['LAC été', ['fair-26']],
    ['fair', ['fair-26', 'fair-27', 'same']],
    ['27', ['fair-27', 'gala']],
    ['fair 27', ['fair-27']],
    ['gala%', []],
    ['summ', ['fair-27']],
    // Only the beginning of a word counts, as for people.
    ['mm', []],
    ['nothing', []],
  ])('%j', async (text, found) => {
    expect(await codes(search(text))).toEqual(found);
    expect((await codes(`${search(text)}&order=date`)).sort()).toEqual(found);
  });

  test('a search beside other filters, and only among events that the caller sees', async () => {
    expect(await codes(`${search('fair')}&group=south`)).toEqual(['fair-27']);
    expect(await codes(`${search('fair')}&status=published`)).toEqual([]);
    expect(await codes(search('fair'), north)).toEqual(['fair-26', 'same']);
  });
});

test('by date: without a date first, then from the latest beginning to the first', async () => {
  expect(await codes('order=date')).toEqual(['gala', 'fair-27', 'expo', 'same', 'fair-26']);
  expect(await codes('order=date', north)).toEqual(['gala', 'expo', 'same', 'fair-26']);
  expect(await codes('order=date&status=draft&test=false&group=north')).toEqual(['expo']);
});

test('the door: nothing is allowed by default, and a change keeps what it does not name', async () => {
  // In an organization of its own, because the other tests must not find the events that are made here.
  await t.org('bravo');
  const { secret } = await t.key('bravo');
  const ask = (method: string, path: string, body?: unknown) => done(method, path, body, secret);
  await ask('POST', '/events', { code: 'gala', name: 'Winter Gala 27' });
  const of = async () => (await ask('GET', '/events/gala')).door;
  expect(await of()).toEqual({ name_search: false, kiosk: false, questions: [] });
  await ask('PATCH', '/events/gala', { door: { kiosk: true } });
  await ask('PATCH', '/events/gala', { door: { name_search: true } });
  expect(await of()).toEqual({ name_search: true, kiosk: true, questions: [] });
  const manifest = await t.call('GET', '/api/v1/events/gala/scan/manifest', { key: secret });
  expect([manifest.status, manifest.body.event.door]).toEqual([200, { name_search: true, kiosk: true, questions: [] }]);
  const wrong = await t.call('PATCH', '/v1/events/gala', { key: secret, body: { door: { kiosk: 'yes', open: true } } });
  expect(wrong.body.error.details.map((one: Row) => one.path).sort()).toEqual(['door/kiosk', 'door/open']);
  const template = await ask('GET', '/events/gala/template');
  expect(template.event.door).toEqual({ name_search: true, kiosk: true, questions: [] });
  const event = { code: 'copy' };
  const job = await ask('POST', '/event-templates/imports', { template, event });
  expect((await ask('GET', `/events/${job.event_id}`)).door).toEqual({
    name_search: true,
    kiosk: true,
    questions: [],
  });
  // A template of an earlier release has no `door`.
  delete template.event.door;
  const older = await ask('POST', '/event-templates/imports', { template, event: { code: 'older' } });
  expect((await ask('GET', `/events/${older.event_id}`)).door).toEqual({
    name_search: false,
    kiosk: false,
    questions: [],
  });
});
