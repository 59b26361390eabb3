import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { queries } from './api.ts';
import { Failure } from './failures.tsx';

/** In place of a screen that could not be loaded or drawn. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Failure
      error={error}
      retry={() => {
        // What was answered before may be what the screen could not draw.
        queries.removeQueries();
        reset();
        void router.invalidate();
      }}
    />
  );
}
