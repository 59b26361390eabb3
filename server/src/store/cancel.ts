import net from 'node:net';
import type { Client } from './pool.ts';

/** The code of a cancel request in the protocol of PostgreSQL. */
const CANCEL = 80_877_102;
/** A cancel request is answered at once or not at all. */
const PATIENCE_MS = 5_000;

/** What `pg` knows of a connection: where it leads, and the number and the secret that name it to PostgreSQL. */
interface Connected {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

/**
 * Asks PostgreSQL to stop the statement that the connection runs. This is a request of the protocol, over a connection of its own, so it
 * also works through a pooler, where `pg_cancel_backend` would name another process. It resolves when PostgreSQL has closed that
 * connection: by then the signal has been sent, and a statement that is sent afterwards cannot be hit by it. Until then the connection
 * must not be used by anybody else.
 */
export function cancelStatement(client: Client): Promise<void> {
  const { host, port, processID, secretKey } = client as unknown as Connected;
  return new Promise((resolve, reject) => {
    const socket = net.connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port });
    socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('the cancel request was not answered')));
    socket.once('error', reject);
    socket.once('close', () => resolve());
    socket.once('connect', () => {
      const request = Buffer.alloc(16);
      request.writeInt32BE(request.length, 0);
      request.writeInt32BE(CANCEL, 4);
      request.writeInt32BE(processID, 8);
      request.writeInt32BE(secretKey, 12);
      socket.write(request);
    });
    socket.resume();
  });
}
