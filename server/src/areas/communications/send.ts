import { JobFailure, job, type Run, type Step } from '../../road/job.ts';
import { apartFromErasures } from '../../store/clocks.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
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
interface Pending {
  attendee_id: Id;
  email: string;
  email_key: string;
}

/**
 * First the people are fixed, then their mails are queued, a hundred a transaction: each mail with its person's row, so
 * whoever dies in between repeats none and leaves none out.
 */
export const sending = job<Sending, Stands>({
  kind: 'communication',
  run: async (run) => {
    while (run.state?.over !== true) {
      await run.step((tx) =>
        run.state === null ? apartFromErasures(tx, run.org, () => fixPeople(tx, run)) : queueSome(tx, run),
      );
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
      insert into communication_recipients (org_id, communication_id, attendee_id, email, email_key, status, reason, settled_at)
      select ${run.org}, ${row.id}, attendee_id, email, email_key, case when reason is null then 'pending' else 'skipped' end, reason,
        case when reason is not null then ${tx.clock.now()}::timestamptz end
      from (${audienceOf(run.org, row)}) people
      returning status)
    select count(*)::int as total, count(*) filter (where status = 'skipped')::int as skipped from fixed`);
  await touch(tx, run, null);
  return { state: { over: false }, total, done: skipped, counts: { queued: 0, skipped } };
}

/** Its people are part of how it is shown; `queued_at`: all of them have their mails. What becomes of those has its own times. */
const touch = (tx: Tx, { org, input }: Run<Sending, Stands>, queued_at: Date | null): Promise<number> =>
  tx.run(sql`
    update communications set queued_at = ${queued_at}, updated_at = ${tx.clock.now()}
    where org_id = ${org} and id = ${input.communication}`);

async function queueSome(tx: Tx, run: Run<Sending, Stands>): Promise<Step<Stands>> {
  const row = await held(tx, run);
  const { org } = run;
  const now = tx.clock.now();
  const pending = sql`p.org_id = ${org} and p.communication_id = ${row.id} and p.status = 'pending'`;
  // In the order of addresses, and every one of an address at once: the same words to the same address meet here.
  const next = await tx.all<Pending>(sql`
    select p.attendee_id, p.email, p.email_key from communication_recipients p where ${pending}
    order by p.email_key fetch first ${CHUNK} rows with ties for update`);
  const over = next.length < CHUNK;
  if (over) await touch(tx, run, now);
  if (next.length === 0) return { state: { over } };

  const setting = (await settingOf(tx, org, row.event_id))!;
  const people = await loadPeople(
    tx,
    org,
    next.map((one) => one.attendee_id),
  );
  const { first, repeated } = apart(next, (one) => wordsFor(row, valuesOf(people.get(one.attendee_id)!, setting)));
  if (repeated.length > 0) {
    tx.send(sql`
      update communication_recipients p set status = 'skipped', reason = 'repeated', settled_at = ${now}
      where ${pending} and p.attendee_id = any(${repeated.map((one) => one.attendee_id)})`);
  }
  tx.send(sql`
    update communication_recipients p set status = 'queued' where ${pending} and p.email_key <= ${next.at(-1)!.email_key}`);
  queueMessages(
    tx,
    org,
    row,
    first.map(({ attendee_id, email }) => ({
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
      queued: (run.counts.queued ?? 0) + first.length,
      skipped: (run.counts.skipped ?? 0) + repeated.length,
    },
  };
}

/** "Dear Ada" and "Dear Byron" are two mails to the address that they share; words without a name are one. */
function apart(people: readonly Pending[], words: (one: Pending) => string): { first: Pending[]; repeated: Pending[] } {
  const seen = new Set<string>();
  const first: Pending[] = [];
  const repeated: Pending[] = [];
  for (const one of people.toSorted((a, b) => (a.attendee_id < b.attendee_id ? -1 : 1))) {
    const copy = JSON.stringify([one.email_key, words(one)]);
    (seen.has(copy) ? repeated : first).push(one);
    seen.add(copy);
  }
  return { first, repeated };
}

const wordsFor = ({ subject, text }: Addressed, values: Values): string => fill(`${subject}\n${text}`, values);

export const nameOf = ({ email, registrant, first_name, last_name }: Person): string =>
  email === null ? registrant : `${first_name} ${last_name}`;
