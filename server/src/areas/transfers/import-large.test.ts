import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../store/sql.ts';
import { type Importing, openImporting } from './import.support.ts';

let x: Importing;
beforeAll(async () => {
  x = await openImporting();
});
afterAll(() => x.t.stop());

const HEAD = 'First name,Last name,Email,Type,Day,ID\n';
const row = (n: number, more: { email?: string; type?: string; day?: string; id?: string } = {}) =>
  `First ${n},Last,${more.email ?? `p${n}@example.org`},${more.type ?? 'adult'},${more.day ?? 'fri'},${more.id ?? n}\n`;
const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => row(from + i)).join('');
const counts = (created: number, updated = 0, unchanged = 0, rejected = 0) => ({
  created,
  updated,
  unchanged,
  rejected,
});

/** Sends a file that is imported in the background, and runs the job. */
async function inBackground(event: string, csv: string, more: object = {}, as = x.key) {
  const reply = await x.send(event, csv, more, as);
  expect(reply.status, reply.text).toBe(202);
  expect(reply.body).toMatchObject({ kind: 'import', status: 'queued', counts: {}, rejects_url: null });
  await x.t.step.jobs();
  const job = await x.job(reply.body.id, as);
  expect(job).toMatchObject({ status: 'succeeded', error: null });
  expect(job.progress.done).toBe(job.progress.total);
  return job;
}
const countOf = (event: string) => x.count('attendees', event);

describe('more than 500 rows', () => {
  // claim: import-500
  test('are imported in the background, 500 at once', async () => {
    const event = await x.event();
    expect(await x.take(event, HEAD + rows(0, 500))).toEqual(counts(500));
    const job = await inBackground(event, HEAD + rows(0, 501));
    expect(job.counts).toMatchObject(counts(1, 0, 500));
    expect(job.progress).toEqual({ done: 501, total: 501 });
    expect(await countOf(event)).toBe(501);
  });

  test('are imported in small steps if the event was just changed, else in growing ones', async () => {
    /** How many people each of the first steps added. Each step has its own stamp. */
    const firstSteps = async (changedAgo: string): Promise<number[]> => {
      const event = await x.event();
      await x.t.system((tx) =>
        tx.run(sql`
          update event_clocks set at = ${x.t.clock.now()}::timestamptz - ${changedAgo}::interval
          where event_id = (select id from events where code = ${event})`),
      );
      expect((await inBackground(event, HEAD + rows(0, 505))).counts).toMatchObject(counts(505));
      const found = await x.t.system((tx) =>
        tx.all<{ n: number }>(sql`
          select count(*)::int as n from attendees a join events e on e.org_id = a.org_id and e.id = a.event_id
          where e.code = ${event} group by a.updated_at order by a.updated_at limit 5`),
      );
      return found.map(({ n }) => n);
    };
    expect(Math.max(...(await firstSteps('1 minute')))).toBeGreaterThanOrEqual(20); // 5, 5, 10, 20, 40…
    expect((await firstSteps('1 second')).slice(0, 4)).toEqual([5, 5, 5, 5]);
  });

  test('match attendees of earlier rows, also those of earlier transactions', async () => {
    const event = await x.event();
    const csv =
      HEAD +
      rows(0, 540) +
      row(3) +
      row(7, { email: 'seven@example.org' }) +
      row(900, { email: 'seven@example.org', id: '7' });
    const expected = counts(540, 2, 1);
    expect((await inBackground(event, csv, { preview: true })).counts).toMatchObject(expected);
    expect(await countOf(event)).toBe(0);
    expect((await inBackground(event, csv)).counts).toMatchObject(expected);
    expect(await countOf(event)).toBe(540);
  });

  test('take places as in the preview, wherever a transaction ends', async () => {
    const event = await x.event();
    await x.t.call('PATCH', `/v1/events/${event}/days/fri`, { key: x.key, body: { capacity: 300 } });
    // 300 fit; ten of the others get places that attendees who move to another day leave.
    const movers = Array.from({ length: 10 }, (_, n) => row(n, { day: 'sat' })).join('');
    const csv = HEAD + rows(0, 450) + movers + rows(450, 600);
    const preview = await inBackground(event, csv, { preview: true });
    const real = await inBackground(event, csv);
    expect(real.counts).toMatchObject(counts(310, 10, 0, 290));
    expect(preview.counts).toEqual(real.counts);
    expect(await x.rejectsText(preview)).toBe(await x.rejectsText(real));
    const rejects = await x.rejects(real);
    expect(rejects).toHaveLength(290);
    expect(rejects[0]).toEqual({
      'First name': 'First 300',
      'Last name': 'Last',
      Email: 'p300@example.org',
      Type: 'adult',
      Day: 'fri',
      ID: '300',
      import_error: 'day_full: The day fri is full.',
    });
    expect(rejects.at(-1)).toMatchObject({ ID: '599' });
  });

  test('leave nothing behind except attendees, and the file of rejects for a day', async () => {
    const event = await x.event();
    await inBackground(event, HEAD + rows(0, 510) + row(510, { type: 'vip' }), { preview: true });
    const sweep = (await import('./import-job.ts')).importCrons[0]!;
    const { pool, clock, outside } = x.t;
    await sweep.run({ pool, clock, outside, log: { info: () => {} } as never });
    const left = await x.t.system((tx) =>
      tx.one(
        sql`select (select count(*)::int from import_previews) as people, (select count(*)::int from import_rejects) as rejects`,
      ),
    );
    expect(left).toEqual({ people: 0, rejects: 0 });
  });

  test('imported by a key limited to a group stay inside that group', async () => {
    const event = await x.event();
    await x.take(
      event,
      `First name,Last name,Email,Type,Day,Group,ID\nFirst 0,Last,p0@example.org,adult,fri,south,0\n`,
    );
    const csv = `First name,Last name,Email,Type,Day,Group,ID\n${Array.from({ length: 502 }, (_, n) => `First ${n},Last,p${n}@example.org,adult,fri,${n === 1 ? 'south' : n === 2 ? 'hill' : ''},${n}\n`).join('')}`;
    const job = await inBackground(event, csv, {}, x.northKey);
    expect(job.counts).toMatchObject(counts(501, 0, 0, 1));
    expect(job.group).toBe('north');
    const groups = await x.t.system((tx) =>
      tx.all<{ code: string; n: number }>(sql`
        select g.code, count(*)::int as n from attendees a join events e on e.org_id = a.org_id and e.id = a.event_id
        join groups g on g.org_id = a.org_id and g.id = a.group_id where e.code = ${event} group by 1 order by 1`),
    );
    expect(groups).toEqual([
      { code: 'hill', n: 1 },
      { code: 'north', n: 500 },
      { code: 'south', n: 1 },
    ]);
  });

  test('fail with a reason if the event is archived or deleted meanwhile', async () => {
    const event = await x.event();
    const archived = await x.send(event, HEAD + rows(0, 501));
    await x.post(`/events/${event}/close`);
    await x.post(`/events/${event}/archive`);
    await x.t.step.jobs();
    expect(await x.job(archived.body.id)).toMatchObject({
      status: 'failed',
      error: 'The event is archived and cannot be changed.',
    });
    await x.post(`/events/${event}/close`);
    const deleted = await x.send(event, HEAD + rows(0, 501));
    await x.post(`/events/${event}/archive`);
    await x.t.call('DELETE', `/v1/events/${event}`, { key: x.key });
    await x.t.step.jobs();
    expect(await x.job(deleted.body.id)).toMatchObject({ status: 'failed', error: 'The event was deleted.' });
  });
});

describe('403 entitlement_required', () => {
  // claim: import-500
  test('more than 500 rows need background_imports, and nothing is done without it', async () => {
    const org = await x.t.org('free', 'free');
    await x.t.plan('free', 'free', [['attendees_per_event', '10000']]);
    const cookie = `turnout_session=${await x.t.session('free', 'owner')}`;
    const call = (path: string, body: unknown) => x.t.call('POST', `/app/api${path}`, { headers: { cookie }, body });
    await call('/events', { code: 'fair', name: 'Fair' });
    await call('/events/fair/days', { code: 'fri', date: '2027-05-01' });
    await call('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
    const refused = await call('/events/fair/imports', { csv: HEAD + rows(0, 501) });
    expect(refused.status).toBe(403);
    expect(refused.body.error).toMatchObject({
      code: 'entitlement_required',
      key: 'background_imports',
      upgrade_plan: 'starter',
    });
    const traces = await x.t.system((tx) =>
      tx.one(
        sql`select (select count(*)::int from jobs where org_id = ${org}) as jobs, (select count(*)::int from attendees where org_id = ${org}) as people`,
      ),
    );
    expect(traces).toEqual({ jobs: 0, people: 0 });
    const small = await call('/events/fair/imports', { csv: HEAD + rows(0, 500) });
    expect([small.status, small.body.counts?.created]).toEqual([201, 500]);
  });
});
