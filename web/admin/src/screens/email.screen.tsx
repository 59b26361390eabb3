import { Link } from '@tanstack/react-router';
import { Button, Notice, PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../frame/action.ts';
import { call, useRefresh } from '../frame/api.ts';
import { Languages } from './sign-in/languages.tsx';
import { forgetToken, useToken } from './sign-in/token.ts';
import './sign-in/sign-in.css';

/** Where signing in leads back to. */
const then = '/app/-/email';

/** The link that was mailed to a new address. */
export default function EmailScreen() {
  const t = useWords('account');
  const common = useWords('common');
  const token = useToken('email');
  const refresh = useRefresh();
  const [done, setDone] = useState(false);
  const confirm = useAction(async (given: string, { key }: { key: string }) => {
    await call('confirmEmail', { body: { token: given } }, { key });
    return true;
  });
  if (done)
    return (
      <PlainPage key="done" title={t('emailDone')} lead={t('emailDoneText')}>
        <Link className="button" data-kind="main" data-wide="" to="/-/account" search={{ part: 'sign-in' }}>
          {t('toAccount')}
        </Link>
      </PlainPage>
    );
  if (token === null)
    return <PlainPage key="missing" title={t('linkMissing')} lead={t('linkMissingText')} footer={<Languages />} />;
  const go = async () => {
    if ((await confirm.run(token)) !== true) return;
    forgetToken('email');
    await refresh('getAccount', 'getMembership');
    setDone(true);
  };
  return (
    <PlainPage key="link" title={t('emailTitle')} lead={t('emailText')} footer={<Languages />}>
      {confirm.problem?.code === 'sign_in_required' ? (
        <Notice>
          <p>{t('emailSignIn')}</p>
          <div className="buttons">
            <Link className="button" data-kind="main" to="/-/sign-in" search={{ then }}>
              {common('signIn')}
            </Link>
          </div>
        </Notice>
      ) : (
        <>
          <Button kind="main" wide autoFocus busy={confirm.busy} onClick={go}>
            {t('emailConfirm')}
          </Button>
          <ProblemNotice problem={confirm.problem} />
        </>
      )}
    </PlainPage>
  );
}
