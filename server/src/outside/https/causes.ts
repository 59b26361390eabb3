const WORDS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'certificate expired',
  CERT_NOT_YET_VALID: 'certificate not valid yet',
  CERT_REVOKED: 'certificate revoked',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'certificate comes from an authority that is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate comes from an authority that is not trusted',
  CERT_SIGNATURE_FAILURE: 'certificate comes from an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate comes from an unknown authority, or without its chain',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another name',
  ERR_SSL_WRONG_VERSION_NUMBER: 'no TLS on this port',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'no TLS on this port',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection reset',
  CLOSED: 'connection closed',
  ETIMEDOUT: 'no connection to the address',
  EHOSTUNREACH: 'no way to the address',
  ENETUNREACH: 'no way to the address',
  EADDRNOTAVAIL: 'no way to the address',
};

/** Its message is a cause already. */
export class Failure extends Error {}

/** What went wrong between here and an endpoint, for whoever looks after the endpoint. */
export function causeOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const words = WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith('ERR_SSL_'))
    return `TLS failed (${code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')})`;
  return `failed (${code || message.slice(0, 200)})`;
}
