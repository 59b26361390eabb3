import type { Contact } from '@turnout/client';
import { Checkbox, Dialog, EmailField, Form, Submit, TextField, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { useClash } from '../../parts/clash.ts';
import { DateField } from '../../parts/fields.tsx';
import { overNewest } from '../../parts/over-newest.ts';

const FIELDS = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'external_id'] as const;

type Values = Record<(typeof FIELDS)[number], string>;
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
  const p = useWords('parts');
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
        {({ field }) => (
          <>
            <div className="columns">
              <TextField label={p('firstName')} required={false} {...field('first_name')} />
              <TextField label={p('lastName')} required={false} {...field('last_name')} />
            </div>
            <EmailField label={p('email')} required={false} {...field('email')} autoComplete="off" />
            <TextField label={p('phone')} required={false} type="tel" {...field('phone')} />
            <div className="columns">
              <DateField label={p('dateOfBirth')} required={false} {...field('date_of_birth')} />
              <TextField label={p('externalId')} required={false} {...field('external_id')} />
            </div>
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
        )}
      </Form>
    </Dialog>
  );
}
