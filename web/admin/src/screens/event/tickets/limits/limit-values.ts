import type { Quota, QuotaChange, QuotaCreate } from '@turnout/client';
import { differences } from '../../form/type-values.ts';

/** A shared limit as it is typed. An empty list stands for none of them. */
export interface LimitValues {
  name: string;
  capacity: number | null;
  attendee_types: string[];
  days: string[];
  products: string[];
  code: string;
}

export const emptyLimit = (): LimitValues => ({
  ...{ name: '', capacity: null, attendee_types: [], days: [], products: [], code: '' },
});

export const limitValues = (limit: Quota): LimitValues => ({
  name: limit.name,
  capacity: limit.capacity,
  attendee_types: limit.attendee_types ?? [],
  days: limit.days ?? [],
  products: limit.products ?? [],
  code: limit.code,
});

const listOrNull = (codes: readonly string[]): string[] | null => (codes.length === 0 ? null : [...codes]);

/** As the server has it. */
export const sentLimit = (values: LimitValues) => ({
  name: values.name,
  capacity: values.capacity ?? 0,
  attendee_types: listOrNull(values.attendee_types),
  days: listOrNull(values.days),
  products: listOrNull(values.products),
  ...(values.code !== '' && { code: values.code }),
});

/** Whether nothing is counted, so that the limit would never be reached. */
export const countsNothing = ({ attendee_types, days, products }: LimitValues): boolean =>
  attendee_types.length + days.length + products.length === 0;

export const newLimit = (values: LimitValues): QuotaCreate => sentLimit(values);

/** Only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export const limitChange = (before: LimitValues, now: LimitValues): QuotaChange | null =>
  differences(sentLimit(before), sentLimit(now));
