import type { Contact } from '@turnout/client';
import { Button, Dialog, ProblemNotice, TextField, toast, useWords } from '@turnout/ui';
import { type FormEvent, useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { contactName } from './contact-name.ts';

/** Erases a person for good. The name has to be typed, because nothing can bring the data back. */
export function EraseContact({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const t = useWords('contacts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState(false);
  const name = contactName(contact);
  const erase = useAction(async ({ key }: { key: string }) => {
    await call('eraseContact', { org, contact: contact.id }, { key });
    toast(t('erased'), 'good');
    onClose();
    await refresh('getContact', 'listContacts', 'listRegistrations', 'listAttendees', 'getRegistration');
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const matches = typed.trim().toLocaleLowerCase() === name.toLocaleLowerCase();
    setFault(!matches);
    if (matches) void erase.run();
  };
  return (
    <Dialog title={t('eraseTitle', { name })} onClose={onClose}>
      <form className="form" onSubmit={submit} noValidate>
        <p>{t('eraseText')}</p>
        <ul className="stack" data-gap="small">
          <li>{t('erase1')}</li>
          <li>{t('erase2')}</li>
          <li>{t('erase3')}</li>
        </ul>
        <TextField
          label={t('typeName', { name })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          fault={fault ? t('nameDiffers') : undefined}
        />
        <ProblemNotice problem={erase.problem} />
        <div className="buttons">
          <Button type="submit" kind="danger-main" busy={erase.busy}>
            {t('erase')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
