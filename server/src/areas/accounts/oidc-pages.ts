import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../common/refusal.ts';
import { OidcFault } from '../../outside/oidc.ts';
import type { AccountCall, AccountParts } from './call.ts';
import { errorPath, finishOidc, startOidc } from './oidc-sign-in.ts';
import { callOf } from './routes.ts';

/**
 * The two addresses that the browser itself is led through. They answer with redirects and nothing else: a fault leads to the
 * sign-in screen, which says it in words. Both are GET, because a link and the provider lead here. Opening them changes nothing for
 * anybody who has not just begun to sign in with this browser.
 */
export function oidcPages(app: FastifyInstance, parts: AccountParts): void {
  const page = (path: string, next: (call: AccountCall, request: FastifyRequest) => Promise<string>) =>
    app.get(path, async (request, reply) => {
      const call = await callOf(parts, { session: 'none', method: 'GET' }, request, reply, {});
      return redirect(reply, await next(call, request).catch((error) => errorPath(faultIn(error, call))));
    });
  page('/app/-/oidc/start', (call, request) => startOidc(call, { next: (request.query as { then?: unknown }).then }));
  page('/app/-/oidc/callback', (call, request) => finishOidc(call, queryOf(request)));
}

function redirect(reply: FastifyReply, location: string): FastifyReply {
  // The address that the provider called has the code in it.
  reply.header('Referrer-Policy', 'no-referrer');
  return reply.redirect(location, 303);
}

/** As it was sent: the library reads it, and repeated fields must not be merged before it has seen them. */
const queryOf = ({ raw: { url = '' } }: FastifyRequest): string =>
  url.includes('?') ? url.slice(url.indexOf('?')) : '';

function faultIn(error: unknown, { log, request }: AccountCall): OidcFault['code'] {
  const why = { request_id: request.id, why: (error as Error).message };
  if (error instanceof OidcFault) {
    log[error.code === 'oidc_unavailable' ? 'warn' : 'info'](why, 'single sign-on did not work');
    return error.code;
  }
  if (error instanceof Refusal) {
    log.info(why, 'single sign-on was refused');
    return 'oidc_unavailable';
  }
  throw error;
}
