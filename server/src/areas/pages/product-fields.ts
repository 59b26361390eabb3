import { Html, html, join } from '../../outside/mail-templates/markup.ts';
import type { UnitsLeft } from './availability.ts';
import { unitPrice } from './code-prices.ts';
import { attribute, described, flag, hiddenField, notes } from './fields.ts';
import { type Offer, productsField, type Taker } from './offers.ts';
import { countsOptions, productField } from './product-choices.ts';
import type { ShownProduct } from './queries.ts';
import type { ShownEvent } from './shown.ts';
import type { Site } from './site.ts';
import { dayName } from './when.ts';

/** What was chosen of the products so far, and what is wrong with it. */
export interface ProductState {
  taker: Taker;
  /** By the code of the product, and of its option where each has a number of its own. */
  typed: ReadonlyMap<string, string>;
  fault: (field: string) => string | undefined;
  /** How many must stay, because they were handed out, by the same codes as `typed`. */
  least?: ReadonlyMap<string, number>;
}

/**
 * What a taker can book beside the ticket. What is only offered on days that are not chosen yet is there, but switched off: without
 * JavaScript the next page has it, and with JavaScript it appears as soon as the day is chosen (web/register/src/products.ts).
 */
export function productFields(site: Site, shown: ShownEvent, offers: readonly Offer[], state: ProductState): Html {
  const name = productsField(state.taker);
  const gone = state.fault(name);
  const fault = gone === undefined ? '' : html`<span class="fault" id="${name}">${gone}</span>`;
  return html`${fault}${join(offers.map((offer) => extra(site, shown, offer, state)))}`;
}

function extra(site: Site, shown: ShownEvent, offer: Offer, state: ProductState): Html {
  const { product, isOpen, people } = offer;
  const field = fieldOf(site, shown, product, state);
  const dates = product.day_ids;
  if (dates === null) return html`<div class="extra">${field}</div>`;
  const days = shown.days.filter(({ id }) => dates.includes(id)).map(({ code }) => code);
  const off = isOpen ? '' : new Html(' hidden disabled');
  return html`<fieldset class="extra" aria-label="${product.name}" data-people="${people.join(' ')}" data-days="${days.join(' ')}"${off}>${hiddenField('seen', productField(state.taker, product.code))}${field}</fieldset>`;
}

function fieldOf(site: Site, shown: ShownEvent, product: ShownProduct, state: ProductState): Html {
  if (countsOptions(product)) return optionNumbers(site, shown, product, state);
  if (product.options.length > 0) return optionList(site, shown, product, state);
  return product.max > 1 ? number(site, shown, product, state) : box(site, shown, product, state);
}

/** Name, price, days, description, and what is left of it. */
function about(site: Site, shown: ShownEvent, product: ShownProduct): Html {
  const days = daysOf(site, shown, product);
  const text = product.description === null ? '' : html`<span class="hint" dir="auto">${product.description}</span>`;
  const tag = product.options.length === 0 ? unitsTag(site, shown.left.units.get(product.id)!) : '';
  return html`<span><span dir="auto">${product.name}</span> <span class="soft">${unitPrice(site, shown, product)}${days === '' ? '' : ` · ${days}`}</span> ${tag}${text}</span>`;
}

const MAX_DAYS = 3;
function daysOf(site: Site, { event, days }: ShownEvent, { day_ids }: ShownProduct): string {
  const own = days.filter(({ id }) => day_ids?.includes(id));
  if (own.length === 0 || own.length === days.length || own.length > MAX_DAYS) return '';
  return site.words.formats.list(own.map((day) => dayName(site, event, day)));
}

const optional = (site: Site, { required }: ShownProduct): Html =>
  required ? html`` : html` <span class="soft small">(${site.t('optional')})</span>`;

/** What is left, in words; of few units their number. */
function unitsText({ t }: Site, { state, units }: UnitsLeft): string | null {
  if (state === 'available') return null;
  return state === 'few' && units !== null && units < 10
    ? t('unitsLeft', { count: units })
    : t(state === 'sold_out' ? 'unitsGone' : `left.${state}`);
}

function unitsTag(site: Site, left: UnitsLeft): Html {
  const text = unitsText(site, left);
  return text === null ? html`` : html`<span class="tag ${left.state === 'sold_out' ? 'bad' : 'warn'}">${text}</span>`;
}

/** One that is taken or not. What everybody takes is no choice. */
function box(
  site: Site,
  shown: ShownEvent,
  product: ShownProduct,
  { taker, typed, least, fault: faultOf }: ProductState,
): Html {
  const name = productField(taker, product.code);
  const isChosen = (typed.get(product.code) ?? '') !== '';
  const fault = faultOf(name);
  const isHandedOut = (least?.get(product.code) ?? 0) > 0;
  if (product.required || isHandedOut) {
    const why = site.t(isHandedOut ? 'handedOut' : 'included');
    return html`<div class="field" id="${name}">${about(site, shown, product)} <span class="soft small">(${why})</span>${hiddenField(name, '1')}${notes(name, { fault })}</div>`;
  }
  const isGone = shown.left.units.get(product.id)!.state === 'sold_out' && !isChosen;
  return html`<div class="field"><label class="choice"><input type="checkbox" id="${name}" name="${name}" value="1"${flag('checked', isChosen)}${flag('disabled', isGone)}${described(name, { fault })}>${about(site, shown, product)}</label>${notes(name, { fault })}</div>`;
}

/** One of several options, such as a size. */
function optionList(
  site: Site,
  shown: ShownEvent,
  product: ShownProduct,
  { taker, typed, least, fault: faultOf }: ProductState,
): Html {
  const name = productField(taker, product.code);
  const chosen = typed.get(product.code) ?? '';
  const fault = faultOf(name);
  const isHandedOut = (least?.get(product.code) ?? 0) > 0;
  const possible = isHandedOut ? product.options.filter(({ code }) => code === chosen) : product.options;
  const rows = possible.map((option) => {
    const left = shown.left.units.get(option.id)!;
    const note = unitsText(site, left);
    const isGone = left.state === 'sold_out' && chosen !== option.code;
    const text = note === null ? option.name : `${option.name} (${note})`;
    return html`<option value="${option.code}"${flag('selected', chosen === option.code)}${flag('disabled', isGone)}>${text}</option>`;
  });
  return html`<div class="field"><label for="${name}">${about(site, shown, product)}${optional(site, product)}</label><select id="${name}" name="${name}"${flag('required', product.required)}${described(name, { fault })}>${isHandedOut ? '' : html`<option value="">–</option>`}${join(rows)}</select>${notes(name, { fault })}</div>`;
}

/** So many of it. */
function number(
  site: Site,
  shown: ShownEvent,
  product: ShownProduct,
  { taker, typed, least, fault: faultOf }: ProductState,
): Html {
  const name = productField(taker, product.code);
  const fault = faultOf(name);
  const left = shown.left.units.get(product.id)!;
  const from = Math.max(product.required ? 1 : 0, least?.get(product.code) ?? 0);
  const rows = numbers(product, left, typed.get(product.code) ?? '', from);
  return html`<div class="field amount"><label for="${name}">${about(site, shown, product)}${optional(site, product)}</label><select id="${name}" name="${name}"${described(name, { fault })}>${rows}</select>${notes(name, { fault })}</div>`;
}

/** So many of each option. */
function optionNumbers(site: Site, shown: ShownEvent, product: ShownProduct, state: ProductState): Html {
  const { taker, typed, least, fault: faultOf } = state;
  const name = productField(taker, product.code);
  const fault = faultOf(name);
  const rows = product.options.map((option) => {
    const key = `${product.code}.${option.code}`;
    const field = productField(taker, key);
    const own = faultOf(field);
    const left = shown.left.units.get(option.id)!;
    return html`<div class="field amount"><label for="${field}"><span dir="auto">${option.name}</span> ${unitsTag(site, left)}</label><select id="${field}" name="${field}"${described(field, { fault: own })}>${numbers(product, left, typed.get(key) ?? '', least?.get(key) ?? 0)}</select>${notes(field, { fault: own })}</div>`;
  });
  return html`<fieldset class="field"${attribute('id', name)}${described(name, { fault })}><legend>${about(site, shown, product)}${optional(site, product)}</legend>${notes(name, { fault })}${join(rows)}</fieldset>`;
}

/** From `least` to what one taker may have and what is left. What was chosen before stays, so that the person sees what is wrong with it. */
function numbers({ max }: ShownProduct, { state, units }: UnitsLeft, typed: string, least: number): Html {
  const most = units === null || state === 'waitlist' ? max : Math.min(max, units);
  const chosen = /^\d{1,3}$/.test(typed) ? Number(typed) : least;
  const counts = Array.from({ length: Math.max(most, least) - least + 1 }, (_, i) => i + least);
  const all = counts.includes(chosen) ? counts : [...counts, chosen];
  return join(
    all.map((count) => html`<option value="${count}"${flag('selected', count === chosen)}>${count}</option>`),
  );
}
