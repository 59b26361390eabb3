import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedIn } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { networkOf } from '../../common/network.ts';
import { refuse } from '../../common/refusal.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountRow, acrossOrganizationsMemberships, findByEmail, lockAccount } from './accounts.ts';
import { auditFailedTry } from './audit.ts';
import type { AccountCall } from './call.ts';
import { type Entered, enter, entered } from './enter.ts';
import { knownBrowser } from './known-browser.ts';
import { Queue } from './queue.ts';
import { type Bucket, clearTries, FREE_TRIES, returnTry, takeTry, touchTries } from './throttle.ts';

/**
 * What a try counts against: the account and the network. From a browser that the account has signed in with before, only that
 * browser. An address without an account counts like one that has one.
 */
export function bucketsOf(call: AccountCall, what: string, email: string, account: Pick<AccountRow, 'id'> | null) {
  const known = account === null ? null : knownBrowser(call, account.id);
  if (known !== null) {
    return { own: [{ of: `${what} known ${account!.id} ${known}`, free: FREE_TRIES.account }], network: null };
  }
  const who = account === null ? `address ${email.toLowerCase()}` : `account ${account.id}`;
  const network: Bucket = { of: `${what} network ${networkOf(call.request.address)}`, free: FREE_TRIES.network };
  return { own: [{ of: `${what} ${who}`, free: FREE_TRIES.account }], network };
}
export type Buckets = ReturnType<typeof bucketsOf>;
export const allOf = ({ own, network }: Buckets): Bucket[] => (network === null ? own : [...own, network]);

/** The right person has come: their own tries are forgotten, and the network gets back this one. */
export async function forgive(tx: Tx, { secrets }: AccountCall, buckets: Buckets): Promise<void> {
  await clearTries(tx, secrets, buckets.own);
  if (buckets.network !== null) await returnTry(tx, secrets, buckets.network);
}

/**
 * Signs in with a password. For an address that has no account, or an account without a password, the same statements run, a hash
 * is computed all the same, and the answer is the same.
 */
export async function signInWithPassword(
  call: AccountCall<{ email: string; password: string }, 'none'>,
): Promise<SignedIn> {
  const { email, password } = call.body;
  const { account, buckets } = await countTry(call, email);
  let hash = account?.password_hash ?? null;
  for (let turn = 0; turn < MAX_CHECKS; turn += 1) {
    if (!(await call.passwords.fits(password, hash))) {
      await Promise.all([call.work((tx) => noteFailure(tx, call, account, buckets)), sleep(NOTED_WITHIN_MS)]);
      return refuse('sign_in_failed');
    }
    const renewed = await call.passwords.renewed(password, hash!);
    const result = await call.work((tx) => enterUnlessChanged(tx, call, buckets, { id: account!.id, hash, renewed }));
    if (result.entered !== null) return entered(call, result.entered);
    hash = result.hash;
  }
  return refuse('sign_in_failed');
}

/** Whoever changes a password again and again while it is being checked signs in once more. */
const MAX_CHECKS = 3;

/**
 * The hash may have been replaced while the password was checked: by another password, or because another sign-in has renewed it.
 * Then nobody enters, and the password is checked again with the present hash.
 */
async function enterUnlessChanged(
  tx: Tx,
  call: AccountCall,
  buckets: Buckets,
  { id, hash, renewed }: { id: Id; hash: string | null; renewed: string | null },
): Promise<{ entered: Entered | null; hash: string | null }> {
  const locked = await lockAccount(tx, id);
  if (locked === null || locked.password_hash !== hash) return { entered: null, hash: locked?.password_hash ?? null };
  if (renewed !== null) await tx.run(sql`update accounts set password_hash = ${renewed} where id = ${id}`);
  await forgive(tx, call, buckets);
  return { entered: await enter(tx, call, locked, { method: 'password', secondFactor: false }), hash };
}

/**
 * Of many who sign in at the same moment only a few use the database at once. The others would wait for a hash afterwards anyway, and
 * would take all connections from the requests of everybody else.
 */
const counting = new Queue({ atOnce: 3, waiting: 1000 });

/** Counts the try, or refuses it. */
async function countTry(call: AccountCall, email: string): Promise<{ account: AccountRow | null; buckets: Buckets }> {
  const what = [email.toLowerCase(), networkOf(call.request.address), call.cookies.known].join(' ');
  return call.refused.unlessJustRefused(
    what,
    () => call.clock.now(),
    () =>
      counting.run('sign-in', () =>
        call.work(async (tx) => {
          const account = await findByEmail(tx, email);
          const buckets = bucketsOf(call, 'password', email, account);
          await takeTry(tx, call.secrets, allOf(buckets));
          return { account, buckets };
        }),
      ),
  );
}

/**
 * The audit rows of a failed try exist only if there is an account, and writing them takes the better part of a millisecond. The answer
 * comes no sooner than this, which hides it.
 */
const NOTED_WITHIN_MS = 50;

/** Commits a write whether or not there is an account. */
async function noteFailure(tx: Tx, call: AccountCall, account: AccountRow | null, buckets: Buckets): Promise<void> {
  await touchTries(tx, call.secrets, allOf(buckets));
  const members = await acrossOrganizationsMemberships(tx, account?.id ?? NOBODY);
  auditFailedTry(tx, members, call.request, { method: 'password' });
}
const NOBODY = '00000000-0000-0000-0000-000000000000';
