import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { Account } from '@turnout/client';
import { Button, Notice, PlainPage, rich, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../frame/api.ts';
import { safeThen } from '../frame/then.ts';
import { useArrive } from './sign-in/arrive.ts';
import { useSignIn } from './sign-in/flow.tsx';
import { Languages } from './sign-in/languages.tsx';
import { Waiting } from './sign-in/waiting.tsx';
import './sign-in/sign-in.css';

const ERRORS = [
  'oidc_unavailable',
  'oidc_cancelled',
  'oidc_step_over',
  'oidc_failed',
  'oidc_email_not_verified',
  'oidc_address_not_proved',
  'oidc_no_account',
  'oidc_other_address',
] as const;

export default function SignInScreen() {
  const { then, email } = useSearch({ from: '/-/sign-in' });
  const account = useCall('getAccount', {});
  const [wants, setWants] = useState<'again' | 'other' | null>(null);
  // Only whether somebody is signed in decides what is shown, so nothing is drawn twice.
  if (account.isPending) return <Waiting />;
  const who = account.data;
  if (who === undefined || who.sandbox || wants === 'other') return <Form email={email} />;
  const again = wants === 'again' || (safeThen(then) !== null && Date.parse(who.session.proved_until) < Date.now());
  if (again || email === who.email) return <Form email={who.email} again onOther={() => setWants('other')} />;
  return <SignedIn account={who} onAgain={() => setWants('again')} onOther={() => setWants('other')} />;
}

/** `email`: given by whoever sent the person here, so it is the one to sign in with. */
function Form({ email, again, onOther }: { email?: string | undefined; again?: boolean; onOther?: () => void }) {
  const t = useWords('sign-in');
  const { then, error } = useSearch({ from: '/-/sign-in' });
  const arrive = useArrive();
  const { at, title, content } = useSignIn({
    fixed: email,
    next: safeThen(then),
    onSignedIn: (reply) => void arrive(reply, then),
  });
  return (
    <PlainPage
      key={at}
      title={title ?? t(again ? 'againTitle' : 'title')}
      {...(again && at === 'ways' && { lead: t('againText') })}
      footer={<Languages />}
    >
      {error !== undefined && at === 'ways' && <Notice tone="bad">{t(`error.${known(error)}`)}</Notice>}
      {content}
      {at === 'ways' && (again ? <SomebodyElse onOther={onOther} /> : email === undefined && <Newcomer />)}
    </PlainPage>
  );
}

const known = (error: string) => ERRORS.find((one) => one === error) ?? 'other';

function SomebodyElse({ onOther }: { onOther: (() => void) | undefined }) {
  const t = useWords('sign-in');
  return (
    <p className="centre">
      <Button kind="link" onClick={onOther}>
        {t('somebodyElse')}
      </Button>
    </p>
  );
}

/** What somebody without an account can do. */
function Newcomer() {
  const t = useWords('sign-in');
  const { data } = useCall('getSignInMethods', {});
  if (data === undefined) return null;
  if (data.signup === 'open')
    return (
      <p className="centre small">
        <Link to="/-/start">{t('signUp')}</Link>
      </p>
    );
  return <p className="centre soft small">{t('noAccount')}</p>;
}

function SignedIn({ account, onAgain, onOther }: { account: Account; onAgain: () => void; onOther: () => void }) {
  const t = useWords('sign-in');
  const { then } = useSearch({ from: '/-/sign-in' });
  const navigate = useNavigate();
  const lead = rich(t('signedInAs', { name: account.name, email: account.email }), {
    strong: (inner) => <strong>{inner}</strong>,
  });
  return (
    <PlainPage title={t('signedInTitle')} lead={lead} footer={<Languages />}>
      <div className="stack" data-gap="small">
        <Button kind="main" wide autoFocus onClick={() => void navigate({ href: safeThen(then) ?? '/app' })}>
          {t('goOn')}
        </Button>
        <Button wide onClick={onAgain}>
          {t('again')}
        </Button>
        <Button kind="quiet" wide onClick={onOther}>
          {t('somebodyElse')}
        </Button>
      </div>
    </PlainPage>
  );
}
