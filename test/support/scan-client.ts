import { randomUUID } from 'node:crypto';
import { Pool } from 'undici';

export interface SentScan {
  code: string;
  check_in_point: string;
  client_uuid: string;
}
export interface ScanReply {
  status: number;
  text: string;
  replayed: boolean;
}

/** Many scanners at one server, each with a keep-alive connection of its own. */
export class Doors {
  readonly #pool: Pool;
  readonly #path: string;
  readonly #key: string;

  constructor(url: string, event: string, key: string, doors: number) {
    this.#pool = new Pool(url, { connections: doors, pipelining: 1 });
    this.#path = `/v1/events/${event}/scan`;
    this.#key = key;
  }

  /** Rejects if the connection breaks before the answer is complete. */
  async scan(scan: SentScan, idempotencyKey: string = randomUUID()): Promise<ScanReply> {
    const { statusCode, headers, body } = await this.#pool.request({
      method: 'POST',
      path: this.#path,
      headers: {
        authorization: `Bearer ${this.#key}`,
        'content-type': 'application/json',
        'idempotency-key': idempotencyKey,
      },
      body: JSON.stringify(scan),
    });
    return { status: statusCode, text: await body.text(), replayed: headers['idempotent-replayed'] === 'true' };
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}
