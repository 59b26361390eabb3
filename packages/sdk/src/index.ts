/** For programs that talk to Turnout. No dependency; Node, Bun, Deno, workers and browsers alike. */

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
