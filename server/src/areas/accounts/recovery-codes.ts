import { randomInt } from 'node:crypto';
import type { Id } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';

const CODES = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';
const LENGTH = 10;

/** Spaces, hyphens and small letters make no difference. */
const plain = (code: string): string => code.toUpperCase().replaceAll(/[\s-]+/g, '');
const hashOf = (secrets: Secrets, account: Id, code: string): Buffer =>
  secrets.sign(`recovery code ${account} ${plain(code)}`);

/** Replaces the recovery codes of an account. The codes are only in the answer; the table holds keyed hashes of them. */
export async function renewCodes(tx: Tx, secrets: Secrets, account: Id): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return `${letters.slice(0, 5)}-${letters.slice(5)}`;
  });
  await tx.run(sql`delete from account_recovery_codes where account_id = ${account}`);
  await tx.run(sql`
    insert into account_recovery_codes (account_id, hash)
    select ${account}, unnest(${codes.map((code) => hashOf(secrets, account, code))}::bytea[])`);
  return codes;
}

/** Uses a code up. Of two requests with the same code at once, the second one waits for the first and then finds it used. */
export async function useCode(tx: Tx, secrets: Secrets, account: Id, code: string): Promise<boolean> {
  const used = await tx.run(sql`
    update account_recovery_codes set used_at = ${tx.clock.now()}
    where account_id = ${account} and hash = ${hashOf(secrets, account, code)} and used_at is null`);
  return used === 1;
}
