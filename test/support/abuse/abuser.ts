import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

/** One request exactly as it is sent; it need not be valid in any way. */
export interface Outgoing {
  method: string;
  /** Including the query, and already percent-encoded. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** The caller hangs up when it is aborted. */
  signal?: AbortSignal;
}

export interface Answered {
  status: number;
  type: string;
  text: string;
}

/** How many small requests are sent at the same time. */
export const AT_ONCE = 8;

/** The caller who sends the abusive requests. */
export class Abuser {
  readonly #client: Pool;

  constructor(url: string, patienceMs: number, connections = AT_ONCE) {
    this.#client = new Pool(url, {
      connections,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
      maxHeaderSize: 65_536,
    });
  }

  async send({ method, path, headers, body, signal }: Outgoing): Promise<Answered> {
    const answer = await this.#client.request({
      method: method as 'GET',
      path,
      headers: { ...(method === 'POST' && { 'idempotency-key': randomUUID() }), ...headers },
      body,
      ...(signal !== undefined && { signal }),
    });
    const type = String(answer.headers['content-type'] ?? '');
    return { status: answer.statusCode, type, text: await answer.body.text() };
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}
