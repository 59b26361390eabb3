import pg from 'pg';
import type { Clock } from '../../clock.ts';
import { inTime } from '../../common/in-time.ts';
import { hostsOf } from '../../common/several-hosts.ts';
import type { Config } from '../../config.ts';
import { clusterExists } from '../../embedded/cluster.ts';
import { connectRunning, startEmbedded } from '../../embedded/index.ts';
import { openPool, type Pool } from '../../store/pool.ts';
import { sql } from '../../store/sql.ts';
import { jobTransaction, type Tx } from '../../store/tx.ts';
import { messageOf, NotChecked } from './verdict.ts';

const CONNECT_MS = 4_000;
/** Enough for four checks of the data at a time (store/places.ts). */
const CONNECTIONS = 12;
const NAME = 'turnout-cli';

/** One server that the address of the database names, as it is right now. */
export interface Server {
  name: string;
  url: string;
  /** Why it does not serve; null if it does. */
  fault: string | null;
  takesWrites: boolean;
  version: string;
  versionNumber: number;
}

export interface Database {
  isEmbedded: boolean;
  /** Those of DATABASE_URL. */
  servers: Server[];
  /** As DATABASE_URL and DATABASE_DIRECT_URL say. */
  url: string;
  directUrl: string;
  /** The one that is asked: it takes writes, if any does. */
  server: Server;
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Whoever asks has the connection to themselves meanwhile. */
  alone<T>(work: (client: pg.Client) => Promise<T>): Promise<T>;
  /** Runs the work as the operator, who sees all organizations. It may only read. */
  read<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
}

interface Asking {
  clock: Clock;
  addresses(host: string): Promise<string[]>;
  /** Statements may take as long as they need. */
  isPatient: boolean;
}

export interface Opened {
  servers: Server[];
  /** Null if no server can be asked. */
  database: Database | null;
  /** Why there is none, where no server was even tried. */
  fault: string | null;
  close(): Promise<void>;
}

/**
 * Opens the database without changing anything: it is not migrated, and an embedded one is not created. One that no server runs is
 * started meanwhile.
 */
export async function openDatabase(config: Config, { clock, addresses, isPatient }: Asking): Promise<Opened> {
  const stops: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const stop of stops.reverse()) await stop();
  };
  const none = (fault: string): Opened => ({ servers: [], database: null, fault, close });
  let url = config.databaseUrl;
  const isEmbedded = url === null;
  if (url === null) {
    const there = await clusterExists(config.dataDir).catch(() => false);
    if (!there) return none(`there is no database in ${config.dataDir} yet`);
    url = (await connectRunning(config.dataDir))?.url ?? null;
    if (url === null) {
      const embedded = await startEmbedded({ dataDir: config.dataDir }).catch((error: Error) => error);
      if (embedded instanceof Error) return none(embedded.message);
      stops.push(() => embedded.stop());
      url = embedded.url;
    }
  }
  const directUrl = config.databaseDirectUrl ?? url;
  const servers = await Promise.all(hostsOf(url).map((one) => look(one, addresses)));
  const direct = directUrl === url ? servers : await Promise.all(hostsOf(directUrl).map((one) => look(one, addresses)));
  const server = direct.find((one) => one.takesWrites) ?? direct.find((one) => one.fault === null);
  if (server === undefined) return { servers, database: null, fault: direct[0]!.fault, close };
  const client = new pg.Client(settingsOf(server.url));
  client.on('error', () => {});
  await client.connect();
  stops.push(() => leave(client));
  let turn: Promise<unknown> = Promise.resolve();
  const alone = <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const mine = turn.then(() => work(client));
    turn = mine.catch(() => {});
    return mine;
  };
  let pool: Pool | undefined;
  const database: Database = {
    ...{ isEmbedded, servers, url, directUrl, server, alone },
    query: (text, values) => alone(async (one) => (await one.query(text, values)).rows),
    read: (work) => {
      if (!server.takesWrites) throw new NotChecked('no server of the database takes writes');
      if (pool === undefined) {
        pool = openPool({ url: directUrl, max: CONNECTIONS, name: NAME });
        stops.push(() => pool!.end());
      }
      return jobTransaction(
        pool,
        clock,
        { role: 'system' },
        async (tx) => {
          if (!isPatient) await tx.run(sql`select set_config('statement_timeout', '14000', true)`);
          return work(tx);
        },
        { readOnly: true },
      );
    },
  };
  return { servers, database, fault: null, close };
}

const settingsOf = (url: string): pg.ClientConfig => ({
  connectionString: url,
  connectionTimeoutMillis: CONNECT_MS,
  query_timeout: CONNECT_MS,
  application_name: NAME,
});

const LOOK = `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
  not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writes`;

async function look(url: string, addresses: Asking['addresses']): Promise<Server> {
  const client = new pg.Client(settingsOf(url));
  client.on('error', () => {});
  const { host, port } = client;
  const server = { name: host.startsWith('/') ? 'the socket' : `${host}:${port}`, url };
  const nothing = { takesWrites: false, version: '', versionNumber: 0 };
  try {
    if (!host.startsWith('/')) await addresses(host);
    await client.connect();
    const { rows } = await client.query<{ version: string; number: number; writes: boolean }>(LOOK);
    const { version, number: versionNumber, writes } = rows[0]!;
    return { ...server, fault: null, takesWrites: writes, version: version.split(' ')[0]!, versionNumber };
  } catch (error) {
    return { ...server, ...nothing, fault: messageOf(error) };
  } finally {
    await leave(client);
  }
}

/** Says goodbye, and does not wait for the answer of a server that is frozen. */
async function leave(client: pg.Client): Promise<void> {
  await inTime(300, client.end()).catch(() => {
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
  });
}
