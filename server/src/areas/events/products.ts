import type { Product, ProductChange, ProductCreate, ProductTaker } from '@turnout/contract';
import { type Id, newId, toUlid } from '../../common/ids.ts';
import { type Fault, refuse, requireValid } from '../../common/refusal.ts';
import { codeFrom } from '../../road/for-areas/codes.ts';
import type { Work } from '../../road/operation.ts';
import { allInBody } from '../../road/request/reference.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { sql } from '../../store/sql.ts';
import { stamps } from '../../store/stamps.ts';
import { attendeeTypes } from './attendee-types.ts';
import { days } from './days.ts';
import type { EventRow } from './queries.ts';
import { type Sale, saleSpanFaults, soldWhen } from './sale.ts';
import { type PartRow, type PartRule, Structure } from './structure.ts';
import { optionsUsed, productUsedBy } from './used-by.ts';

/** One of those that are chosen between. Its units are counted by its id, so it keeps it for as long as it is in the list. */
export interface ProductOption {
  id: Id;
  code: string;
  name: string;
  capacity: number | null;
}

export interface ProductRow extends PartRow {
  name: string;
  description: string | null;
  price_minor: number;
  options: ProductOption[];
  capacity: number | null;
  per: ProductTaker;
  max: number;
  required: boolean;
  attendee_type_ids: Id[] | null;
  attendee_type_codes: string[] | null;
  day_ids: Id[] | null;
  day_codes: string[] | null;
  on_sale: Sale | null;
  visible: boolean;
}

export const products = new Structure<ProductRow, Product>({
  kind: 'product',
  table: 'products',
  columns: sql`t.id, t.code, t.name, t.description, t.price_minor, t.options, t.capacity, t.per, t.max, t.required,
    t.attendee_type_ids, t.day_ids, t.on_sale, t.visible,
    case when t.attendee_type_ids is not null then array(
      select a.code from attendee_types a where a.org_id = t.org_id and a.id = any(t.attendee_type_ids) order by a.code)
      end as attendee_type_codes,
    case when t.day_ids is not null then array(
      select d.code from days d where d.org_id = t.org_id and d.id = any(t.day_ids) order by d.date, d.code) end as day_codes,
    t.created_at, t.updated_at`,
  shape: (row) => ({
    id: toUlid(row.id),
    code: row.code,
    name: row.name,
    description: row.description,
    price_minor: row.price_minor,
    options: row.options.map(({ code, name, capacity }) => ({ code, name, capacity })),
    capacity: row.capacity,
    per: row.per,
    max: row.max,
    required: row.required,
    attendee_types: row.attendee_type_codes,
    days: row.day_codes,
    on_sale: row.on_sale,
    visible: row.visible,
    ...stamps(row),
  }),
  usedBy: productUsedBy,
});

type OptionInput = NonNullable<ProductCreate['options']>[number];

/** The codes of the options, those that were left out made from the names. */
const optionCodes = (options: readonly OptionInput[]): string[] => {
  const taken = new Set(options.flatMap(({ code }) => (code === undefined ? [] : [code.toLowerCase()])));
  return options.map(({ code, name }) => {
    if (code !== undefined) return code;
    const base = codeFrom(name, 'option');
    let free = base;
    for (let n = 2; taken.has(free.toLowerCase()); n += 1) free = `${base.slice(0, 58)}-${n}`;
    taken.add(free.toLowerCase());
    return free;
  });
};

const repeatedOption = (options: readonly { code?: string | undefined }[]): Fault[] => {
  const seen = new Set<string>();
  return options.flatMap(({ code }, i) => {
    const key = code?.toLowerCase();
    if (key === undefined) return [];
    if (seen.has(key)) return [{ path: `options/${i}/code`, message: 'is the code of another option of the list' }];
    seen.add(key);
    return [];
  });
};

/** What is wrong with the options and the sale of a product. */
export const productFaults = ({ options, on_sale }: ValidPart<Pick<ProductCreate, 'options' | 'on_sale'>>): Fault[] => [
  ...repeatedOption((options ?? []).map((one) => one ?? {})),
  ...saleSpanFaults(on_sale ?? {}, 'on_sale'),
];

export const productRules: PartRule<ProductRow, ProductCreate | ProductChange>[] = [
  {
    of: ['options'],
    faults: (_event, _before, { options }) => productFaults(options === undefined ? {} : { options }),
  },
  {
    of: ['on_sale'],
    faults: (_event, _before, { on_sale }) => productFaults(on_sale === undefined ? {} : { on_sale }),
  },
];

/** The new list of options; one that is in the old list, by its code, stays what it is. */
function optionsOf(work: Work, before: readonly ProductOption[], sent: readonly OptionInput[]): ProductOption[] {
  const known = new Map(before.map((option) => [option.code.toLowerCase(), option]));
  const codes = optionCodes(sent);
  return sent.map(({ name, capacity = null }, i) => ({
    id: known.get(codes[i]!.toLowerCase())?.id ?? newId(work.tx.clock.now()),
    code: codes[i]!,
    name,
    capacity,
  }));
}

async function offeredTo(
  work: Work,
  event: EventRow,
  { attendee_types, days: dayRefs }: Pick<ProductChange, 'attendee_types' | 'days'>,
): Promise<Partial<Pick<ProductRow, 'attendee_type_ids' | 'day_ids'>>> {
  const ids = (found: readonly { id: Id }[]) => found.map((one) => one.id);
  return {
    ...(attendee_types !== undefined && {
      attendee_type_ids:
        attendee_types &&
        ids(await allInBody(work, attendeeTypes.reference, attendee_types, 'attendee_types', { event })),
    }),
    ...(dayRefs !== undefined && {
      day_ids: dayRefs && ids(await allInBody(work, days.reference, dayRefs, 'days', { event })),
    }),
  };
}

export async function createProduct(work: Work, event: EventRow, body: ProductCreate): Promise<Product> {
  const stamp = await products.holdClock(work, event);
  const offered = await offeredTo(work, event, body);
  requireValid(productFaults(body));
  return products.insert(work, event, newId(work.tx.clock.now()), stamp, {
    code: await products.code(work, event, { code: body.code, name: body.name, fallback: 'product' }, null),
    name: body.name,
    description: body.description ?? null,
    price_minor: body.price_minor ?? 0,
    options: JSON.stringify(optionsOf(work, [], body.options ?? [])),
    capacity: body.capacity ?? null,
    per: body.per ?? 'attendee',
    max: body.max ?? 1,
    required: body.required ?? false,
    attendee_type_ids: null,
    day_ids: null,
    ...offered,
    on_sale: soldWhen(body.on_sale),
    visible: body.visible ?? true,
  });
}

export async function changeProduct(
  work: Work,
  event: EventRow,
  found: ProductRow,
  body: ProductChange,
): Promise<Product> {
  const stamp = await products.holdClock(work, event);
  const before = await products.reread(work, event, found.id);
  const { attendee_types: _types, days: _days, options: sent, on_sale, ...columns } = body;
  const offered = await offeredTo(work, event, body);
  requireValid(productFaults(body));
  await products.requireCode(work, event, before, body.code);
  if (body.per !== undefined && body.per !== before.per) {
    await products.requireUnused(work, event, before, 'cannot be taken by somebody else');
  }
  const options = sent === undefined ? before.options : optionsOf(work, before.options, sent);
  await requireOptionsKept(work, event, before, options);
  return products.update(work, event, before, stamp, {
    ...columns,
    ...offered,
    ...(sent !== undefined && { options: JSON.stringify(options) }),
    ...(on_sale !== undefined && { on_sale: soldWhen(on_sale) }),
  });
}

/** Options that were taken stay, under their codes; and a product that was taken without options gets none. */
async function requireOptionsKept(
  work: Work,
  event: EventRow,
  before: ProductRow,
  options: readonly ProductOption[],
): Promise<void> {
  const kept = new Map(options.map((option) => [option.id, option.code]));
  const gone = before.options.filter(({ id, code }) => kept.get(id) !== code);
  if (gone.length > 0) {
    const used = await optionsUsed(
      work.tx,
      work.org,
      event.id,
      before.id,
      gone.map(({ id }) => id),
    );
    const option = gone.find(({ id }) => used.has(id));
    if (option !== undefined) {
      refuse('invalid_state', {
        message: `The option ${option.code} has been taken, so it must stay in the list under its code. To sell no more of it, lower its capacity.`,
      });
    }
  }
  if (before.options.length === 0 && options.length > 0) {
    await products.requireUnused(work, event, before, 'cannot get options any more');
  }
}

export async function deleteProduct(work: Work, event: EventRow, found: ProductRow): Promise<undefined> {
  const stamp = await products.holdClock(work, event);
  const product = await products.reread(work, event, found.id);
  await products.requireUnused(work, event, product, 'cannot be deleted');
  return products.remove(work, event, product, stamp);
}
