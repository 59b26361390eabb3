import { html } from '../../outside/mail-templates/markup.ts';
import type { ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Page, type Site } from './site.ts';

/**
 * Says that the form has arrived, and nothing else: in events that take every address once it is the same for everybody, so that nobody
 * learns who is registered.
 */
export function donePage(site: Site, { event }: ShownEvent, link: string | null): Page {
  const { t } = site;
  const title = t('doneTitle');
  const mine = link === null ? '' : html`<a class="button" href="${link}" target="_top">${t('openMine')}</a>`;
  return {
    title,
    content: html`<h1>${title}</h1><p class="lead" dir="auto">${event.name}</p><p>${t('doneText')}</p><div class="actions">${mine}<a class="button quiet" href="${hrefOf(site, eventPath(event))}">${t('backToEvent')}</a></div>`,
    noindex: true,
  };
}
