/** Fields that forms of events need. Like those of @turnout/ui they take `label` and `{...field('name')}` of a Form. */
export { DateField, DateTimeField, TimeField } from './date-fields.tsx';
export { DaysField, GroupField, TypeField } from './event-fields.tsx';
export { MoneyField } from './money-field.tsx';
export { emptyPerson, type PersonValues, personChange, personInput, personValues } from './person-values.ts';
