const encoder = new TextEncoder();

/**
 * A `Service-Signature` header as Turnout makes it, for tests of your receiver. Several secrets sign as during a rotation: the
 * new one first.
 */
export async function sign(
  rawBody: Uint8Array | string,
  secrets: string | readonly string[],
  t: number = unixSeconds(),
): Promise<string> {
  if (!Number.isSafeInteger(t) || t < 0) throw new TypeError('t is a time in whole Unix seconds');
  const signatures = await signaturesOf(bytesOf(rawBody), listOf(secrets), String(t));
  return [`t=${t}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

/** One lowercase hex HMAC-SHA256 a secret, over `<t>.<body>`. The key is the whole secret as text, `whsec_` included. */
export function signaturesOf(body: Uint8Array, secrets: readonly string[], t: string): Promise<string[]> {
  const stamp = encoder.encode(`${t}.`);
  const signed = new Uint8Array(stamp.length + body.length);
  signed.set(stamp);
  signed.set(body, stamp.length);
  return Promise.all(
    secrets.map(async (secret) => {
      const algorithm = { name: 'HMAC', hash: 'SHA-256' };
      const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign']);
      return hexOf(await crypto.subtle.sign('HMAC', key, signed));
    }),
  );
}

export function listOf(secrets: string | readonly string[]): readonly string[] {
  const list = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(list) || list.length === 0 || !list.every((one) => /^whsec_./.test(one))) {
    throw new TypeError('a secret is passed whole, as it was shown: it begins with whsec_');
  }
  return list;
}

export function bytesOf(rawBody: Uint8Array | string): Uint8Array {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return rawBody;
  throw new TypeError('the body is passed raw, as bytes or text as they came, not parsed');
}

export const unixSeconds = (): number => Math.floor(Date.now() / 1000);

const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
