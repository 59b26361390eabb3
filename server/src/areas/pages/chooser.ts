import { isPaid as isEverPaid } from '@turnout/contract';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { EventRow } from '../events/index.ts';
import { leftTag, moneyText, tagOf } from './event-parts.ts';
import type { ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Site } from './site.ts';
import { momentText } from './when.ts';

/** The most people whom one form offers. Whoever brings more sends a second form, or the organizer imports them. */
export const MAX_PEOPLE = 20;

/** How many people the form takes at once. */
export const mostPeople = ({ event }: Pick<ShownEvent, 'event'>): number =>
  Math.min(event.registration.max_people ?? MAX_PEOPLE, MAX_PEOPLE);

/** Whether nothing is to be chosen: there is one type, and one person. */
export const isPlain = (shown: ShownEvent): boolean => shown.types.length === 1 && mostPeople(shown) === 1;

/** The field that says how many people of a type come. */
export const countField = (type: Pick<ShownType, 'code'>): string => `n-${type.code}`;

/** The types with their prices, and how many of each. The form asks for the rest. */
export function chooser(site: Site, shown: ShownEvent): Html {
  const { t } = site;
  const { event, types, left } = shown;
  const rows = types.map((type) => row(site, shown, type));
  const isGone = types.every((type) => left.types.get(type.id) === 'sold_out');
  const isPaid = types.some(isEverPaid);
  // Without JavaScript the form simply goes to its next page; the total is written by the script.
  const total =
    isPaid && !isPlain(shown)
      ? html`<p class="total" hidden><span>${t('total')}</span><output class="number"></output></p>`
      : '';
  const words = html`data-currency="${event.currency}" data-locale="${site.words.formats.locale}"`;
  const kept = join(
    Object.entries({ ...(site.chosen && { lang: site.language }), ...(site.embedded && { embed: '1' }) }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  );
  return html`<h2 id="register">${t('registerTitle')}</h2><form class="choose" method="get" action="${hrefOf({ ...site, chosen: false, embedded: false }, `${eventPath(event)}/register`)}" ${new Html(words.toString())}>${kept}<ul class="rows">${join(rows)}</ul>${total}${isGone ? '' : html`<div class="actions"><button>${t(left.event === 'waitlist' ? 'toWaitlist' : 'toForm')}</button></div>`}</form>`;
}

function row(site: Site, shown: ShownEvent, type: ShownType): Html {
  const { t } = site;
  const { event, left } = shown;
  const state = left.types.get(type.id)!;
  const name = html`<div><b dir="auto">${type.name}</b><br>${priceOf(site, event, type)}${type.description === null ? '' : html`<br><span class="soft small" dir="auto">${type.description}</span>`}</div>`;
  const opens = type.on_sale?.from ?? null;
  if (left.notYet.has(type.id)) {
    return html`<li>${name}<span class="tag soft">${t('onSaleFrom', { when: momentText(site, event, opens!) })}</span></li>`;
  }
  if (state === 'sold_out') return html`<li>${name}${tagOf(site, left, type.id)}</li>`;
  const most = mostPeople(shown);
  const first = shown.types.find((one) => left.types.get(one.id) !== 'sold_out')!;
  const least = type.min_per_registration ?? 1;
  const options = Array.from({ length: Math.min(most, type.max_per_registration ?? most) + 1 }, (_, count) => {
    if (count > 0 && count < least) return html``;
    const chosen = shown.types.length === 1 || type.id === first.id ? least : 0;
    return shown.types.length === 1 && count === 0
      ? html``
      : html`<option value="${count}"${count === chosen ? new Html(' selected') : ''}>${count}</option>`;
  });
  const field = countField(type);
  const amount = isPlain(shown)
    ? html`<input type="hidden" name="${field}" value="1">`
    : html`<label class="amount"><select name="${field}" data-price="${type.price.price_minor}" aria-label="${t('howManyOf', { type: type.name })}">${join(options)}</select></label>`;
  return html`<li>${name}${leftTag(site, state)}${amount}</li>`;
}

/** What it costs now, until when, and what it costs then. */
function priceOf(site: Site, event: EventRow, { price }: ShownType): Html {
  const { t } = site;
  const amount = html`<span class="number">${moneyText(site, event, price.price_minor)}</span>`;
  const named = price.name === null ? amount : html`${amount} <span class="soft" dir="auto">${price.name}</span>`;
  if (price.until === null || price.next === null) return named;
  const words = t('priceUntil', {
    when: momentText(site, event, price.until),
    price: moneyText(site, event, price.next.price_minor),
  });
  return html`${named}<br><span class="soft small">${words}</span>`;
}
