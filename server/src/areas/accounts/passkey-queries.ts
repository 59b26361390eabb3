import type { Passkey } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import type { NewPasskey } from './passkey-check.ts';

export interface PasskeyRow {
  id: Id;
  account_id: Id;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: NewPasskey['transports'];
  name: string;
  created_at: string;
  last_used_at: string | null;
}

const COLUMNS = sql`id, account_id, credential_id, public_key, counter, transports, name, created_at, last_used_at`;

export const findPasskey = (tx: Tx, credentialId: Buffer): Promise<PasskeyRow | null> =>
  tx.maybe<PasskeyRow>(sql`select ${COLUMNS} from account_passkeys where credential_id = ${credentialId}`);

/** The passkeys of an account, the oldest first. */
export const passkeysOf = (tx: Tx, account: Id): Promise<PasskeyRow[]> =>
  tx.all<PasskeyRow>(
    sql`select ${COLUMNS} from account_passkeys where account_id = ${account} order by created_at, id`,
  );

/** Null: the credential belongs to an account already, this one or another. */
export async function insertPasskey(
  tx: Tx,
  account: Id,
  name: string,
  { credentialId, publicKey, counter, transports, backedUp }: NewPasskey,
): Promise<PasskeyRow | null> {
  const now = tx.clock.now();
  return tx.maybe<PasskeyRow>(sql`
    insert into account_passkeys (id, account_id, credential_id, public_key, counter, transports, backed_up, name, created_at)
    values (${newId(now)}, ${account}, ${credentialId}, ${publicKey}, ${counter}, ${transports}, ${backedUp}, ${name}, ${now})
    on conflict (credential_id) do nothing returning ${COLUMNS}`);
}

export const noteUse = (tx: Tx, id: Id, { counter, backedUp }: { counter: number; backedUp: boolean }) =>
  tx.run(sql`
    update account_passkeys set counter = ${counter}, backed_up = ${backedUp}, last_used_at = ${tx.clock.now()} where id = ${id}`);

export const renamePasskey = (tx: Tx, account: Id, id: Id, name: string): Promise<PasskeyRow | null> =>
  tx.maybe<PasskeyRow>(
    sql`update account_passkeys set name = ${name} where id = ${id} and account_id = ${account} returning ${COLUMNS}`,
  );

export const deletePasskey = (tx: Tx, account: Id, id: Id): Promise<PasskeyRow | null> =>
  tx.maybe<PasskeyRow>(
    sql`delete from account_passkeys where id = ${id} and account_id = ${account} returning ${COLUMNS}`,
  );

export const passkeyShape = ({ id, name, created_at, last_used_at }: PasskeyRow): Passkey => ({
  id: toUlid(id),
  name,
  created_at,
  last_used_at,
});
