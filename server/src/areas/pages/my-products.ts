import type { ProductChoice } from '@turnout/contract';
import { refuse } from '../../common/refusal.ts';
import { type Html, html } from '../../outside/mail-templates/markup.ts';
import type { Operation } from '../../road/operation.ts';
import { faultText } from './fields.ts';
import { keyField } from './key-field.ts';
import { type Outcome, perform } from './my-perform.ts';
import { nameOf, placeIn, placePath, type Visit, type VisitHandler, within } from './my-visit.ts';
import { productsField, type Taker } from './offers.ts';
import { linesOf, mayBook, type OwnProducts, ownProducts, type Whose } from './own-products.ts';
import { fieldsOf, type PageParts, type PageRequest } from './parts.ts';
import { type Chosen, chosenAmong, typedIn } from './product-choices.ts';
import { productFields } from './product-fields.ts';

/** What is booked beside the ticket, changed by link: of a place, or for all together. */
interface ProductForm {
  of: 'place' | 'registration';
  operation: Operation;
}

const whoseOf = (visit: Visit, request: PageRequest, of: ProductForm['of']): Whose =>
  of === 'place' ? placeIn(visit, request) : visit.attendee === null ? null : refuse('not_found');

const takerOf = (whose: Whose): Taker => (whose === null ? 'all' : 0);
export const productsPath = (whose: Whose): string => (whose === null ? '/extras' : placePath(whose, 'extras'));

export const showProducts =
  (parts: PageParts, { of }: ProductForm): VisitHandler =>
  async (visit, request, reply) => {
    const whose = whoseOf(visit, request, of);
    if (!mayBook(visit, whose)) return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    const own = await ownProducts(parts, visit, whose);
    return draw(parts, visit, whose, own, own.typed, { faults: new Map(), notice: null })(reply);
  };

export const takeProducts =
  (parts: PageParts, { of, operation }: ProductForm): VisitHandler =>
  async (visit, request, reply) => {
    const whose = whoseOf(visit, request, of);
    if (!mayBook(visit, whose)) return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    const own = await ownProducts(parts, visit, whose);
    const taker = takerOf(whose);
    const typed = typedIn(fieldsOf(request), taker);
    const chosen = inBookedOrder(visit, whose, chosenAmong(own.shown.products, taker, typed));
    const products: ProductChoice[] = chosen.map(({ body }) => body);
    const about = whose === null ? {} : { attendee: whose };
    const outcome = await perform(parts, visit, request, operation, { ...about, body: { products } });
    if ('answer' in outcome) return reply.redirect(within(visit, '', { done: 'changed' }), 303);
    if (outcome.refused === 'invalid_state') return reply.redirect(within(visit, '', { done: 'stale' }), 303);
    // What is left may be less than what was drawn before.
    const fresh = await ownProducts(parts, visit, whose);
    return draw(parts, visit, whose, fresh, typed, told(visit, taker, fresh, chosen, outcome))(reply, 422);
  };

/** What was booked before comes first, in its order, so that a form that is sent as it came changes nothing. */
function inBookedOrder(visit: Visit, whose: Whose, chosen: readonly Chosen[]): Chosen[] {
  const had = linesOf(visit, whose);
  const place = ({ product, option }: Chosen): number => {
    const i = had.findIndex((line) => line.product_id === product?.id && line.option_id === (option?.id ?? null));
    return i === -1 ? had.length : i;
  };
  return chosen.toSorted((a, b) => place(a) - place(b));
}

interface Told {
  faults: ReadonlyMap<string, string>;
  notice: string | null;
}

/** What is wrong, beside the fields where that is known. */
function told(
  { site }: Visit,
  taker: Taker,
  { shown }: OwnProducts,
  chosen: readonly Chosen[],
  { refused, details }: Exclude<Outcome, { answer: unknown }>,
): Told {
  const { words, t } = site;
  if (refused === 'idempotency_key_reused') return { faults: new Map(), notice: words.in('my')('sendAgain') };
  const faults = new Map<string, string>();
  for (const fault of details) {
    const [where, place = ''] = fault.path.split('/');
    const field = where === 'products' ? chosen[Number(place)]?.field : undefined;
    faults.set(field ?? productsField(taker), faultText(site, fault));
  }
  if (refused === 'product_required') {
    faults.clear();
    for (const product of shown.products) {
      const isMissing = product.required && !chosen.some((one) => one.product === product);
      if (isMissing) faults.set(`${productsField(taker)}-${product.code}`, t('chooseOne'));
    }
  }
  return { faults, notice: words.find('refusals', refused) };
}

function draw(
  { layout }: PageParts,
  visit: Visit,
  whose: Whose,
  { shown, offers, least }: OwnProducts,
  typed: ReadonlyMap<string, string>,
  { faults, notice }: Told,
): (reply: Parameters<VisitHandler>[2], status?: number) => Promise<unknown> {
  const { site, world } = visit;
  const t = site.words.in('my');
  const title = t('extrasTitle');
  const taker = takerOf(whose);
  const fault = (field: string) => faults.get(field);
  const fields = productFields(site, shown, offers, { taker, typed, fault, least });
  const said: Html | '' = notice === null ? '' : html`<div class="notice bad" role="alert"><p>${notice}</p></div>`;
  const legend = whose === null ? site.t('extrasTogether') : nameOf(whose);
  const money = visit.attendee === null ? html`<p>${t('extrasMoney')}</p>` : '';
  const content = html`<p class="soft">${world.event.name}</p><h1>${title}</h1>${money}${said}<form method="post" action="${within(visit, productsPath(whose))}" novalidate>${keyField()}<fieldset><legend>${legend}</legend>${fields}</fieldset><div class="actions"><button>${t('save')}</button><a class="button quiet" href="${within(visit)}">${t('back')}</a></div></form>`;
  return (reply, status = 200) => layout.send(reply, site, { title, content, noindex: true }, status);
}
