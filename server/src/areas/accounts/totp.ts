import { createHmac, randomBytes } from 'node:crypto';

/** Codes of an authenticator app (RFC 6238): HMAC-SHA-1, six digits, a new one every 30 seconds, as every app understands them. */
const PERIOD_MS = 30_000;
const DIGITS = 6;

export const newTotpSecret = (): Buffer => randomBytes(20);

export const stepAt = (at: Date): number => Math.floor(at.getTime() / PERIOD_MS);

export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = hash[hash.length - 1]! & 15;
  const number = hash.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The step that a code belongs to: the current one, or the one before or after, because clocks differ. Null if it is none. */
export function stepOf(secret: Buffer, code: string, at: Date): number | null {
  const now = stepAt(at);
  return [now, now - 1, now + 1].find((step) => codeOf(secret, step) === code) ?? null;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
export function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** What the QR code holds. */
export function totpUri(secret: Buffer, email: string, issuer: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  return `otpauth://totp/${label}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${DIGITS}&period=30`;
}
