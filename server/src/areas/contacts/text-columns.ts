import { type FieldOf, fieldsOf, type Owner, PERSON_FIELDS } from '@turnout/contract';

/** The columns of what people type about somebody, with the types in which they are sent. */
export const columnsOfTexts = <Whose extends Owner>(whose: Whose) =>
  Object.fromEntries(
    fieldsOf(whose, { typed: true }).map((field) => [field, PERSON_FIELDS[field].kind === 'date' ? 'date' : 'text']),
  ) as Record<FieldOf<Whose, { typed: true }>, 'text' | 'date'>;
