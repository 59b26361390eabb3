import { discountOff } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import { moneyText } from './event-parts.ts';
import type { ShownProduct, ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';
import type { Site } from './site.ts';

const isFor = (ids: readonly Id[] | null, id: Id): boolean => ids === null || ids.includes(id);

/** What one of it costs, and would cost without the code. Whom the code covers in the end is known once everybody is in the form. */
function priceText(site: Site, { event }: ShownEvent, price_minor: number, off: number): Html {
  const price = moneyText(site, event, price_minor - off);
  const before = site.t('insteadOf', { price: moneyText(site, event, price_minor) });
  return html`<span class="number">${price}</span>${off === 0 ? '' : html` <span class="soft">${before}</span>`}`;
}

export function ticketPrice(site: Site, shown: ShownEvent, { id, price: { price_minor } }: ShownType): Html {
  const { discount } = shown;
  const isCheaper = discount !== null && isFor(discount.attendee_type_ids, id);
  return priceText(site, shown, price_minor, isCheaper ? discountOff(discount, { price_minor, quantity: 1 }) : 0);
}

export function unitPrice(site: Site, shown: ShownEvent, { id, price_minor, max }: ShownProduct): Html {
  const { discount } = shown;
  const isCheaper = discount !== null && isFor(discount.product_ids, id);
  const off = isCheaper ? discountOff(discount, { price_minor, quantity: 1 }) : 0;
  const each = max > 1 && price_minor > off ? html` ${site.t('each')}` : '';
  return html`${priceText(site, shown, price_minor, off)}${each}`;
}
