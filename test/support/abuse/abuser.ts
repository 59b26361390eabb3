import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

/** One request as it is sent: nothing about it has to be right. */
export interface Outgoing {
  method: string;
  /** With its query; percent-encoded already. */
  path: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
}

export interface Answered {
  status: number;
  type: string;
  text: string;
}

/** Small requests that are sent together. */
export const AT_ONCE = 8;

/** Who abuses. */
export class Abuser {
  readonly #client: Pool;

  constructor(url: string, patienceMs: number) {
    this.#client = new Pool(url, {
      connections: AT_ONCE,
      headersTimeout: patienceMs,
      bodyTimeout: patienceMs,
      maxHeaderSize: 65_536,
    });
  }

  async send({ method, path, headers, body }: Outgoing): Promise<Answered> {
    const answer = await this.#client.request({
      method: method as 'GET',
      path,
      headers: { ...(method === 'POST' && { 'idempotency-key': randomUUID() }), ...headers },
      body,
    });
    const type = String(answer.headers['content-type'] ?? '');
    return { status: answer.statusCode, type, text: await answer.body.text() };
  }

  close(): Promise<void> {
    return this.#client.destroy();
  }
}
