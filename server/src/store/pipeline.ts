import type { Duplex } from 'node:stream';
import type { Client } from './pool.ts';

const gathering = new WeakSet<Duplex>();

/**
 * Statements that are sent in one turn of the event loop travel in one packet: one system call for all of them instead of one
 * each. Figures, and why not another client: docs/decisions/0029-pipelined-statements.md.
 */
export function gather(client: Client): void {
  const { stream } = client.connection;
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
