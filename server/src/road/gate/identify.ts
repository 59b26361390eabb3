import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import { addressAllowed } from '../../common/addresses.ts';
import { refuse } from '../../common/refusal.ts';
import type { Pool } from '../../store/pool.ts';
import type { Caller } from '../caller.ts';
import { deviceToken, findDevice, findMember, type Keys } from './authenticate.ts';
import { requireQuota } from './quota.ts';
import type { RateStore } from './rates.ts';
import {
  isOlder,
  type OldestScanner,
  PRODUCTS_SCANNER_VERSION,
  requireScannerVersion,
  scannerVersion,
} from './scanners.ts';

export interface Identities {
  pool: Pool;
  clock: Clock;
  keys: Keys;
  rates: RateStore;
  /** Where the installation is reached. On https, cookies are bound to it. */
  publicUrl: string;
  oldestScanner: OldestScanner;
}

/** Finds out who calls, or refuses the call. Each mount (mounts.ts) has one of these. */
export type Identify = (parts: Identities, request: FastifyRequest, reply: FastifyReply) => Promise<Caller>;

export const SESSION_COOKIE = 'turnout_session';

/** On `/app/api/{org}`, members come with the cookie of their session, and every change comes from a page of ours. */
export const identifyMember: Identify = async ({ pool, clock, publicUrl }, request) => {
  requireOwnOrigin(request, publicUrl);
  const { org } = request.params as { org: string };
  return findMember(pool, clock, sessionToken(request, publicUrl), org, request.ip);
};

/**
 * The token of the session. On https the cookie has a name that only this host can set, and no other one counts: otherwise a page of
 * another host below the same domain could put its own session into somebody's browser.
 */
export function sessionToken({ headers: { cookie: header } }: FastifyRequest, publicUrl: string): string | undefined {
  return cookie(header, publicUrl.startsWith('https:') ? `__Host-${SESSION_COOKIE}` : SESSION_COOKIE);
}

/**
 * A browser sends our cookie with requests that other sites make, so a change must come from a page of ours. Browsers say where a
 * request comes from in `Sec-Fetch-Site`; the few that do not, and all of them on plain http, send `Origin`. It is our own if it is
 * the origin of PUBLIC_URL, or if its host is the one that was asked.
 */
export function requireOwnOrigin(request: FastifyRequest, publicUrl: string): void {
  if (request.method === 'GET' || request.method === 'HEAD') return;
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (!isFromOwnPage(request, publicUrl))
    refuse('cross_site_request', { log: `site ${site}, origin ${origin}, host ${host}` });
}

/** Whether a browser says that a request comes from a page of ours. `Origin: null` does not: sandboxed pages of others send it. */
export function isFromOwnPage({ headers }: FastifyRequest, publicUrl: string): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  const from = origin === undefined ? null : URL.parse(origin);
  return from !== null && (from.origin === URL.parse(publicUrl)?.origin || from.host === host);
}

/** On `/v1`, programs come with an API key. */
export const identifyKey: Identify = (parts, request, reply) =>
  identifyByKey(parts, soleAuthorization(request), request, reply);

/** On the scanner host, paired devices come with their token, and other scanner software with an API key. */
export const identifyScanner: Identify = async (parts, request, reply) => {
  const authorization = soleAuthorization(request);
  const token = deviceToken(authorization);
  const caller =
    token === null
      ? await identifyByKey(parts, authorization, request, reply)
      : await findDevice(parts.pool, parts.clock, token);
  // An address that does not exist is 404 for every version.
  if (request.road !== null) {
    const version = scannerVersion(request.headers['x-scanner-version']);
    requireScannerVersion(version);
    // Only of a scanner that does not know all rules is asked which ones its event has. It is refused here, before anything is claimed:
    // otherwise the scans in its queue would be refused for a day, also after an update.
    if (version !== null && isOlder(version, PRODUCTS_SCANNER_VERSION)) {
      const { event } = request.params as { event?: string };
      requireScannerVersion(version, await parts.oldestScanner(parts, caller, event));
    }
  }
  return caller;
};

/** A call that is refused in here (401, 403 for its address, 429) does not count toward the month. Every other call does. */
async function identifyByKey(
  { keys, rates, clock }: Identities,
  authorization: string | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Caller> {
  const { caller, allowedAddresses } = await keys.find(authorization);
  if (request.road !== null) request.road.caller = caller; // the log names the caller even if the call is refused below
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
      message: `This key has used up its ${limit} ${limit === 1 ? 'request' : 'requests'} a minute. Wait ${wait} ${wait === 1 ? 'second' : 'seconds'}.`,
      headers: { 'Retry-After': String(wait) },
    });
  }
  requireQuota(caller);
  keys.count(org.id, actor.id);
  caller.usage.calls += 1;
  return caller;
}

/**
 * The header `Authorization`, unless it was sent more than once. Of several, Node keeps the first and a proxy in front might have
 * checked the last, so none of them is trusted.
 */
function soleAuthorization(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization === undefined || timesSent(request, 'authorization') === 1) return authorization;
  return refuse('api_key_unknown', { message: 'The header `Authorization` was sent more than once. Send it once.' });
}

/** How often a header was sent. Its name is given in lower case. */
export function timesSent({ raw: { rawHeaders } }: FastifyRequest, name: string): number {
  let times = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const sent = rawHeaders[i]!;
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times;
}

export function cookie(header: string | undefined, name: string): string | undefined {
  for (const part of (header ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
