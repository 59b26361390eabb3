import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { EventbriteDouble } from '../../../../test/support/eventbrite-double.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { impatient, mapAll, Organizer } from './platform.support.ts';

let t: TestTurnout;
let double: EventbriteDouble;
let acme: Organizer;
let admin: pg.Client;
const children = new Set<ChildProcess>();

beforeAll(async () => {
  double = await EventbriteDouble.start();
  t = await startTest({ eventbrite: impatient(double) });
  await t.org('acme');
  acme = await Organizer.of(t, 'acme');
  admin = new pg.Client(t.database.adminUrl);
  await admin.connect();
});
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await admin.end();
  await t.stop();
  await double.stop();
});

let ahead = 0;
/** A worker whose clock is past the end of the previous worker's lease. */
async function worker(): Promise<ChildProcess> {
  ahead += 2 * MINUTE;
  const child = spawn(process.execPath, [fileURLToPath(new URL('./platform-worker.support.ts', import.meta.url))], {
    env: {
      ...process.env,
      ROLES: 'worker',
      DATA_DIR: t.dataDir,
      DATABASE_URL: t.database.url,
      FILES_URL: t.database.files,
      SANDBOX: 'off',
      SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      DOUBLE_URL: double.url,
      AHEAD: String(ahead),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Runs a worker and kills it when it asks for the given page of orders and `ready` holds. */
async function killedAt(page: number, ready: () => Promise<unknown> = async () => {}): Promise<void> {
  let asked = 0;
  let reached!: () => void;
  const there = new Promise<void>((resolve) => (reached = resolve));
  double.beforeEach = async (path) => {
    if (!path.includes('/orders/') || ++asked !== page) return;
    reached();
    await hold;
  };
  let go!: () => void;
  const hold = new Promise<void>((resolve) => (go = resolve));
  const child = await worker();
  const gone = once(child, 'exit');
  await there;
  const done = ready();
  go();
  await done;
  child.kill('SIGKILL');
  expect((await gone)[1]).toBe('SIGKILL');
  double.beforeEach = () => {};
}

/** Everything that an import created, without ids and times. */
async function broughtTo(event: string) {
  const people = await t.system((tx) =>
    tx.all(sql`
      select p.source_order, p.source_attendee, a.first_name, a.last_name, a.email, a.status, a.price_minor, a.position,
        r.status as registration, r.total_minor, r.paid_minor, r.source,
        (select count(*) from attendees o where o.org_id = r.org_id and o.registration_id = r.id) as together,
        (select count(*) from tickets k where k.org_id = r.org_id and k.registration_id = r.id) as tickets,
        (select count(*) from payments y where y.org_id = r.org_id and y.registration_id = r.id) as payments
      from platform_people p join events e on e.org_id = p.org_id and e.id = p.event_id
      join attendees a on a.org_id = p.org_id and a.id = p.attendee_id
      join registrations r on r.org_id = p.org_id and r.id = a.registration_id
      where e.code = ${event} order by p.source_attendee`),
  );
  const counted = await t.system((tx) =>
    tx.all(sql`
      select (select count(*) from registrations r where r.org_id = e.org_id and r.event_id = e.id) as registrations,
        (select count(*) from attendees a where a.org_id = e.org_id and a.event_id = e.id) as attendees,
        (select count(*) from tickets k where k.org_id = e.org_id and k.event_id = e.id) as tickets,
        (select array_agg(m.recipient || ' ' || m.kind order by m.recipient, m.kind) from mails m
          where m.org_id = e.org_id and m.event_id = e.id) as mails,
        (select max(taken) from places l where l.org_id = e.org_id and l.event_id = e.id) as taken
      from events e where e.code = ${event}`),
  );
  return { people, counted };
}

// claim: platform-import-reads
test('after kill -9 midway, in a commit and before the end, the result is the same as without', async () => {
  const connection = await acme.connect(double);
  const source = double.addEvent('Fair', ['Adult', 'Child']);
  for (let i = 0; i < 130; i += 1) {
    const person = (name: string, ticket_class: string) => {
      const email = `${name}${i}@example.org`;
      return { ticket_class, first_name: name, last_name: `No${i}`, email, gross: 100 * i };
    };
    const people = [person('Ada', 'Adult'), person('Kit', 'Child')].slice(0, 1 + (i % 2));
    double.addOrder(source, i % 10 === 9 ? [{ ...people[0]!, cancelled: true }, people[1]!] : people);
  }
  const wanted = { ...mapAll(source, connection), send_emails: true };
  // There is room for all but the last few.
  const [calm, stormy] = [await acme.event('calm', { capacity: 175 }), await acme.event('stormy', { capacity: 175 })];
  const undisturbed = await acme.run(calm, wanted);
  expect(undisturbed).toMatchObject({ status: 'succeeded', progress: { done: 130, total: 130 } });

  const job = await acme.start(stormy, wanted);
  const brought = async () => (await broughtTo(stormy)).people.length;

  // The first page is committed, the second is being read.
  await killedAt(2);
  const afterFirst = await brought();
  expect(afterFirst).toBeGreaterThan(50);

  // Started again: the second page is written but not committed.
  await killedAt(2, async () => {
    await admin.query('begin');
    await admin.query('select 1 from jobs where id = $1 for update', [toUuid(job)]);
    const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%update jobs set state%'`;
    const observer = new pg.Client(t.database.adminUrl);
    await observer.connect();
    while ((await observer.query(waiting)).rowCount === 0) await sleep(20);
    await observer.end();
  });
  await admin.query('rollback');
  expect(await brought()).toBe(afterFirst);

  // Everybody is imported; it reads the list once more for new orders.
  await killedAt(4);
  expect(await brought()).toBe(undisturbed.counts.created);
  expect((await acme.get(`/jobs/${job}`)).status).toBe('running');

  const last = await worker();
  let done = await acme.get(`/jobs/${job}`);
  for (; done.finished_at === null; done = await acme.get(`/jobs/${job}`)) await sleep(50);
  last.kill('SIGKILL');

  expect(done).toMatchObject({ status: 'succeeded', progress: undisturbed.progress, counts: undisturbed.counts });
  expect(await broughtTo(stormy)).toEqual(await broughtTo(calm));
  expect(undisturbed.counts.rejected).toBeGreaterThan(0);
  t.clock.advance(ahead); // the links were signed with the last worker's clock
  expect(await acme.rejects(done)).toEqual(await acme.rejects(undisturbed));
  expect(double.changes).toBe(0);
}, 60_000);
