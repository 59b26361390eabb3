import { refuse } from '../../road/refusal.ts';
import type { PageParts, PageRequest } from './parts.ts';

/**
 * A form must come from a page of ours. Visitors have no cookie that another site could use, but a member who previews has. Programs send
 * neither header; they could do the same by the API.
 */
export function requireOwnForm(_parts: PageParts, { headers }: PageRequest): void {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site === undefined && origin === undefined) return;
  const isOwn = site === undefined ? URL.parse(origin!)?.host === host : site === 'same-origin';
  if (!isOwn) refuse('cross_site_request', { log: `site ${site}, origin ${origin}, host ${host}` });
}
