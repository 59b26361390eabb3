import { isReservedEventCode } from '@turnout/contract';
import { chooseLanguage, type Language, type Translate, type Words } from '@turnout/words';
import type { FastifyRequest } from 'fastify';
import { type Id, toUlid } from '../../common/ids.ts';
import type { PagesOf } from '../../common/page-links.ts';
import type { Html } from '../../outside/mail-templates/markup.ts';
import type { PublicOrganization } from '../../road/for-areas/visitors.ts';
import { wantedLanguage, wordsFor } from './words.ts';

/** What every page of an organization needs to be drawn for one visitor. */
export interface Site {
  organization: PublicOrganization;
  /** What the addresses on this site begin with: nothing on a host of its own, else `/o/{org}`. */
  base: string;
  /** The address that was asked for, without the site's beginning and without its query: `/summer-fair`. */
  path: string;
  language: Language;
  words: Words;
  t: Translate<'pages'>;
  /** Whether the page stands in a frame on another site. */
  embedded: boolean;
  /** Whether the visitor chose the language; then every address on the page keeps it. */
  chosen: boolean;
}

export async function siteOf(
  request: FastifyRequest,
  organization: PublicOrganization,
  language: string = organization.language,
): Promise<Site> {
  const query = request.query as Record<string, unknown>;
  const spoken = wantedLanguage(query.lang, request.headers['accept-language']) ?? chooseLanguage([language]);
  const words = await wordsFor(spoken, organization.org.terminology);
  return {
    organization,
    ...placeOf(request),
    language: spoken,
    words,
    t: words.in('pages'),
    embedded: query.embed === '1',
    chosen: query.lang === spoken,
  };
}

/**
 * A request to an organization's own host was rewritten to `/o/{org}/…` before it was routed, so its address differs from the one that
 * the visitor sees.
 */
export function placeOf({ url, originalUrl }: FastifyRequest): Pick<Site, 'base' | 'path'> {
  const path = url.split('?', 1)[0]!;
  const ofSite = /^\/o\/[^/]*/.exec(path)?.[0] ?? '';
  // On a host of its own the path stands alone in links, where a second slash would begin the name of another host.
  return { base: url === originalUrl ? ofSite : '', path: `/${path.slice(ofSite.length).replace(/^[/\\]+/, '')}` };
}

/** The address of a page of this site. It keeps the language and the frame that the visitor is in. */
export function hrefOf(site: Site, path: string, query: Readonly<Record<string, string>> = {}): string {
  const kept = new URLSearchParams({
    ...(site.chosen && { lang: site.language }),
    ...(site.embedded && { embed: '1' }),
    ...query,
  }).toString();
  return `${site.base}${path}${kept === '' ? '' : `?${kept}`}` || '/';
}

export const pagesOf = ({ org, page_host }: PublicOrganization): PagesOf => ({ org_code: org.code, page_host });

/** One page, before the site's head and foot are put around it. */
export interface Page {
  title: string;
  content: Html;
  /** What stands in the head beside the usual: descriptions for search engines and previews. */
  head?: Html;
  /** Search engines leave it out. */
  noindex?: boolean;
  /** What its address says, and the links to other languages keep. */
  query?: Readonly<Record<string, string>>;
  /** It has an address outside of the site, so the foot does not offer it in other languages. */
  apart?: boolean;
}

/** The address of an event below its organization's pages. One whose code means something else there is reached by its id. */
export const eventPath = ({ id, code }: { id: Id; code: string }): string =>
  `/${isReservedEventCode(code) ? toUlid(id) : encodeURIComponent(code)}`;
