import { API_VERSION } from '@turnout/contract';
import type { Secrets } from '../../common/secrets.ts';
import { envelopeName } from '../../road/write/record.ts';
import type { DueEndpoint, QueuedDelivery } from './claim.ts';
import { type SigningKey, signature, signingKey, standardHeaders } from './signature.ts';

const USER_AGENT = `Turnout-Webhooks/${API_VERSION}`;

export interface Signed {
  signature: string;
  headers: Record<string, string>;
}

/** Makes the headers of an attempt, with the signatures by the endpoint's secret. */
export class Signer {
  readonly #secrets: Secrets;
  readonly #keys = new WeakMap<DueEndpoint, SigningKey[]>();

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  /** Throws if the secret cannot be decrypted. */
  sign({ envelope_id, occurrence_id, body }: QueuedDelivery, endpoint: DueEndpoint, at: Date): Signed {
    const keys = this.#keysOf(endpoint, at);
    const t = Math.floor(at.getTime() / 1000);
    const signed = signature(keys, t, body);
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': USER_AGENT,
      'service-signature': signed,
      ...standardHeaders(envelopeName(occurrence_id ?? envelope_id), keys, t, body),
    };
    return { signature: signed, headers };
  }

  /**
   * The secrets are decrypted once for each time that the endpoint is read from the database. The old secret signs alongside the
   * new one until its time is over.
   */
  #keysOf(endpoint: DueEndpoint, at: Date): SigningKey[] {
    let keys = this.#keys.get(endpoint);
    if (keys === undefined) {
      const encrypted = [endpoint.secret, ...(endpoint.old_secret === null ? [] : [endpoint.old_secret])];
      keys = encrypted.map((one) => signingKey(this.#secrets.decrypt(one).toString()));
      this.#keys.set(endpoint, keys);
    }
    const overlap = endpoint.old_secret_until !== null && new Date(endpoint.old_secret_until) > at;
    return overlap ? keys : keys.slice(0, 1);
  }
}
