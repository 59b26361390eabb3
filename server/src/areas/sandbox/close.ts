import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { hashSecret } from '../../road/gate/authenticate.ts';
import type { Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { emptySandbox, PUBLIC_TEST_KEY } from './sandbox.ts';

/**
 * Closes a sandbox that an earlier start has opened, if the sandbox is off now. Its key is published, so it must not go on working:
 * the key is revoked, the made-up manager is signed out, and everything in it is deleted, as on every night. Returns whether there was
 * one. The next start with the sandbox on opens it again.
 */
export async function closeSandbox(pool: Pool, clock: Clock): Promise<boolean> {
  const org = await jobTransaction(pool, clock, { role: 'system' }, acrossOrganizationsRevoke);
  if (org === null) return false;
  await emptySandbox(pool, clock, org);
  return true;
}

async function acrossOrganizationsRevoke(tx: Tx): Promise<Id | null> {
  await tx.run(
    sql`delete from account_sessions s using accounts a where a.id = s.account_id and a.sandbox and s.method = 'sandbox'`,
  );
  const revoked = await tx.maybe<{ org_id: Id }>(sql`
    update api_keys k set revoked_at = ${tx.clock.now()} from organizations o
    where o.id = k.org_id and o.sandbox and k.hash = ${hashSecret(PUBLIC_TEST_KEY)} and k.revoked_at is null
    returning k.org_id`);
  return revoked?.org_id ?? null;
}

/** Whether the published key works. */
export const isSandboxOpen = (pool: Pool, clock: Clock): Promise<boolean> =>
  jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
    const open = await tx.maybe(
      sql`select 1 from api_keys where hash = ${hashSecret(PUBLIC_TEST_KEY)} and revoked_at is null`,
    );
    return open !== null;
  });
