import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Id, toUlid } from '../../common/ids.ts';
import type { Html } from '../../outside/mail-templates/markup.ts';
import { findOrganization } from '../../road/for-areas/visitors.ts';
import type { PageParts } from './parts.ts';
import { siteOf } from './site.ts';

/** A page of another area, about an organization. */
export interface OtherPage {
  org: Id;
  /** Used if the browser asks for no other that we have. */
  language: string;
  write: (language: string) => { title: string; content: Html };
}

/** Draws pages of other areas in the look of an organization's own pages. Answers null if the organization was deleted. */
export const ownLook =
  ({ pool, layout }: Pick<PageParts, 'pool' | 'layout'>) =>
  async (request: FastifyRequest, reply: FastifyReply, { org, language, write }: OtherPage) => {
    const organization = await findOrganization(pool, toUlid(org));
    if (organization === null) return null;
    const own = await siteOf(request, organization, language);
    // The page is not below the site's address, but on a host that serves the site as well.
    const site = { ...own, base: `/o/${organization.org.code}`, path: '/', embedded: false };
    return layout.send(reply, site, { ...write(site.language), noindex: true, apart: true });
  };
