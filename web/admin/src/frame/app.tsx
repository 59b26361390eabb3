import { QueryClientProvider } from '@tanstack/react-query';
import { type AnyRouter, RouterProvider } from '@tanstack/react-router';
import type { Problem } from '@turnout/client';
import { ProblemHelp, Toasts, useWords, WordsProvider } from '@turnout/ui';
import { queries } from './api.ts';
import { Boundary } from './failures.tsx';
import { signInAddress } from './then.ts';
import { words } from './words.ts';

export function App({ router }: { router: AnyRouter }) {
  return (
    <WordsProvider words={words}>
      <QueryClientProvider client={queries}>
        <ProblemHelp value={helpWith}>
          <Boundary>
            <RouterProvider router={router} />
          </Boundary>
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
