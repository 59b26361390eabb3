import { lineTotal } from '@turnout/contract';
import { type Html, html, join } from '../../outside/mail-templates/markup.ts';
import { unitsText } from '../../outside/units.ts';
import { moneyText } from './event-parts.ts';
import type { Quote, QuotedLine } from './quote.ts';
import type { ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

/** What the code takes off a line, beside what the line would cost without it. */
export function offText(site: Site, { event, discount }: ShownEvent, line: Omit<QuotedLine, 'name' | 'option'>): Html {
  if (line.discount_minor === 0) return html``;
  const words = site.t('takenOff', {
    price: moneyText(site, event, line.price_minor * line.quantity),
    off: moneyText(site, event, line.discount_minor),
    code: discount?.code ?? '',
  });
  return html`<br><span class="soft small" dir="auto">${words}</span>`;
}

/** A row for each line: what it is, and what it costs. */
export const rowsOf = (site: Site, shown: ShownEvent, lines: readonly QuotedLine[]): Html[] =>
  lines.map(
    (line) =>
      html`<li><div><span dir="auto">${unitsText(line)}</span>${offText(site, shown, line)}</div><span class="number">${moneyText(site, shown.event, lineTotal(line))}</span></li>`,
  );

/** What somebody takes, below their name: the ticket and everything beside it. */
export const ownLines = (site: Site, shown: ShownEvent, lines: readonly QuotedLine[]): Html =>
  html`<ul class="lines">${join(rowsOf(site, shown, lines))}</ul>`;

/** What the code takes off in all, and what is left to pay. */
export function totals(site: Site, { event, discount }: ShownEvent, { discount_minor, total_minor }: Quote): Html {
  const saved =
    discount_minor === 0
      ? ''
      : html`<p class="saved"><span dir="auto">${site.t('saved', { code: discount?.code ?? '' })}</span><span class="number">${moneyText(site, event, discount_minor)}</span></p>`;
  return html`${saved}<p class="total"><span>${site.t('total')}</span><span class="number">${moneyText(site, event, total_minor)}</span></p>`;
}
