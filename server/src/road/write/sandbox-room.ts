import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { Meter } from '../../store/meter.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { Organization } from '../caller.ts';

export const SANDBOX_CODE = 'sandbox';
const MB = 1024 * 1024;

/**
 * What the sandbox may hold. Everybody has its key, so its bounds are far below those of an organization that somebody answers for.
 * `bytes` counts everything that was written since the sandbox last started over, including what was deleted or replaced since: that
 * takes up room, too. So it bounds every kind of row that has no bound of its own here.
 */
export const SANDBOX_LIMITS = {
  events: 50,
  people: 5_000,
  bytes: 50 * MB,
  /** Rows of one imported file. */
  importRows: 1_000,
  /** Jobs that wait or run, and the bytes of their files, each in test and in live mode. */
  jobs: { jobs: 5, bytes: 10 * MB },
};

/** Whether calls of this organization have to ask for room. Only the row in `sandbox_usage` decides; this saves others the question. */
export const mayBeSandbox = (org: Pick<Organization, 'code'>): boolean => org.code === SANDBOX_CODE;

/** Null for every organization but the sandbox. */
export const sandboxUsage = (tx: Tx, org: Id): Promise<{ bytes: number } | null> =>
  tx.maybe<{ bytes: number }>(sql`select bytes from sandbox_usage where org_id = ${org}`);

/**
 * Runs work that writes. In the sandbox it is refused beforehand if the sandbox is full, and undone if it would go beyond a bound.
 * The row is locked after the work and until the commit, when all other locks are held, so nobody waits for it for long and no two
 * calls can take the last place.
 */
export async function inSandboxRoom<T>(tx: Tx, org: Id, work: () => Promise<T>): Promise<T> {
  const before = await sandboxUsage(tx, org);
  if (before === null) return work();
  if (before.bytes >= SANDBOX_LIMITS.bytes) refuseFull();
  const meter = new Meter();
  tx.meter = meter;
  const result = await work();
  // Its answer comes after those of all statements before it, so the meter has counted them.
  const { bytes } = await tx.one<{ bytes: number }>(
    sql`select bytes from sandbox_usage where org_id = ${org} for update`,
  );
  const written = bytes + meter.bytes;
  if (written > SANDBOX_LIMITS.bytes) refuseFull();
  const { events, people } = await tx.one<{ events: number; people: number }>(sql`
    select (select count(*)::int from events where org_id = ${org}) as events,
      (select count(*)::int from attendees where org_id = ${org}) as people`);
  if (events > SANDBOX_LIMITS.events) refuseMore(`${SANDBOX_LIMITS.events} events`);
  if (people > SANDBOX_LIMITS.people) refuseMore(`${SANDBOX_LIMITS.people.toLocaleString('en')} people`);
  tx.send(sql`update sandbox_usage set bytes = ${written} where org_id = ${org}`);
  return result;
}

/** Refuses what would make the sandbox call somebody: its key is public, so anybody could send requests in our name. */
export async function refuseInSandbox(tx: Tx, org: Id, message: string): Promise<void> {
  if ((await sandboxUsage(tx, org)) !== null) refuse('invalid_state', { message });
}

/** For the refresh: the sandbox is empty again. */
export const resetSandboxUsage = (tx: Tx, org: Id): Promise<number> =>
  tx.run(
    sql`insert into sandbox_usage (org_id) values (${org}) on conflict (org_id) do update set bytes = excluded.bytes`,
  );

const ADVICE = 'It starts over every night at 03:00 UTC. To do more, create your own organization.';

const refuseFull = (): never => refuse('sandbox_full', { message: `The sandbox is full. ${ADVICE}` });

const refuseMore = (what: string): never =>
  refuse('sandbox_full', { message: `The sandbox has room for ${what}. ${ADVICE}` });
