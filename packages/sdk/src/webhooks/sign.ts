const encoder = new TextEncoder();

/**
 * Makes a `Service-Signature` header as Turnout does, for tests of your receiver. Pass several secrets, the new one first, to sign as
 * Turnout does during a rotation.
 */
export async function sign(
  rawBody: Uint8Array | string,
  secrets: string | readonly string[],
  t: number = unixSeconds(),
): Promise<string> {
  if (!Number.isSafeInteger(t) || t < 0) throw new TypeError('t must be a time in whole Unix seconds');
  const signatures = await signaturesOf(bytesOf(rawBody), listOf(secrets), String(t));
  return [`t=${t}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
}

/** One HMAC-SHA256 in lowercase hex for each secret, over `<t>.<body>`. The key is the whole text of the secret, `whsec_` included. */
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
    throw new TypeError('a secret must be passed whole, as it was shown; it begins with whsec_');
  }
  return list;
}

export function bytesOf(rawBody: Uint8Array | string): Uint8Array {
  if (typeof rawBody === 'string') return encoder.encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return rawBody;
  throw new TypeError('the body must be passed raw, as bytes or text exactly as it came, and not parsed');
}

export const unixSeconds = (): number => Math.floor(Date.now() / 1000);

const hexOf = (buffer: ArrayBuffer): string =>
  Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
