import { isPaid as isEverPaid } from '@turnout/contract';
import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import { codeField } from './code-field.ts';
import { ticketPrice } from './code-prices.ts';
import { leftTag, moneyText, tagOf } from './event-parts.ts';
import type { ShownType } from './queries.ts';
import type { ShownEvent } from './shown.ts';
import { eventPath, hrefOf, type Site } from './site.ts';
import { momentText } from './when.ts';

/** The most people whom one form offers. Whoever brings more sends a second form, or the organizer imports them. */
export const MAX_PEOPLE = 20;

/** The most choices that one form asks for of all people together, so that no page and no form becomes too large. */
const MAX_CHOICES = 4000;

/** How many people the form takes at once. */
export const mostPeople = ({ event, products }: Pick<ShownEvent, 'event' | 'products'>): number => {
  const choices = products.reduce(
    (sum, { options, max }) => sum + 1 + Math.max(options.length, 1) * (max > 1 ? max : 1),
    0,
  );
  const most = Math.max(1, Math.floor(MAX_CHOICES / Math.max(1, choices)));
  return Math.min(event.registration.max_people ?? MAX_PEOPLE, MAX_PEOPLE, most);
};

/** Whether nothing is to be chosen: there is one type, and one person. */
export const isPlain = (shown: ShownEvent): boolean => shown.types.length === 1 && mostPeople(shown) === 1;

/** The field that says how many people of a type come. */
export const countField = (type: Pick<ShownType, 'code'>): string => `n-${type.code}`;

/** What the address of the page says already. */
export interface Given {
  /** As it was typed. */
  code: string;
  /** Why the code is not taken. */
  fault: string | undefined;
  counts: Readonly<Record<string, unknown>>;
}
export const NOTHING_GIVEN: Given = { code: '', fault: undefined, counts: {} };

/** The types with their prices, and how many of each. The form asks for the rest. */
export function chooser(site: Site, shown: ShownEvent, given: Given): Html {
  const { t } = site;
  const { event, types, left } = shown;
  const rows = types.map((type) => row(site, shown, type, given));
  const isGone = types.every((type) => left.types.get(type.id) === 'sold_out');
  const isPaid = types.some(isEverPaid);
  // Without JavaScript the form simply goes to its next page; the total is written by the script.
  const total =
    // What a code takes off is said for each person by the form.
    isPaid && !isPlain(shown) && shown.discount === null
      ? html`<p class="total" hidden><span>${t('total')}</span><output class="number"></output></p>`
      : '';
  const words = html`data-currency="${event.currency}" data-locale="${site.words.formats.locale}"`;
  const kept = join(
    Object.entries({ ...(site.chosen && { lang: site.language }), ...(site.embedded && { embed: '1' }) }).map(
      ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
    ),
  );
  const page = hrefOf({ ...site, chosen: false, embedded: false }, eventPath(event));
  return html`<h2 id="register">${t('registerTitle')}</h2><form class="choose" method="get" action="${hrefOf({ ...site, chosen: false, embedded: false }, `${eventPath(event)}/register`)}" ${new Html(words.toString())}>${kept}${types.length === 0 ? html`<p>${t('codeNeeded')}</p>` : html`<ul class="rows">${join(rows)}</ul>`}${total}${codeField(site, shown, { ...given, action: page })}${isGone ? '' : html`<div class="actions"><button>${t(left.event === 'waitlist' ? 'toWaitlist' : 'toForm')}</button></div>`}</form>`;
}

function row(site: Site, shown: ShownEvent, type: ShownType, { counts }: Given): Html {
  const { t } = site;
  const { event, left } = shown;
  const state = left.types.get(type.id)!;
  const name = html`<div><b dir="auto">${type.name}</b><br>${priceOf(site, shown, type)}${type.description === null ? '' : html`<br><span class="soft small" dir="auto">${type.description}</span>`}</div>`;
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
    const usual = shown.types.length === 1 || type.id === first.id ? least : 0;
    const asked = counts[countField(type)];
    const chosen = asked === undefined ? usual : Number(asked);
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
function priceOf(site: Site, shown: ShownEvent, type: ShownType): Html {
  const { event } = shown;
  const { name, until, next } = type.price;
  const amount = ticketPrice(site, shown, type);
  const named = name === null ? amount : html`${amount} <span class="soft" dir="auto">${name}</span>`;
  if (until === null || next === null) return named;
  const words = site.t('priceUntil', {
    when: momentText(site, event, until),
    price: moneyText(site, event, next.price_minor),
  });
  return html`${named}<br><span class="soft small">${words}</span>`;
}
