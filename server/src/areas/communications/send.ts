import type { Id } from '../../common/ids.ts';
import { JobFailure, job, type Run, type Step } from '../../road/for-areas/job.ts';
import { apartFromErasures } from '../../store/clocks.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { audienceOf } from './audience.ts';
import { COPY, queueMessages } from './mails.ts';
import { fill, type Values } from './placeholders.ts';
import { type Addressed, lockAddressed } from './queries.ts';
import { loadRecipients, type Recipient, settingOf, valuesOf } from './values.ts';

/** Recipients per transaction: so few that a caller who cancels waits only for a moment. */
const CHUNK = 100;

interface Sending {
  communication: Id;
}
interface SendingState {
  over: boolean;
}
interface PendingRecipient {
  attendee_id: Id;
  email: string;
  email_key: string;
}

/**
 * First fixes the recipients, then queues their mails, about a hundred per transaction. A mail is queued in the same transaction
 * in which its recipient is marked, so a job that is killed in between repeats no mail and leaves none out.
 */
export const sending = job<Sending, SendingState>({
  kind: 'communication',
  run: async (run) => {
    while (run.state?.over !== true) {
      await run.step((tx) =>
        run.state === null ? apartFromErasures(tx, run.org, () => fixRecipients(tx, run)) : queueSome(tx, run),
      );
    }
  },
});

/** Locks the communication, so that it is not cancelled meanwhile. */
async function lockSending(tx: Tx, { org, input }: Run<Sending, SendingState>): Promise<Addressed> {
  const row = await lockAddressed(tx, org, input.communication);
  if (row === null) throw new JobFailure('The communication was deleted with its event.');
  if (row.status !== 'sending') throw new JobFailure('The communication was cancelled.');
  return row;
}

async function fixRecipients(tx: Tx, run: Run<Sending, SendingState>): Promise<Step<SendingState>> {
  const row = await lockSending(tx, run);
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

/**
 * Moves `updated_at`, because the API object shows counts of the recipients. `queued_at` says that all mails are queued. Changes
 * of single mails have times of their own (`settled_at`).
 */
const touch = (tx: Tx, { org, input }: Run<Sending, SendingState>, queued_at: Date | null): Promise<number> =>
  tx.run(sql`
    update communications set queued_at = ${queued_at}, updated_at = ${tx.clock.now()}
    where org_id = ${org} and id = ${input.communication}`);

async function queueSome(tx: Tx, run: Run<Sending, SendingState>): Promise<Step<SendingState>> {
  const row = await lockSending(tx, run);
  const { org } = run;
  const now = tx.clock.now();
  const pending = sql`p.org_id = ${org} and p.communication_id = ${row.id} and p.status = 'pending'`;
  // In the order of addresses, with all recipients of an address in the same step, so that repeated texts are noticed here.
  const next = await tx.all<PendingRecipient>(sql`
    select p.attendee_id, p.email, p.email_key from communication_recipients p where ${pending}
    order by p.email_key fetch first ${CHUNK} rows with ties for update`);
  const over = next.length < CHUNK;
  if (over) await touch(tx, run, now);
  if (next.length === 0) return { state: { over } };

  const setting = (await settingOf(tx, org, row.event_id))!;
  const recipients = await loadRecipients(
    tx,
    org,
    next.map((one) => one.attendee_id),
  );
  const { first, repeated } = splitRepeats(next, (one) =>
    wordsFor(row, valuesOf(recipients.get(one.attendee_id)!, setting)),
  );
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
      toName: nameOf(recipients.get(attendee_id)!),
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

/** Recipients who share an address get one mail if their texts are the same, and two if they differ ("Dear Ada", "Dear Byron"). */
function splitRepeats(
  people: readonly PendingRecipient[],
  words: (one: PendingRecipient) => string,
): { first: PendingRecipient[]; repeated: PendingRecipient[] } {
  const seen = new Set<string>();
  const first: PendingRecipient[] = [];
  const repeated: PendingRecipient[] = [];
  for (const one of people.toSorted((a, b) => (a.attendee_id < b.attendee_id ? -1 : 1))) {
    const copy = JSON.stringify([one.email_key, words(one)]);
    (seen.has(copy) ? repeated : first).push(one);
    seen.add(copy);
  }
  return { first, repeated };
}

const wordsFor = ({ subject, text }: Addressed, values: Values): string => fill(`${subject}\n${text}`, values);

export const nameOf = ({ email, registrant, first_name, last_name }: Recipient): string =>
  email === null ? registrant : `${first_name} ${last_name}`;
