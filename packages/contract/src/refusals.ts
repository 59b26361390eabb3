/**
 * Every way Turnout says no. One catalogue: the server answers from it, OpenAPI lists it, docs/reference/errors.md is generated from it.
 * `status` and `code` are the contract; `message` is the default wording and may be replaced by a more exact one.
 */
export interface RefusalKind {
  status: number;
  message: string;
}

export const REFUSALS = {
  // 401: who is calling
  api_key_required: { status: 401, message: 'Send your API key as `Authorization: Bearer <API_KEY>`.' },
  api_key_unknown: { status: 401, message: 'This is not a known API key.' },
  api_key_revoked: { status: 401, message: 'This API key was revoked. Ask an organizer for a new one.' },
  api_key_expired: { status: 401, message: 'This API key has expired. Ask an organizer for a new one.' },
  sign_in_required: { status: 401, message: 'Sign in first.' },
  metrics_token_required: {
    status: 401,
    message: 'Metrics are for this machine and named networks; from elsewhere, send the token that the operator set.',
  },

  // 403: may this caller do it
  api_key_ip_not_allowed: { status: 403, message: 'This API key may not be used from this address.' },
  api_key_scope: { status: 403, message: 'This API key lacks the scope that the call needs.' },
  permission_required: { status: 403, message: 'Your role does not allow this.' },
  entitlement_required: { status: 403, message: 'The plan of this organization does not include this.' },
  api_key_cannot_override: {
    status: 403,
    message: 'Overriding a refusal is a decision of a person at the check-in point; a key cannot make it.',
  },
  test_key_live_object: {
    status: 403,
    message: 'A test key creates and changes test objects only, and this object is live.',
  },
  instance_read_only: {
    status: 403,
    message:
      'The license of this installation was revoked and its seven days are over: reads and exports work, writes do not.',
  },

  // 400, 404, 405, 408, 413, 415, 417, 426, 431: is the request well formed
  bad_request: { status: 400, message: 'This is not a request that HTTP/1.1 knows; the connection is closed.' },
  validation_failed: { status: 400, message: 'The request is not valid; `details` names each fault.' },
  idempotency_key_required: { status: 400, message: 'Every POST needs an `Idempotency-Key` header.' },
  not_found: { status: 404, message: 'There is no such object in this organization.' },
  method_not_allowed: { status: 405, message: 'This address does not take this method.' },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time; the connection is closed. Send it again.',
  },
  payload_too_large: { status: 413, message: 'The body is larger than this operation takes.' },
  unsupported_media_type: { status: 415, message: 'Send the body as `application/json`.' },
  expectation_failed: { status: 417, message: 'Of `Expect`, only `100-continue` is known.' },
  client_too_old: {
    status: 426,
    message: 'This scanner is older than the minimum version. Update it; your queue is kept.',
  },
  headers_too_large: { status: 431, message: 'Address and headers are together larger than 16 KB.' },

  // 409: not now
  invalid_state: { status: 409, message: 'The object is in a state that does not allow this.' },
  mixed_groups: {
    status: 409,
    message:
      'This also holds people of other groups, out of your reach, so you cannot act on it as a whole. Act on your own people one by one, or ask somebody who is not limited to a group.',
  },
  code_taken: { status: 409, message: 'Another object beside it has this code already.' },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this `Idempotency-Key` is still running. Ask again in a moment.',
  },
  batch_in_progress: {
    status: 409,
    message: 'This device has another batch in flight. Send the next one a second after its answer.',
  },

  attendee_cap_reached: { status: 409, message: 'The plan’s number of attendees for one event is reached.' },
  event_full: { status: 409, message: 'The event has no place left.' },
  type_full: { status: 409, message: 'This attendee type has no place left.' },
  day_full: { status: 409, message: 'This day has no place left.' },

  too_many_jobs: {
    status: 409,
    message: 'Too many jobs of this organization wait or run already. Wait until one is done, or cancel one.',
  },
  storage_full: {
    status: 409,
    message:
      'The files of this organization’s jobs take up as much room as they may. They go when their links stop working.',
  },

  replay_expired: { status: 409, message: 'A delivery can be replayed for 30 days; these are over.' },

  // 422: never like this
  webhook_url_refused: { status: 422, message: 'Webhooks are not sent to this address.' },
  registration_closed: { status: 422, message: 'Registration for this event is not open.' },
  type_not_available: { status: 422, message: 'This attendee type is not offered.' },
  day_not_available: { status: 422, message: 'This day is not offered for this attendee type.' },
  answer_required: { status: 422, message: 'A required question has no answer; `details` names each one.' },
  duplicate_email: { status: 422, message: 'This e-mail address is registered for the event already.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This `Idempotency-Key` was used for another request. Use a new key for a new request.',
  },
  client_uuid_reused: {
    status: 422,
    message: 'This `client_uuid` was used for another scan. Use a new one for each scan.',
  },
  license_not_valid: { status: 422, message: 'Publishing needs a valid license.' },

  // 429: slow down
  rate_limited: { status: 429, message: 'Too many requests in this minute. Wait as long as `Retry-After` says.' },
  quota_exceeded: {
    status: 429,
    message: 'The monthly calls are past 150 % of the allowance; calls are refused until the 1st of the month (UTC).',
  },

  // 5xx: our fault
  internal_error: { status: 500, message: 'Something went wrong on our side. Nothing was changed; try again.' },
  unavailable: { status: 503, message: 'The service cannot answer right now. Try again in a moment.' },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof REFUSALS;
