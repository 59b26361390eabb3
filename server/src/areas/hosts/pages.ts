import type { FastifyInstance } from 'fastify';
import { isNear } from '../../road/gate/near.ts';
import type { Operation } from '../../road/operation.ts';
import { unknownAddress } from '../../road/request/unknown-address.ts';
import type { KnownHosts } from './known-hosts.ts';
import { operations } from './operations.ts';

const CHANGING: ReadonlySet<Operation | null | undefined> = new Set(
  operations.filter(({ method }) => method !== 'GET'),
);

export function tenantHostPages(app: FastifyInstance, hosts: KnownHosts, trustedProxies: readonly string[]): void {
  checkPage(app, hosts, trustedProxies);
  // A host that a call has proved or removed is known here before the call is answered.
  app.addHook('onSend', (request, _reply, payload, done) => {
    const go = () => done(null, payload);
    if (CHANGING.has(request.road?.operation)) hosts.refresh().then(go, go);
    else go();
  });
}

/**
 * Whether a host is proved, for a proxy that gets certificates for tenant hosts when they are first visited. Others would learn from
 * it which hosts are here, so for them there is nothing at this address.
 */
function checkPage(app: FastifyInstance, hosts: KnownHosts, trustedProxies: readonly string[]): void {
  app.get<{ Querystring: { domain?: unknown } }>('/tenant-hosts/check', async (request, reply) => {
    const { domain } = request.query;
    const isAsked = isNear(request, trustedProxies, trustedProxies) && typeof domain === 'string';
    return isAsked && hosts.has(domain) ? reply.code(200).send() : unknownAddress();
  });
}
