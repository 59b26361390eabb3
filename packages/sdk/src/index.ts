/** For programs that talk to Turnout. Without dependencies, for Node, Bun, Deno, workers and browsers. */

export type { Envelope, EventType, Payloads } from './webhooks/envelope.ts';
export type { Attendee, CheckIn, Payment, Registration, RegistrationStatus, Ticket } from './webhooks/payloads.ts';
export { sign } from './webhooks/sign.ts';
export {
  SignatureError,
  type SignatureFault,
  TOLERANCE_SECONDS,
  type VerifyOptions,
  verify,
} from './webhooks/verify.ts';
