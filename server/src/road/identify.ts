import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Pool } from '../store/pool.ts';
import { addressAllowed } from './addresses.ts';
import { deviceToken, findDevice, findMember, type Keys } from './authenticate.ts';
import type { Batches } from './batches.ts';
import type { Caller } from './caller.ts';
import { requireQuota } from './quota.ts';
import type { RateStore } from './rates.ts';
import { refuse } from './refusal.ts';
import { requireDevicePace, requireScannerVersion } from './scanners.ts';

export interface Identities {
  pool: Pool;
  clock: Clock;
  keys: Keys;
  rates: RateStore;
  batches: Batches;
}

export const SESSION_COOKIE = 'turnout_session';

/** Who calls: the first steps of the road, from the key to the month's calls. */
export async function identify(
  parts: Identities,
  prefix: '/v1' | '/api/v1' | '/app/api',
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { pool, clock } = parts;
  if (prefix === '/app/api') return findMember(pool, clock, cookie(request.headers.cookie, SESSION_COOKIE));
  const authorization = soleAuthorization(request);
  const device = prefix === '/api/v1' ? deviceToken(authorization) : null;
  const caller =
    device === null ? await identifyKey(parts, authorization, request, reply) : await findDevice(pool, clock, device);
  // What is not there, or not by this method, is so for every version.
  if (prefix === '/api/v1' && request.road !== null) requireScannerVersion(request.headers['x-scanner-version']);
  if (device !== null) {
    const id = request.road?.operation.id;
    if (id === 'scanTicket') requireDevicePace(caller, clock);
    // Before the body is read: what is too much costs next to nothing.
    if (id === 'scanBatch') request.flight = await parts.batches.begin(caller, request.headers['idempotency-key']);
  }
  return caller;
}

/** Calls refused in here (401, 403 for the address, 429) do not count toward the month; all that get past it do. */
async function identifyKey(
  { keys, rates, clock }: Identities,
  authorization: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { caller, allowedAddresses } = await keys.find(authorization);
  if (request.road !== null) request.road.caller = caller; // the log names who was refused below
  const { actor, org } = caller;
  if (actor.kind !== 'key') throw new Error('a key was expected');
  const limit = actor.requestsPerMinute;
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', limit);
  if (!addressAllowed(request.ip, allowedAddresses)) refuse('api_key_ip_not_allowed', { log: `from ${request.ip}` });
  const window = await rates.take(actor.id);
  reply.header('X-RateLimit-Remaining', Math.max(0, limit - window.calls));
  if (window.calls > limit) {
    const wait = Math.max(1, Math.ceil((window.resetsAt - clock.now().getTime()) / 1000));
    refuse('rate_limited', {
      message: `More than ${limit} requests in this minute. Wait ${wait} s.`,
      headers: { 'Retry-After': String(wait) },
    });
  }
  requireQuota(caller);
  keys.count(org.id);
  caller.usage.calls += 1;
  return caller;
}

/** Node keeps the first of several, a proxy in front perhaps the last: neither is taken. */
function soleAuthorization(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined || timesSent(request, 'authorization') === 1) return authorization;
  return refuse('api_key_unknown', { message: 'The header `Authorization` was sent more than once.' });
}

/** How often a header was sent; its name in lower case. */
export function timesSent({ raw: { rawHeaders } }: FastifyRequest, name: string): number {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i]!;
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}

function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
