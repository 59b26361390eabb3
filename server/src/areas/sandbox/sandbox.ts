import { type CheckInPointCreate, type DayCreate, NO_LIMITS, type PolicyInput } from '@turnout/contract';
import { type Clock, DAY } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { PageLinks } from '../../common/page-links.ts';
import type { Caller } from '../../road/caller.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import { hostedLicense } from '../../road/gate/license.ts';
import type { Work } from '../../road/operation.ts';
import { resetSandboxUsage, SANDBOX_CODE } from '../../road/write/sandbox-room.ts';
import { stampEvent, stampOrganization } from '../../store/clocks.ts';
import { DatabaseRefused } from '../../store/database-refused.ts';
import type { Pool } from '../../store/pool.ts';
import { name, sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { acrossOrganizationsFind, createKey, createOrganization } from '../access/index.ts';
import {
  createAttendeeType,
  createCheckInPoint,
  createDay,
  createEvent,
  createQuestion,
  deletePeople,
  type EventRow,
  findEvent,
  moveEvent,
} from '../events/index.ts';
import { createGroup } from '../groups/index.ts';
import { deleteCheckIns } from '../scanning/index.ts';
import { addPeople } from './people.ts';
import { addPractice, addSales } from './practice.ts';

/**
 * An organization with made-up people, for developers who build against the API. Its test key is published: it reads everything
 * in the sandbox, scans, and creates test objects. Every night the sandbox is deleted and built again.
 */
export const PUBLIC_TEST_KEY = 'svc_test_SandboxPublicKeyForEverybody0001';

/** The hour, in UTC, at which the sandbox is refreshed every night. */
export const REFRESH_HOUR = 3;

/** When the sandbox should last have been refreshed. */
function lastNight(now: Date): Date {
  const night = new Date(now);
  night.setUTCHours(REFRESH_HOUR, 0, 0, 0);
  return night <= now ? night : new Date(night.getTime() - DAY);
}

/**
 * Deletes and rebuilds the sandbox in one transaction, so that every request sees either the old one or the new one. With `ifMissed`,
 * only if it is empty or older than last night: nothing refreshes it while no process runs, and its fair would lie in the past.
 */
export async function refreshSandbox(
  pool: Pool,
  clock: Clock,
  ifMissed = false,
): Promise<{ organization: string; event: string }> {
  const org = await jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
    await oneAtATime(tx);
    return sandboxOrganization(tx);
  });
  await jobTransaction(pool, clock, { role: 'app', org: org.id }, async (tx) => {
    await oneAtATime(tx);
    if (ifMissed && (await isFresh(tx))) return;
    const work = systemWork(tx, org);
    await empty(tx, org.id);
    await build(work);
    await resetSandboxUsage(tx, org.id);
  });
  await deleteTraces(pool, clock, org.id);
  return { organization: SANDBOX_CODE, event: 'lakeside-fair' };
}

/** Whether the sandbox was filled since last night. Events that are younger than its first ones are those of whoever uses it. */
export const isSandboxFresh = (pool: Pool, clock: Clock): Promise<boolean> =>
  jobTransaction(pool, clock, { role: 'system' }, isFresh);

async function isFresh(tx: Tx): Promise<boolean> {
  const { filled } = await tx.one<{ filled: string | null }>(sql`
    select min(e.created_at) as filled from organizations o join events e on e.org_id = o.id where o.code = ${SANDBOX_CODE}`);
  return filled !== null && Date.parse(filled) >= lastNight(tx.clock.now()).getTime();
}

/** Deletes everything in the sandbox and leaves it empty. */
export async function emptySandbox(pool: Pool, clock: Clock, org: Id): Promise<void> {
  await jobTransaction(pool, clock, { role: 'app', org }, async (tx) => {
    await oneAtATime(tx);
    await empty(tx, org);
  });
  await deleteTraces(pool, clock, org);
}

/**
 * Deletes what calls have left behind and what no event, contact or group takes along. Otherwise it would be kept for as long as that
 * of other organizations, up to two years, and would grow every day by as much as the sandbox may hold. This is a transaction of its
 * own: the worker locks mails and then their events, while the refresh holds all events.
 */
const deleteTraces = (pool: Pool, clock: Clock, org: Id): Promise<void> =>
  jobTransaction(pool, clock, { role: 'app', org }, async (tx) => {
    for (const table of TRACES) await tx.run(sql`delete from ${name(table)} where org_id = ${org}`);
  });
const TRACES = [
  'audit_objects',
  'audit_log',
  'mail_contents',
  'mails',
  'idempotency',
  'platform_connections',
  'removals',
  'unsubscribed',
];

const DESCRIPTION = `Three days of **boats, food and music** on the lake, for everybody who likes water.

- regattas and trips from morning to evening
- a market along the shore
- concerts at the boathouse every night

The jetty holds forty people at a time, so please be patient there.`;

/** Several processes may start at once, or an operator may refresh the sandbox during the nightly run. */
const oneAtATime = (tx: Tx) => tx.run(sql`select pg_advisory_xact_lock(7261531)`);

async function sandboxOrganization(tx: Tx): Promise<Caller['org'] & { plan: string }> {
  const existing = await tx.maybe<{ sandbox: boolean }>(
    sql`select sandbox from organizations where code = ${SANDBOX_CODE}`,
  );
  if (existing?.sandbox === false) {
    // Somebody may have taken the code while the sandbox was off. Whatever is in it must not be deleted.
    throw new DatabaseRefused(
      'An organization of yours has the code `sandbox`, so there cannot be a sandbox. Set SANDBOX=off.',
    );
  }
  if (existing === null) {
    const made = await createOrganization(tx, {
      code: SANDBOX_CODE,
      name: 'Lakeside Events (sandbox)',
      plan: 'scale',
      timezone: 'Europe/Berlin',
      sandbox: true,
    });
    await createKey(tx, made.id, {
      name: 'Public test key',
      mode: 'test',
      scopes: ['read', 'write', 'scanner'],
      rpm: 600,
      secret: PUBLIC_TEST_KEY,
    });
  }
  // A start with the sandbox off revokes the key (close.ts).
  await tx.run(
    sql`update api_keys set revoked_at = null where hash = ${hashSecret(PUBLIC_TEST_KEY)} and revoked_at is not null`,
  );
  // Whoever uses the made-up manager may have turned agents off.
  await tx.run(sql`update organizations set agents = true where code = ${SANDBOX_CODE} and not agents`);
  const row = await acrossOrganizationsFind(tx, SANDBOX_CODE);
  return { id: row.id, code: row.code, name: row.name, timezone: row.timezone, terminology: {}, plan: row.plan };
}

function systemWork(tx: Tx, org: Caller['org']): Work {
  const caller: Caller = {
    actor: { kind: 'system', id: null, name: 'sandbox refresh' },
    org,
    plan: {
      code: 'scale',
      entitlements: [],
      limits: NO_LIMITS,
    },
    mode: 'live',
    group: null,
    usage: { month: '', calls: 0 },
  };
  // A refresh writes no audit entries and raises no webhooks.
  return {
    tx,
    org: org.id,
    caller,
    mode: 'live',
    request: { id: 'sandbox', client: null },
    license: hostedLicense,
    // Events are shaped with their addresses, and nothing reads those here.
    links: new PageLinks('') as Links,
    secrets: null as never,
    outside: null as never,
    changed: () => {},
    raise: () => {},
  };
}

async function empty(tx: Tx, org: Id): Promise<void> {
  await lockEvents(tx, org);
  await tx.run(sql`delete from jobs where org_id = ${org}`);
  await tx.run(sql`delete from events where org_id = ${org}`);
  await tx.run(sql`delete from contacts where org_id = ${org}`);
  await tx.run(sql`
    delete from groups where org_id = ${org} and id not in (select group_id from api_keys where org_id = ${org} and group_id is not null)`);
}

/**
 * Locks the sandbox against other writers: takes the clock of every event, then the organization's clock, which whoever creates
 * an event needs. An event that was created while we waited for the organization's clock is not locked yet. Then we release
 * that clock (by the savepoint) and begin again. Keeping it would be a deadlock: a call that writes in the new event may hold
 * that event's clock and wait for the organization's.
 */
async function lockEvents(tx: Tx, org: Id): Promise<void> {
  const locked: Id[] = [];
  const others = () =>
    tx.all<{ id: Id }>(sql`select id from events where org_id = ${org} and id <> all(${locked}::uuid[]) order by id`);
  for (;;) {
    for (const { id } of await others()) {
      await stampEvent(tx, org, id);
      await deleteCheckIns(tx, org, id);
      await deletePeople(tx, org, id);
      locked.push(id);
    }
    await tx.run(sql`savepoint organization`);
    await stampOrganization(tx, org);
    if ((await others()).length === 0) return;
    await tx.run(sql`rollback to savepoint organization`);
  }
}

const date = (clock: Clock, inDays: number): string =>
  new Date(clock.now().getTime() + inDays * 86_400_000).toISOString().slice(0, 10);

/**
 * The days of every event of the sandbox: today and the next two. The first one goes on until the sandbox has been made anew, so that
 * whoever tries the sandbox after midnight can still register for it.
 */
function threeDays(clock: Clock): DayCreate[] {
  const closes_at = `${date(clock, 1)}T0${REFRESH_HOUR + 1}:00:00Z`;
  return [
    { code: 'day1', date: date(clock, 0), closes_at },
    { code: 'day2', date: date(clock, 1) },
    { code: 'day3', date: date(clock, 2) },
  ];
}

async function build(work: Work): Promise<void> {
  await createGroup(work, { code: 'clubs', name: 'Clubs' });
  await createGroup(work, { code: 'rowing', name: 'Rowing club', parent: 'clubs' });
  await createGroup(work, { code: 'sailing', name: 'Sailing club', parent: 'clubs' });
  await createGroup(work, { code: 'press', name: 'Press' });

  const { clock } = work.tx;
  // The first of the three days is today, so that a scan made now falls into the opening hours.
  const createdEvent = await createEvent(work, {
    code: 'lakeside-fair',
    name: 'Lakeside Fair',
    venue: 'Boathouse, Lake Road 1',
    capacity: 2000,
    terms: 'Please bring this ticket. Dogs on the lead. No glass bottles on the jetty.',
    starts_at: `${date(clock, 0)}T07:00:00Z`,
    ends_at: `${date(clock, 2)}T20:00:00Z`,
    registration: { waitlist: true, max_people: 8 },
    description: DESCRIPTION,
    payment_instructions: 'Please transfer the amount to Lakeside Association, IBAN DE00 0000 0000 0000 0000 00.',
    self_service: {
      change_until: `${date(clock, 2)}T20:00:00Z`,
      cancel_until: `${date(clock, 1)}T20:00:00Z`,
      transfer_until: `${date(clock, 2)}T20:00:00Z`,
    },
  });
  const event = (await findEvent(work.tx, work.caller, createdEvent.id, 'change'))! as EventRow;
  const days = threeDays(clock);
  const fair = [
    { name: 'First day', capacity: 900 },
    { name: 'Second day', capacity: 900 },
    { name: 'Third day', capacity: 600 },
  ];
  for (const [i, day] of days.entries()) await createDay(work, event, { ...day, ...fair[i] });

  await createAttendeeType(work, event, { code: 'adult', name: 'Adult', price_minor: 1800 });
  await createAttendeeType(work, event, { code: 'child', name: 'Child', price_minor: 600 });
  await createAttendeeType(work, event, { code: 'pass', name: 'Two-day pass', price_minor: 3000, pass_days: 2 });
  await createAttendeeType(work, event, {
    code: 'vip',
    name: 'VIP',
    price_minor: 9000,
    capacity: 60,
    days: ['day2', 'day3'],
    approval: true,
  });
  await createAttendeeType(work, event, { code: 'crew', name: 'Crew', visible: false });

  await addSales(work, event);

  await createQuestion(work, event, { code: 'diet', label: 'Anything we should know about food?', kind: 'text' });
  await createQuestion(work, event, {
    code: 'shirt',
    label: 'T-shirt size',
    kind: 'choice',
    options: ['S', 'M', 'L', 'XL'],
    required: true,
    attendee_types: ['crew'],
  });

  const point = (code: string, name: string, kind: CheckInPointCreate['kind'], policy: PolicyInput = {}) =>
    createCheckInPoint(work, event, { code, name, kind, policy });
  await point('hotel-desk', 'Hotel desk', 'pre_check', { opens_minutes_before: 720 });
  await point('main-gate', 'Main gate', 'entry', { opens_minutes_before: 60 });
  await point('crew-gate', 'Crew gate', 'entry', { attendee_types: ['crew'], limit: 'once_until_exit' });
  await point('jetty', 'Jetty', 'zone', { capacity: 40, requires: 'entry' });
  await point('lounge', 'Lounge', 'zone', { attendee_types: ['vip', 'crew'], cooldown_seconds: 60 });
  await point('clubhouse', 'Clubhouse', 'zone', { groups: ['clubs'] });
  await point('jetty-out', 'Off the jetty', 'exit', { leaves: 'jetty' });
  await point('exit', 'Exit', 'exit');
  await moveEvent(work, (await findEvent(work.tx, work.caller, createdEvent.id, 'change'))!, 'publish');
  await addPeople(work, event.id);
  await addPractice(work, days, date(clock, 3));
}
