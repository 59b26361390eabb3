import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../../clock.ts';
import { type Id, newId } from '../../common/ids.ts';
import { cron } from '../../road/for-areas/job.ts';
import type { Pool } from '../../store/pool.ts';
import { insertRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';

/*
 * The table `attendee_answers`, by which people are filtered by their answers. Every row is a function of its attendee and of the code
 * of its question, and whoever writes attendees holds the event's clock: the book writes the rows anew for everybody it saves, and a
 * scan, which changes no answer, only moves their stamp.
 *
 * A question becomes filterable at once, however many people have answered it: from then on the rows of everybody who is saved are
 * written, and those of all others follow in small pieces, each in a transaction that holds the clock. Until the last of them is
 * written, lists look into the answers themselves. Each time a question becomes filterable it gets a new filter, so rows that are left
 * from before are never taken for rows of now.
 */

/** How many people one transaction adds, and from how many filter rows on the rest of a filter that has ended is left to the next. */
export const fillBounds = { people: 500, removed: 5000 };
/** After so long, a run of the schedule leaves the rest to the next one, because other tasks wait for their turn. */
const LONGEST_RUN_MS = 25_000;
const LONGEST_PAUSE_MS = 250;

/** Begins a filter. The caller holds the event's clock and names the filter in its question. */
export async function startFilter(tx: Tx, org: Id, event: Id): Promise<Id> {
  const id = newId(tx.clock.now());
  await insertRow(tx, 'answer_filters', { org_id: org, id, event_id: event });
  return id;
}

export async function endFilter(tx: Tx, org: Id, filter: Id): Promise<void> {
  await tx.run(sql`update answer_filters set ended = true where org_id = ${org} and id = ${filter}`);
}

/** Writes the rows of all attendees whom this stamp of the event's clock has saved. */
export function writeAnswers(tx: Tx, org: Id, event: Id, stamp: string): void {
  const saved = sql`a.org_id = ${org} and a.event_id = ${event} and a.updated_at = ${stamp}::timestamptz`;
  tx.send(sql`
    delete from attendee_answers t using attendees a where ${saved} and t.org_id = a.org_id and t.attendee_id = a.id`);
  tx.send(sql`
    insert into attendee_answers (org_id, attendee_id, filter_id, value, name_key, updated_at)
    select a.org_id, a.id, q.filter_id, v.value, a.name_key, a.updated_at
    from attendees a
    join questions q on q.org_id = a.org_id and q.event_id = a.event_id and q.filter_id is not null
    cross join lateral answer_values(a.answers, q.code) as v(value)
    where ${saved}`);
}

/** Gives the rows of all attendees with this stamp the same stamp, where nothing else about the attendees has changed. */
export function stampAnswers(tx: Tx, org: Id, event: Id, stamp: string): void {
  tx.send(sql`
    update attendee_answers t set updated_at = a.updated_at from attendees a
    where a.org_id = ${org} and a.event_id = ${event} and a.updated_at = ${stamp}::timestamptz
      and t.org_id = a.org_id and t.attendee_id = a.id`);
}

/**
 * Writes the rows of the next people in the order of their names. Whoever gets another name meanwhile is saved by a book, which writes
 * their rows, so nobody is missed. The caller holds the event's clock. Returns whether the filter is ready.
 */
export async function fillNext(tx: Tx, org: Id, filter: Id): Promise<boolean> {
  const row = await tx.maybe<{ event_id: Id; code: string; after_name: string | null; after_id: Id | null }>(sql`
    select f.event_id, q.code, f.after_name, f.after_id from answer_filters f
    join questions q on q.org_id = f.org_id and q.event_id = f.event_id and q.filter_id = f.id
    where f.org_id = ${org} and f.id = ${filter} and not f.ready and not f.ended for update of f`);
  if (row === null) return true;
  const { event_id, code, after_name, after_id } = row;
  const people = await tx.all<{ id: Id; name_key: string }>(sql`
    select a.id, a.name_key from attendees a
    where a.org_id = ${org} and a.event_id = ${event_id}
      and ${after_name === null ? sql`true` : sql`(a.name_key, a.id) > (${after_name}, ${after_id}::uuid)`}
    order by a.name_key, a.id limit ${fillBounds.people}`);
  const last = people.at(-1);
  if (last !== undefined) {
    await tx.run(sql`
      insert into attendee_answers (org_id, attendee_id, filter_id, value, name_key, updated_at)
      select a.org_id, a.id, ${filter}, v.value, a.name_key, a.updated_at
      from attendees a cross join lateral answer_values(a.answers, ${code}) as v(value)
      where a.org_id = ${org} and a.id = any(${people.map(({ id }) => id)})
      on conflict do nothing`);
  }
  const ready = people.length < fillBounds.people;
  await tx.run(sql`
    update answer_filters set ready = ${ready}, after_name = ${last?.name_key ?? after_name}, after_id = ${last?.id ?? after_id}
    where org_id = ${org} and id = ${filter}`);
  return ready;
}

interface OpenFilter {
  org_id: Id;
  id: Id;
  event_id: Id;
  ended: boolean;
}

/**
 * Writes what filters still lack, and removes the rows of filters that have ended. Runs every minute. Filters take turns, those of different
 * organizations first: a small event does not wait until the filters of a large one are ready.
 */
export async function keepFilters(pool: Pool, clock: Clock, longest = LONGEST_RUN_MS): Promise<number> {
  const open = await jobTransaction(pool, clock, { role: 'system' }, (tx) =>
    tx.all<OpenFilter>(sql`
      select org_id, id, event_id, ended from (
        select *, row_number() over (partition by org_id order by ended, id) as turn from answer_filters where not ready or ended) f
      order by turn, ended, id limit 100`),
  );
  const until = performance.now() + longest;
  let steps = 0;
  let line = open.map((filter) => ({ filter, last: null as string | null, restsUntil: 0 }));
  while (line.length > 0 && performance.now() < until) {
    const next: typeof line = [];
    for (const { filter, last, restsUntil } of line) {
      if (performance.now() >= until) break;
      await pause(Math.max(0, restsUntil - performance.now()));
      const begun = performance.now();
      const step = await jobTransaction(pool, clock, { role: 'app', org: filter.org_id }, (tx) =>
        filter.ended ? removeNext(tx, filter) : fillUnderClock(tx, filter),
      );
      steps += 1;
      if (step.done) continue;
      // While others scan or register, the clock is left alone for twice as long as it was held (areas/transfers/import-pace.ts says why).
      const now = performance.now();
      const rest = step.at === last ? 0 : Math.min(2 * (now - begun), LONGEST_PAUSE_MS);
      next.push({ filter, last: step.at, restsUntil: now + rest });
    }
    line = next;
  }
  return steps;
}

/** What one transaction has done, and where the event's clock stood, which shows whether others use the event. */
interface Step {
  done: boolean;
  at: string | null;
}

async function fillUnderClock(tx: Tx, { org_id, id, event_id }: OpenFilter): Promise<Step> {
  // Locked, but not moved: no attendee changes.
  const clock = await tx.maybe<{ at: string }>(
    sql`select at from event_clocks where org_id = ${org_id} and event_id = ${event_id} for update`,
  );
  return clock === null ? { done: true, at: null } : { done: await fillNext(tx, org_id, id), at: clock.at };
}

async function removeNext(tx: Tx, { org_id, id }: OpenFilter): Promise<Step> {
  const removed = await tx.run(sql`
    delete from attendee_answers where org_id = ${org_id} and (attendee_id, filter_id, value) in (
      select attendee_id, filter_id, value from attendee_answers where org_id = ${org_id} and filter_id = ${id}
      limit ${fillBounds.removed})`);
  if (removed === fillBounds.removed) return { done: false, at: null };
  await tx.run(sql`delete from answer_filters where org_id = ${org_id} and id = ${id}`);
  return { done: true, at: null };
}

export const crons = [
  cron({
    name: 'answer-filters',
    pattern: '* * * * *',
    run: async ({ pool, clock, log }) => {
      const steps = await keepFilters(pool, clock);
      if (steps > 0) log.info({ job: 'answer-filters', steps });
    },
  }),
];
