import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../common/refusal.ts';
import { isBearer } from '../gate/authenticate.ts';
import type { Identities } from '../gate/identify.ts';
import { mountOf } from '../mounts.ts';
import { wrongMethod } from './edge.ts';
import { METHODS, type Offered } from './offered.ts';

export interface RouteConfig {
  /** The route only answers methods that its address does not take. */
  turnsAway?: boolean;
}

/**
 * Answers 404 where no address exists, and 405 where it does not take the method. A key that is sent is looked up all the same, so
 * that such calls count toward its rate like any other. Without a key, the database is not asked.
 */
export async function turnAway(
  parts: Identities,
  offered: Offered,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<never> {
  const mount = mountOf(request.url);
  if (mount?.takesKeys && isBearer(request.headers.authorization)) await mount.identify(parts, request, reply);
  const allowed = offered.at(request.url);
  if (allowed.length > 0) throw wrongMethod(allowed);
  return unknownAddress();
}

export const unknownAddress = (): never =>
  refuse('not_found', { message: 'There is nothing at this address. Check its spelling against /docs.' });

/**
 * Routes the methods that an address does not take to `turnAway`. Otherwise a route with a parameter in the same place would take
 * them: `DELETE /webhooks/event-types` would be `DELETE /webhooks/{webhook}`.
 */
export function turnOtherMethodsAway(
  app: FastifyInstance,
  parts: Identities,
  offered: Offered,
  urls: readonly string[],
): void {
  const shapes = new Set<string>();
  for (const url of urls) {
    const shape = url.replaceAll(/:\w+/g, ':');
    if (shapes.has(shape)) continue;
    shapes.add(shape);
    const allowed = offered.at(url);
    // The page of the app takes GET and HEAD of every address below /app that nothing else takes.
    const method = [...METHODS, 'HEAD'].filter((name) => !allowed.includes(name));
    app.route({
      method,
      url,
      config: { turnsAway: true } satisfies RouteConfig,
      onRequest: (request, reply) => turnAway(parts, offered, request, reply),
      handler: async () => undefined,
    });
  }
}
