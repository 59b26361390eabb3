import { type ComponentProps, lazy, Suspense } from 'react';
import type { Opening as Of } from './opening.tsx';

const Plain: typeof Of = ({ children }) => children;
const Opening = lazy(() =>
  import('./opening.tsx').then(
    (loaded) => ({ default: loaded.Opening }),
    () => ({ default: Plain }),
  ),
);

/** Why somebody was refused; of a point that is not open yet, when it opens. */
export const Reason = ({ reason, ...props }: ComponentProps<typeof Of> & { reason: string }) =>
  reason === 'before_opening' ? (
    <Suspense fallback={props.children}>
      <Opening {...props} />
    </Suspense>
  ) : (
    props.children
  );
