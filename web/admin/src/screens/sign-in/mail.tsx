import { Button, EmailField, Form, ProblemNotice, rich, Submit, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useLength, useSecondsUntil } from './countdown.ts';
import { ThrottleNotice, throttledUntil } from './throttled.tsx';
import { type Send, sendSignInLink, useMail } from './use-mail.ts';

/** Asks for the address that the link is sent to. */
export function AskMail({
  email,
  send = sendSignInLink,
  onMailed,
  onBack,
}: {
  email: string;
  send?: Send;
  onMailed: (email: string) => void;
  onBack: () => void;
}) {
  const t = useWords('sign-in');
  const common = useWords('common');
  const [until, setUntil] = useState<number | null>(null);
  const submit = async (values: { email: string }, { key }: { key: string }) => {
    const address = values.email.trim();
    try {
      await send(address, key);
      return address;
    } catch (error) {
      const wait = throttledUntil(error);
      if (wait === null) throw error;
      setUntil(wait);
      return null;
    }
  };
  return (
    <Form values={{ email }} careless submit={submit} done={(address) => address !== null && onMailed(address)}>
      {({ field }) => (
        <>
          <EmailField label={t('email')} autoFocus maxLength={254} {...field('email')} />
          <ThrottleNotice until={until} />
          <div className="stack" data-gap="small">
            <Submit wide>{t('withMail')}</Submit>
            <Button wide kind="quiet" onClick={onBack}>
              {common('back')}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}

/** How long to wait before another mail is offered: the first one is usually on its way. */
const PAUSE_MS = 45_000;

/** “Check your e-mail”, and what to do if nothing comes. */
export function MailSent({
  email,
  send,
  signUp,
  onBack,
}: {
  email: string;
  send?: Send;
  /** The link begins a new organization instead of signing in. */
  signUp?: boolean;
  onBack: () => void;
}) {
  const t = useWords('sign-in-steps');
  const length = useLength();
  const [pause, setPause] = useState(() => Date.now() + PAUSE_MS);
  const seconds = useSecondsUntil(pause);
  const { mail, until } = useMail(send);
  const again = async () => {
    if (seconds > 0 || (await mail.run(email)) === undefined) return;
    setPause(Date.now() + PAUSE_MS);
    toast(t('mailSentAgain'));
  };
  return (
    <div className="stack">
      <p className="lead">
        {rich(t(signUp ? 'mailSignUp' : 'mailText', { email }), { strong: (inner) => <strong>{inner}</strong> })}
      </p>
      <p className="soft">{t(signUp ? 'mailSignUpUse' : 'mailUse')}</p>
      <section className="card" aria-label={t('mailNothing')}>
        <h2>{t('mailNothing')}</h2>
        <ul className="list soft">
          <li>{t('mailSpam')}</li>
          <li>{t('mailWait')}</li>
          <li>{t('mailSpelling')}</li>
        </ul>
        <div className="buttons">
          <Button disabled={seconds > 0} busy={mail.busy} onClick={again}>
            {seconds > 0 ? t('mailAgainIn', { time: length(seconds) }) : t('mailAgain')}
          </Button>
          <Button kind="quiet" onClick={onBack}>
            {t('otherAddress')}
          </Button>
        </div>
      </section>
      {until === null ? <ProblemNotice problem={mail.problem} /> : <ThrottleNotice until={until} />}
    </div>
  );
}
