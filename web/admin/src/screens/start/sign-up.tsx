import { Link, useNavigate } from '@tanstack/react-router';
import { PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useCall } from '../../frame/api.ts';
import { Languages } from '../sign-in/languages.tsx';
import { AskMail, MailSent } from '../sign-in/mail.tsx';
import { PlainSkeleton } from '../sign-in/waiting.tsx';

const send = (email: string, key: string) => call('sendSignUpLink', { body: { email } }, { key });

/** Where anybody may make an organization: asks for the address that the link to begin is sent to. */
export function SignUp() {
  const t = useWords('start');
  const s = useWords('sign-in');
  const methods = useCall('getSignInMethods', {});
  const navigate = useNavigate();
  const [mailed, setMailed] = useState<string | null>(null);
  if (methods.data === undefined)
    return methods.error === null ? <PlainSkeleton /> : <ProblemNotice problem={methods.error} />;
  if (methods.data.signup !== 'open')
    return (
      <PlainPage title={t('signUpClosedTitle')} lead={t('signUpClosedText')} footer={<Languages />}>
        <Link className="button" data-kind="main" data-wide="" to="/-/sign-in">
          {t('signIn')}
        </Link>
      </PlainPage>
    );
  if (mailed !== null)
    return (
      <PlainPage key="mailed" title={s('mailTitle')} footer={<Languages />}>
        <MailSent email={mailed} send={send} signUp onBack={() => setMailed(null)} />
      </PlainPage>
    );
  return (
    <PlainPage key="ask" title={t('title')} lead={t('signUpLead')} footer={<Languages />}>
      <AskMail email="" send={send} onMailed={setMailed} onBack={() => void navigate({ to: '/-/sign-in' })} />
    </PlainPage>
  );
}
