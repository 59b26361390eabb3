import type { FastifyRequest } from 'fastify';
import { addressAllowed } from '../../common/addresses.ts';

const FORWARDED = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'] as const;
const LOOPBACK = ['127.0.0.0/8', '::1/128'];

/** Whether a request comes from this machine or from one of the networks, and not through a proxy from anywhere else. */
export function isNear(
  request: FastifyRequest,
  networks: readonly string[],
  trustedProxies: readonly string[],
): boolean {
  const visitor = visitorOf(request, trustedProxies);
  if (visitor === null) return false;
  if (networks.length > 0 && addressAllowed(visitor, networks)) return true;
  if (!addressAllowed(visitor, LOOPBACK)) return false;
  // A proxy on this machine that adds no headers would look like a local visitor. Most proxies still pass on the `Host` that was
  // asked for.
  const { headers } = request;
  return (
    headers['x-forwarded-for'] !== undefined || /^(localhost|127(\.\d+){3}|\[::1\])(:\d+)?$/i.test(headers.host ?? '')
  );
}

/**
 * The address of the visitor, or null if it is not known. A request through a proxy seems to come from the proxy, often from this
 * machine. Only a trusted proxy tells us the true address, in `X-Forwarded-For`.
 */
function visitorOf({ ip, headers, socket }: FastifyRequest, trustedProxies: readonly string[]): string | null {
  if (FORWARDED.every((name) => headers[name] === undefined)) return ip;
  const trusted = trustedProxies.length > 0 && addressAllowed(socket.remoteAddress ?? '', trustedProxies);
  return trusted && headers['x-forwarded-for'] !== undefined ? ip : null;
}
