import { NO_LIMITS } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Caller } from '../../road/caller.ts';
import type { JobParts } from '../../road/for-areas/job.ts';
import { hostedLicense } from '../../road/gate/license.ts';
import type { Change, Work } from '../../road/operation.ts';
import { writeAudit } from '../../road/write/record.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { markCancelled, recordSent, startSending } from './communications.ts';
import { type CommunicationRow, lock } from './queries.ts';

interface Key {
  org_id: Id;
  id: Id;
}

/** Starts scheduled communications whose time has come. */
export async function startDue(parts: JobParts): Promise<number> {
  const now = parts.clock.now();
  const due = await acrossOrganizations(parts, (tx) =>
    tx.all<Key>(sql`
      select org_id, id from communications where status = 'scheduled' and send_at <= ${now} order by send_at, id`),
  );
  return inEach(parts, due, 'communication.started', async (work, row) => {
    if (row.status !== 'scheduled' || Date.parse(row.send_at!) > now.getTime()) return false;
    await startSending(work, row);
    return true;
  });
}

/** Stores the end of communications whose last mail is settled; until then it is computed from the recipients at each read. */
export async function keepSent(parts: JobParts): Promise<number> {
  const over = await acrossOrganizations(parts, (tx) =>
    tx.all<Key>(sql`
      select c.org_id, c.id from communications c
      where c.status = 'sending' and c.queued_at is not null and not exists (
        select from communication_recipients p
        where p.org_id = c.org_id and p.communication_id = c.id and p.status in ('pending', 'queued'))`),
  );
  return inEach(parts, over, 'communication.sent', async (work, row) => {
    if (row.status !== 'sent') return false;
    await recordSent(work, row);
    return true;
  });
}

/** Cancels communications whose job was cancelled or has failed before all mails were queued. */
export async function endAbandoned(parts: JobParts): Promise<number> {
  const abandoned = await acrossOrganizations(parts, (tx) =>
    tx.all<Key>(sql`
      select c.org_id, c.id from communications c
      join jobs j on j.org_id = c.org_id and j.id = c.job_id
      where c.status = 'sending' and c.queued_at is null and j.status in ('cancelled', 'failed')`),
  );
  return inEach(parts, abandoned, 'communication.cancelled', async (work, row) => {
    if (row.status !== 'sending') return false;
    await markCancelled(work, row);
    return true;
  });
}

const acrossOrganizations = <T>({ pool, clock }: JobParts, work: (tx: Tx) => Promise<T>): Promise<T> =>
  jobTransaction(pool, clock, { role: 'system' }, work);

/** Handles each one in a transaction of its own, so that a failure does not hold up the others. */
async function inEach(
  { pool, clock, log }: JobParts,
  keys: readonly Key[],
  action: string,
  act: (work: Work, row: CommunicationRow) => Promise<boolean>,
): Promise<number> {
  let done = 0;
  for (const { org_id: org, id } of keys) {
    try {
      done += await jobTransaction(pool, clock, { role: 'app', org }, async (tx) => {
        const row = await lock(tx, org, id);
        if (row === null) return 0;
        const changes: Change[] = [];
        const work = systemWork(tx, org, row, changes);
        if (!(await act(work, row))) return 0;
        const by = { action, caller: work.caller, source: 'system', client: null, requestId: null } as const;
        writeAudit(
          tx,
          org,
          changes.map((change) => ({ ...change, ...by })),
        );
        return 1;
      });
    } catch (error) {
      log.error({ err: error, communication: toUlid(id) }, action);
    }
  }
  return done;
}

/** The schedule acts without a request, so the parts of `Work` that only a request has are left empty. */
function systemWork(tx: Tx, org: Id, row: CommunicationRow, changes: Change[]): Work {
  const caller: Caller = {
    actor: { kind: 'system', id: null, name: 'schedule' },
    org: { id: org, code: '', name: '', timezone: 'UTC', terminology: {} },
    plan: {
      code: 'free',
      entitlements: [],
      limits: NO_LIMITS,
    },
    mode: row.test ? 'test' : 'live',
    group: null,
    usage: { month: '', calls: 0 },
  };
  return {
    tx,
    org,
    caller,
    mode: caller.mode,
    request: { id: 'schedule', client: null },
    license: hostedLicense,
    links: null as never,
    secrets: null as never,
    outside: null as never,
    changed: (change) => changes.push(change),
    raise: () => {},
  };
}
