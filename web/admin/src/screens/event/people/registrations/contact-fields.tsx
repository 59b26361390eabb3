import type { Registration, RegistrationCreate } from '@turnout/client';
import { type FieldOf, fieldsOf } from '@turnout/contract/person-fields';
import { Select, useFormats, useWords } from '@turnout/ui';
import { LANGUAGES } from '@turnout/words';
import { TypedField } from '../../../../parts/typed-field.tsx';

type ContactField = FieldOf<'registrant'>;
export const CONTACT_FIELDS = fieldsOf('registrant');
const NAMES = fieldsOf('registrant', { kind: 'name' });
/** All but the names. */
export const FURTHER_FIELDS = fieldsOf('registrant', { typed: true }).filter(
  (field) => !(NAMES as readonly string[]).includes(field),
);

/** A contact as a form holds it: texts are never null. */
export type ContactValues = Record<ContactField, string>;
export const contactValues = (contact: Partial<Registration['contact']>) =>
  Object.fromEntries(CONTACT_FIELDS.map((field) => [field, contact[field] ?? ''])) as ContactValues;
export const EMPTY_CONTACT = contactValues({});
/** A name may not be emptied, so an empty one is left as it was. */
export const contactInput = (values: ContactValues): NonNullable<RegistrationCreate['contact']> =>
  Object.fromEntries(
    CONTACT_FIELDS.map((field) => [field, values[field].trim() || null] as const).filter(
      ([field, text]) => text !== null || !(NAMES as readonly string[]).includes(field),
    ),
  );

/** The fields of a contact, also for a new registration. */
export function ContactFields({
  field,
}: {
  field: (name: ContactField) => {
    name: string;
    value: string;
    onChange: (value: string) => void;
    fault: string | undefined;
  };
}) {
  const t = useWords('registrations');
  const person = useWords('person');
  const formats = useFormats();
  const typed = (name: FieldOf<'registrant', { typed: true }>) => (
    <TypedField key={name} field={name} {...field(name)} />
  );
  return (
    <>
      <div className="columns">{NAMES.map(typed)}</div>
      <div className="columns">{FURTHER_FIELDS.map(typed)}</div>
      <Select
        label={person('language')}
        hint={t('languageHint')}
        required={false}
        empty={t('languageOfEvent')}
        options={LANGUAGES.map((value) => ({ value, label: formats.nameOf('language', value) }))}
        {...field('language')}
      />
    </>
  );
}
