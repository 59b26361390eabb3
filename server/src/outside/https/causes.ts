import { errors } from 'undici';

/** Causes for the delivery log, by the `code` of the error that Node or undici gave. */
const CAUSES: Record<string, string> = {
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
  UND_ERR_SOCKET: 'connection closed',
  HPE_INVALID_EOF_STATE: 'connection closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the length of the answer is not what its headers say',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the answer are too large',
  ETIMEDOUT: 'no connection to the address',
  EHOSTUNREACH: 'no route to the address',
  ENETUNREACH: 'no route to the address',
  EADDRNOTAVAIL: 'no route to the address',
};

/** An error whose message can go into the delivery log as it is. */
export class Failure extends Error {}

/** A time limit has passed. */
export class TimedOut extends Error {}

/** The connection was closed before the answer was complete. */
export const closedError = (): Error => Object.assign(new Error('closed'), { code: 'CLOSED' });

/** Says what went wrong on the way to an endpoint, in words for the person who looks after that endpoint. */
export function causeOf(error: unknown): string {
  if (error instanceof Failure) return error.message;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const cause = CAUSES[code];
  if (cause !== undefined) return cause;
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP';
  if (code.startsWith('ERR_SSL_'))
    return `TLS failed (${code.slice('ERR_SSL_'.length).toLowerCase().replaceAll('_', ' ')})`;
  return `failed (${code || message.slice(0, 200)})`;
}

const CLOSED_BY_RECEIVER = ['ECONNRESET', 'EPIPE', 'CLOSED', 'UND_ERR_SOCKET'];

/** Whether the other end closed the connection, or reset it, before it answered. */
export const isClosedByReceiver = (error: unknown): boolean =>
  CLOSED_BY_RECEIVER.includes((error as { code?: string } | null)?.code ?? '');
