import { Button, EmailField, Form, ProblemNotice, rich, Submit, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call } from '../../frame/api.ts';
import { useLength, useSecondsUntil } from './countdown.ts';
import { Throttled, throttledUntil } from './throttled.tsx';

type Send = (email: string, key: string) => Promise<unknown>;
const sendSignInLink: Send = (email, key) => call('sendSignInLink', { body: { email } }, { key });

/** A mail with a link; the server answers the same for every address. `until`: too many were asked for. */
export function useMail(send: Send = sendSignInLink) {
  const [until, setUntil] = useState<number | null>(null);
  const mail = useAction(async (email: string, { key }: { key: string }) => {
    setUntil(null);
    try {
      await send(email, key);
    } catch (error) {
      setUntil(throttledUntil(error));
      throw error;
    }
    return email;
  });
  return { mail, until };
}

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
          <Throttled until={until} />
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

/** “Look into your mail”, and what to do if nothing comes. */
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
  const t = useWords('sign-in');
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
      {until === null ? <ProblemNotice problem={mail.problem} /> : <Throttled until={until} />}
    </div>
  );
}
