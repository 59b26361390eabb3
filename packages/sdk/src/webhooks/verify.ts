import type { Envelope } from './envelope.ts';
import { bytesOf, listOf, signaturesOf, unixSeconds } from './sign.ts';

/** How far `t` may be from the receiver's clock, either way. */
export const TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** Default 300. */
  toleranceSeconds?: number;
  /** Unix seconds; default the clock. */
  now?: number;
}

export type SignatureFault =
  /** There is no `Service-Signature`. */
  | 'missing_header'
  /** It is not `t=<unix seconds>,v1=<64 lowercase hex digits>`, with more entries perhaps. */
  | 'malformed_header'
  /** No `v1` is of this body, this `t` and a secret of yours: another secret, or a body that is not byte for byte what was sent. */
  | 'no_match'
  /** Genuine, and more than the tolerance ago: sent again by somebody, or your clock is fast. */
  | 'too_old'
  /** Genuine, and more than the tolerance ahead: your clock is slow. */
  | 'too_new'
  /** Genuine, and not a JSON object. */
  | 'malformed_body';

const MESSAGES: Record<SignatureFault, string> = {
  missing_header: 'There is no Service-Signature header.',
  malformed_header: 'The Service-Signature header is not t=<unix seconds>,v1=<hex>.',
  no_match: 'No v1 of the Service-Signature header matches this body and secret.',
  too_old: 'The signature is too old for the clock of this machine.',
  too_new: 'The signature is ahead of the clock of this machine.',
  malformed_body: 'The body is signed but not a JSON object.',
};

/** The request is not what it should be: answer 400. Anything else that `verify` throws is a fault of its caller. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureFault;
  constructor(code: SignatureFault) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

/**
 * The envelope, once the signature is found to be of this body and of one of the secrets, and recent. `rawBody` is the body
 * exactly as it came: what was parsed and written again has other bytes. `header` is the value of `Service-Signature` as your
 * server gives it.
 */
export async function verify(
  rawBody: Uint8Array | string,
  header: string | readonly string[] | null | undefined,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = unixSeconds() }: VerifyOptions = {},
): Promise<Envelope> {
  const body = bytesOf(rawBody);
  const list = listOf(secrets);
  const { t, signatures } = parse(header);
  // One HMAC a secret, however many signatures the header claims: it must not buy several hashes of a long body.
  const expected = await signaturesOf(body, list, t);
  const pairs = expected.flatMap((ours) => signatures.map((theirs) => [ours, theirs] as const));
  if (pairs.filter(([ours, theirs]) => sameText(ours, theirs)).length === 0) throw new SignatureError('no_match');
  // After the comparison: `too_old` and `too_new` are then only said of what is genuine, and point to a clock.
  const age = now - Number(t);
  // Negated, so that a tolerance or a clock that is not a number refuses.
  if (!(age <= toleranceSeconds)) throw new SignatureError('too_old');
  if (!(age >= -toleranceSeconds)) throw new SignatureError('too_new');
  return read(body);
}

/** `t` once and first, then up to nine versions. Those other than `v1` belong to later schemes and are left alone. */
function parse(header: string | readonly string[] | null | undefined): { t: string; signatures: string[] } {
  if (header === null || header === undefined) throw new SignatureError('missing_header');
  const match = typeof header === 'string' ? /^t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})$/.exec(header) : null;
  const signatures = [...(match?.[2] ?? '').matchAll(/,v1=([0-9a-f]{64})(?=,|$)/g)].map((found) => found[1]!);
  if (match === null || signatures.length === 0) throw new SignatureError('malformed_header');
  return { t: match[1]!, signatures };
}

/** In constant time: where two texts of the same length differ does not tell by how long it takes. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function read(body: Uint8Array): Envelope {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Envelope;
  } catch {
    // Told below, like any other body that is not an envelope.
  }
  throw new SignatureError('malformed_body');
}
