import { totalmem } from 'node:os';
import { EmbeddedError } from './error.ts';

const MB = 1024 ** 2;
/** An eighth of the machine's memory: enough for what a rush reads and writes. The rest is for Node and the system's own cache. */
export const sharedBuffers = (memory: number): string =>
  `${Math.round(Math.min(1024, Math.max(128, memory / MB / 8)))}MB`;

/** For a laptop or a small server with many small writes. Whatever was committed survives a power cut. */
const DEFAULTS: Record<string, string> = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '100',
  shared_buffers: sharedBuffers(totalmem()),
  work_mem: '8MB',
  maintenance_work_mem: '128MB',
  fsync: 'on',
  synchronous_commit: 'on',
  full_page_writes: 'on',
  // After a checkpoint, the first change to a page writes the whole page to the log. So checkpoints are rare, and these pages compressed.
  checkpoint_timeout: '15min',
  max_wal_size: '2GB',
  min_wal_size: '128MB',
  wal_compression: 'pglz',
  wal_buffers: '16MB',
  random_page_cost: '1.1',
  // Our statements are short, so compiling one costs more than it saves.
  jit: 'off',
  // The rows of queues (outbox, deliveries, jobs) are replaced many times a day.
  autovacuum_naptime: '20s',
  autovacuum_vacuum_scale_factor: '0.05',
  autovacuum_analyze_scale_factor: '0.05',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  log_min_messages: 'warning',
  log_line_prefix: '%m [%p] ',
};

export function configuration(version: string, overrides: Record<string, string>): string {
  const lines = Object.entries({ ...DEFAULTS, ...overrides }).map(([name, value]) => {
    if (!/^[a-z_][a-z0-9_.]*$/i.test(name))
      throw new EmbeddedError(`${JSON.stringify(name)} is not the name of a PostgreSQL setting.`);
    return `${name} = '${value.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
  });
  // The text names the version, so that a running server of another release differs and is restarted instead of adopted.
  return `# Written by Turnout at each start. PostgreSQL ${version}\n${lines.join('\n')}\n`;
}

/** Whoever can open the socket may log in as any role. The socket lies in a folder that only its owner can enter. */
export const ACCESS = 'local all all trust\n';
