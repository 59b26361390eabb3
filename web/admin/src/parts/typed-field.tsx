import { type FieldOf, type Owner, PERSON_FIELDS } from '@turnout/contract/person-fields';
import { EmailField, type FieldProps, TextField, useWords } from '@turnout/ui';
import { DateField } from './date-fields.tsx';

/** A field that somebody types about a person, as its kind asks for: `<TypedField field="phone" {...field('phone')} />`. */
export function TypedField({
  field,
  ...wiring
}: Omit<FieldProps<string>, 'label'> & { field: FieldOf<Owner, { typed: true }> }) {
  const person = useWords('person');
  const row = PERSON_FIELDS[field];
  const props = { label: person(field), autoComplete: 'off', required: row.kind === 'name', ...wiring };
  switch (row.kind) {
    case 'name':
      return <TextField maxLength={200} {...props} />;
    case 'email':
      return <EmailField {...props} />;
    case 'phone':
      return <TextField type="tel" {...props} />;
    case 'date':
      return <DateField {...props} />;
    case 'text':
      return <TextField maxLength={row.max} {...props} />;
  }
}
