import type { Checkout } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { html } from '../../outside/mail-templates/markup.ts';
import type { Operation } from '../../road/operation.ts';
import { perform } from './my-perform.ts';
import { type VisitHandler, within } from './my-visit.ts';
import type { PageParts } from './parts.ts';
import { pagesOf } from './site.ts';

/**
 * Leads to the page of the payment provider. The answer is a page and not a redirect: our pages allow forms to go nowhere else, and
 * browsers take a redirect for a part of the form.
 */
export const pay =
  (parts: PageParts, operation: Operation): VisitHandler =>
  async (visit, request, reply) => {
    const { site, attendee, token } = visit;
    const t = site.words.in('my');
    if (attendee !== null) refuse('not_found');
    const back = `${parts.links.pages(pagesOf(site.organization))}/my/${token}`;
    const body = { success_url: `${back}?done=paid`, cancel_url: back };
    const outcome = await perform(parts, visit, request, operation, { body });
    // It was paid meanwhile, or another page was opened at the same moment. The page of the registration says how things stand.
    if (!('answer' in outcome)) return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    const { url } = JSON.parse(outcome.answer.body.toString()) as Checkout;
    const title = t('toProvider');
    const content = html`<h1>${title}</h1><p>${t('toProviderText')}</p><div class="actions"><a class="button" href="${url}">${title}</a><a class="button quiet" href="${within(visit)}">${t('back')}</a></div>`;
    const head = html`<meta http-equiv="refresh" content="0;url=${url}">`;
    return parts.layout.send(reply, site, { title, content, head, noindex: true });
  };
