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
  api_key_unknown: { status: 401, message: 'This API key doesn’t exist. Check that you copied all of it.' },
  api_key_revoked: { status: 401, message: 'This API key was revoked. Ask an organizer for a new one.' },
  api_key_expired: { status: 401, message: 'This API key has expired. Ask an organizer for a new one.' },
  sign_in_required: { status: 401, message: 'Sign in first.' },
  sign_in_failed: {
    status: 401,
    message: 'The e-mail or password is wrong. Try again, or get a sign-in link by e-mail.',
  },
  second_factor_failed: {
    status: 401,
    message: 'This code is wrong or was already used. Wait for the next one, or use a recovery code.',
  },
  sign_in_step_over: { status: 401, message: 'This sign-in took too long or was finished elsewhere. Start again.' },
  passkey_not_valid: {
    status: 401,
    message: 'This passkey didn’t work. Try again, or sign in another way.',
  },
  pin_wrong: { status: 401, message: 'Wrong PIN. Try again.' },
  metrics_token_required: {
    status: 401,
    message:
      'Read metrics from this machine or from a network that the operator has named. From elsewhere, send the token that the operator has set.',
  },

  // 403: may this caller do it
  api_key_ip_not_allowed: {
    status: 403,
    message: 'This API key can’t be used from this IP address. Ask an organizer to allow the address.',
  },
  api_key_scope: {
    status: 403,
    message: 'This API key doesn’t have the scope that the operation needs. Use a key with that scope.',
  },
  permission_required: {
    status: 403,
    message: 'Your role in this organization doesn’t allow this. Ask an owner or admin.',
  },
  second_factor_required: {
    status: 403,
    message: 'This organization requires a second factor. Set one up in your account, then sign in with it.',
  },
  sign_in_again: { status: 403, message: 'Sign in again to confirm it’s you, then try again.' },
  agents_off: {
    status: 403,
    message: 'Agents are off in this organization. An owner or admin can turn them on in the app under Developers.',
  },
  cross_site_request: {
    status: 403,
    message: 'This request came from another site. Open the app and try again there.',
  },
  signup_closed: {
    status: 403,
    message: 'Only the operator of this installation creates new organizations. Ask for an invitation.',
  },
  sandbox_account: {
    status: 403,
    message: 'Everyone in the sandbox shares this account, so you can’t change it.',
  },
  sandbox_full: {
    status: 403,
    message: 'The sandbox is full. It starts over every night at 03:00 UTC. To do more, create your own organization.',
  },
  entitlement_required: { status: 403, message: 'This organization’s plan doesn’t include this.' },
  api_key_cannot_override: {
    status: 403,
    message: 'An API key can’t override a refusal. Only a person at the check-in point can.',
  },
  test_key_live_object: {
    status: 403,
    message: 'A test key can only create and change test objects, and this object is live. Use a live key.',
  },
  instance_read_only: {
    status: 403,
    message:
      'You can’t change anything right now: the license of this installation was revoked more than seven days ago. You can still read and export.',
  },

  // 400, 404, 405, 408, 413, 415, 417, 426, 431: the request is not valid
  bad_request: { status: 400, message: 'This isn’t a valid HTTP/1.1 request. The connection was closed.' },
  validation_failed: { status: 400, message: 'The request is not valid. `details` lists each fault.' },
  idempotency_key_required: { status: 400, message: 'Every POST needs an `Idempotency-Key` header.' },
  not_found: {
    status: 404,
    message: 'This object doesn’t exist in this organization, or you don’t have access to it.',
  },
  link_not_valid: {
    status: 404,
    message: 'This link was already used or withdrawn, or it has expired. Ask for a new one.',
  },
  method_not_allowed: { status: 405, message: 'This address doesn’t support this method. See the `Allow` header.' },
  request_timeout: {
    status: 408,
    message: 'The request took too long to arrive, so the connection was closed. Send it again.',
  },
  changed_meanwhile: {
    status: 412,
    message:
      'The object was changed after you read it, so nothing was saved. Read it again, then decide whether your change still makes sense.',
  },
  payload_too_large: { status: 413, message: 'The body is too large for this operation. Send less at a time.' },
  unsupported_media_type: { status: 415, message: 'Send the body as `application/json`.' },
  expectation_failed: { status: 417, message: 'The only `Expect` header that is supported is `100-continue`.' },
  client_too_old: {
    status: 426,
    message: 'This scanner’s software is too old. Update it. Scans that aren’t uploaded yet are kept.',
  },
  headers_too_large: { status: 431, message: 'The address and headers together are larger than 16 KB. Shorten them.' },

  // 409: the current state does not allow it
  invalid_state: { status: 409, message: 'The object’s current status doesn’t allow this. Read the object again.' },
  mixed_groups: {
    status: 409,
    message:
      'The registration or ticket also has attendees of other groups, which you can’t see, so you can’t act on all of it. Act on your own attendees one by one, or ask someone who isn’t limited to a group.',
  },
  code_taken: {
    status: 409,
    message: 'This code is already taken by another object of this kind. Choose another one.',
  },
  last_owner: {
    status: 409,
    message: 'An organization needs an owner, and this is the last one. Make someone else an owner first.',
  },
  email_not_proved: {
    status: 409,
    message: 'Your e-mail isn’t confirmed yet. Open the link we sent you.',
  },
  idempotency_in_progress: {
    status: 409,
    message: 'A request with this `Idempotency-Key` is still running. Try again in a moment.',
  },
  batch_in_progress: {
    status: 409,
    message: 'Another batch of this device is still being processed. Send the next one a second after its answer.',
  },

  attendee_cap_reached: {
    status: 409,
    message: 'The event has as many attendees as the plan allows. Change to a larger plan to register more.',
  },
  event_full: { status: 409, message: 'The event has no places left.' },
  type_full: { status: 409, message: 'This attendee type has no places left.' },
  day_full: { status: 409, message: 'This day has no places left.' },
  product_full: { status: 409, message: 'Too few of this product are left.' },
  quota_full: { status: 409, message: 'Too few places are left that are shared by several tickets or products.' },
  discount_used_up: { status: 409, message: 'This code was used as often as it can be.' },
  nothing_to_hand_out: { status: 409, message: 'Everything that was booked of this product has been handed out.' },

  too_many_unpaid_from_network: {
    status: 409,
    message:
      'Too many unpaid people are registered for this event from this network. Pay for them, or wait until their places are released.',
  },
  too_many_unpaid_for_email: {
    status: 409,
    message:
      'Too many unpaid people are registered for this event with this e-mail. Pay for them, or wait until their places are released.',
  },

  too_many_jobs: {
    status: 409,
    message: 'Too many jobs of this organization are queued or running. Wait until one is done, or cancel one.',
  },
  storage_full: {
    status: 409,
    message:
      'This organization has no space left for the files of jobs. Each file is deleted a day after its job has finished: try again then.',
  },

  endpoint_limit_reached: {
    status: 409,
    message:
      'This organization’s plan allows no more webhook endpoints. Delete one you don’t need, or change to a larger plan.',
  },
  replay_expired: { status: 409, message: 'You can replay a delivery for 30 days. This one is older.' },

  // 422: the request is valid, but cannot be carried out
  webhook_url_refused: {
    status: 422,
    message: 'We can’t send webhooks to this address. Use an https address with a public host.',
  },
  registration_closed: { status: 422, message: 'Registration for this event isn’t open.' },
  type_not_available: { status: 422, message: 'This attendee type isn’t offered.' },
  day_not_available: { status: 422, message: 'This day is over, or it isn’t offered for this attendee type.' },
  product_not_available: { status: 422, message: 'This product isn’t offered for this attendee type or these days.' },
  product_required: { status: 422, message: 'A product that everybody takes is missing. `details` lists each one.' },
  discount_unknown: { status: 422, message: 'There is no such code.' },
  discount_not_applicable: { status: 422, message: 'This code doesn’t apply to what was chosen.' },
  answer_required: { status: 422, message: 'A required question has no answer. `details` lists each one.' },
  price_changed: {
    status: 409,
    message: 'The prices have changed, so nothing was booked. Show the new total, then ask again.',
  },
  duplicate_email: { status: 422, message: 'This e-mail address is already registered for the event.' },
  idempotency_key_reused: {
    status: 422,
    message: 'This `Idempotency-Key` was already used for another request. Use a new key for a new request.',
  },
  client_uuid_reused: {
    status: 422,
    message: 'This `client_uuid` was already used for something else. Use a new one for each scan and each hand-out.',
  },
  license_not_valid: { status: 422, message: 'This installation needs a valid license to publish an event.' },

  // 429: slow down
  rate_limited: {
    status: 429,
    message: 'Too many requests in this minute. Wait the number of seconds in `Retry-After`, then try again.',
  },
  sign_in_throttled: {
    status: 429,
    message: 'Too many failed attempts. Wait the number of seconds in `Retry-After`, or sign in another way.',
  },
  quota_exceeded: {
    status: 429,
    message:
      'This organization has made more than 150 % of the calls that its plan includes this month. Calls are refused until the 1st of next month (UTC). Change to a larger plan to go on.',
  },

  // 5xx: a fault on our side
  internal_error: { status: 500, message: 'Something went wrong on our side. Nothing was changed; try again.' },
  oidc_unavailable: {
    status: 503,
    message: 'Can’t reach single sign-on right now. Sign in another way, or try again in a few minutes.',
  },
  unavailable: { status: 503, message: 'The service can’t answer right now. Try again in a moment.' },
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
