import type {
  Communication,
  CommunicationChange,
  CommunicationCreate,
  CommunicationSend,
  CommunicationStatus,
} from '@turnout/contract';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import { type Fault, invalid, refuse, requireValid } from '../../common/refusal.ts';
import { cleanLine } from '../../outside/clean.ts';
import { startJob } from '../../road/for-areas/start-job.ts';
import type { Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { asStored, diff } from '../../road/write/diff.ts';
import { type Columns, insertRow, updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { EventRow } from '../events/index.ts';
import { aGroup } from '../groups/index.ts';
import { readAudience } from './audience.ts';
import { faultsIn } from './placeholders.ts';
import { type CommunicationRow, communicationShape, communications, lock } from './queries.ts';
import { sending } from './send.ts';

/**
 * | state | what happens | next state |
 * |---|---|---|
 * | draft | it is sent without a time | sending |
 * | draft, scheduled | it is sent with a time in the future | scheduled |
 * | scheduled | its time comes, or it is sent without a time | sending |
 * | scheduled | its time is removed | draft |
 * | sending | every mail was delivered, failed or was skipped | sent |
 * | scheduled, sending | it is cancelled, or its job is cancelled or fails | cancelled |
 *
 * Its text and audience can be changed while it is a draft or scheduled. When sending begins, its recipients are fixed. Only a
 * draft can be deleted.
 */
const CHANGEABLE = ['draft', 'scheduled'] as const;

export async function createCommunication(
  work: Work,
  event: EventRow,
  body: CommunicationCreate,
): Promise<Communication> {
  const { tx, org } = work;
  requireValidWords(tx, body);
  const now = tx.clock.now();
  const id = newId(now);
  await insertRow(tx, 'communications', {
    org_id: org,
    id,
    event_id: event.id,
    group_id: await groupOf(work, body.group),
    test: work.mode === 'test',
    kind: body.kind ?? 'service',
    status: 'draft',
    subject: body.subject,
    text: body.text,
    ...(await readAudience(work, event, body.audience ?? {})),
    send_at: body.send_at ?? null,
    created_at: now,
    updated_at: now,
  });
  return auditedAnswer(work, id, null);
}

export async function changeCommunication(
  work: Work,
  event: EventRow,
  found: CommunicationRow,
  { audience, ...body }: CommunicationChange,
): Promise<Communication> {
  requireValidWords(work.tx, body);
  const before = await lockIn(work, found, CHANGEABLE, 'changed');
  const people = audience && (await readAudience(work, event, audience));
  return change(work, before, {
    ...body,
    ...people,
    ...(people && { statuses: asStored(people.statuses, before.statuses) }),
    ...(body.send_at === null && { status: 'draft' }),
  });
}

export async function deleteCommunication(work: Work, found: CommunicationRow): Promise<undefined> {
  const { tx, org } = work;
  const before = await lockIn(work, found, ['draft'], 'deleted');
  await tx.run(sql`delete from communications where org_id = ${org} and id = ${before.id}`);
  work.changed({ ...aboutOf(before), changes: diff(communicationShape(before), null) });
  return undefined;
}

export async function sendCommunication(
  work: Work,
  found: CommunicationRow,
  body: CommunicationSend,
): Promise<Communication> {
  requireValidWords(work.tx, body);
  const before = await lockIn(work, found, CHANGEABLE, 'sent');
  const at = body.send_at === undefined ? before.send_at : body.send_at;
  const isDue = at === null || Date.parse(at) <= work.tx.clock.now().getTime();
  if (!isDue) return change(work, before, { status: 'scheduled', send_at: at });
  if (at !== null && before.status === 'draft') {
    refuse('invalid_state', {
      message:
        'The communication’s `send_at` has passed. Send it with `send_at` null to send it now, or with a later time.',
    });
  }
  return startSending(work, { ...before, send_at: at });
}

/** Starts the job that fixes the recipients and queues the mails. */
export async function startSending(work: Work, row: CommunicationRow): Promise<Communication> {
  const job = await startJob(work, sending, {
    event: row.event_id,
    group: row.group_id,
    input: { communication: row.id },
  });
  return change(work, row, {
    status: 'sending',
    send_at: row.send_at,
    job_id: toUuid(job.id),
    started_at: work.tx.clock.now(),
  });
}

/** Stores the counts and the end that were computed from the recipients until now (queries.ts). */
export const recordSent = (work: Work, row: CommunicationRow): Promise<Communication> =>
  change(
    work,
    { ...row, status: 'sending', finished_at: null },
    // Readers already see it as sent since its last mail was settled, so `updated_at` stays at that time.
    {
      status: 'sent',
      finished_at: row.finished_at,
      counts: JSON.stringify(row.counts),
      updated_at: row.updated_at,
    },
  );

/**
 * Once this is answered, no further mail goes out, except those that are being sent at this moment: the worker checks the
 * recipient's row before it sends.
 */
export async function cancelCommunication(work: Work, found: CommunicationRow): Promise<Communication> {
  const before = await lockIn(work, found, ['scheduled', 'sending'], 'cancelled');
  return markCancelled(work, before);
}

export async function markCancelled(work: Work, row: CommunicationRow): Promise<Communication> {
  const { tx, org } = work;
  const now = tx.clock.now();
  await tx.run(sql`
    update communication_recipients set status = 'skipped', reason = 'cancelled', settled_at = ${now}
    where org_id = ${org} and communication_id = ${row.id} and status in ('pending', 'queued')`);
  return change(work, row, { status: 'cancelled', finished_at: now });
}

async function lockIn(
  { tx, org }: Work,
  found: CommunicationRow,
  from: readonly CommunicationStatus[],
  to: string,
): Promise<CommunicationRow> {
  const row = (await lock(tx, org, found.id)) ?? refuse('not_found');
  if (!from.includes(row.status)) {
    refuse('invalid_state', {
      message: `The communication is ${row.status}; only one that is ${from.join(' or ')} can be ${to}.`,
    });
  }
  return row;
}

async function change(work: Work, before: CommunicationRow, columns: Columns): Promise<Communication> {
  const { tx, org } = work;
  await updateRow(tx, 'communications', sql`org_id = ${org} and id = ${before.id}`, {
    updated_at: tx.clock.now(),
    ...columns,
  });
  return auditedAnswer(work, before.id, before);
}

async function auditedAnswer(work: Work, id: Id, before: CommunicationRow | null): Promise<Communication> {
  const row = await work.tx.one<CommunicationRow>(communications(work.org, sql`c.id = ${id}`));
  const shape = communicationShape(row);
  const was = before && communicationShape(before);
  const job = row.job_id !== null && row.job_id !== before?.job_id ? [{ kind: 'job', id: row.job_id }] : undefined;
  work.changed({ ...aboutOf(row), changes: diff(was, shape), objects: job, ...(was && { was }) });
  return shape;
}

const aboutOf = (row: CommunicationRow) => ({
  kind: 'communication',
  id: row.id,
  event: row.event_id,
  group: row.group_id,
});

/** If left out, the caller's own group. Null means everybody, which a caller limited to a group may not choose. */
async function groupOf(work: Work, group: string | null | undefined): Promise<Id | null> {
  const { caller } = work;
  if (group === undefined) return caller.group?.id ?? null;
  if (group !== null) return (await inBody(work, aGroup, group, 'group', {})).id;
  if (caller.group !== null)
    invalid({
      path: 'group',
      message: 'must name your group or be left out, because your access is limited to a group',
    });
  return null;
}

type Words = Partial<Pick<CommunicationCreate, 'subject' | 'text' | 'send_at'>>;
const requireValidWords = (tx: Tx, body: Words): void => requireValid(wordFaults(tx, body));

export function wordFaults(tx: Tx, { subject, text, send_at }: Words): Fault[] {
  const faults = [
    ...(subject === undefined ? [] : faultsIn(subject, 'subject')),
    ...(text === undefined ? [] : faultsIn(text, 'text')),
  ];
  for (const [path, words] of Object.entries({ subject, text })) {
    if (words !== undefined && cleanLine(words) === '')
      faults.push({ path, message: 'must not be empty', rule: 'empty' });
  }
  if (send_at != null && Date.parse(send_at) <= tx.clock.now().getTime()) {
    faults.push({ path: 'send_at', message: 'must be in the future', rule: 'not_in_future' });
  }
  return faults;
}
