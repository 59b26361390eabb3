import { chooseLanguage, type Words } from '@turnout/words';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Refusal } from '../../common/refusal.ts';
import { html } from '../../outside/mail-templates/markup.ts';
import { asRefusal } from '../../road/errors.ts';
import { findOrganization } from '../../road/for-areas/visitors.ts';
import type { PageParts, PageRequest } from './parts.ts';
import { hrefOf, siteOf } from './site.ts';
import { wantedLanguage, wordsFor } from './words.ts';

type Drawing = Pick<PageParts, 'layout'>;

/** What went wrong, in the words of somebody who opened a link or filled in a form. */
function textsOf(words: Words, { code, message, options }: Refusal, isLink: boolean): { title: string; text: string } {
  const t = words.in('pages');
  if (code === 'not_found' && isLink) return { title: t('linkTitle'), text: t('linkText') };
  if (code === 'not_found') return { title: t('missingTitle'), text: t('missingText') };
  const title = t('failedTitle');
  const seconds = Number(options.headers?.['Retry-After']);
  if (code === 'rate_limited' && seconds > 0) return { title, text: t('tooOften', { count: Math.ceil(seconds / 60) }) };
  if (code === 'payload_too_large') return { title, text: t('formTooLarge') };
  if (code === 'unsupported_media_type') return { title, text: t('notAForm') };
  return { title, text: words.find('refusals', code) ?? message };
}

/** Whether the address is one that was mailed to somebody. Its page says the same whatever is wrong with the link. */
const isMailedLink = ({ params }: FastifyRequest): boolean => (params as { token?: string }).token !== undefined;

/**
 * What went wrong, as a page in the organization's look. Failures that are nobody's fault are answered as everywhere, and so is
 * whatever is wrong with a request for the public JSON, which programs of any origin read.
 */
export async function answerWithPage(
  parts: Drawing & Pick<PageParts, 'pool'>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  if (request.url.split('?', 1)[0]!.endsWith('.json')) {
    reply.header('Access-Control-Allow-Origin', '*');
    throw error;
  }
  const refusal = asRefusal(error);
  if (refusal.status >= 500) throw error;
  const page = request as PageRequest;
  const organization = await findOrganization(parts.pool, page.params.org ?? '');
  if (organization === null) return answerAlone(parts, refusal, request, reply);
  const site = await siteOf(page, organization);
  const isLink = isMailedLink(request);
  const { title, text } = textsOf(site.words, refusal, isLink);
  const find = isLink ? html`<a class="button" href="${hrefOf(site, '/my')}">${site.t('findMine')}</a>` : '';
  const content = html`<h1>${title}</h1><p>${text}</p><div class="actions">${find}<a class="button quiet" href="${hrefOf(site, '/')}">${site.t('allEvents')}</a></div>`;
  reply.headers(refusal.options.headers ?? {});
  return parts.layout.send(reply, site, { title, content, noindex: true }, refusal.status);
}

/** The same as a page without anybody's look, in the visitor's language: it is not known whose pages were asked for. */
export async function answerAlone(
  { layout }: Drawing,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const refusal = asRefusal(error);
  if (refusal.status >= 500) throw error;
  const { lang } = request.query as { lang?: unknown };
  const language = wantedLanguage(lang, request.headers['accept-language']) ?? chooseLanguage([]);
  const texts = textsOf(await wordsFor(language, {}), refusal, isMailedLink(request));
  reply.headers(refusal.options.headers ?? {});
  return layout.sendAlone(reply, { language, ...texts }, refusal.status);
}
