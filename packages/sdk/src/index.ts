/** For programs that talk to Turnout: the API and its webhooks. Without dependencies, for Node, Bun, Deno, workers and browsers. */

export type { FileBody } from './body.ts';
export type { Answer, Call, CallOptions } from './call.ts';
export type { Batch, Changes, ChangesOptions, ChangesQuery } from './changes.ts';
export { Turnout } from './client.ts';
export { ApiError, ConnectionError, NotModifiedError, TimeoutError, TurnoutError } from './errors.ts';
export * from './generated/errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/schemas.ts';
export type { WaitOptions } from './jobs.ts';
export type { Page, PageCall } from './page.ts';
export type { Retry, TurnoutOptions } from './settings.ts';
export { VERSION } from './version.ts';
export type { Envelope, EventType } from './webhooks/envelope.ts';
export { sign } from './webhooks/sign.ts';
export {
  SignatureError,
  type SignatureFault,
  TOLERANCE_SECONDS,
  type VerifyOptions,
  verify,
} from './webhooks/verify.ts';
