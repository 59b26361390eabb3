import { chooseLanguage } from '@turnout/words';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../outside/mail-templates/markup.ts';
import { Refusal } from '../../road/refusal.ts';
import { findOrganization } from '../../road/visitors.ts';
import { assetPages } from './asset-pages.ts';
import { formPages } from './form.ts';
import { myPages } from './my-pages.ts';
import type { PageParts, PageRequest } from './parts.ts';
import { publicPages } from './public-pages.ts';
import { hrefOf, siteOf } from './site.ts';
import { wantedLanguage, wordsFor } from './words.ts';

const BODY_LIMIT = 1_048_576;

/**
 * The registration pages of all organizations, below `/o/{org}`. Requests to an organization's own host are rewritten to there before
 * they are routed. Every step works without JavaScript: a page is HTML, a change is a form that is sent by POST.
 */
export function registrationPages(app: FastifyInstance, parts: PageParts): void {
  app.register(async (pages) => {
    pages.removeAllContentTypeParsers();
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: BODY_LIMIT },
      (_request, body, done) => done(null, new URLSearchParams(body as string)),
    );
    pages.setErrorHandler((error: FastifyError, request, reply) => answerWithPage(parts, error, request, reply));
    assetPages(pages, parts);
    publicPages(pages, parts);
    formPages(pages, parts);
    myPages(pages, parts);
  });
}

/** What went wrong, as a page in the organization's look. Failures that are nobody's fault are answered as everywhere. */
async function answerWithPage(
  parts: PageParts,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // Programs of any origin read the public JSON, and also what is wrong with their request.
  if (request.url.split('?', 1)[0]!.endsWith('.json')) {
    reply.header('Access-Control-Allow-Origin', '*');
    throw error;
  }
  if (!(error instanceof Refusal)) throw error;
  const page = request as PageRequest;
  const organization = await findOrganization(parts.pool, page.params.org ?? '');
  if (organization === null) return answerAlone(parts, error, page, reply);
  const site = await siteOf(page, organization);
  const isMissing = error.code === 'not_found';
  const title = isMissing ? site.t('missingTitle') : site.t('failedTitle');
  const text = isMissing ? site.t('missingText') : (site.words.find('refusals', error.code) ?? error.message);
  const content = html`<h1>${title}</h1><p>${text}</p><div class="actions"><a class="button quiet" href="${hrefOf(site, '/')}">${site.t('allEvents')}</a></div>`;
  reply.headers(error.options.headers ?? {});
  return parts.layout.send(reply, site, { title, content, noindex: true }, error.status);
}

/** No organization has this address: a page without anybody's look, in the visitor's language. */
async function answerAlone(
  { layout }: PageParts,
  error: Refusal,
  { query, headers }: PageRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { lang } = query as { lang?: unknown };
  const language = wantedLanguage(lang, headers['accept-language']) ?? chooseLanguage([]);
  const words = await wordsFor(language, {});
  const t = words.in('pages');
  const isMissing = error.code === 'not_found';
  const title = isMissing ? t('missingTitle') : t('failedTitle');
  const text = isMissing ? t('missingText') : (words.find('refusals', error.code) ?? error.message);
  return layout.sendAlone(reply, { language, title, text }, error.status);
}
