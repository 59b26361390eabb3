import type { FastifyRequest } from 'fastify';
import { refuse } from '../../common/refusal.ts';
import { isFromOwnPage } from '../../road/gate/identify.ts';

/**
 * A form must come from a page of ours. Visitors have no cookie that another site could use, but a member who previews has, and somebody
 * with a link could be led to another site that knows it. Programs send neither header; they could do the same by the API.
 */
export function requireOwnForm(request: FastifyRequest, publicUrl: string): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  if (site === undefined && origin === undefined) return;
  if (!isFromOwnPage(request, publicUrl))
    refuse('cross_site_request', { log: `site ${site}, origin ${origin}, host ${host}` });
}
