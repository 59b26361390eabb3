import { createHmac, randomBytes } from 'node:crypto';

/** `whsec_` and base64 of 32 bytes: also what the Standard Webhooks libraries take. */
export const newSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

/** `t=<unix seconds>,v1=<hex>`, one `v1` a secret, the newest first. The key is the whole secret string, `whsec_` included. */
export function signature(secrets: readonly string[], t: number, body: Buffer): string {
  const signed = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex'));
  return [`t=${t}`, ...signed.map((hex) => `v1=${hex}`)].join(',');
}

/** The same body, signed as https://www.standardwebhooks.com has it: there the key is what the base64 stands for. */
export function standardHeaders(
  id: string,
  secrets: readonly string[],
  t: number,
  body: Buffer,
): Record<string, string> {
  const signed = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${t}.`).update(body).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(t), 'webhook-signature': signed.join(' ') };
}
