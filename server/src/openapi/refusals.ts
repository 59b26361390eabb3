import { type Entitlement, minimumPlan, REFUSALS, type RefusalCode } from '@turnout/contract';
import { Refusal, type RefusalOptions } from '../common/refusal.ts';
import type { Operation } from '../road/operation.ts';
import { AN_ID } from './examples.ts';
import type { Json } from './schemas.ts';

export const EVERYWHERE: readonly RefusalCode[] = [
  'api_key_required',
  'api_key_unknown',
  'api_key_revoked',
  'api_key_expired',
  'api_key_ip_not_allowed',
  'rate_limited',
  'quota_exceeded',
  'entitlement_required',
  'bad_request',
  'validation_failed',
  'expectation_failed',
  'headers_too_large',
  'internal_error',
  'unavailable',
];

/** Every refusal that an operation can answer: those of the road, and those of the operation itself. */
export function refusalsOf(operation: Operation): RefusalCode[] {
  const { method, keysRefused } = operation;
  const found = new Set<RefusalCode>([...EVERYWHERE, ...operation.refusals]);
  found.add(keysRefused ?? 'api_key_scope');
  if (Object.keys(operation.at).length > 0) found.add('not_found');
  if (operation.hosts?.includes('scanner')) found.add('client_too_old');
  if (method !== 'GET') {
    found.add('request_timeout').add('payload_too_large').add('unsupported_media_type');
    if (operation.whenReadOnly !== 'allowed') found.add('instance_read_only');
    found.add('sandbox_full');
    if (operation.shownBy !== undefined) found.add('changed_meanwhile');
  }
  if (method === 'POST') {
    found.add('idempotency_key_required').add('idempotency_in_progress').add('idempotency_key_reused');
  }
  return (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => found.has(code));
}

/** Fields that some codes have in addition to the message (section Errors of the contract). */
const WITH: Partial<Record<RefusalCode, RefusalOptions>> = {
  validation_failed: { details: [{ path: 'name', message: 'is required', rule: 'required' }] },
  instance_read_only: { fields: { read_only_since: '2026-11-22T00:00:00Z' } },
  license_not_valid: { fields: { validity: 'expired' } },
};

/** Made by the class that the server answers with, so that the example is what the server sends. */
const envelope = (code: RefusalCode, options: RefusalOptions | undefined): Json =>
  new Refusal(code, options).body(AN_ID);

const missing = (entitlement: Entitlement): RefusalOptions => ({
  fields: { key: entitlement, upgrade_plan: minimumPlan(entitlement) },
});

export const NAMES: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'The key is missing or invalid',
  403: 'The caller is not allowed to do this',
  404: 'Not found',
  408: 'The request did not arrive in time',
  409: 'The current state does not allow it',
  412: 'Somebody else changed it',
  413: 'The body is too large',
  415: 'The operation does not accept this media type',
  417: 'The `Expect` header cannot be met',
  422: 'The request is valid, but cannot be carried out',
  426: 'The scanner’s software is too old',
  429: 'Too many calls',
  431: 'The headers are too large',
  500: 'Something went wrong on our side',
  503: 'Not available right now',
};
/** The names of responses that several operations share. */
const WORDS: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  408: 'RequestTimeout',
  409: 'Conflict',
  412: 'PreconditionFailed',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  417: 'ExpectationFailed',
  422: 'Unprocessable',
  426: 'UpgradeRequired',
  429: 'TooManyRequests',
  431: 'HeadersTooLarge',
  500: 'InternalError',
  503: 'Unavailable',
};
/** Codes that occur in nearly every response of their status. They are left out of its name. */
const USUAL = new Set<RefusalCode>([...EVERYWHERE, 'api_key_scope', 'not_found']);
/** Statuses for which all operations answer the same codes. */
const ALONE = new Set([401, 408, 413, 415, 417, 426, 429, 431, 500, 503]);

/** Refusals with these statuses are stored and replayed, because the operation itself answers them. */
const REPLAYED = new Set([404, 409, 422]);

function nameOf(status: number, codes: readonly RefusalCode[], { method, entitlement }: Operation): string {
  if (ALONE.has(status)) return WORDS[status]!;
  return [
    WORDS[status] ?? `Status${status}`,
    ...(status === 403 && entitlement !== null ? [entitlement] : []),
    ...(method === 'POST' && status !== 403 ? ['post'] : []),
    ...codes.filter((code) => !USUAL.has(code) && !code.startsWith('idempotency_')),
  ].join('-');
}

/** Makes the error responses with their examples, and keeps the components that they refer to. */
export class RefusalResponses {
  readonly #error: () => Json;
  readonly #examples = new Map<string, Json>();
  readonly #responses = new Map<string, Json>();

  constructor(error: () => Json) {
    this.#error = error;
  }

  of(operation: Operation, refusals: readonly RefusalCode[] = refusalsOf(operation)): Json {
    const byStatus = Map.groupBy(refusals, (code) => REFUSALS[code].status);
    const responses: Json = {};
    for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
      responses[status] = this.#share(nameOf(status, codes, operation), this.#response(status, codes, operation));
    }
    return responses;
  }

  get components(): { examples: Json; responses: Json } {
    const sorted = (map: Map<string, Json>) => Object.fromEntries([...map].sort(([a], [b]) => (a < b ? -1 : 1)));
    return { examples: sorted(this.#examples), responses: sorted(this.#responses) };
  }

  /** Operations with the same refusals share a response, which reduces the document to a third of its size. */
  #share(name: string, response: Json): Json {
    const known = this.#responses.get(name);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(response)) return response;
    this.#responses.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  }

  #response(status: number, codes: readonly RefusalCode[], operation: Operation): Json {
    const lines = codes.map((code) => `- \`${code}\`: ${REFUSALS[code].message}`);
    return {
      description: `${NAMES[status] ?? 'Refused'}:\n${lines.join('\n')}`,
      headers: headersOf(status, operation.method === 'POST'),
      content: { 'application/json': { schema: this.#error(), examples: this.#named(codes, operation) } },
    };
  }

  #named(codes: readonly RefusalCode[], operation: Operation): Json {
    const named: Json = {};
    for (const code of codes) {
      if (code !== 'entitlement_required') {
        named[code] = this.#example(code, code, WITH[code]);
        continue;
      }
      const { entitlement } = operation;
      if (entitlement !== null) named[code] = this.#example(`${code}.${entitlement}`, code, missing(entitlement));
      named[`${code}.client_apps`] = this.#example(`${code}.client_apps`, code, missing('client_apps'));
    }
    return named;
  }

  #example(name: string, code: RefusalCode, options: RefusalOptions | undefined): Json {
    if (!this.#examples.has(name)) {
      const summary = name.endsWith('.client_apps') ? `${code} (only with X-Service-Client)` : code;
      this.#examples.set(name, { summary, value: envelope(code, options) });
    }
    return { $ref: `#/components/examples/${name}` };
  }
}

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

/** The headers of an answer with this status. */
export const headersOf = (status: number, post: boolean): Json => ({
  'X-Request-Id': header('X-Request-Id'),
  'X-RateLimit-Limit': header('X-RateLimit-Limit'),
  'X-RateLimit-Remaining': header('X-RateLimit-Remaining'),
  ...(post && (status < 300 || REPLAYED.has(status)) && { 'Idempotent-Replayed': header('Idempotent-Replayed') }),
  ...((status === 429 || status === 503 || (post && status === 409)) && { 'Retry-After': header('Retry-After') }),
});

export const HEADERS: Json = {
  ETag: {
    description:
      'Identifies the content of this answer. Send it back as `If-None-Match` to get 304 while nothing has changed.',
    schema: { type: 'string' },
    example: '"3f2a9c41d07b"',
  },
  ObjectTag: {
    description:
      'The `updated_at` of the object, in quotation marks. Send it as `If-Match` with a PATCH or DELETE that must not undo the change of somebody else.',
    schema: { type: 'string' },
    example: '"2026-11-12T16:45:10.123000Z"',
  },
  'X-Request-Id': {
    description: 'Identifies this request; the same as `error.request_id`. Mention it when you ask for help.',
    schema: { type: 'string' },
    example: AN_ID,
  },
  'X-RateLimit-Limit': {
    description:
      'How many requests this key may make per minute. For a paired device: how many of these calls it may make per second, or 1 where it makes one at a time.',
    schema: { type: 'integer' },
    example: 600,
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests are left in this minute; for a paired device, in this second.',
    schema: { type: 'integer' },
    example: 599,
  },
  'Idempotent-Replayed': {
    description: 'Present if this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': {
    description: 'How many seconds to wait before the next try. Not sent with `quota_exceeded`.',
    schema: { type: 'integer' },
    example: 12,
  },
};
