import type { AttendeeType, Discount, DiscountChange, DiscountCreate, Product } from '@turnout/client';
import { discountOff } from '@turnout/contract/discounts';
import { differences } from '../../form/type-values.ts';

export type DiscountKind = Discount['kind'];
export const KINDS: readonly DiscountKind[] = ['percent', 'amount', 'price'];
/** Which of several things: all, those that are named, or none of them. */
export type Choice = 'all' | 'some' | 'none';
/** The most people that one registration has. */
export const MAX_PEOPLE = 200;
/** The most that one code can be used for. */
export const MAX_USES = 10_000_000;

/** A discount as it is typed. */
export interface DiscountValues {
  code: string;
  name: string;
  kind: DiscountKind;
  value: number | null;
  tickets: Choice;
  attendee_types: string[];
  goods: Choice;
  products: string[];
  reveals: string[];
  opens_at: string | null;
  closes_at: string | null;
  max_people: number | null;
  max_people_per_registration: number | null;
  min_people: number | null;
  group: string;
  note: string;
  active: boolean;
}

export const emptyDiscount = (): DiscountValues => ({
  ...{ code: '', name: '', kind: 'percent', value: null, tickets: 'all', attendee_types: [] },
  ...{ goods: 'none', products: [], reveals: [], opens_at: null, closes_at: null, max_people: null },
  ...{ max_people_per_registration: null, min_people: null, group: '', note: '', active: true },
});

const choiceOf = (codes: readonly string[] | null): Choice =>
  codes === null ? 'all' : codes.length === 0 ? 'none' : 'some';
const codesOf = (choice: Choice, codes: readonly string[]): string[] | null =>
  choice === 'all' ? null : choice === 'none' ? [] : [...codes];

export const discountValues = (discount: Discount): DiscountValues => ({
  code: discount.code,
  name: discount.name,
  kind: discount.kind,
  value: discount.value,
  tickets: choiceOf(discount.attendee_types),
  attendee_types: discount.attendee_types ?? [],
  goods: choiceOf(discount.products),
  products: discount.products ?? [],
  reveals: discount.reveals,
  opens_at: discount.opens_at,
  closes_at: discount.closes_at,
  max_people: discount.max_people,
  max_people_per_registration: discount.max_people_per_registration,
  min_people: discount.min_people,
  group: discount.group ?? '',
  note: discount.note ?? '',
  active: discount.active,
});

/** As the server has it, without the code. */
const sentShared = (values: DiscountValues) => ({
  name: values.name,
  kind: values.kind,
  value: values.value ?? 0,
  attendee_types: codesOf(values.tickets, values.attendee_types),
  products: codesOf(values.goods, values.products),
  reveals: values.reveals,
  opens_at: values.opens_at,
  closes_at: values.closes_at,
  max_people: values.max_people,
  max_people_per_registration: values.max_people_per_registration,
  min_people: values.min_people,
  group: values.group === '' ? null : values.group,
  note: values.note.trim() === '' ? null : values.note,
  active: values.active,
});
export const sentDiscount = (values: DiscountValues) => ({ code: values.code.trim(), ...sentShared(values) });
/** As many codes of the same kind take it. */
export const sentBatch = (values: DiscountValues & { count: number | null; prefix: string }) => ({
  count: values.count ?? 1,
  ...(values.prefix.trim() !== '' && { prefix: values.prefix.trim() }),
  ...sentShared(values),
});

export const newDiscount = (values: DiscountValues): DiscountCreate => sentDiscount(values);

/** Only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export const discountChange = (before: DiscountValues, now: DiscountValues): DiscountChange | null =>
  differences(sentDiscount(before), sentDiscount(now));

/** Codes that nobody mistakes for another when they are read aloud: without 0 and O, 1 and I. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const SUGGESTED = 8;

/** A code that nobody guesses. `random` gives as many bytes as it is asked for. */
export const suggestedCode = (random: (bytes: number) => Uint8Array): string =>
  [...random(SUGGESTED)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

export interface PriceWith {
  id: string;
  name: string;
  before: number;
  after: number;
}

/** What things cost with the discount: all that it makes cheaper, and the types that are shown with it alone. */
export function pricesWith(
  values: DiscountValues,
  types: readonly Pick<AttendeeType, 'id' | 'code' | 'name' | 'current_price_minor' | 'visible'>[],
  products: readonly Pick<Product, 'id' | 'code' | 'name' | 'price_minor'>[],
): PriceWith[] {
  const isIn = (choice: Choice, codes: readonly string[], code: string) =>
    choice === 'all' || (choice === 'some' && codes.includes(code));
  const line = (id: string, name: string, before: number, covered: boolean): PriceWith => ({
    ...{ id, name, before },
    after:
      covered && values.value !== null
        ? before - discountOff({ kind: values.kind, value: values.value }, { price_minor: before, quantity: 1 })
        : before,
  });
  const covers = (code: string) => isIn(values.tickets, values.attendee_types, code);
  return [
    ...types
      .filter(({ code, visible }) => values.reveals.includes(code) || (visible && covers(code)))
      .map(({ id, code, name, current_price_minor }) => line(id, name, current_price_minor, covers(code))),
    ...products
      .filter(({ code }) => isIn(values.goods, values.products, code))
      .map(({ id, name, price_minor }) => line(id, name, price_minor, true)),
  ];
}

export type DiscountState = 'active' | 'inactive' | 'later' | 'over' | 'used_up';

/** Whether a code works now, and if not, why. */
export function stateOf(
  {
    active,
    opens_at,
    closes_at,
    max_people,
    used,
  }: Pick<Discount, 'active' | 'opens_at' | 'closes_at' | 'max_people' | 'used'>,
  now: Date,
): DiscountState {
  if (!active) return 'inactive';
  if (closes_at !== null && Date.parse(closes_at) <= now.getTime()) return 'over';
  if (opens_at !== null && now.getTime() < Date.parse(opens_at)) return 'later';
  return max_people !== null && used >= max_people ? 'used_up' : 'active';
}

/** The address of the event's page that carries the code along. */
export function linkWith(publicUrl: string, code: string): string {
  const url = new URL(publicUrl);
  url.searchParams.set('code', code);
  return url.href;
}
