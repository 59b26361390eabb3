import { Problem } from '@turnout/client';
import { Button, ProblemNotice, Skeleton, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { Failure } from './failures.tsx';

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** An answer of the server: grey lines while it is awaited, what is wrong if it does not come, else what `children` makes of it. */
export function Answer<T>({ of, lines, children }: { of: Asked<T>; lines?: number; children: (data: T) => ReactNode }) {
  const t = useWords('common');
  // What was there before is shown on, with the problem above it.
  if (of.data === undefined && of.error === null) return <Skeleton {...(lines !== undefined && { lines })} />;
  // A form that is shown keeps what was typed into it; the notice above it leads to signing in.
  const isShown = of.data !== undefined && of.error instanceof Problem && of.error.code === 'sign_in_required';
  if (!isShown && of.error instanceof Problem && ['sign_in_required', 'second_factor_required'].includes(of.error.code))
    return <Failure error={of.error} retry={() => of.refetch()} />;
  return (
    <>
      {of.error !== null && (
        <ProblemNotice problem={of.error}>
          <div className="buttons">
            <Button size="small" onClick={() => of.refetch()}>
              {t('retry')}
            </Button>
          </div>
        </ProblemNotice>
      )}
      {of.data !== undefined && children(of.data)}
    </>
  );
}

/** The button below a list that has another page; nothing at its end. */
export function More({ of }: { of: { more: (() => void) | undefined; isFetchingNextPage: boolean } }) {
  const t = useWords('common');
  if (of.more === undefined) return null;
  return (
    <div className="buttons">
      <Button onClick={of.more} busy={of.isFetchingNextPage}>
        {t('more')}
      </Button>
    </div>
  );
}
