import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { jobs } from '../server/src/areas/index.ts';
import { impatient, mapAll, Organizer } from '../server/src/areas/transfers/platform.support.ts';
import { type Id, toUlid, toUuid } from '../server/src/common/ids.ts';
import { formatOf } from '../server/src/road/for-areas/job.ts';
import { sql } from '../server/src/store/sql.ts';
import { EventbriteDouble } from './support/eventbrite-double.ts';
import { ROOT } from './support/running.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** Jobs that an earlier version of the app has queued or begun are run by the one of today (docs/internals/formats.md). */

interface Kept {
  about: string;
  kind: string;
  input: Record<string, unknown>;
  state: object | null;
  /** What the job has counted when it is over. */
  counts: Record<string, number>;
}
const FOLDER = join(ROOT, 'test/fixtures/formats');
/** The kept jobs with their format, which is in the name of their file. */
const JOBS = readdirSync(FOLDER).flatMap((name): (Kept & { format: number })[] => {
  const format = /^jobs-(\d+)\.json$/.exec(name)?.[1];
  if (format === undefined) return [];
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')).map((one: Kept) => ({ ...one, format: Number(format) }));
});

let t: TestTurnout;
let double: EventbriteDouble;
let acme: Organizer;
beforeAll(async () => {
  double = await EventbriteDouble.start();
  t = await startTest({ eventbrite: impatient(double) });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  acme = await Organizer.of(t, 'acme');
}, 60_000);
afterAll(async () => {
  await t.stop();
  await double.stop();
});

const post = async (path: string, body: object) => {
  const reply = await t.call('POST', `/v1${path}`, { key: acme.key, body });
  expect([path, reply.status < 300], reply.text).toEqual([path, true]);
  return reply.body;
};

let serial = 0;
/** A new event with a person, and the ids that its jobs name. */
async function world() {
  const event = await acme.event(`fair-${++serial}`);
  const part = async (list: string) => (await acme.all(`/events/${event}/${list}`)).map(({ id }) => toUuid(id));
  const [adult, child] = await part('attendee-types');
  const [day] = await part('days');
  await post(`/events/${event}/publish`, {});
  const ada = { first_name: 'Ada', last_name: 'Byron', email: 'ada@example.org' };
  await post(`/events/${event}/registrations`, { attendees: [{ attendee_type: 'adult', ...ada, days: ['sat'] }] });
  const ids = { $event: toUuid((await acme.get(`/events/${event}`)).id), $adult: adult!, $child: child!, $day: day! };
  return { event, ids };
}

type Ids = Record<string, string>;
/** Queues a job of each kind by the API of today; answers its id and what else it names. */
const START: Record<string, (event: string, kept: Kept) => Promise<Ids & { id: string }>> = {
  import: async (event, { input }) => {
    const rows = Array.from({ length: 501 }, (_, i) => `P${i},L,p${i}@example.org,adult,sat\n`).join('');
    const csv = `First name,Last name,Email,Type,Day\n${rows}`;
    return { id: (await post(`/events/${event}/imports`, { csv, preview: input.preview })).id };
  },
  bulk: async (event) => ({
    id: (await post(`/events/${event}/bulk`, { action: 'cancel', reason: 'rain', filter: {} })).id,
  }),
  communication: async (event) => {
    const { id: $communication } = await post(`/events/${event}/communications`, { subject: 'Hello', text: 'Hello' });
    await post(`/events/${event}/communications/${$communication}/send`, {});
    const { id } = await t.system((tx) =>
      tx.one<{ id: Id }>(sql`select id from jobs where kind = 'communication' and status = 'queued'`),
    );
    return { id: toUlid(id), $communication: toUuid($communication) };
  },
  webhook_replay: async () => {
    const { id } = await post('/webhooks', { url: `https://hooks.example.org/${serial}`, events: ['*'] });
    return { id: (await post(`/webhooks/${id}/replay`, {})).id, $endpoint: toUuid(id) };
  },
  platform_import: async (event) => {
    const source = double.addEvent('Spring Fair', ['Adult']);
    double.addOrder(source, [
      { ticket_class: 'Adult', first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.org' },
    ]);
    const connection = await acme.connect(double);
    const id = await acme.start(event, mapAll(source, connection));
    const $class = source.ticket_classes[0]!.id;
    return { id, $source: source.id, $connection: toUuid(connection), $class };
  },
  discount_batch: async (event) => {
    const body = { count: 2, name: 'Press', kind: 'percent', value: 100, reveals: ['child'] };
    return { id: (await post(`/events/${event}/discounts/batches`, body)).id };
  },
  // A small export is written by the call itself. So this one takes the place of another job.
  export: async (event, { input }) => {
    const { id } = await post(`/events/${event}/bulk`, { action: 'cancel', filter: {} });
    await t.system((tx) =>
      tx.run(sql`update jobs set kind = 'export', input = ${JSON.stringify(input)} where id = ${toUuid(id)}`),
    );
    return { id };
  },
};

test('a job of every kind and format is kept', () => {
  const formats = jobs.flatMap((one) => Array.from({ length: formatOf(one) }, (_, i) => `${one.kind} ${i + 1}`));
  expect([...new Set(JOBS.map(({ kind, format }) => `${kind} ${format}`))].sort()).toEqual(formats.sort());
});

const typesOf = (input: object) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Array.isArray(value) ? 'array' : typeof value]),
  );

test.each(JOBS.map((kept) => [kept.about, kept.format, kept] as const))(
  '%s of format %i',
  async (_about, format, kept) => {
    const { event, ids } = await world();
    const { id, ...more } = await START[kept.kind]!(event, kept);
    const stored = await t.system((tx) =>
      tx.one<{ format: number; input: object }>(sql`select format, input from jobs where id = ${toUuid(id)}`),
    );
    // Whoever changes what a job works from gives it another format, and keeps a job of that.
    if (format === stored.format) expect(typesOf(stored.input)).toEqual(typesOf(kept.input));
    let text = JSON.stringify(kept);
    for (const [name, value] of Object.entries({ ...ids, ...more })) text = text.replaceAll(name, value);
    const { input, state }: Kept = JSON.parse(text);
    const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
    await t.system((tx) =>
      tx.run(
        sql`update jobs set format = ${format}, input = ${json(input)}, state = ${json(state)} where id = ${toUuid(id)}`,
      ),
    );
    await t.step.jobs();
    expect(await acme.get(`/jobs/${id}`)).toMatchObject({ status: 'succeeded', error: null, counts: kept.counts });
  },
);
