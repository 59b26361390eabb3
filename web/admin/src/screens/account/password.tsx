import type { Account } from '@turnout/client';
import { Button, Dialog, Form, Submit, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../frame/api.ts';
import { NewPassword } from '../sign-in/new-password.tsx';
import { useProof } from './proof.tsx';
import { Setting } from './setting.tsx';

export function Password({ account }: { account: Account }) {
  const t = useWords('account');
  const [open, setOpen] = useState(false);
  return (
    <Setting
      name={t('password')}
      actions={
        <Button size="small" onClick={() => setOpen(true)}>
          {t(account.has_password ? 'passwordChange' : 'passwordMake')}
        </Button>
      }
    >
      {t(account.has_password ? 'passwordSet' : 'passwordNone')}
      {open && <Change account={account} onClose={() => setOpen(false)} />}
    </Setting>
  );
}

function Change({ account, onClose }: { account: Account; onClose: () => void }) {
  const t = useWords('account');
  const prove = useProof();
  const refresh = useRefresh();
  return (
    <Dialog title={t(account.has_password ? 'passwordChange' : 'passwordMake')} onClose={onClose}>
      <Form
        values={{ password: '' }}
        submit={({ password }, { key }) => prove(() => call('setPassword', { body: { password } }, { key }))}
        done={async () => {
          onClose();
          toast(t('passwordSaved'), 'good');
          await refresh('getAccount', 'listSessions');
        }}
      >
        {({ field }) => (
          <>
            {/* Password managers find out by it whose password this is. */}
            <input type="hidden" autoComplete="username" value={account.email} readOnly />
            <NewPassword label={t('passwordNew')} autoFocus field={field('password')} />
            <p className="soft small">{t('passwordEnds')}</p>
            <div className="buttons">
              <Submit />
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
