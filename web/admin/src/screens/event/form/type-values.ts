import type { AttendeeType, AttendeeTypeChange, AttendeeTypeCreate } from '@turnout/client';
import { priceAt } from '@turnout/contract/prices';

/** A price that holds for a while, as it is typed. */
export interface Phase {
  /** For the screen only. */
  id: number;
  name: string;
  from: string | null;
  until: string | null;
  price_minor: number | null;
}
let phases = 0;
export const emptyPhase = (): Phase => ({ id: ++phases, name: '', from: null, until: null, price_minor: null });

/** An attendee type as it is typed. */
export interface TypeValues {
  name: string;
  description: string;
  phases: Phase[];
  sale_from: string | null;
  sale_until: string | null;
  min_per_registration: number | null;
  max_per_registration: number | null;
  price_minor: number | null;
  capacity: number | null;
  offered: 'all' | 'some';
  days: string[];
  pass: boolean;
  pass_days: number | null;
  approval: boolean;
  visible: boolean;
  code: string;
}

export const emptyType = (): TypeValues => ({
  ...{ name: '', price_minor: 0, capacity: null, offered: 'all', days: [], pass: false, pass_days: null },
  ...{ description: '', phases: [], sale_from: null, sale_until: null },
  ...{ min_per_registration: null, max_per_registration: null, approval: false, visible: true, code: '' },
});

/** Whether anything is set that most types do not need. */
export const hasSale = (values: TypeValues): boolean =>
  values.phases.length > 0 ||
  values.description !== '' ||
  [values.sale_from, values.sale_until, values.min_per_registration, values.max_per_registration].some(
    (value) => value !== null,
  );

export const typeValues = (type: AttendeeType): TypeValues => ({
  name: type.name,
  description: type.description ?? '',
  price_minor: type.price_minor,
  // The place in the list names them, so that the same type gives the same values.
  phases: type.prices.map((phase, i) => ({ ...phase, id: -i })),
  sale_from: type.on_sale?.from ?? null,
  sale_until: type.on_sale?.until ?? null,
  min_per_registration: type.min_per_registration,
  max_per_registration: type.max_per_registration,
  capacity: type.capacity,
  pass_days: type.pass_days,
  approval: type.approval,
  visible: type.visible,
  code: type.code,
  offered: type.days === null ? 'all' : 'some',
  days: type.days ?? [],
  pass: type.pass_days !== null,
});

/** As the server has it. */
export const sentType = (values: TypeValues) => ({
  name: values.name,
  description: values.description.trim() === '' ? null : values.description,
  price_minor: values.price_minor ?? 0,
  prices: values.phases.map(({ id: _, price_minor, ...phase }) => ({ ...phase, price_minor: price_minor ?? 0 })),
  on_sale:
    values.sale_from === null && values.sale_until === null
      ? null
      : { from: values.sale_from, until: values.sale_until },
  min_per_registration: values.min_per_registration,
  max_per_registration: values.max_per_registration,
  capacity: values.capacity,
  days: values.offered === 'all' ? null : values.days,
  pass_days: values.pass ? values.pass_days : null,
  approval: values.approval,
  visible: values.visible,
  ...(values.code !== '' && { code: values.code }),
});

export const newType = (values: TypeValues): AttendeeTypeCreate => sentType(values);

/** Only what was changed, so that two people at once do not undo each other's changes. Null: nothing was. */
export const typeChange = (before: TypeValues, now: TypeValues): AttendeeTypeChange | null =>
  differences(sentType(before), sentType(now));

export function differences<T extends object>(before: T, now: T): Partial<T> | null {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(before[name as keyof T]) !== JSON.stringify(value),
  );
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<T>);
}

/** The type as it will be, for the preview. */
export const previewType = (type: AttendeeType | null, values: TypeValues): AttendeeType => ({
  ...{ id: NEW, created_at: '', updated_at: '' },
  ...type,
  ...sentType(values),
  ...currentPrice(sentType(values)),
  // Questions and days refer to it by the code that it has now.
  code: type?.code ?? NEW,
});

function currentPrice(type: ReturnType<typeof sentType>) {
  const { price_minor, until } = priceAt(type, new Date());
  return { current_price_minor: price_minor, current_price_until: until };
}

/** Stands for what is not made yet. No code or id begins with a hyphen. */
export const NEW = '-';
