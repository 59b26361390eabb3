import { refuse } from '../../common/refusal.ts';
import { html } from '../../outside/mail-templates/markup.ts';
import type { Operation } from '../../road/operation.ts';
import { type AttendeeState, canCancelAll, canDo, ownPlaces } from '../registrations/index.ts';
import { keyField } from './key-field.ts';
import { perform } from './my-perform.ts';
import { nameOf, placeIn, placePath, type Visit, type VisitHandler, within } from './my-visit.ts';
import type { PageParts, PageRequest } from './parts.ts';

/** Cancelling asks once more: it cannot be undone. Without a place it is about the whole registration, which is the registrant's. */
interface Cancelling {
  operation: Operation;
  of: 'place' | 'registration';
}

function placeOf(visit: Visit, request: PageRequest, of: Cancelling['of']): AttendeeState | null {
  if (of === 'place') return placeIn(visit, request);
  return visit.attendee === null ? null : refuse('not_found');
}

export const askToCancel =
  ({ layout }: PageParts, { of }: Cancelling): VisitHandler =>
  async (visit, request, reply) => {
    const { site, world, registration, now } = visit;
    const t = site.words.in('my');
    const place = placeOf(visit, request, of);
    const at = { event: world.event, now };
    const can = place === null ? canCancelAll(at, registration) : canDo('cancel', at, registration, place);
    if (!can) return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    const title = place === null ? t('cancelAllTitle') : t('cancelPlaceTitle', { name: nameOf(place) });
    const path = place === null ? '/cancel' : placePath(place, 'cancel');
    const paid = registration.paid_minor > 0 && visit.attendee === null ? html`<p>${t('noRefund')}</p>` : '';
    const others =
      place === null && ownPlaces(registration).length < registration.attendees.length
        ? html`<p>${t('cancelKeepsHandedOn')}</p>`
        : '';
    const content = html`<p class="soft">${world.event.name}</p><h1>${title}</h1><p>${t(place === null ? 'cancelAllText' : 'cancelPlaceText')}</p>${others}${paid}<form class="actions" method="post" action="${within(visit, path)}">${keyField()}<button class="danger">${t(place === null ? 'cancelAll' : 'cancelPlace')}</button><a class="button quiet" href="${within(visit)}">${t('keep')}</a></form>`;
    return layout.send(reply, site, { title, content, noindex: true });
  };

export const takeCancel =
  (parts: PageParts, { of, operation }: Cancelling): VisitHandler =>
  async (visit, request, reply) => {
    const place = placeOf(visit, request, of);
    const outcome = await perform(parts, visit, request, operation, place === null ? {} : { attendee: place });
    return reply.redirect(within(visit, '', { done: 'answer' in outcome ? 'cancelled' : 'stale' }), 303);
  };
