import { createHash } from 'node:crypto';
import { JobFailure, job, type Run, type Step } from '../../road/job.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey } from '../contacts/index.ts';
import { audienceOf } from './audience.ts';
import { COPY, queueMessages } from './mails.ts';
import { fill, type Values } from './placeholders.ts';
import { type Addressed, lockAddressed } from './queries.ts';
import { loadPeople, type Person, settingOf, valuesOf } from './values.ts';

/** People a transaction: few enough that whoever cancels waits for a moment only. */
const CHUNK = 100;

interface Sending {
  communication: Id;
}
interface Stands {
  over: boolean;
}

/**
 * First the people are fixed, then their mails are queued, a hundred a transaction: each mail with its person's row, so
 * whoever dies in between repeats none and leaves none out.
 */
export const sending = job<Sending, Stands>({
  kind: 'communication',
  run: async (run) => {
    while (run.state?.over !== true) {
      await run.step((tx) => (run.state === null ? fixPeople(tx, run) : queueSome(tx, run)));
    }
  },
});

/** Under its lock, so that it is not cancelled meanwhile. */
async function held(tx: Tx, { org, input }: Run<Sending, Stands>): Promise<Addressed> {
  const row = await lockAddressed(tx, org, input.communication);
  if (row === null) throw new JobFailure('The communication was deleted with its event.');
  if (row.status !== 'sending') throw new JobFailure('The communication was cancelled.');
  return row;
}

async function fixPeople(tx: Tx, run: Run<Sending, Stands>): Promise<Step<Stands>> {
  const row = await held(tx, run);
  const { total, skipped } = await tx.one<{ total: number; skipped: number }>(sql`
    with fixed as (
      insert into communication_recipients (org_id, communication_id, attendee_id, email, status, reason, settled_at)
      select ${run.org}, ${row.id}, attendee_id, email, case when reason is null then 'pending' else 'skipped' end, reason,
        case when reason is not null then ${tx.clock.now()}::timestamptz end
      from (${audienceOf(run.org, row)}) people
      returning status)
    select count(*)::int as total, count(*) filter (where status = 'skipped')::int as skipped from fixed`);
  return { state: { over: false }, total, done: skipped, counts: { queued: 0, skipped } };
}

interface Decided {
  attendee_id: Id;
  status: 'queued' | 'skipped';
  reason: 'repeated' | null;
  same: string | null;
}

async function queueSome(tx: Tx, run: Run<Sending, Stands>): Promise<Step<Stands>> {
  const row = await held(tx, run);
  const { org } = run;
  const now = tx.clock.now();
  const mine = sql`p.org_id = ${org} and p.communication_id = ${row.id}`;
  const next = await tx.all<{ attendee_id: Id; email: string }>(sql`
    select p.attendee_id, p.email from communication_recipients p
    where ${mine} and p.status = 'pending' order by p.attendee_id limit ${CHUNK}`);
  const over = next.length < CHUNK;
  if (over) await tx.run(sql`update communications set queued_at = ${now} where org_id = ${org} and id = ${row.id}`);
  if (next.length === 0) return { state: { over } };

  const setting = (await settingOf(tx, org, row.event_id))!;
  const people = await loadPeople(
    tx,
    org,
    next.map((one) => one.attendee_id),
  );
  const copies = next.map(({ attendee_id, email }) => ({
    attendee_id,
    email,
    same: sameAs(row, email, valuesOf(people.get(attendee_id)!, setting)),
  }));
  const known = await tx.all<{ same: string }>(sql`
    select p.same from communication_recipients p where ${mine} and p.same = any(${copies.map((copy) => copy.same)})`);
  const seen = new Set(known.map((one) => one.same));
  const decided = copies.map(({ attendee_id, same }): Decided => {
    if (seen.has(same)) return { attendee_id, status: 'skipped', reason: 'repeated', same: null };
    seen.add(same);
    return { attendee_id, status: 'queued', reason: null, same };
  });
  tx.send(sql`
    update communication_recipients p set status = d.status, reason = d.reason, same = d.same,
      settled_at = case when d.status = 'skipped' then ${now}::timestamptz end
    from unnest(${decided.map((one) => one.attendee_id)}::uuid[], ${decided.map((one) => one.status)}::text[],
      ${decided.map((one) => one.reason)}::text[], ${decided.map((one) => one.same)}::text[])
      as d(attendee_id, status, reason, same)
    where ${mine} and p.attendee_id = d.attendee_id`);
  const queued = copies.filter((_, i) => decided[i]!.status === 'queued');
  queueMessages(
    tx,
    org,
    row,
    queued.map(({ attendee_id, email }) => ({
      kind: COPY,
      to: email,
      toName: nameOf(people.get(attendee_id)!),
      data: { communication: row.id, attendee: attendee_id },
    })),
  );
  return {
    state: { over },
    done: run.done + next.length,
    counts: {
      queued: (run.counts.queued ?? 0) + queued.length,
      skipped: (run.counts.skipped ?? 0) + next.length - queued.length,
    },
  };
}

const nameOf = ({ email, registrant, first_name, last_name }: Person): string =>
  email === null ? registrant : `${first_name} ${last_name}`;

/** "Dear Ada" and "Dear Byron" are two mails to the address that they share; words without a name are one. */
const sameAs = (row: Addressed, email: string, values: Values): string =>
  createHash('sha256')
    .update(JSON.stringify([emailKey(email), fill(row.subject, values), fill(row.text, values)]))
    .digest('base64url');
