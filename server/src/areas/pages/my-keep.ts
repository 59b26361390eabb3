import { refuse } from '../../common/refusal.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { Operation } from '../../road/operation.ts';
import { keptUntil } from '../registrations/index.ts';
import { keyField } from './key-field.ts';
import { perform } from './my-perform.ts';
import { instant, type Visit, type VisitHandler, within } from './my-visit.ts';
import type { PageParts } from './parts.ts';

/**
 * A form holds unpaid places for a short time only. Whoever came by the link of the mail can hold them longer with this button. Opening
 * the link is not enough: programs that look for dangerous mails open every link.
 */
export function keepPlaces(visit: Visit): Html {
  const { site, registration, attendee, world, mailed } = visit;
  const t = site.words.in('my');
  const until = attendee === null ? keptUntil(world.event, registration) : null;
  if (until === null) return html``;
  const text = { until: instant(visit, until) };
  if (!mailed) return html`<p>${t('keepByMail', text)}</p>`;
  return html`<p>${t('keepText', text)}</p><form class="actions" method="post" action="${within(visit, '/keep')}">${keyField()}<button>${t('keepPlaces')}</button></form>`;
}

export const keep =
  (parts: PageParts, operation: Operation): VisitHandler =>
  async (visit, request, reply) => {
    if (visit.attendee !== null || !visit.mailed) refuse('not_found');
    const outcome = await perform(parts, visit, request, operation, {});
    return reply.redirect(within(visit, '', { done: 'answer' in outcome ? 'kept' : 'stale' }), 303);
  };
