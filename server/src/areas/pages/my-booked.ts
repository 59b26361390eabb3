import { lineTotal } from '@turnout/contract';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import { unitsText } from '../../outside/units.ts';
import type { AttendeeState, BookedLine } from '../registrations/index.ts';
import { money, type Visit, within } from './my-visit.ts';
import { hasProducts, mayBook } from './own-products.ts';
import { quotedLines } from './quote.ts';

/** What is booked beside the tickets, as the page behind a link shows it. Amounts are between the registrant and the organizer. */
const listOf = (visit: Visit, lines: readonly BookedLine[]): Html => {
  const rows = quotedLines(visit.world, lines).map((line) => {
    const price = visit.attendee === null && line.price_minor > 0 ? ` · ${money(visit, lineTotal(line))}` : '';
    return html`<li><span dir="auto">${unitsText(line)}</span>${price}</li>`;
  });
  return html`<ul class="small booked">${join(rows)}</ul>`;
};

export const bookedFor = (visit: Visit, { products }: AttendeeState): Html =>
  products.length === 0 ? html`` : listOf(visit, products);

/** What is booked for all people together, which is the registrant's. */
export function bookedTogether(visit: Visit): Html {
  const { site, t, registration, attendee } = visit;
  if (attendee !== null || !hasProducts(visit, null)) return html``;
  const { products } = registration;
  const change = mayBook(visit, null)
    ? html`<div class="place-actions"><a href="${within(visit, '/extras')}">${t('changeExtras')}<span class="unseen"> (${site.t('extrasTogether')})</span></a></div>`
    : '';
  if (products.length === 0 && change === '') return html``;
  return html`<h2>${site.t('extrasTogether')}</h2>${products.length === 0 ? '' : listOf(visit, products)}${change}`;
}

/** What the code takes off in all. */
export const savedWith = ({ site, registration: { discount_code, discount_minor } }: Visit): [string, number][] =>
  discount_minor === 0 ? [] : [[site.words.in('my')('saved', { code: discount_code ?? '' }), discount_minor]];
