import type { Contact } from '@turnout/client';
import { type FieldOf, fieldsOf } from '@turnout/contract/person-fields';
import { Checkbox, Dialog, Form, Submit, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { useClash } from '../../parts/clash.ts';
import { overNewest } from '../../parts/over-newest.ts';
import { TypedField } from '../../parts/typed-field.tsx';

const FIELDS = fieldsOf('contact', { typed: true });
const NAMES = fieldsOf('contact', { kind: 'name' });
const CONTACT = [...fieldsOf('contact', { kind: 'email' }), ...fieldsOf('contact', { kind: 'phone' })];
const MORE = [...fieldsOf('contact', { kind: 'date' }), ...fieldsOf('contact', { kind: 'text' })];

type Typed = FieldOf<'contact', { typed: true }>;
type Values = Record<Typed, string>;
const valuesOf = (contact: Contact) => Object.fromEntries(FIELDS.map((name) => [name, contact[name] ?? ''])) as Values;

/** Changes the address book, and open registrations too if wanted. Only what was changed is sent, so that two people do not undo each other. */
export function ChangeContact({
  contact,
  open,
  onClose,
}: {
  contact: Contact;
  /** How many open registrations there are, once somebody counted. */
  open: number | undefined;
  onClose: () => void;
}) {
  const t = useWords('contacts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const clash = useClash('changeContact');
  const [before] = useState(() => valuesOf(contact));
  return (
    <Dialog title={t('changeTitle')} onClose={onClose}>
      <Form
        values={{ ...before, apply: false }}
        submit={async (values, { key }) => {
          const changed = FIELDS.filter((name) => values[name].trim() !== before[name]);
          if (changed.length === 0) return null;
          const body = {
            ...Object.fromEntries(changed.map((name) => [name, values[name].trim() || null])),
            ...(values.apply && { apply_to_registrations: true }),
          };
          return overNewest(
            () => call('getContact', { org, contact: contact.id }),
            (now, options) => {
              clash(before, body, valuesOf(now));
              return call('changeContact', { org, contact: contact.id, body }, { key, ...options });
            },
          );
        }}
        done={async (changed) => {
          onClose();
          if (changed === null) return;
          const count = changed.applied_to_registrations;
          toast(count > 0 ? t('changedAlso', { count }) : t('changed'), 'good');
          await refresh('getContact', 'listContacts', 'listRegistrations', 'listAttendees', 'getRegistration');
        }}
      >
        {({ field }) => {
          const typed = (name: Typed) => <TypedField key={name} field={name} required={false} {...field(name)} />;
          return (
            <>
              <div className="columns">{NAMES.map(typed)}</div>
              {CONTACT.map(typed)}
              <div className="columns">{MORE.map(typed)}</div>
              <Checkbox
                label={open === undefined ? t('apply') : t('applyTo', { count: open })}
                hint={t('applyHint')}
                disabled={open === 0}
                {...field('apply')}
              />
              <div className="buttons">
                <Submit />
              </div>
            </>
          );
        }}
      </Form>
    </Dialog>
  );
}
