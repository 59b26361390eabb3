import { randomUUID, timingSafeEqual } from 'node:crypto';
import { HOUR } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';

/** Nobody fills in a form in less time. Programs do. */
export const MIN_AGE_MS = 2000;
/** After this time people are asked to look at what they typed once more. */
export const MAX_AGE_MS = 24 * HOUR;

/**
 * The token of a form: the `Idempotency-Key` of what is sent with it, and when the form was opened. Each time a form is drawn it gets a
 * new id, and keeps the time at which it was first opened. So a form that is sent twice registers once, and one that was refused can be
 * sent again.
 */
export interface FormToken {
  id: Id;
  opened: number;
}

const SIGNATURE = 16;

export function makeToken(secrets: Secrets, event: Id, opened: number): string {
  const bytes = Buffer.alloc(22);
  Buffer.from(randomUUID().replaceAll('-', ''), 'hex').copy(bytes);
  bytes.writeUIntBE(opened, 16, 6);
  return Buffer.concat([bytes, signature(secrets, event, bytes)]).toString('base64url');
}

/** Null if the token is not ours, or was made for another event. */
export function readToken(secrets: Secrets, event: Id, token: string): FormToken | null {
  const all = Buffer.from(token, 'base64url');
  // Decoding skips characters that do not belong there. Each spelling would be another key, and register once more.
  if (all.length !== 22 + SIGNATURE || all.toString('base64url') !== token) return null;
  const bytes = all.subarray(0, 22);
  if (!timingSafeEqual(all.subarray(22), signature(secrets, event, bytes))) return null;
  const id = bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') as Id;
  return { id, opened: bytes.readUIntBE(16, 6) };
}

const signature = (secrets: Secrets, event: Id, bytes: Buffer): Buffer =>
  secrets.sign(`form ${event} ${bytes.toString('hex')}`).subarray(0, SIGNATURE);
