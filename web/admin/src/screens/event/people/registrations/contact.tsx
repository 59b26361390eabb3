import { Link } from '@tanstack/react-router';
import { Problem, type Registration } from '@turnout/client';
import {
  Button,
  Facts,
  Form,
  type FormParts,
  ProblemNotice,
  Section,
  Submit,
  Switch,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useRef, useState } from 'react';
import { useAction } from '../../../../frame/action.ts';
import { call, useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { type CallVersion, overNewest } from '../../../../parts/over-newest.ts';
import { differing, type FieldChange, flatten, meanwhileOf, replaced } from '../attendee/meanwhile.ts';
import { MeanwhileNotice } from '../attendee/meanwhile-notice.tsx';
import { CHANGED } from '../changed.ts';
import { useFieldWords } from '../field-words.ts';
import { useMayHere } from '../may-here.ts';
import { nameOf } from '../query.ts';
import {
  CONTACT_FIELDS,
  ContactFields,
  type ContactValues,
  contactInput,
  contactValues,
  EMPTY_CONTACT,
  FURTHER_FIELDS,
} from './contact-fields.tsx';

/** Who registered and gets the mails about it, and whether any are sent. */
export function Contact({ registration }: { registration: Registration }) {
  const t = useWords('registrations');
  const may = useMayHere();
  const [editing, setEditing] = useState(false);
  const writes = may('people.write');
  return (
    <Section
      title={t('contact')}
      lead={t('contactLead')}
      actions={
        writes &&
        !editing && (
          <Button size="small" onClick={() => setEditing(true)}>
            {t('change')}
          </Button>
        )
      }
    >
      {editing ? (
        <EditContact registration={registration} onDone={() => setEditing(false)} />
      ) : (
        <ContactFacts registration={registration} />
      )}
      <Mails registration={registration} writes={writes} />
    </Section>
  );
}

function ContactFacts({ registration: { contact } }: { registration: Registration }) {
  const t = useWords('registrations');
  const person = useWords('person');
  const formats = useFormats();
  const { org } = useOrganization();
  const facts: (readonly [string, React.ReactNode])[] = [
    [
      t('name'),
      contact.id === null ? (
        <bdi key="name">{nameOf(contact)}</bdi>
      ) : (
        <Link key="name" to="/$org/contacts/$contact" params={{ org, contact: contact.id }}>
          <bdi>{nameOf(contact)}</bdi>
        </Link>
      ),
    ],
    ...FURTHER_FIELDS.map((field) => [person(field), contact[field]] as const),
    [person('language'), contact.language && formats.nameOf('language', contact.language)],
  ];
  return <Facts facts={facts.filter(([, value]) => value !== null && value !== '')} />;
}

const valuesOf = ({ contact }: Registration): ContactValues => contactValues(contact);

const PLACES = Object.fromEntries(CONTACT_FIELDS.map((field) => [`contact/${field}`, field]));

/** Corrects the contact. As with people, what somebody else changed meanwhile is shown before anything is saved. */
function EditContact({ registration, onDone }: { registration: Registration; onDone: () => void }) {
  const t = useWords('registrations');
  const p = useWords('people');
  const { base } = useEvent();
  const refresh = useRefresh();
  const words = useFieldWords();
  const [began] = useState(() => valuesOf(registration));
  const known = useRef(registration);
  const form = useRef<FormParts<ContactValues> | null>(null);
  const [meanwhile, setMeanwhile] = useState<readonly FieldChange[]>([]);
  const at = { ...base, registration: registration.id };
  const save = (mine: ContactValues) => overNewest(() => call('getRegistration', at), saveOver(mine));
  const saveOver = (mine: ContactValues) => async (present: Registration, options: CallVersion) => {
    const flat = (one: Registration) => flatten(valuesOf(one));
    const found = meanwhileOf(flat(known.current), flat(present), flatten(mine));
    known.current = present;
    setMeanwhile(found);
    if (found.length > 0) {
      const taken = found.filter((one) => !('yours' in one)).map((one) => [one.name, one.theirs]);
      form.current?.set(replaced(mine, Object.fromEntries(taken), EMPTY_CONTACT));
      throw new Problem({ operation: 'changeRegistration', status: 409, code: 'stale', message: p('notSavedYet') });
    }
    const names = differing(flat(present), flatten(mine));
    const contact = Object.fromEntries(Object.entries(contactInput(mine)).filter(([name]) => names.includes(name)));
    return names.length === 0 ? null : call('changeRegistration', { ...at, body: { contact } }, options);
  };
  const take = ({ name, before, theirs }: FieldChange) => {
    if (form.current !== null) form.current.set(replaced(form.current.values, { [name]: theirs }, EMPTY_CONTACT));
    setMeanwhile((all) => all.map((one) => (one.name === name ? { name, before, theirs } : one)));
  };
  return (
    <Form
      values={began}
      places={PLACES}
      submit={save}
      done={(saved) => {
        if (saved !== null) toast(t('contactSaved'), 'good');
        void refresh(...CHANGED);
        onDone();
      }}
    >
      {(parts) => {
        form.current = parts;
        return (
          <>
            <ContactFields field={parts.field} />
            <MeanwhileNotice changes={meanwhile} labelOf={words.label} textOf={words.text} onTake={take} />
            <div className="buttons">
              <Submit />
              <Button kind="quiet" onClick={onDone}>
                {t('discard')}
              </Button>
            </div>
          </>
        );
      }}
    </Form>
  );
}

function Mails({ registration, writes }: { registration: Registration; writes: boolean }) {
  const t = useWords('registrations');
  const { base } = useEvent();
  const refresh = useRefresh();
  const change = useAction(async (send_emails: boolean, _: { key: string }) => {
    await call('changeRegistration', { ...base, registration: registration.id, body: { send_emails } });
    toast(t(send_emails ? 'mailsOn' : 'mailsOff'), 'good');
    await refresh('getRegistration', 'listRegistrations', 'listAuditLog');
  });
  return (
    <>
      <Switch
        label={t('sendEmails')}
        hint={t('sendEmailsHint')}
        disabled={!writes || change.busy}
        value={registration.send_emails}
        onChange={(on) => void change.run(on)}
      />
      <ProblemNotice problem={change.problem} />
    </>
  );
}
