import { Problem } from '@turnout/client';
import { Button, ProblemNotice, Skeleton, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { Failure } from './failures.tsx';

interface ServerQuery<T> {
  data: T | undefined;
  error: Error | null;
  refetch: () => unknown;
}

/** An answer of the server: its shape in grey while it is awaited, what is wrong if it does not come, else what `children` makes of it. */
export function QueryResult<T>({
  query,
  lines,
  shape,
  children,
}: {
  query: ServerQuery<T>;
  /** How many lines of text are awaited, or the shape of what is (`<FormShape fields={3} />`), so that nothing moves when it comes. */
  lines?: number;
  shape?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const t = useWords('common');
  // What was there before is shown on, with the problem above it.
  if (query.data === undefined && query.error === null) return <Skeleton lines={lines}>{shape}</Skeleton>;
  // A form that is shown keeps what was typed into it; the notice above it leads to signing in.
  const isShown = query.data !== undefined && query.error instanceof Problem && query.error.code === 'sign_in_required';
  if (
    !isShown &&
    query.error instanceof Problem &&
    ['sign_in_required', 'second_factor_required'].includes(query.error.code)
  )
    return <Failure error={query.error} retry={() => query.refetch()} />;
  return (
    <>
      {query.error !== null && (
        <ProblemNotice problem={query.error}>
          <div className="buttons">
            <Button size="small" onClick={() => query.refetch()}>
              {t('retry')}
            </Button>
          </div>
        </ProblemNotice>
      )}
      {query.data !== undefined && children(query.data)}
    </>
  );
}

/** The button below a list that has another page; nothing at its end. */
export function MoreButton({ pages }: { pages: { more: (() => void) | undefined; isFetchingNextPage: boolean } }) {
  const t = useWords('common');
  if (pages.more === undefined) return null;
  return (
    <div className="buttons">
      <Button onClick={pages.more} busy={pages.isFetchingNextPage}>
        {t('more')}
      </Button>
    </div>
  );
}
