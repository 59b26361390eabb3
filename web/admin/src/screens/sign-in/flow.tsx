import type { Problem, SignedIn } from '@turnout/client';
import { ProblemNotice, Skeleton, useWords } from '@turnout/ui';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { words } from '../../frame/words.ts';
import { SignInWays } from './ways.tsx';

/** The further steps are loaded when they are needed, with their words, so that the first screen is there sooner. */
const step = <P extends object>(load: () => Promise<(props: P) => ReactNode>) =>
  lazy(async () => {
    const [drawn] = await Promise.all([load(), words.need('sign-in-steps')]);
    return { default: drawn };
  });
const SecondFactor = step(async () => (await import('./second-factor.tsx')).default);
const AskMail = step(async () => (await import('./mail.tsx')).AskMail);
const MailSent = step(async () => (await import('./mail.tsx')).MailSent);
const later = (content: ReactNode) => <Suspense fallback={<Skeleton />}>{content}</Suspense>;

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
  const [present, setStep] = useState<Step>({ at: 'ways' });
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
  switch (present.at) {
    case 'second_factor':
      return {
        at: present.at,
        title: t('factorTitle'),
        content: later(<SecondFactor onSignedIn={onSignedIn} onOver={back} />),
      };
    case 'ask_mail':
      return {
        at: present.at,
        title: t('withMail'),
        content: later(<AskMail email={email} onMailed={mailed} onBack={() => back()} />),
      };
    case 'mailed':
      return {
        at: present.at,
        title: t('mailTitle'),
        content: later(<MailSent email={present.to} onBack={() => back()} />),
      };
    default:
      return {
        at: present.at,
        title: null,
        content: (
          <div className="stack">
            <ProblemNotice problem={problem} />
            <SignInWays
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
