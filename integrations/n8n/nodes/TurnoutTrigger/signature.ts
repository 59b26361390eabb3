import { createHmac, timingSafeEqual } from 'node:crypto';

const HEADER = /^t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})$/;
const TOLERANCE_SECONDS = 300;

/**
 * Whether `Service-Signature` was made over this body with this secret, within the last five minutes. Anything but the bytes exactly as
 * they arrived fails.
 */
export function isGenuine(body: Buffer, header: string, secret: string, nowSeconds = Date.now() / 1000): boolean {
  const [, t, entries] = HEADER.exec(header) ?? [];
  if (t === undefined || entries === undefined) return false;
  const expected = Buffer.from(`v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`);
  let found = false;
  for (const entry of entries.split(',')) {
    const given = Buffer.from(entry);
    found = (given.length === expected.length && timingSafeEqual(given, expected)) || found;
  }
  return found && Math.abs(nowSeconds - Number(t)) <= TOLERANCE_SECONDS;
}
