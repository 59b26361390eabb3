import pg from 'pg';

/** The server takes no writes: it is a standby, or was made read-only. Another host may be the primary. */
export class NotWritable extends Error {
  /** `read_only_sql_transaction`, as PostgreSQL calls it when a statement tries to write. */
  readonly code = NOT_WRITABLE;
  constructor() {
    super('this PostgreSQL takes no writes');
  }
}
export const NOT_WRITABLE = '25006';

/** `postgres://user@a:5432,b:5432/turnout` names two servers, as libpq reads it. Each gets an address of its own. */
export function hostsOf(url: string): string[] {
  const [, before, hosts, after] = /^(\w+:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url) ?? [];
  if (hosts === undefined || !hosts.includes(',')) return [url];
  return hosts.split(',').map((host) => `${before}${host}${after}`);
}

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

  get current(): string {
    return this.#urls[this.#turn]!;
  }

  /** This one did not serve. Of many who say so at once, the first one is heard. */
  failed(url: string): void {
    if (url === this.current) this.#turn = (this.#turn + 1) % this.count;
  }

  /** What a pool makes its connections of. */
  get Client(): new (
    options?: pg.ClientConfig,
  ) => pg.Client {
    const hosts = this;
    return class extends pg.Client {
      constructor(options: pg.ClientConfig = {}) {
        super({ ...options, connectionString: hosts.current });
      }
    };
  }
}

/** Refuses a new connection to a server that takes no writes. */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ writable: boolean }>(
    `select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as writable`,
  );
  if (rows[0]?.writable !== true) throw new NotWritable();
}
