import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { tracing } from '../common/tracing.ts';
import type { Answer } from './answer.ts';
import { REVALIDATED } from './caching.ts';
import type { Caller } from './caller.ts';
import { admit } from './gate/admit.ts';
import type { Flight } from './gate/batches.ts';
import { END_OF_FLIGHT, type PaceParts, requireDevicePace } from './gate/device-pace.ts';
import type { Identities } from './gate/identify.ts';
import type { License } from './gate/license.ts';
import { type Mount, urlOf } from './mounts.ts';
import type { Operation, Upload } from './operation.ts';
import { type CheckRequest, clientName, requestCheck } from './request/check-request.ts';
import { fileFieldHook } from './request/file-field.ts';
import { uploadOf } from './request/upload.ts';
import type { Road } from './road.ts';
import { type Claim, fingerprint, requireKey } from './write/idempotency.ts';

export interface RouteParts extends Identities, PaceParts {
  road: Road;
  license: License;
}

/** What is known of a request on its way. */
export interface Travelling {
  caller: Caller | null;
  client: string | null;
  /** Null while a request of an agent has not named one (server/src/agents). */
  operation: Operation | null;
  /** The status of the operation's answer, if the answer is wrapped in another one. */
  status?: number;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Null for an address that is not an operation. */
    road: Travelling | null;
    /** The body as it was sent; for a file or a form, what identifies it. */
    raw_body: Buffer;
    /** Set while a device makes a call that it may make only one at a time. */
    flight: Flight | null;
  }
}

export const BODY_LIMIT = 1_048_576;

/** One operation on one mount, with every step of the road in its order (docs/internals/architecture.md). */
export function addRoute(app: FastifyInstance, parts: RouteParts, mount: Mount, operation: Operation): void {
  const check = requestCheck(operation);
  app.route({
    method: operation.method,
    url: urlOf(mount, operation),
    ...optionsOf(operation),
    onRequest: async (request, reply) => {
      request.road = { caller: null, client: clientName(request), operation };
      const caller = await (tracing === null
        ? mount.identify(parts, request, reply)
        : tracing.step('identify', mount.identify, parts, request, reply));
      request.road.caller = caller;
      if (caller.actor.kind === 'device') await requireDevicePace(parts, operation, caller, request, reply);
      const { client } = request.road;
      if (tracing === null) await admit(parts, operation, caller, client);
      else await tracing.step('admit', admit, parts, operation, caller, client);
    },
    handler: async (request, reply) => {
      try {
        return send(reply, await perform(parts.road, operation, check, request, hangUp(reply)));
      } finally {
        await request.upload?.discard();
        await request.field?.discard();
      }
    },
  });
}

function optionsOf({ bodyLimit, devicePace, file }: Operation): RouteShorthandOptions {
  return {
    ...(bodyLimit !== undefined && { bodyLimit }),
    ...(devicePace !== undefined && 'oneAtATime' in devicePace && END_OF_FLIGHT),
    ...(file?.field != null && {
      preParsing: fileFieldHook(file.field, file.limit, bodyLimit ?? BODY_LIMIT),
      onError: async (request: FastifyRequest) => request.field?.discard(),
    }),
  };
}

async function perform(
  road: Road,
  operation: Operation,
  check: CheckRequest,
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<Answer> {
  const { client } = request.road!;
  const caller = request.road!.caller!;
  const { body, faults } = tracing === null ? check(request) : tracing.step('check', check, request);
  const call = {
    operation,
    caller,
    params: request.params as Record<string, string>,
    query: request.query,
    body,
    requestId: request.id,
    client,
  };
  if (faults.length > 0) {
    throw await road.refusal({ ...call, file: request.upload ?? request.field?.upload ?? null }, faults);
  }
  return road.perform({
    ...call,
    file: fileIn(operation, request, body),
    claim:
      tracing === null
        ? claimOf(request, operation, caller)
        : tracing.step('claim', claimOf, request, operation, caller),
    ifNoneMatch: request.headers['if-none-match'],
    ifMatch: request.headers['if-match'],
    signal,
  });
}

/** Aborted when the connection closes before the answer was sent. */
export function hangUp({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController();
  // The caller may have hung up while their key was looked up. Then there is no event to wait for.
  if (raw.destroyed) gone.abort();
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** The file of the call: the body itself, a part of a form, or a text field of a JSON body. */
function fileIn({ file }: Operation, request: FastifyRequest, body: unknown): Upload | null {
  if (file === undefined) return null;
  const sent = request.upload ?? request.field?.upload;
  return sent ?? (file.field === null ? null : uploadOf((body as Record<string, string>)[file.field]!, file));
}

function claimOf(request: FastifyRequest, operation: Operation, caller: Caller): Claim | null {
  if (operation.method !== 'POST') return null;
  const key = requireKey(request.headers['idempotency-key']);
  const actor = caller.actor.id;
  if (actor === null) return null;
  const ofBody = () => fingerprint(request.method, request.url, request.raw_body ?? Buffer.alloc(0));
  return { actor, key, fingerprint: request.field?.fingerprint ?? ofBody() };
}

function send(reply: FastifyReply, answer: Answer): FastifyReply {
  reply.code(answer.status).header('X-Request-Id', answer.requestId).headers(answer.headers);
  if (answer.revalidated === true) reply.header('Cache-Control', REVALIDATED);
  if (answer.body.length === 0) return reply.send();
  if (answer.headers['Content-Type'] === undefined) reply.type('application/json; charset=utf-8');
  return reply.send(answer.body);
}
