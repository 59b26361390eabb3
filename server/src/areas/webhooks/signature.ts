import { hash, randomBytes } from 'node:crypto';

/** `whsec_` and base64 of 32 bytes: also what the Standard Webhooks libraries take. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/**
 * HMAC-SHA256 (RFC 2104) under one key, of a short text and a body. By two hashes in one call each: `createHmac` makes an object
 * that the collector must find again, and takes 2.2–3.2 µs where this takes 1.4 [m].
 */
class Hmac {
  /** The key with the pads of the two hashes. */
  readonly #inner = Buffer.alloc(BLOCK, 0x36);
  readonly #outer = Buffer.alloc(BLOCK + DIGEST, 0x5c);

  constructor(key: Buffer) {
    const short = key.length > BLOCK ? hash('sha256', key, 'buffer') : key;
    for (const [i, byte] of short.entries()) {
      this.#inner[i]! ^= byte;
      this.#outer[i]! ^= byte;
    }
  }

  /** `head` is plain ASCII. */
  sign(head: string, body: Buffer, as: 'hex' | 'base64'): string {
    const from = BLOCK + head.length;
    const size = from + body.length;
    const all = size <= scratch.length ? scratch : Buffer.allocUnsafe(size);
    all.set(this.#inner);
    all.write(head, BLOCK, 'latin1');
    all.set(body, from);
    this.#outer.write(hash('sha256', all.subarray(0, size), 'binary'), BLOCK, 'binary');
    return hash('sha256', this.#outer, as);
  }
}
const BLOCK = 64;
const DIGEST = 32;
/** For one signature at a time; larger bodies get their own. */
const scratch = Buffer.allocUnsafe(64 * 1024);

/** A secret as both ways of signing want it, made once for many signatures. */
export interface SigningKey {
  whole: Hmac;
  decoded: Hmac;
}
export const signingKey = (secret: string): SigningKey => ({
  whole: new Hmac(Buffer.from(secret)),
  decoded: new Hmac(Buffer.from(secret.slice('whsec_'.length), 'base64')),
});

/** `t=<unix seconds>,v1=<hex>`, one `v1` a secret, the newest first. The key is the whole secret string, `whsec_` included. */
export const signature = (keys: readonly SigningKey[], t: number, body: Buffer): string =>
  `t=${t}${keys.map(({ whole }) => `,v1=${whole.sign(`${t}.`, body, 'hex')}`).join('')}`;

/** The same body, signed as https://www.standardwebhooks.com has it: there the key is what the base64 stands for. */
export const standardHeaders = (id: string, keys: readonly SigningKey[], t: number, body: Buffer) => ({
  'webhook-id': id,
  'webhook-timestamp': String(t),
  'webhook-signature': keys.map(({ decoded }) => `v1,${decoded.sign(`${id}.${t}.`, body, 'base64')}`).join(' '),
});
