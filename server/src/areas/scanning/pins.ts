import type { Id } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { MemberActor } from '../../road/caller.ts';
import type { Work } from '../../road/operation.ts';
import { NOTHING } from '../../road/write/audited.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { Passwords } from '../accounts/index.ts';

/**
 * The PIN with which a member unlocks a scanner. Six digits are quickly guessed by whoever has the hash, so what is hashed is not
 * the PIN but its HMAC with the secret of the installation, which is not in the database. The HMAC includes the member: the same
 * PIN of two members looks different.
 */
const passwords = new Passwords({ line: 'door' });

const keyed = (secrets: Secrets, org: Id, member: Id, pin: string): string =>
  secrets.sign(`door pin ${org} ${member} ${pin}`).toString('base64url');

export const hashPin = (secrets: Secrets, org: Id, member: Id, pin: string): Promise<string> =>
  passwords.hash(keyed(secrets, org, member, pin));

export const pinFits = (secrets: Secrets, org: Id, member: Id, pin: string, hash: string): Promise<boolean> =>
  passwords.fits(keyed(secrets, org, member, pin), hash);

/** A PIN that fits, hashed anew if the cost has changed since. It is the same PIN, so nothing is locked again. */
export async function renewPin(
  apart: <T>(work: (tx: Tx) => Promise<T>) => Promise<T>,
  secrets: Secrets,
  { org, member, pin, hash }: { org: Id; member: Id; pin: string; hash: string },
): Promise<void> {
  const renewed = await passwords.renewed(keyed(secrets, org, member, pin), hash);
  if (renewed === null) return;
  await apart((tx) =>
    tx.run(sql`
      update members set pin_hash = ${renewed} where org_id = ${org} and id = ${member} and pin_hash = ${hash}`),
  );
}

/** Scanners that were unlocked with the PIN before are locked again: they compare `pin_set_at`, so it must always change. */
export async function setPin(work: Work, hash: string): Promise<undefined> {
  const { tx, org, caller } = work;
  const now = tx.clock.now();
  await tx.run(sql`
    update members set pin_hash = ${hash}, updated_at = ${now},
      pin_set_at = greatest(${now}::timestamptz, pin_set_at + interval '1 microsecond')
    where org_id = ${org} and id = ${caller.actor.id}`);
  work.changed(changeOf(work));
  return undefined;
}

export async function removePin(work: Work): Promise<undefined> {
  const { tx, org, caller } = work;
  const removed = await tx.run(sql`
    update members set pin_hash = null, pin_set_at = null, updated_at = ${tx.clock.now()}
    where org_id = ${org} and id = ${caller.actor.id} and pin_hash is not null`);
  work.changed(removed === 0 ? NOTHING : changeOf(work));
  return undefined;
}

const changeOf = ({ caller }: Work) => ({
  kind: 'member',
  id: (caller.actor as MemberActor).id,
  group: caller.group?.id ?? null,
});
