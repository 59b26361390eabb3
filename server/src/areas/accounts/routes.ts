import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isUlid } from '../../common/ids.ts';
import { type Fault, invalidRequest, refuse } from '../../common/refusal.ts';
import { isProved } from '../../road/gate/access.ts';
import { requireOwnOrigin } from '../../road/gate/identify.ts';
import { noteSessionUse } from '../../road/gate/session-use.ts';
import { hasBody } from '../../road/request/edge.ts';
import { bodyCheck, NOTHING, queryCheck } from '../../road/request/validate.ts';
import { callLimits, Deadline, inCallLimit } from '../../store/deadline.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import type { AccountCall, AccountParts, RequestOrigin } from './call.ts';
import { Cookies } from './cookies.ts';
import { preferredLanguage } from './language.ts';
import type { AccountOperation } from './operation.ts';
import { findSession, type SignedInSession } from './sessions.ts';

export const ACCOUNT_PREFIX = '/app/api/-';
const BODY_LIMIT = 64 * 1024;

/** For tests: checks each reply against its schema. */
export type CheckReply = (operation: AccountOperation, body: unknown) => void;

/** The address of an operation as Fastify spells it. */
export const accountUrl = ({ path }: Pick<AccountOperation, 'path'>): string =>
  ACCOUNT_PREFIX + path.replaceAll(/\{(\w+)\}/g, ':$1');

/** Mounts the account operations. */
export function accountRoutes(
  app: FastifyInstance,
  parts: AccountParts,
  operations: readonly AccountOperation[],
  checkReply: CheckReply = () => {},
): void {
  for (const operation of operations) addRoute(app, parts, operation, checkReply);
}

function addRoute(app: FastifyInstance, parts: AccountParts, operation: AccountOperation, checkReply: CheckReply) {
  const check = requestCheck(operation);
  app.route({
    method: operation.method,
    url: accountUrl(operation),
    bodyLimit: BODY_LIMIT,
    onRequest: async (request) => {
      requireOwnOrigin(request, parts.settings.publicUrl);
      if (operation.refusedWhenReadOnly === true) await parts.license.requireWritable();
    },
    handler: async (request, reply) => {
      const body = check(request);
      const call = await callOf(parts, operation, request, reply, body);
      const answer = await inCallLimit(callLimits.usual, operation.handle(call));
      if (operation.reply !== null) checkReply(operation, answer);
      const status = operation.status ?? (operation.reply === null ? 204 : 200);
      if (operation.reply === null) return reply.code(status).send();
      return reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(answer));
    },
  });
}

/** Returns the body, or refuses the request with all of its faults. */
function requestCheck({ body: schema, method }: AccountOperation): (request: FastifyRequest) => unknown {
  const checkBody = bodyCheck(schema ?? NOTHING);
  const checkQuery = queryCheck(NOTHING);
  return (request) => {
    // An id that cannot be one names nothing.
    if (Object.values(request.params as Record<string, string>).some((value) => !isUlid(value))) refuse('not_found');
    const body = request.body === undefined ? {} : request.body;
    const faults: Fault[] = [...checkQuery(request.query), ...checkBody(body)];
    if (method === 'GET' && hasBody(request.raw)) faults.push({ path: '', message: 'this operation takes no body' });
    if (faults.length > 0) throw invalidRequest(faults);
    return body;
  };
}

/** What a request is for an operation, or for a page that is none (oidc-pages.ts). */
export async function callOf(
  parts: AccountParts,
  operation: Pick<AccountOperation, 'session' | 'method'>,
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
): Promise<AccountCall> {
  const cookies = new Cookies(request, reply, parts.settings.publicUrl.startsWith('https:'));
  const origin: RequestOrigin = {
    id: request.id,
    address: request.ip,
    userAgent: request.headers['user-agent'],
    language: preferredLanguage(request.headers['accept-language']),
  };
  const deadline = new Deadline(callLimits.usual);
  const work = <T>(run: (tx: Tx) => Promise<T>) =>
    transaction(parts.pool, parts.clock, { role: 'system' }, run, { isLate: () => deadline.isOver });
  const signedIn = () => sessionOf(parts, cookies, origin);
  const session = operation.session === 'none' ? null : await requireSession(parts, operation, await signedIn());
  const params = request.params as Record<string, string>;
  return { ...parts, body, params, request: origin, cookies, session, signedIn, work } as AccountCall;
}

async function sessionOf(
  { pool, clock }: AccountParts,
  cookies: Cookies,
  { address }: RequestOrigin,
): Promise<SignedInSession | null> {
  const token = cookies.session;
  if (token === undefined) return null;
  const found = await transaction(pool, clock, { role: 'system' }, (tx) => findSession(tx, token), { readOnly: true });
  if (found !== null) await noteSessionUse(pool, clock, found, address);
  return found;
}

function requireSession(
  { clock }: AccountParts,
  operation: Pick<AccountOperation, 'session' | 'method'>,
  session: SignedInSession | null,
): SignedInSession {
  if (session === null) return refuse('sign_in_required');
  // Everybody with the printed link is this account, so nobody may change it.
  if (session.sandbox && operation.method !== 'GET') return refuse('sandbox_account');
  if (operation.session === 'proved' && !isProved(session.proved_at, clock.now())) return refuse('sign_in_again');
  return session;
}
