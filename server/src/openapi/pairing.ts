import { DevicePair, DevicePaired } from '@turnout/contract';
import type { Operation } from '../road/operation.ts';

/**
 * Pairing a scanner. It comes before there is any credential, so it does not travel the road of the operations
 * (areas/scanning/pair-page.ts) and is described here as if it did.
 */
export const PAIRING: Operation = {
  id: 'pairDevice',
  method: 'POST',
  path: '/devices/pair',
  hosts: ['scanner'],
  scope: 'scanner',
  entitlement: null,
  member: null,
  at: {},
  body: DevicePair,
  reply: DevicePaired,
  status: 201,
  refusals: [
    'bad_request',
    'validation_failed',
    'idempotency_key_required',
    'not_found',
    'request_timeout',
    'payload_too_large',
    'unsupported_media_type',
    'expectation_failed',
    'idempotency_key_reused',
    'client_too_old',
    'rate_limited',
    'headers_too_large',
    'internal_error',
    'unavailable',
  ],
  tag: 'Scanning',
  summary: 'Pair a scanner',
  description:
    'An organizer makes a code that lives ten minutes; the first scanner that sends it gets a token for that event. A retry with the same `Idempotency-Key` gets the same answer for as long as the code lives. Twenty tries a minute from one address.',
};
