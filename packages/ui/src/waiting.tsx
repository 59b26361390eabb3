import { useEffect, useState } from 'react';
import { useWords } from './words.tsx';

/** True after `ms` of waiting, which goes on while `on`: what is there sooner than that needs no sign of it. */
export function useLate(ms = 100, on = true): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setTimeout(() => setLate(true), ms);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [ms, on]);
  return on && late;
}

export const Spinner = () => <span className="spinner" aria-hidden="true" />;

/** Grey lines in place of what is being loaded. It says so to screen readers, and after a second to everybody. */
export function Skeleton({ lines = 4 }: { lines?: number }) {
  const t = useWords('common');
  const late = useLate();
  const long = useLate(1000);
  if (!late) return null;
  return (
    <div className="skeleton" role="status">
      {Array.from({ length: lines }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all the same
        <span key={i} aria-hidden="true" />
      ))}
      <small className={long ? undefined : 'hidden'}>{t('loading')}</small>
    </div>
  );
}
