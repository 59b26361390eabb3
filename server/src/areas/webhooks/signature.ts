import { createHmac, createSecretKey, type KeyObject, randomBytes } from 'node:crypto';

/** `whsec_` and the base64 of 32 random bytes, which is the form that the libraries of Standard Webhooks accept. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** A secret as each of the two ways of signing uses it, prepared once for many signatures. */
export interface SigningKey {
  /** The whole text, `whsec_` included. */
  text: KeyObject;
  /** The bytes that the base64 stands for. */
  bytes: KeyObject;
}
export const signingKey = (secret: string): SigningKey => ({
  text: createSecretKey(Buffer.from(secret)),
  bytes: createSecretKey(Buffer.from(secret.slice('whsec_'.length), 'base64')),
});

const hmac = (key: KeyObject, head: string, body: Buffer, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', key).update(head).update(body).digest(encoding);

/** `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret, the newest first. The key is the whole text of the secret. */
export const signature = (keys: readonly SigningKey[], t: number, body: Buffer): string =>
  `t=${t}${keys.map(({ text }) => `,v1=${hmac(text, `${t}.`, body, 'hex')}`).join('')}`;

/**
 * The signature of Standard Webhooks that was sent along with one of ours, which is kept. It is computed again with the same secrets,
 * and ours proves which of them these were. Null if one of them is not known any more.
 */
export function standardSignature(kept: string, known: readonly SigningKey[], id: string, body: Buffer): string | null {
  const [, t, marks] = /^t=(\d+)((?:,v1=[0-9a-f]+)+)$/.exec(kept) ?? [];
  if (t === undefined || marks === undefined) return null;
  const byMark = new Map(known.map((key) => [hmac(key.text, `${t}.`, body, 'hex'), key]));
  const keys = marks
    .split(',v1=')
    .slice(1)
    .map((mark) => byMark.get(mark));
  const found = keys.filter((key) => key !== undefined);
  return found.length < keys.length ? null : standardHeaders(id, found, Number(t), body)['webhook-signature'];
}

/** Signs the same body as https://www.standardwebhooks.com specifies it. There the key is the bytes of the secret. */
export const standardHeaders = (id: string, keys: readonly SigningKey[], t: number, body: Buffer) => ({
  'webhook-id': id,
  'webhook-timestamp': String(t),
  'webhook-signature': keys.map(({ bytes }) => `v1,${hmac(bytes, `${id}.${t}.`, body, 'base64')}`).join(' '),
});
