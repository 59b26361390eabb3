import pg from 'pg';
import { hostsOf } from '../common/several-hosts.ts';
import { answerLimit } from './kinds.ts';

/** The server takes no writes: it is a standby, or was made read-only. Another host may be the primary. */
export class NotWritable extends Error {
  /** `read_only_sql_transaction`, as PostgreSQL calls it when a statement tries to write. */
  readonly code = NOT_WRITABLE;
  constructor() {
    super('this PostgreSQL takes no writes');
  }
}
export const NOT_WRITABLE = '25006';

/**
 * To which of several servers new connections go: the one that served last. When it cannot be reached or takes no writes, it is the next
 * one's turn. `pg` itself knows neither several hosts nor `target_session_attrs`.
 */
export class Hosts {
  readonly #urls: readonly string[];
  #turn = 0;

  constructor(url: string) {
    this.#urls = hostsOf(url);
  }

  get count(): number {
    return this.#urls.length;
  }

  /** What a pool makes its connections of. */
  get Client(): typeof pg.Client {
    const hosts = this;
    return class extends pg.Client {
      readonly #host = hosts.#turn;

      constructor(options?: string | pg.ClientConfig) {
        super({ ...(options as pg.ClientConfig), connectionString: hosts.#urls[hosts.#turn]! });
      }

      override connect(): Promise<this>;
      override connect(callback: (error: Error | null) => void): void;
      override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
        if (callback !== undefined) {
          super.connect((error: Error | null) => {
            if (error) this.failed();
            callback(error);
          });
          return undefined;
        }
        return super.connect().then(
          () => this,
          (error) => {
            this.failed();
            throw error;
          },
        );
      }

      /** This server did not serve. Of many connections that say so at once, the first one is heard. */
      failed(): void {
        if (hosts.#turn === this.#host) hosts.#turn = (this.#host + 1) % hosts.count;
      }
    };
  }
}

const WRITABLE = `select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable`;

/** Refuses a new connection to a server that takes no writes, or that answers nothing once it is connected. */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const query = { text: WRITABLE, query_timeout: answerLimit('lookup') };
  try {
    const { rows } = await client.query<{ writable: boolean }>(query);
    if (rows[0]?.writable !== true) throw new NotWritable();
  } catch (error) {
    (client as pg.ClientBase & { failed?: () => void }).failed?.();
    throw error;
  }
}

/** A connection of its own, outside of every pool, to the first server that can be reached and takes writes. */
export async function connectOnce(url: string, options: pg.ClientConfig): Promise<pg.Client> {
  const hosts = new Hosts(url);
  for (let left = hosts.count; ; left -= 1) {
    const client = new hosts.Client(options);
    client.on('error', () => {});
    try {
      await client.connect();
      await requireWritable(client);
      return client;
    } catch (error) {
      await client.end().catch(() => {});
      if (left <= 1) throw error;
    }
  }
}
