import type { PublicAvailability } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import { formatMoney } from '../../outside/money.ts';
import type { EventRow } from '../events/index.ts';
import type { PlacesLeft } from './availability.ts';
import type { ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

/** Small parts that several pages of an event share. */

export const moneyText = (site: Site, event: EventRow, minor: number): string =>
  minor === 0
    ? site.t('free')
    : formatMoney(minor, event.currency, { language: site.language, timezone: event.timezone });

/** What is left, in words; nothing where there is plenty. */
export function leftTag(site: Site, left: PublicAvailability): Html {
  if (left === 'available') return html``;
  const look = { few: 'warn', waitlist: 'warn', sold_out: 'bad' }[left];
  return html`<span class="tag ${look}">${site.t(`left.${left}`)}</span>`;
}

/** What is left of a day or a type, which may be over. */
export const tagOf = (site: Site, { days, types, over }: PlacesLeft, id: Id): Html =>
  over.has(id)
    ? html`<span class="tag soft">${site.t('left.over')}</span>`
    : leftTag(site, days.get(id) ?? types.get(id)!);

/** Whether one can register, for a list. */
export function stateTag(site: Site, { state, left }: ShownEvent): Html {
  if (state === 'open') return leftTag(site, left.event);
  return html`<span class="tag soft">${site.t(`state.${state}`)}</span>`;
}

/** Says that only members see this page. */
export const previewNotice = (site: Site, { preview, event }: ShownEvent): Html =>
  preview
    ? html`<p class="notice warn" role="note">${site.t(event.test ? 'previewTest' : 'previewDraft')}</p>`
    : html``;
