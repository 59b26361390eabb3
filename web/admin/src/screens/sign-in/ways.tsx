import type { SignedIn } from '@turnout/client';
import {
  Button,
  EmailField,
  Form,
  KeyIcon,
  MailIcon,
  Notice,
  PasswordField,
  ProblemNotice,
  Submit,
  useWords,
} from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useCall } from '../../frame/api.ts';
import { offerByAutofill, PasskeyCancelled, passkeysWork, signInWithPasskey } from './passkey.ts';
import { ThrottleNotice, throttledUntil } from './throttled.tsx';
import { useMail } from './use-mail.ts';

interface WaysProps {
  /** The address is known and cannot be changed: one signs in again. */
  fixed?: string | undefined;
  email: string;
  onEmail: (email: string) => void;
  /** Where single sign-on leads back to. */
  next: string | null;
  onReply: (reply: SignedIn) => void;
  /** A link by mail is wanted, and there is no address yet. */
  onAskMail: () => void;
  /** A link was sent to this address. */
  onMailed: (email: string) => void;
}

/** The ways to sign in: password, passkey, a link by mail, single sign-on. */
export function SignInWays({ fixed, email, onEmail, next, onReply, onAskMail, onMailed }: WaysProps) {
  const t = useWords('sign-in');
  const [until, setUntil] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const password = async (values: { email: string; password: string }, { key }: { key: string }) => {
    try {
      return await call('signInWithPassword', { body: { ...values, email: values.email.trim() } }, { key });
    } catch (error) {
      const wait = throttledUntil(error);
      setUntil(wait);
      // What was typed is most likely mistyped: the focus goes there, with everything selected.
      box.current?.querySelector<HTMLInputElement>('input[name="password"]')?.select();
      if (wait === null) throw error;
      return null;
    }
  };
  return (
    <div className="stack" ref={box}>
      <Form
        values={{ email, password: '' }}
        careless
        submit={password}
        done={(reply) => reply !== null && onReply(reply)}
      >
        {({ field }) => (
          <>
            <EmailField
              label={t('email')}
              {...field('email')}
              onChange={(value) => {
                field('email').onChange(value);
                onEmail(value);
              }}
              autoComplete="username webauthn"
              readOnly={fixed !== undefined}
              autoFocus={email === ''}
              maxLength={254}
            />
            <PasswordField
              label={t('password')}
              autoComplete="current-password"
              autoFocus={email !== ''}
              {...field('password')}
            />
            <ThrottleNotice until={until} />
            <Submit wide>{t('signIn')}</Submit>
          </>
        )}
      </Form>
      <div className="or">{t('or')}</div>
      <div className="stack" data-gap="small">
        <ByPasskey onReply={onReply} />
        <ByMail email={email} onAsk={onAskMail} onMailed={onMailed} />
        <BySingleSignOn next={next} />
      </div>
    </div>
  );
}

function ByPasskey({ onReply }: { onReply: (reply: SignedIn) => void }) {
  const t = useWords('sign-in');
  const [cancelled, setCancelled] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef(onReply);
  latest.current = onReply;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a try with the button, the field offers passkeys again
  useEffect(() => (passkeysWork() ? offerByAutofill((reply) => latest.current(reply)) : undefined), [round]);
  const passkey = useAction(async ({ key }: { key: string }) => {
    setCancelled(false);
    try {
      return await signInWithPasskey({ key });
    } catch (error) {
      if (!(error instanceof PasskeyCancelled)) throw error;
      setCancelled(true);
      return undefined;
    } finally {
      setRound((count) => count + 1);
    }
  });
  if (!passkeysWork()) return null;
  const sign = async () => {
    const reply = await passkey.run();
    if (reply !== undefined) onReply(reply);
  };
  return (
    <>
      <Button wide busy={passkey.busy} onClick={sign}>
        <KeyIcon /> {t('withPasskey')}
      </Button>
      {cancelled && <Notice tone="warn">{t('passkeyCancelled')}</Notice>}
      <ProblemNotice problem={passkey.problem} />
    </>
  );
}
/** Sends the link at once if an address stands in the field above, else it asks for one. */
function ByMail({ email, onAsk, onMailed }: { email: string; onAsk: () => void; onMailed: (email: string) => void }) {
  const t = useWords('sign-in');
  const { mail, until } = useMail();
  return (
    <>
      <Button
        wide
        busy={mail.busy}
        onClick={async () => {
          if (!isAddress(email)) return onAsk();
          const sent = await mail.run(email.trim());
          if (sent !== undefined) onMailed(sent);
        }}
      >
        <MailIcon /> {t('withMail')}
      </Button>
      {until === null ? <ProblemNotice problem={mail.problem} /> : <ThrottleNotice until={until} />}
    </>
  );
}

/** As the browser judges it. */
function isAddress(text: string): boolean {
  const probe = document.createElement('input');
  probe.type = 'email';
  probe.required = true;
  probe.value = text.trim();
  return probe.checkValidity();
}

function BySingleSignOn({ next }: { next: string | null }) {
  const t = useWords('sign-in');
  const { data } = useCall('getSignInMethods', {});
  if (data?.oidc == null) return null;
  const query = next === null ? '' : `?then=${encodeURIComponent(next)}`;
  return (
    <a className="button" data-wide="" href={`/app/-/oidc/start${query}`}>
      {t('withOidc', { name: data.oidc.name })}
    </a>
  );
}
