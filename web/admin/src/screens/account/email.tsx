import type { Account } from '@turnout/client';
import { Badge, Button, Dialog, EmailField, Form, Notice, ProblemNotice, Submit, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call } from '../../frame/api.ts';
import { useProof } from './proof.tsx';
import { Setting } from './setting.tsx';

/** The address changes by a link that is sent to the new one. */
export function Email({ account }: { account: Account }) {
  const t = useWords('account');
  const prove = useProof();
  const [open, setOpen] = useState(false);
  const [sent, setSent] = useState<string | null>(null);
  const own = useAction(({ key }: { key: string }) =>
    prove(() => call('changeEmail', { body: { email: account.email } }, { key })).then(() => account.email),
  );
  return (
    <Setting
      name={t('email')}
      actions={
        <Button size="small" onClick={() => setOpen(true)}>
          {t('emailChange')}
        </Button>
      }
      below={
        <div className="stack" data-gap="small">
          {sent !== null && <Notice tone="good">{t('emailSent', { email: sent })}</Notice>}
          {sent === null && !account.email_proved && (
            <Notice tone="warn">
              <div className="stack" data-gap="small">
                <p>{t('emailNotProvedText')}</p>
                <div className="buttons">
                  <Button size="small" busy={own.busy} onClick={async () => setSent((await own.run()) ?? null)}>
                    {t('emailProve')}
                  </Button>
                </div>
              </div>
            </Notice>
          )}
          <ProblemNotice problem={own.problem} />
          {open && (
            <Dialog title={t('emailChange')} onClose={() => setOpen(false)}>
              <Form
                values={{ email: '' }}
                submit={({ email }, { key }) =>
                  prove(() => call('changeEmail', { body: { email: email.trim() } }, { key }))
                }
                done={(_, { email }) => {
                  setSent(email.trim());
                  setOpen(false);
                }}
              >
                {({ field }) => (
                  <>
                    <EmailField
                      label={t('emailNew')}
                      hint={t('emailNewHint')}
                      autoFocus
                      maxLength={254}
                      {...field('email')}
                    />
                    <div className="buttons">
                      <Submit>{t('emailSend')}</Submit>
                    </div>
                  </>
                )}
              </Form>
            </Dialog>
          )}
        </div>
      }
    >
      {account.email} {!account.email_proved && <Badge tone="warn">{t('emailNotProved')}</Badge>}
    </Setting>
  );
}
