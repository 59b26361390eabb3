import { Link, useNavigate } from '@tanstack/react-router';
import { Button, Form, type FormParts, Page, Radios, Section, Submit, Switch, toast, useWords } from '@turnout/ui';
import { useRef, useState } from 'react';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { emptyPerson, type PersonValues, personInput } from '../../../../parts/fields.tsx';
import { lateEntry } from '../../../../parts/late-entry.ts';
import { PersonFields } from '../../../../parts/person-fields.tsx';
import { priceOf } from '../../../../parts/product-choices.ts';
import { useStateText } from '../../../../parts/status.tsx';
import '../people.css';
import { nothingTogether, TogetherFields, type TogetherValues, togetherInput } from '../booked/together-fields.tsx';
import { CHANGED } from '../changed.ts';
import { ContactFields, contactInput, EMPTY_CONTACT } from './contact-fields.tsx';

/** A person in the form. The number tells people apart while some are taken out. */
type Person = PersonValues & { number: number };
interface Values extends TogetherValues {
  attendees: Person[];
  who: 'first' | 'other';
  contact: typeof EMPTY_CONTACT;
  send_emails: boolean;
}

const MAX_ATTENDEES = 50;

/** Registers people by hand: several at once, with their types, days and answers, and whoever gets the mails. */
export default function NewRegistration() {
  const t = useWords('registrations');
  const { base, questions, days, types } = useEvent();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const stateText = useStateText();
  const serial = useRef(1);
  const type = useFirstType();
  const [began] = useState<Values>(() => ({
    attendees: [{ ...emptyPerson({ attendee_type: type }), number: 0 }],
    ...{ ...nothingTogether(), who: 'first', contact: EMPTY_CONTACT, send_emails: true },
  }));
  const register = ({ attendees, who, contact, send_emails, ...together }: Values, { key }: { key: string }) =>
    call(
      'createRegistration',
      {
        ...base,
        body: {
          attendees: attendees.map((one) => personInput(one, questions)),
          ...(who === 'other' && { contact: contactInput(contact) }),
          send_emails,
          ...togetherInput(together),
          ...lateEntry(attendees, { days, types }),
        },
      },
      { key },
    );
  return (
    <Page
      title={t('newTitle')}
      lead={t('newLead')}
      narrow
      crumb={
        <Link to="/$org/events/$event/people/registrations" params={base}>
          {t('title')}
        </Link>
      }
    >
      <Form
        values={began}
        submit={register}
        done={(made) => {
          toast(t('wasRegistered', { code: made.code, status: stateText('registration', made.status) }), 'good');
          void refresh(...CHANGED);
          // The form is left only after it knows that everything is saved.
          setTimeout(() =>
            navigate({
              to: '/$org/events/$event/people/registrations/$registration',
              params: { ...base, registration: made.code },
            }),
          );
        }}
      >
        {(form) => (
          <>
            {form.values.attendees.map((person, i) => (
              <OnePerson key={person.number} form={form} index={i} />
            ))}
            {form.values.attendees.length < MAX_ATTENDEES && (
              <div className="buttons">
                <Button
                  onClick={() => form.set({ attendees: [...form.values.attendees, another(form, serial.current++)] })}
                >
                  {t('anotherPerson')}
                </Button>
              </div>
            )}
            <TogetherFields field={form.field} />
            <Mailing form={form} />
            <Total values={form.values} />
            <div className="buttons">
              <Submit>{t('register')}</Submit>
            </div>
          </>
        )}
      </Form>
    </Page>
  );
}

function useFirstType(): string {
  const { types } = useEvent();
  return types.length === 1 ? types[0]!.code : '';
}

/** Families and colleagues come on the same days and often with the same name. */
function another({ values }: FormParts<Values>, number: number): Person {
  const { attendee_type, days, group, last_name } = values.attendees.at(-1)!;
  return { ...emptyPerson({ attendee_type, days, group, last_name }), number };
}

function OnePerson({ form, index }: { form: FormParts<Values>; index: number }) {
  const t = useWords('registrations');
  const people = form.field('attendees');
  const person = people.value[index]!;
  const name = t('personNumber', { number: index + 1 });
  return (
    <section className="person-card" aria-label={name}>
      <div className="row" data-apart="">
        <h2>{name}</h2>
        {people.value.length > 1 && (
          <Button
            size="small"
            kind="quiet"
            aria-label={t('removePerson', { name })}
            onClick={() => people.onChange(people.value.filter((_, i) => i !== index))}
          >
            {t('remove')}
          </Button>
        )}
      </div>
      <PersonFields
        name={`attendees/${index}`}
        value={person}
        faults={form.faultsIn(`attendees/${index}`)}
        onChange={(next) =>
          people.onChange(people.value.map((one, i) => (i === index ? { ...next, number: person.number } : one)))
        }
      />
    </section>
  );
}

function Mailing({ form }: { form: FormParts<Values> }) {
  const t = useWords('registrations');
  const contact = form.field('contact');
  const faults = form.faultsIn('contact');
  return (
    <Section title={t('contact')} lead={t('contactLead')}>
      <Radios
        label={t('whoRegisters')}
        options={[
          { value: 'first', label: t('who.first'), hint: t('whoHint.first') },
          { value: 'other', label: t('who.other') },
        ]}
        {...form.field('who')}
      />
      {form.values.who === 'other' && (
        <ContactFields
          field={(name) => ({
            ...{ name: `contact/${name}`, value: contact.value[name], fault: faults[name] },
            onChange: (value) => contact.onChange({ ...contact.value, [name]: value }),
          })}
        />
      )}
      <Switch label={t('sendEmails')} hint={t('sendEmailsHint')} {...form.field('send_emails')} />
    </Section>
  );
}

/** What it comes to, by the prices of the types and products, before a code. The server has the last word. */
function Total({ values: { attendees, products: together, discount_code } }: { values: Values }) {
  const t = useWords('registrations');
  const b = useWords('booking');
  const { types, products, money } = useEvent();
  const prices = new Map(types.map(({ code, current_price_minor }) => [code, current_price_minor]));
  const sum = attendees.reduce(
    (total, one) => total + (prices.get(one.attendee_type) ?? 0) + priceOf(one.products ?? [], products),
    priceOf(together, products),
  );
  if (sum === 0) return null;
  return (
    <div className="sum" role="status">
      <span>{discount_code.trim() === '' ? t('total') : b('beforeCode')}</span>
      <span>{money(sum)}</span>
    </div>
  );
}
