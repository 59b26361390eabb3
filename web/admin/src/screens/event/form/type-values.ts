import type { AttendeeType, AttendeeTypeChange, AttendeeTypeCreate } from '@turnout/client';

/** An attendee type as it is typed. */
export interface TypeValues {
  name: string;
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
  ...{ approval: false, visible: true, code: '' },
});

export const typeValues = ({ id: _, created_at: _c, updated_at: _u, ...type }: AttendeeType): TypeValues => ({
  ...type,
  offered: type.days === null ? 'all' : 'some',
  days: type.days ?? [],
  pass: type.pass_days !== null,
});

/** As the server has it. */
export const sentType = (values: TypeValues) => ({
  name: values.name,
  price_minor: values.price_minor ?? 0,
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
  // Questions and days refer to it by the code that it has now.
  code: type?.code ?? NEW,
});

/** Stands for what is not made yet. No code or id begins with a hyphen. */
export const NEW = '-';
