import type { PlatformConnect, PlatformConnection, PlatformName } from '@turnout/contract';
import { type Id, newId, parseRef, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { PlatformError, type PlatformReader, type Platforms, type SourceAccount } from '../../outside/platforms.ts';
import type { Work } from '../../road/operation.ts';
import { reference } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import type { Tx } from '../../store/tx.ts';

export interface ConnectionRow {
  id: Id;
  platform: PlatformName;
  account_id: string;
  account_name: string;
  account_email: string | null;
  /** Encrypted. */
  token: Buffer;
  created_at: string;
  updated_at: string;
}
const COLUMNS = sql`id, platform, account_id, account_name, account_email, token, created_at, updated_at`;

export const connectionShape = (row: ConnectionRow): PlatformConnection => ({
  id: toUlid(row.id),
  platform: row.platform,
  account: { name: row.account_name, email: row.account_email },
  ...stamps(row),
});

export const findConnection = (tx: Tx, org: Id, id: Id): Promise<ConnectionRow | null> =>
  tx.maybe<ConnectionRow>(sql`select ${COLUMNS} from platform_connections where org_id = ${org} and id = ${id}`);

export const connections = (tx: Tx, org: Id): Promise<ConnectionRow[]> =>
  tx.all<ConnectionRow>(sql`select ${COLUMNS} from platform_connections where org_id = ${org} order by id`);

export const aConnection = reference<ConnectionRow>({
  kind: 'platform_connection',
  byCode: false,
  find: async ({ tx, org }, ref) => {
    const { id } = parseRef(ref);
    return id === null ? null : findConnection(tx, org, id);
  },
});

export interface Connected {
  account: SourceAccount;
  sealed: Buffer;
}

/** Asks the platform whose token this is, before anything is stored. */
export function askAccount(platforms: Platforms, { platform, token }: PlatformConnect): () => Promise<Connected> {
  const sealed = platforms.seal(token);
  return withRefusals('token', async () => ({
    sealed,
    account: await platforms.open(platform, sealed, { hurried: true }).account(),
  }));
}

/** If the account is connected already, its token is replaced and the connection keeps its id, so imports keep working. */
export async function connect(
  work: Work,
  platform: PlatformName,
  { account, sealed }: Connected,
): Promise<ConnectionRow> {
  const now = work.tx.clock.now();
  const row = await work.tx.one<ConnectionRow>(sql`
    insert into platform_connections (org_id, id, platform, account_id, account_name, account_email, token, created_at, updated_at)
    values (${work.org}, ${newId(now)}, ${platform}, ${account.id}, ${account.name}, ${account.email}, ${sealed}, ${now}, ${now})
    on conflict (org_id, platform, account_id) do update set account_name = excluded.account_name,
      account_email = excluded.account_email, token = excluded.token, updated_at = excluded.updated_at
    returning ${COLUMNS}`);
  work.changed({ kind: 'platform_connection', id: row.id, changes: { platform, account: account.name } });
  return row;
}

/** Deletes the connection and its token. A running import that is interrupted after this fails when it is resumed. */
export async function disconnect(work: Work, { id, platform, account_name }: ConnectionRow): Promise<undefined> {
  await work.tx.run(sql`delete from platform_connections where org_id = ${work.org} and id = ${id}`);
  work.changed({ kind: 'platform_connection', id, changes: { platform, account: account_name } });
  return undefined;
}

/** Asks the platform something on behalf of a caller who is waiting for the answer. */
export const askPlatform = <T>(
  platforms: Platforms,
  { platform, token }: ConnectionRow,
  ask: (reader: PlatformReader) => Promise<T>,
): (() => Promise<T>) =>
  withRefusals('source_event', async () => ask(platforms.open(platform, token, { hurried: true })));

/** Turns an error of the platform into a refusal. `field` is the field of the body that is named if the body caused it. */
const withRefusals =
  <T>(field: 'token' | 'source_event', ask: () => Promise<T>) =>
  async (): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      const { kind, message, cause } = error;
      if (kind === (field === 'token' ? 'token' : 'not_found')) {
        refuse('validation_failed', { message, details: [{ path: field, message }] });
      }
      if (kind === 'token') refuse('invalid_state', { message });
      return refuse('unavailable', { message, log: `${message} ${cause ?? ''}` });
    }
  };
