import { EmailField, Select, TextField, useFormats, useWords } from '@turnout/ui';
import { LANGUAGES } from '@turnout/words';

/** A contact as a form holds it: texts are never null. */
export interface ContactValues {
  first_name: string;
  last_name: string;
  email: string;
  phone: string;
  language: string;
}
export const EMPTY_CONTACT: ContactValues = { first_name: '', last_name: '', email: '', phone: '', language: '' };
/** A name may not be emptied, so an empty one is left as it was. */
export const contactInput = ({ first_name, last_name, email, phone, language }: ContactValues) => ({
  ...(first_name.trim() !== '' && { first_name: first_name.trim() }),
  ...(last_name.trim() !== '' && { last_name: last_name.trim() }),
  email: email.trim() || null,
  phone: phone.trim() || null,
  language: language || null,
});

/** The fields of a contact, also for a new registration. */
export function ContactFields({
  field,
}: {
  field: (name: keyof ContactValues) => {
    name: string;
    value: string;
    onChange: (value: string) => void;
    fault: string | undefined;
  };
}) {
  const t = useWords('registrations');
  const p = useWords('parts');
  const formats = useFormats();
  return (
    <>
      <div className="columns">
        <TextField label={p('firstName')} autoComplete="off" maxLength={200} {...field('first_name')} />
        <TextField label={p('lastName')} autoComplete="off" maxLength={200} {...field('last_name')} />
      </div>
      <div className="columns">
        <EmailField label={p('email')} autoComplete="off" required={false} {...field('email')} />
        <TextField label={p('phone')} type="tel" autoComplete="off" required={false} {...field('phone')} />
      </div>
      <Select
        label={t('language')}
        hint={t('languageHint')}
        required={false}
        empty={t('languageOfEvent')}
        options={LANGUAGES.map((value) => ({ value, label: formats.nameOf('language', value) }))}
        {...field('language')}
      />
    </>
  );
}
