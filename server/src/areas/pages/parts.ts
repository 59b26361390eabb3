import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { InnerCalls } from '../../road/for-areas/inner-calls.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { findOrganization, type PublicOrganization } from '../../road/for-areas/visitors.ts';
import type { RateStore } from '../../road/gate/rates.ts';
import type { Outside } from '../../road/operation.ts';
import { Fields } from '../../road/request/form-body.ts';
import type { Pool } from '../../store/pool.ts';
import type { Layout, PageAssets } from './layout.ts';
import { type Site, siteOf } from './site.ts';

/** A file of the build. */
export interface AssetFile {
  type: string;
  bytes: Buffer;
  gzip: Buffer | null;
  brotli: Buffer | null;
}

/** What the pages are made of. */
export interface PageParts {
  pool: Pool;
  clock: Clock;
  log: Logger;
  links: Links;
  secrets: Secrets;
  outside: Outside;
  visitors: InnerCalls;
  layout: Layout;
  assets: () => Promise<PageAssets & { file: (name: string) => AssetFile | undefined }>;
  publicUrl: string;
  rates: RateStore;
  /** How often one address may send a form of an event in ten minutes. */
  submissions: number;
  /** Tells the mails that some were queued. */
  wakeMails: () => void;
}

export type PageRequest = FastifyRequest<{ Params: Record<string, string>; Querystring: Record<string, unknown> }>;
export type PageHandler = (site: Site, request: PageRequest, reply: FastifyReply) => Promise<unknown>;

/** The organization of the address, or 404. */
export async function organizationOf({ pool }: PageParts, request: PageRequest): Promise<PublicOrganization> {
  return (await findOrganization(pool, request.params.org!)) ?? refuse('not_found');
}

/** A handler that gets the site of the address. */
export const onSite =
  (parts: PageParts, handler: PageHandler) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const page = request as PageRequest;
    const site = await siteOf(page, await organizationOf(parts, page));
    return handler(site, page, reply);
  };

/** The fields of a form that was sent. Browsers send forms in this way with and without JavaScript. */
export const fieldsOf = ({ body }: FastifyRequest): Fields => (body instanceof Fields ? body : new Fields());
