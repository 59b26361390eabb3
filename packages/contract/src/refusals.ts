/**
 * All refusal codes. The server answers with them, OpenAPI lists them, and docs/reference/errors.md is generated from them. Codes and
 * statuses never change. The message is the default; where the server knows more, it answers with a more exact one.
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
  sign_in_failed: {
    status: 401,
    message: 'The e-mail address or the password is not right. Try again, or have a link sent to you by mail.',
  },
  second_factor_failed: {
    status: 401,
    message: 'This code is not right, or it was used before. Wait for the next one, or use a recovery code.',
  },
  sign_in_step_over: { status: 401, message: 'This sign-in took too long or was finished elsewhere. Begin again.' },
  passkey_not_valid: {
    status: 401,
    message: 'This passkey was not accepted. Try again, or sign in another way.',
  },
  pin_wrong: { status: 401, message: 'This PIN is not right.' },
  metrics_token_required: {
    status: 401,
    message:
      'Metrics can be read from this machine and from the networks that the operator has named. From elsewhere, send the token that the operator has set.',
  },

  // 403: may this caller do it
  api_key_ip_not_allowed: {
    status: 403,
    message: 'This API key may not be used from this address. Ask an organizer to allow the address.',
  },
  api_key_scope: { status: 403, message: 'This API key lacks the scope that the operation needs.' },
  permission_required: { status: 403, message: 'Your role in this organization does not allow this.' },
  second_factor_required: {
    status: 403,
    message: 'This organization requires a second factor. Set one up in your account, then sign in with it.',
  },
  sign_in_again: { status: 403, message: 'Sign in again to show that it is you, then repeat this.' },
  agents_off: {
    status: 403,
    message:
      'This organization has not turned agents on. A member who may change its settings can do so in the app, below Developers.',
  },
  cross_site_request: {
    status: 403,
    message: 'This request did not come from a page of this installation. Open the app and do it there.',
  },
  signup_closed: {
    status: 403,
    message: 'New organizations are made by the operator of this installation. Ask for an invitation.',
  },
  sandbox_account: {
    status: 403,
    message: 'The sandbox’s made-up manager belongs to everybody, so its account cannot be changed.',
  },
  sandbox_full: {
    status: 403,
    message:
      'The sandbox is full. It starts over every night at 03:00 UTC. For more, make an organization of your own.',
  },
  entitlement_required: { status: 403, message: 'The plan of this organization does not include this.' },
  api_key_cannot_override: {
    status: 403,
    message: 'Only a person at the check-in point can override a refusal. An API key cannot.',
  },
  test_key_live_object: {
    status: 403,
    message: 'A test key can create and change test objects only, and this object is live.',
  },
  instance_read_only: {
    status: 403,
    message:
      'The license of this installation was revoked more than seven days ago. Reading and exporting still work, changes do not.',
  },

  // 400, 404, 405, 408, 413, 415, 417, 426, 431: the request is not valid
  bad_request: { status: 400, message: 'This is not a valid HTTP/1.1 request. The connection is closed.' },
  validation_failed: { status: 400, message: 'The request is not valid. `details` names each fault.' },
  idempotency_key_required: { status: 400, message: 'Every POST needs an `Idempotency-Key` header.' },
  not_found: { status: 404, message: 'There is no such object in this organization.' },
  link_not_valid: {
    status: 404,
    message: 'This link was used, withdrawn or has expired. Ask for a new one.',
  },
  method_not_allowed: { status: 405, message: 'This method is not available at this address.' },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time, and the connection is closed. Send it again.',
  },
  changed_meanwhile: {
    status: 412,
    message:
      'The object was changed after you read it, so nothing was done. Read it again, and decide whether your change still makes sense.',
  },
  payload_too_large: { status: 413, message: 'The body is larger than this operation accepts.' },
  unsupported_media_type: { status: 415, message: 'Send the body as `application/json`.' },
  expectation_failed: { status: 417, message: 'The only `Expect` header that is supported is `100-continue`.' },
  client_too_old: {
    status: 426,
    message:
      'This scanner’s software is older than the minimum version. Update it. Scans that wait to be uploaded are kept.',
  },
  headers_too_large: { status: 431, message: 'The address and headers together are larger than 16 KB.' },

  // 409: the current state does not allow it
  invalid_state: { status: 409, message: 'The object is in a state that does not allow this.' },
  mixed_groups: {
    status: 409,
    message:
      'The registration or ticket also has attendees of other groups, which you cannot see, so you cannot act on all of it. Act on your own attendees one by one, or ask somebody who is not limited to a group.',
  },
  code_taken: { status: 409, message: 'Another object of this kind already has this code. Choose another one.' },
  last_owner: {
    status: 409,
    message: 'An organization needs an owner, and this is the last one. Make somebody else an owner first.',
  },
  email_not_proved: {
    status: 409,
    message: 'It is not proved yet that this address is yours. Open the link that was mailed to you.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this `Idempotency-Key` is still running. Try again in a moment.',
  },
  batch_in_progress: {
    status: 409,
    message: 'Another batch of this device is still being processed. Send the next one a second after its answer.',
  },

  attendee_cap_reached: { status: 409, message: 'The event has as many attendees as the plan allows for one event.' },
  event_full: { status: 409, message: 'The event has no place left.' },
  type_full: { status: 409, message: 'This attendee type has no place left.' },
  day_full: { status: 409, message: 'This day has no place left.' },

  too_many_unpaid_from_network: {
    status: 409,
    message:
      'As many people as may be unpaid at a time are already registered from this network for this event. Pay for them, or wait until their places are released.',
  },
  too_many_unpaid_for_email: {
    status: 409,
    message:
      'As many people as may be unpaid at a time are already registered under this e-mail address for this event. Pay for them, or wait until their places are released.',
  },

  too_many_jobs: {
    status: 409,
    message: 'Too many jobs of this organization are waiting or running. Wait until one is done, or cancel one.',
  },
  storage_full: {
    status: 409,
    message:
      'The files of this organization’s jobs take up all the space that they may. Each is removed when its link expires, a day after the job has finished.',
  },

  endpoint_limit_reached: {
    status: 409,
    message:
      'This organization has as many webhook endpoints as its plan allows. Delete one that is no longer needed, or upgrade.',
  },
  replay_expired: { status: 409, message: 'A delivery can be replayed for 30 days. This one is older.' },

  // 422: the request is valid, but cannot be carried out
  webhook_url_refused: {
    status: 422,
    message: 'Webhooks cannot be sent to this address. Use an https address whose host is public.',
  },
  registration_closed: { status: 422, message: 'Registration for this event is not open.' },
  type_not_available: { status: 422, message: 'This attendee type is not offered.' },
  day_not_available: { status: 422, message: 'This day is over, or it is not offered for this attendee type.' },
  answer_required: { status: 422, message: 'A required question has no answer. `details` names each one.' },
  price_changed: {
    status: 409,
    message: 'The prices have changed. Nothing was booked. Show the new total and ask again.',
  },
  duplicate_email: { status: 422, message: 'This e-mail address is already registered for the event.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This `Idempotency-Key` was used for another request. Use a new key for a new request.',
  },
  client_uuid_reused: {
    status: 422,
    message: 'This `client_uuid` was used for another scan. Use a new one for each scan.',
  },
  license_not_valid: { status: 422, message: 'This installation needs a valid license to publish an event.' },

  // 429: slow down
  rate_limited: {
    status: 429,
    message: 'Too many requests in this minute. Wait for the number of seconds in `Retry-After`.',
  },
  sign_in_throttled: {
    status: 429,
    message: 'Too many tries failed. Wait for the number of seconds in `Retry-After`, or sign in another way.',
  },
  quota_exceeded: {
    status: 429,
    message:
      'This organization has made more than 150 % of the calls that its plan allows per month. Calls are refused until the 1st of the next month (UTC).',
  },

  // 5xx: a fault on our side
  internal_error: { status: 500, message: 'Something went wrong on our side. Nothing was changed; try again.' },
  oidc_unavailable: {
    status: 503,
    message: 'Single sign-on does not answer right now. Sign in another way, or try again in a few minutes.',
  },
  unavailable: { status: 503, message: 'The service cannot answer right now. Try again in a moment.' },
} as const satisfies Record<string, RefusalKind>;

export type RefusalCode = keyof typeof REFUSALS;

/** The rules that a fault of a field may break, for whoever says it in another language. `details[].limit` is the number of the rule. */
export const FAULT_RULES = [
  'required',
  'empty',
  'too_short',
  'too_long',
  'too_low',
  'too_high',
  'too_few',
  'too_many',
  'repeated',
  'not_one_of',
  'wrong_type',
  'not_email',
  'not_date',
  'not_time',
  'not_timezone',
  'not_currency',
  'not_code',
  'not_url',
  'not_number',
  'not_phone',
  'not_web_address',
  'not_origin',
  'not_host',
  'own_host',
  'not_in_future',
  'common_password',
  'not_picture',
  'too_many_pixels',
  'picture_damaged',
] as const;
export type FaultRule = (typeof FAULT_RULES)[number];
