import { QueryClientProvider } from '@tanstack/react-query';
import type { Problem } from '@turnout/client';
import { ProblemHelp, Toasts, useWords, WordsProvider } from '@turnout/ui';
import type { ReactNode } from 'react';
import { queries } from './api.ts';
import { Boundary } from './failures.tsx';
import { signInAddress } from './then.ts';
import { words } from './words.ts';

/** Around everything: words, answers of the server, what to do about problems, messages that come and go. */
export function App({ children }: { children: ReactNode }) {
  return (
    <WordsProvider words={words}>
      <QueryClientProvider client={queries}>
        <ProblemHelp value={helpWith}>
          <Boundary>{children}</Boundary>
          <Toasts />
        </ProblemHelp>
      </QueryClientProvider>
    </WordsProvider>
  );
}

const helpWith = (problem: Problem) =>
  problem.code === 'sign_in_required' || problem.code === 'sign_in_again' ? <SignInElsewhere /> : null;

/** In another tab, so that what was typed here stays; the form is sent again after that. */
function SignInElsewhere() {
  const t = useWords('common');
  return (
    <div className="buttons">
      <a className="button" data-size="small" href={signInAddress(location)} target="_blank" rel="noreferrer">
        {t('signIn')}
      </a>
    </div>
  );
}
