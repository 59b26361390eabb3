import { type Account, Problem, type SignedIn as SignedInReply } from '@turnout/client';
import { Button, PlainPage, ProblemNotice, rich, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../../frame/api.ts';
import { safeThen } from '../../frame/then.ts';
import { useSignIn } from './flow.tsx';
import { Languages } from './languages.tsx';
import './sign-in.css';

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

export interface SignInProps {
  /** What the address says: where to go afterwards, who is to sign in, what went wrong with single sign-on. */
  search: { then?: string; email?: string; error?: string };
  /** Who is signed in here already. Only that decides what is shown, so it is known before, and nothing is drawn twice. */
  account: Account | null;
  /** Somebody has signed in. */
  onSignedIn: (reply: SignedInReply) => void;
  /** Leads to another address of the app. */
  onGo: (address: string) => void;
}

/**
 * Signing in is what most people see first, so it is drawn without the router, which is half as large as React (frame/begin.tsx). It
 * must not import the router.
 */
export default function SignInScreen({ search, account, onSignedIn, onGo }: SignInProps) {
  const [wants, setWants] = useState<'again' | 'other' | null>(null);
  const { email } = search;
  const then = safeThen(search.then);
  const form = { error: search.error, then, onSignedIn };
  if (account === null || account.sandbox || wants === 'other') return <Form {...form} email={email} />;
  const again = wants === 'again' || (then !== null && Date.parse(account.session.proved_until) < Date.now());
  if (again || email === account.email)
    return <Form {...form} email={account.email} again onOther={() => setWants('other')} />;
  return (
    <SignedInPage
      account={account}
      onGo={() => onGo(then ?? '/app')}
      onAgain={() => setWants('again')}
      onOther={() => setWants('other')}
    />
  );
}

interface FormProps {
  error: string | undefined;
  then: string | null;
  onSignedIn: (reply: SignedInReply) => void;
  /** Given by whoever sent the person here, so it is the one to sign in with. */
  email?: string | undefined;
  again?: boolean;
  onOther?: () => void;
}

function Form({ error, then, onSignedIn, email, again, onOther }: FormProps) {
  const t = useWords('sign-in');
  const { at, title, content } = useSignIn({ fixed: email, next: then, onSignedIn });
  return (
    <PlainPage
      key={at}
      title={title ?? t(again ? 'againTitle' : 'title')}
      {...(again && at === 'ways' && { lead: t('againText') })}
      footer={<Languages />}
    >
      {error !== undefined && at === 'ways' && <ProblemNotice problem={failed(error)} />}
      {content}
      {at === 'ways' && (again ? <OtherAccountButton onOther={onOther} /> : email === undefined && <Newcomer />)}
    </PlainPage>
  );
}

/** Single sign-on that did not work leads back here with a code, which the catalogue of refusals puts into words. */
const failed = (error: string): Problem =>
  new Problem({
    operation: 'single sign-on',
    status: 0,
    code: ERRORS.find((one) => one === error) ?? 'oidc_failed',
    message: error,
  });

function OtherAccountButton({ onOther }: { onOther: (() => void) | undefined }) {
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
        <a href="/app/-/start">{t('signUp')}</a>
      </p>
    );
  return <p className="centre soft small">{t('noAccount')}</p>;
}

interface SignedInProps {
  account: Account;
  onGo: () => void;
  onAgain: () => void;
  onOther: () => void;
}

function SignedInPage({ account, onGo, onAgain, onOther }: SignedInProps) {
  const t = useWords('sign-in');
  const lead = rich(t('signedInAs', { name: account.name, email: account.email }), {
    strong: (inner) => <strong>{inner}</strong>,
  });
  return (
    <PlainPage title={t('signedInTitle')} lead={lead} footer={<Languages />}>
      <div className="stack" data-gap="small">
        <Button kind="main" wide autoFocus onClick={onGo}>
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
