import type { Envelope } from './envelope.ts';
import { bytesOf, listOf, signaturesOf, unixSeconds } from './sign.ts';

/** How far `t` may be before or after the receiver's clock. */
export const TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** The default is 300. */
  toleranceSeconds?: number;
  /** In Unix seconds. The default is the clock of this machine. */
  now?: number;
}

export type SignatureFault =
  /** There is no `Service-Signature` header. */
  | 'missing_header'
  /** The header is not `t=<unix seconds>,v1=<64 lowercase hex digits>`, perhaps with more entries. */
  | 'malformed_header'
  /** No `v1` fits this body, this `t` and one of your secrets: another secret signed, or the body is not byte for byte what was sent. */
  | 'no_match'
  /** The signature is genuine, but older than the tolerance: somebody has sent it again, or your clock is fast. */
  | 'too_old'
  /** The signature is genuine, but further ahead than the tolerance: your clock is slow. */
  | 'too_new'
  /** The signature is genuine, but the body is not a JSON object. */
  | 'malformed_body';

const MESSAGES: Record<SignatureFault, string> = {
  missing_header: 'There is no Service-Signature header.',
  malformed_header: 'The Service-Signature header does not have the form t=<unix seconds>,v1=<hex>.',
  no_match: 'No v1 in the Service-Signature header matches this body and this secret.',
  too_old: 'The signature is too old for the clock of this machine.',
  too_new: 'The signature is ahead of the clock of this machine.',
  malformed_body: 'The body is signed, but it is not a JSON object.',
};

/** The request is at fault, so answer 400. If `verify` throws anything else, your own call is at fault. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
  readonly code: SignatureFault;
  constructor(code: SignatureFault) {
    super(MESSAGES[code]);
    this.code = code;
  }
}

/**
 * Answers the envelope if the signature fits this body and one of the secrets, and is recent; throws otherwise. `rawBody` is the body
 * exactly as it came, because a body that was parsed and written again has other bytes. `header` is the value of `Service-Signature`
 * as your server gives it.
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
  // One HMAC is computed for each secret, however many signatures the header has. Otherwise a header with many entries could make
  // us hash a long body many times.
  const expected = await signaturesOf(body, list, t);
  const pairs = expected.flatMap((ours) => signatures.map((theirs) => [ours, theirs] as const));
  if (pairs.filter(([ours, theirs]) => sameText(ours, theirs)).length === 0) throw new SignatureError('no_match');
  // The age is checked after the signature. So `too_old` and `too_new` are only said of genuine signatures and point to a clock.
  const age = now - Number(t);
  // The conditions are negated so that a tolerance or a clock that is NaN leads to a refusal.
  if (!(age <= toleranceSeconds)) throw new SignatureError('too_old');
  if (!(age >= -toleranceSeconds)) throw new SignatureError('too_new');
  return readEnvelope(body);
}

/** Accepts one `t` first, then one to nine versions. Versions other than `v1` belong to later schemes and are ignored. */
function parse(header: string | readonly string[] | null | undefined): { t: string; signatures: string[] } {
  if (header === null || header === undefined) throw new SignatureError('missing_header');
  const match = typeof header === 'string' ? /^t=([0-9]{1,15})((?:,v[0-9]+=[^,]+){1,9})$/.exec(header) : null;
  const signatures = [...(match?.[2] ?? '').matchAll(/,v1=([0-9a-f]{64})(?=,|$)/g)].map((found) => found[1]!);
  if (match === null || signatures.length === 0) throw new SignatureError('malformed_header');
  return { t: match[1]!, signatures };
}

/** Compares in constant time: how long it takes does not tell where two texts of the same length differ. */
function sameText(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i);
  return difference === 0;
}

function readEnvelope(body: Uint8Array): Envelope {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Envelope;
  } catch {
    // Refused below, like any other body that is not an envelope.
  }
  throw new SignatureError('malformed_body');
}
