import { type ErrorComponentProps, useRouter } from '@tanstack/react-router';
import { Failure } from './failures.tsx';

/** In place of a screen that could not be loaded or drawn. */
export function Failed({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <Failure
      error={error}
      retry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
