import { Problem, type SignedIn } from '@turnout/client';
import { Button, Form, Submit, TextField, useWords } from '@turnout/ui';
import { useRef, useState } from 'react';
import { call } from '../../frame/api.ts';
import { ThrottleNotice, throttledUntil } from './throttled.tsx';

/** The second step: six digits of the authenticator app, or a recovery code. */
export default function SecondFactor({
  onSignedIn,
  onOver,
}: {
  onSignedIn: (reply: SignedIn) => void;
  /** It took too long, or too many codes were wrong: one begins again. Without a problem, the person wanted to. */
  onOver: (problem: Problem | null) => void;
}) {
  const t = useWords('sign-in-steps');
  const s = useWords('sign-in');
  const [recovery, setRecovery] = useState(false);
  const [until, setUntil] = useState<number | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const submit = async ({ code }: { code: string }, { key }: { key: string }) => {
    try {
      return await call('signInWithSecondFactor', { body: { code: code.trim() } }, { key });
    } catch (error) {
      box.current?.querySelector('input')?.select();
      if (error instanceof Problem && error.code === 'sign_in_step_over') onOver(error);
      else if (throttledUntil(error) !== null) setUntil(throttledUntil(error));
      else throw error;
      return null;
    }
  };
  return (
    <div className="stack" ref={box} key={recovery ? 'recovery' : 'app'}>
      <p className="soft">{t(recovery ? 'factorRecoveryText' : 'factorText')}</p>
      <Form values={{ code: '' }} careless submit={submit} done={(reply) => reply !== null && onSignedIn(reply)}>
        {({ field }) => (
          <>
            <TextField
              label={t(recovery ? 'recoveryCode' : 'code')}
              autoFocus
              autoComplete={recovery ? 'off' : 'one-time-code'}
              inputMode={recovery ? 'text' : 'numeric'}
              autoCapitalize={recovery ? 'characters' : 'none'}
              spellCheck={false}
              maxLength={40}
              data-code=""
              {...field('code')}
            />
            <ThrottleNotice until={until} />
            <Submit wide>{s('signIn')}</Submit>
          </>
        )}
      </Form>
      <div className="row" data-apart="">
        <Button kind="link" onClick={() => setRecovery(!recovery)}>
          {t(recovery ? 'useApp' : 'useRecovery')}
        </Button>
        <Button kind="link" onClick={() => onOver(null)}>
          {t('startOver')}
        </Button>
      </div>
    </div>
  );
}
