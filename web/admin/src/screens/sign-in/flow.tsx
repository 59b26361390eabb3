import type { Problem, SignedIn } from '@turnout/client';
import { ProblemNotice, useWords } from '@turnout/ui';
import { type ReactNode, useState } from 'react';
import { AskMail, MailSent } from './mail.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Ways } from './ways.tsx';

type Step = { at: 'ways' } | { at: 'second_factor' } | { at: 'ask_mail' } | { at: 'mailed'; to: string };

/**
 * | step | next |
 * |---|---|
 * | ways | signed in; second_factor; ask_mail; mailed |
 * | second_factor | signed in; ways, because it took too long or is not wanted |
 * | ask_mail | mailed; ways |
 * | mailed | ways; the link opens another page |
 */
export function useSignIn({
  fixed,
  next,
  onSignedIn,
}: {
  /** Set when one signs in again: the address cannot be changed. */
  fixed?: string | undefined;
  /** Where single sign-on leads back to. */
  next: string | null;
  onSignedIn: (reply: SignedIn) => void;
}): { at: Step['at']; title: string | null; content: ReactNode } {
  const t = useWords('sign-in');
  const [step, setStep] = useState<Step>({ at: 'ways' });
  const [email, setEmail] = useState(fixed ?? '');
  const [problem, setProblem] = useState<Problem | null>(null);
  const back = (why: Problem | null = null) => {
    setProblem(why);
    setStep({ at: 'ways' });
  };
  const replied = (reply: SignedIn) => {
    setProblem(null);
    if (reply.status === 'second_factor') setStep({ at: 'second_factor' });
    else onSignedIn(reply);
  };
  const mailed = (to: string) => setStep({ at: 'mailed', to });
  switch (step.at) {
    case 'second_factor':
      return {
        at: step.at,
        title: t('factorTitle'),
        content: <SecondFactor onSignedIn={onSignedIn} onOver={back} />,
      };
    case 'ask_mail':
      return {
        at: step.at,
        title: t('withMail'),
        content: <AskMail email={email} onMailed={mailed} onBack={() => back()} />,
      };
    case 'mailed':
      return {
        at: step.at,
        title: t('mailTitle'),
        content: <MailSent email={step.to} onBack={() => back()} />,
      };
    default:
      return {
        at: step.at,
        title: null,
        content: (
          <div className="stack">
            <ProblemNotice problem={problem} />
            <Ways
              fixed={fixed}
              email={fixed ?? email}
              onEmail={setEmail}
              next={next}
              onReply={replied}
              onAskMail={() => setStep({ at: 'ask_mail' })}
              onMailed={mailed}
            />
          </div>
        ),
      };
  }
}
