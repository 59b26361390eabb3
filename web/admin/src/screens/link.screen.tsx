import { Link } from '@tanstack/react-router';
import type { Problem, SignedIn } from '@turnout/client';
import { Button, PlainPage, ProblemNotice, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../frame/action.ts';
import { call } from '../frame/api.ts';
import { useArrive } from './sign-in/arrive.ts';
import { greet } from './sign-in/greet.ts';
import { Languages } from './sign-in/languages.tsx';
import SecondFactor from './sign-in/second-factor.tsx';
import { forgetToken, useToken } from './sign-in/token.ts';
import './sign-in/sign-in.css';

/** The link of a mail. Opening it changes nothing, because programs that check mails open links too; the button signs in. */
export default function LinkScreen() {
  const t = useWords('link');
  const s = useWords('sign-in');
  const token = useToken('link');
  const arrive = useArrive();
  const [factor, setFactor] = useState(false);
  const [cleared, setCleared] = useState<SignedIn | null>(null);
  const [over, setOver] = useState<Problem | null>(null);
  const enter = useAction((given: string, { key }: { key: string }) =>
    call('signInWithLink', { body: { token: given } }, { key }),
  );
  const signedIn = async (reply: SignedIn) => {
    forgetToken('link');
    if (!reply.cleared) return arrive(reply);
    await greet();
    setCleared(reply);
  };
  if (cleared !== null) return <FactorsCleared reply={cleared} />;
  if (factor)
    return (
      <PlainPage key="factor" title={s('factorTitle')} footer={<Languages />}>
        <SecondFactor
          onSignedIn={signedIn}
          onOver={(problem) => {
            setOver(problem);
            setFactor(false);
          }}
        />
      </PlainPage>
    );
  const problem = over ?? enter.problem;
  if (token === null)
    return (
      <PlainPage key="missing" title={t('linkMissing')} lead={t('linkMissingText')} footer={<Languages />}>
        <NewLink />
      </PlainPage>
    );
  const sign = async () => {
    setOver(null);
    const reply = await enter.run(token);
    if (reply?.status === 'second_factor') setFactor(true);
    else if (reply !== undefined) await signedIn(reply);
  };
  return (
    <PlainPage key="link" title={t('linkTitle')} lead={t('linkText')} footer={<Languages />}>
      <ProblemNotice problem={problem} />
      {problem === null || problem.unanswered ? (
        <Button kind="main" wide autoFocus busy={enter.busy} onClick={sign}>
          {s('signIn')}
        </Button>
      ) : (
        <NewLink />
      )}
    </PlainPage>
  );
}

function NewLink() {
  const t = useWords('link');
  return (
    <Link className="button" data-kind="main" data-wide="" to="/-/sign-in">
      {t('linkNew')}
    </Link>
  );
}

/** The address was proved for the first time, and with that everything went that was set before. */
function FactorsCleared({ reply }: { reply: SignedIn }) {
  const t = useWords('link');
  const s = useWords('sign-in');
  const arrive = useArrive();
  return (
    <PlainPage key="cleared" title={t('clearedTitle')} lead={t('clearedText')}>
      <div className="stack" data-gap="small">
        <Button kind="main" wide autoFocus onClick={() => void arrive(reply)}>
          {s('goOn')}
        </Button>
        <Link className="button" data-wide="" to="/-/account" search={{ part: 'sign-in' }}>
          {t('toAccount')}
        </Link>
      </div>
    </PlainPage>
  );
}
