import { setTimeout as sleep } from 'node:timers/promises';
import { type Id, toUlid } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import { csv } from '../../outside/csv.ts';
import { cron, JobFailure, type JobFiles, job, type Run } from '../../road/for-areas/job.ts';
import { isNothing } from '../../road/write/audited.ts';
import { apartFromErasures, Vanished } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { type EventRow, eventById } from '../events/index.ts';
import { GONE_AFTER_MS, isWaitedFor, lastChange, Pace } from '../transfers/index.ts';
import { ACTS, type BulkOptions } from './act.ts';
import { allOf, type Filter, inOrder, kindOf } from './lists.ts';
import {
  acrossOrganizationsSweep,
  countItems,
  type Failure,
  failuresAfter,
  type ItemRow,
  itemsAfter,
  keepFailures,
  keepItems,
  keepTickets,
} from './queries.ts';
import { callerOf, nothingRecorded, type Recorded, workOf } from './work.ts';

export interface BulkInput extends BulkOptions {
  /** Null if the items were named by id: then they are stored already. */
  filter: Filter | null;
}
/** The job's state. It is stored, and read by later builds. */
interface BulkState {
  /** The number of the last item that was done. */
  number: number;
}
type BulkRun = Run<BulkInput, BulkState>;

/**
 * After so many items a transaction ends with the registration that is being processed. A registration takes some milliseconds, while
 * others who want to change the event wait.
 */
const MAX_ITEMS_AT_ONCE = 25;

/**
 * A bulk action goes through these states:
 *
 *   no state        nothing is done yet. `fixItems` stores the items, so that later changes do not add or remove any
 *   state.number    items up to this number are done. `actOnSome` acts on the next ones, a few in each transaction
 *   finished        all items are done. The report of the refused ones is written
 *
 * What is done to an item is committed together with the state. So no item is done twice or left out, whenever the job is killed.
 */
export const bulkJob = job<BulkInput, BulkState>({
  kind: 'bulk',
  run: (run) =>
    actOnAll(run).catch((error) => {
      throw error instanceof Vanished ? eventGone() : error;
    }),
});

const eventGone = () => new JobFailure('The event was deleted.');

async function actOnAll(run: BulkRun): Promise<JobFiles | undefined> {
  if (run.state === null) await fixItems(run);
  const pace = new Pace(await wasBusyLately(run), performance.now(), MAX_ITEMS_AT_ONCE);
  let lastClock: string | null = null;
  while (run.done < run.total!) {
    const step = await actOnSome(run, pace.rows);
    const pause = pace.next({
      others: step.waited || (lastClock !== null && step.from !== lastClock),
      took: step.took,
    });
    lastClock = step.to;
    if (pause > 0) await sleep(pause, undefined, { signal: run.signal }).catch(() => {});
  }
  if ((run.counts.failed ?? 0) === 0) return undefined;
  return { rejects: await run.write('report.csv', 'text/csv; charset=utf-8', report(run)) };
}

async function eventOf(tx: Tx, run: BulkRun): Promise<EventRow> {
  const event = run.event === null ? null : await eventById(tx, run.org, run.event);
  if (event === null) throw eventGone();
  return event;
}

async function fixItems(run: BulkRun): Promise<void> {
  const { action, filter } = run.input;
  const objects =
    filter === null
      ? null
      : await run.read(async (tx) => {
          const work = workOf(tx, run, await callerOf(tx, run), nothingRecorded());
          return inOrder(action, await allOf(work, await eventOf(tx, run), kindOf(action), filter));
        });
  await run.step(async (tx) => ({
    state: { number: 0 },
    total:
      objects === null ? await countItems(tx, run.org, run.id) : await keepAll(tx, run.org, run.id, action, objects),
    done: 0,
    counts: { done: 0, unchanged: 0, failed: 0 },
  }));
}

/** Stores the items in this order, and returns how many there are. */
export const keepAll = (
  tx: Tx,
  org: Id,
  id: Id,
  action: BulkOptions['action'],
  objects: readonly Id[],
): Promise<number> =>
  (action === 'send_tickets' || action === 'reissue' ? keepTickets : keepItems)(tx, org, id, objects);

/** Whether somebody changed the event a moment ago. */
const wasBusyLately = (run: BulkRun): Promise<boolean> =>
  run.read(async (tx) => {
    const at = await lastChange(tx, { org: run.org, event: run.event! });
    return at !== null && tx.clock.now().getTime() - Date.parse(at) < GONE_AFTER_MS;
  });

interface StepResult {
  /** The event clock when the step began and when it ended. If the next step begins with another time, somebody else changed the event. */
  from: string | null;
  to: string | null;
  /** Whether somebody waited for the event clock at the end of the step. */
  waited: boolean;
  /** In milliseconds. */
  took: number;
}

async function actOnSome(run: BulkRun, most: number): Promise<StepResult> {
  const { org, id } = run;
  let began!: number;
  const scope = { org, event: run.event! };
  let clock: Omit<StepResult, 'took'> = { from: null, to: null, waited: false };
  await run.step(async (tx) => {
    began = performance.now();
    const from = await lastChange(tx, scope);
    const items = await itemsAfter(tx, org, id, run.state!.number, most);
    const act = () => actOn(tx, run, items);
    // Sending tickets does not take the event clock, so it has to keep out erasures itself. The other actions hold the clock.
    const result = run.input.action === 'send_tickets' ? await apartFromErasures(tx, org, act) : await act();
    keepFailures(tx, org, id, result.failures);
    run.audit(tx, ACTS[run.input.action].audit, result.recorded.changes);
    run.raise(tx, result.recorded.raised);
    clock = { from, to: await lastChange(tx, scope), waited: await isWaitedFor(tx) };
    const { done = 0, unchanged = 0, failed = 0 } = run.counts;
    return {
      state: { number: items.at(-1)!.number },
      done: run.done + items.length,
      counts: {
        done: done + items.length - result.unchanged - result.failures.length,
        unchanged: unchanged + result.unchanged,
        failed: failed + result.failures.length,
      },
    };
  });
  return { ...clock, took: performance.now() - began };
}

/**
 * Acts on the items of each registration together, in a savepoint of their own. Items that are refused are reported, and the others
 * are kept. If all of them are refused at once, what was done to them is rolled back, and each is reported with that refusal.
 */
async function actOn(tx: Tx, run: BulkRun, items: readonly ItemRow[]) {
  const event = await eventOf(tx, run);
  const caller = await callerOf(tx, run);
  const { act } = ACTS[run.input.action];
  const recorded = nothingRecorded();
  const failures: Failure[] = [];
  let unchanged = 0;
  for (const rows of Map.groupBy(items, (item) => item.registration_id).values()) {
    const raised: Recorded['raised'] = [];
    const changes = rows.map((): Recorded['changes'] => []);
    const group = rows.map((row, i) => ({ ...row, work: workOf(tx, run, caller, { changes: changes[i]!, raised }) }));
    const outcomes = await inSavepoint(tx, () => act(group, event, run.input));
    if (!(outcomes instanceof Refusal)) recorded.raised.push(...raised);
    for (const [i, { number }] of rows.entries()) {
      const outcome = outcomes instanceof Refusal ? outcomes : outcomes[i];
      if (outcome instanceof Refusal) failures.push({ number, code: outcome.code, words: wordsOf(outcome) });
      else {
        const own = changes[i]!.filter((change) => !isNothing(change));
        if (own.length === 0) unchanged += 1;
        recorded.changes.push(...own);
      }
    }
  }
  return { recorded, failures, unchanged };
}

/** What `act` returns, or its refusal: then nothing of what it did is left. */
async function inSavepoint<T>(tx: Tx, act: () => Promise<T>): Promise<T | Refusal> {
  tx.send(sql`savepoint one`);
  try {
    const result = await act();
    tx.send(sql`release savepoint one`);
    return result;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await tx.run(sql`rollback to savepoint one`);
    return error;
  }
}

function wordsOf({ message, options: { details } }: Refusal): string {
  if (details === undefined) return message;
  return details.map((fault) => `${fault.path} ${fault.message}`.trim()).join('; ');
}

const COLUMNS = ['ID', 'Registration', 'Name', 'Code', 'Message'].map(
  (heading) => ({ heading, kind: 'plain' }) as const,
);
const PAGE = 500;

/** The file of refused items, with the reasons. */
function report(run: BulkRun): AsyncIterable<Uint8Array> {
  const limit = { org: run.org, group: run.group };
  const kind = kindOf(run.input.action);
  return csv(
    COLUMNS,
    (async function* () {
      for (let after = 0; ; ) {
        const rows = await run.read((tx) => failuresAfter(tx, run.org, run.id, kind, limit, after, PAGE));
        if (rows.length === 0) return;
        yield rows.map(({ object_id, registration, first_name, last_name, code, words }) => [
          toUlid(object_id),
          registration,
          [first_name, last_name].filter(Boolean).join(' '),
          code,
          words,
        ]);
        after = rows.at(-1)!.number;
      }
    })(),
  );
}

export const crons = [
  cron({
    name: 'sweep-bulk-actions',
    pattern: '*/10 * * * *',
    run: async ({ pool, clock }) => {
      await jobTransaction(pool, clock, { role: 'system' }, acrossOrganizationsSweep);
    },
  }),
];
