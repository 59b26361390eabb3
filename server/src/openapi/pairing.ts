import { DevicePair, DevicePaired } from '@turnout/contract';
import type { Operation } from '../road/operation.ts';

/**
 * Pairing a scanner needs no credential, so it is not an operation on the road (areas/scanning/pair-page.ts). It is described here
 * as if it were one, for the OpenAPI document and the map.
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
    'An organizer creates a code that is valid for ten minutes. The first scanner that sends it gets a token for the event. A retry with the same `Idempotency-Key` gets the same answer while the code is valid. After twenty wrong codes in a minute from one network, or many in the whole installation, further wrong ones are answered more slowly, or with `rate_limited`. A valid code is always taken.',
};
