import { randomInt } from 'node:crypto';
import { type DiscountBatch, type DiscountKind, discountKey, type Job } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { csv } from '../../outside/csv.ts';
import { JobFailure, job, type Run, type Step } from '../../road/for-areas/job.ts';
import { startJob } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import { stampEvent, Vanished } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { eventGroup, inSubtree } from '../groups/index.ts';
import { newDiscount, requireDiscountRoom } from './discounts.ts';
import { type EventRow, eventById } from './queries.ts';

/*
 * Makes many codes with the same values. Each is a discount of its own, so that it is counted, changed and switched off by itself.
 */

/** How many codes one transaction makes: whoever registers for the event waits for that long. */
const STEP = 500;

/** What every code has in common, as its table holds it. */
interface BatchValues {
  name: string;
  kind: DiscountKind;
  value: number;
  attendee_type_ids: Id[] | null;
  product_ids: Id[] | null;
  reveal_ids: Id[];
  opens_at: string | null;
  closes_at: string | null;
  max_people: number | null;
  max_people_per_registration: number | null;
  min_people: number | null;
  group_id: Id | null;
  note: string | null;
  active: boolean;
}
const COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  event_id: 'uuid',
  code: 'text',
  code_key: 'text',
  name: 'text',
  kind: 'text',
  value: 'bigint',
  attendee_type_ids: 'uuid[]',
  product_ids: 'uuid[]',
  reveal_ids: 'uuid[]',
  opens_at: 'timestamptz',
  closes_at: 'timestamptz',
  max_people: 'int',
  max_people_per_registration: 'int',
  min_people: 'int',
  group_id: 'uuid',
  note: 'text',
  active: 'boolean',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};

interface BatchInput {
  count: number;
  prefix: string;
  values: BatchValues;
  /** The address of the event's page, to which `?code=` is added. */
  page: string;
}
interface BatchState {
  /** When each step made its codes. No two changes of an event have the same stamp, so this tells the codes of this job from all others. */
  stamps: string[];
}
type BatchRun = Pick<Run<BatchInput, BatchState>, 'org' | 'event' | 'group' | 'input' | 'state' | 'done' | 'audit'>;

export async function startBatch(work: Work, event: EventRow, body: DiscountBatch): Promise<Job> {
  const { count, prefix = '', ...wanted } = body;
  const made = await newDiscount(work, event, wanted);
  await requireDiscountRoom(work.tx, work.org, event.id, count);
  const { reveal_ids = [], attendee_type_ids = null, opens_at = null, closes_at = null, note = null, ...rest } = made;
  const { max_people = null, max_people_per_registration = null, min_people = null } = made;
  const values: BatchValues = {
    ...{ ...rest, reveal_ids, attendee_type_ids, opens_at, closes_at, note },
    ...{ max_people, max_people_per_registration, min_people },
  };
  const input = { count, prefix, values, page: work.links.eventPage(event, event) };
  return startJob(work, batchJob, { event: event.id, input, total: count });
}

/** The codes are made in steps. The file is written when all of them are there, and again if that was interrupted. */
export const batchJob = job<BatchInput, BatchState>({
  kind: 'discount_batch',
  run: async (run) => {
    while (run.done < run.input.count) await run.step((tx) => makeCodes(tx, run));
    const { event, codes } = await run.read(async (tx) => ({
      event: await requireEvent(tx, run),
      codes: await codesOf(tx, run),
    }));
    async function* pages() {
      yield codes.map((code) => [code, `${run.input.page}?code=${encodeURIComponent(code)}`]);
    }
    const columns = [
      { heading: 'Code', kind: 'plain' },
      { heading: 'Link', kind: 'plain' },
    ] as const;
    return {
      result: await run.write(`${event.code}-codes.csv`, 'text/csv; charset=utf-8', csv(columns, pages())),
    };
  },
});

const codesOf = async (tx: Tx, { org, event, state }: BatchRun): Promise<string[]> => {
  const rows = await tx.all<{ code: string }>(sql`
    select code from discounts where org_id = ${org} and event_id = ${event} and created_at = any(${state?.stamps ?? []}::timestamptz[])
    order by created_at, id`);
  return rows.map(({ code }) => code);
};

async function makeCodes(tx: Tx, run: BatchRun): Promise<Step<BatchState>> {
  const { org, input, done } = run;
  const stamp = await stampOf(tx, run);
  const event = await requireEvent(tx, run);
  await requireNamed(tx, run, event);
  // All that are still to be made: what does not fit is refused before the first one.
  await requireDiscountRoom(tx, org, event.id, input.count - done);
  const now = tx.clock.now();
  const codes = await freeCodes(tx, run, event.id, Math.min(STEP, input.count - done));
  const rows = codes.map((code) => ({
    ...{ org_id: org, id: newId(now), event_id: event.id, code, code_key: discountKey(code) },
    ...input.values,
    ...{ created_at: stamp, updated_at: stamp },
  }));
  insertAll(tx, 'discounts', COLUMNS, rows);
  const group = input.values.group_id ?? event.group_id;
  run.audit(
    tx,
    'discount.created',
    rows.map(({ id, code }) => ({ kind: 'discount', id, event: event.id, group, changes: { code: [null, code] } })),
  );
  const made = done + rows.length;
  return { state: { stamps: [...(run.state?.stamps ?? []), stamp] }, done: made, counts: { created: made } };
}

const DELETED = 'The event was deleted.';

async function stampOf(tx: Tx, { org, event }: BatchRun): Promise<string> {
  try {
    return await stampEvent(tx, org, event!);
  } catch (error) {
    throw error instanceof Vanished ? new JobFailure(DELETED) : error;
  }
}

async function requireEvent(tx: Tx, { org, event }: BatchRun): Promise<EventRow> {
  const found = event === null ? null : await eventById(tx, org, event);
  if (found === null) throw new JobFailure(DELETED);
  if (found.status === 'archived') throw new JobFailure('The event is archived, so no more codes are made.');
  return found;
}

/** What the codes name may have been deleted, and groups may have been moved, since the job was started or while it waited. */
async function requireNamed(tx: Tx, { org, group, input: { values } }: BatchRun, event: EventRow): Promise<void> {
  const { group_id, product_ids, reveal_ids, attendee_type_ids } = values;
  const types = [...new Set([...(attendee_type_ids ?? []), ...reveal_ids])];
  const limit = { org, group };
  const there = await tx.one<{ types: number; products: number; reach: boolean }>(sql`
    select (select count(*)::int from attendee_types where org_id = ${org} and event_id = ${event.id} and id = any(${types}::uuid[])) as types,
      (select count(*)::int from products where org_id = ${org} and event_id = ${event.id} and id = any(${product_ids ?? []}::uuid[]))
        as products,
      (${group_id}::uuid is null or exists (select from groups where org_id = ${org} and id = ${group_id}))
        and (coalesce(${inSubtree(limit, eventGroup(event))}, false) or coalesce(${inSubtree(limit, sql`${group_id}::uuid`)}, false)) as reach`);
  if (there.types < types.length || there.products < (product_ids ?? []).length)
    throw new JobFailure('A type or a product that the codes are for was deleted.');
  if (!there.reach) throw new JobFailure('The group that the codes are for was deleted, or is no longer below yours.');
}

/** Digits and letters that nobody takes for one another when they are read aloud or copied by hand: no 0 and O, no 1, I and L, no U. */
const LETTERS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 10 of them are 49 random bits. Wrong codes from the form are limited to 20 an hour, so nobody guesses one of 20,000. */
const LENGTH = 10;

const newCode = (prefix: string): string =>
  prefix + Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** New codes that no discount of the event has. Its clock is held, so nobody takes one of them meanwhile. */
async function freeCodes(tx: Tx, { org, input }: BatchRun, event: Id, count: number): Promise<string[]> {
  const codes = new Map<string, string>();
  while (codes.size < count) {
    const more = Array.from({ length: count - codes.size }, () => newCode(input.prefix));
    for (const code of more) codes.set(discountKey(code), code);
    const taken = await tx.all<{ code_key: string }>(sql`
      select code_key from discounts where org_id = ${org} and event_id = ${event} and code_key = any(${more.map(discountKey)})`);
    for (const { code_key } of taken) codes.delete(code_key);
  }
  return [...codes.values()];
}
