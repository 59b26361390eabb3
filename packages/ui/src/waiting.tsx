import { type ReactNode, useEffect, useState } from 'react';
import './css/waiting.css';
import { LinesShape } from './shapes.tsx';
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

/**
 * The shape of what is being loaded, in grey: `<Skeleton><FormShape fields={3} /></Skeleton>`. It takes its room at once, so that nothing
 * below moves, and is seen a moment later. It says that something is loading to screen readers, and after a second to everybody.
 */
export function Skeleton({ lines = 4, children }: { lines?: number | undefined; children?: ReactNode }) {
  const t = useWords('common');
  const late = useLate();
  const long = useLate(1000);
  return (
    <div className="skeleton" role="status" data-late={late || undefined}>
      <div className="shapes" aria-hidden="true">
        {children ?? <LinesShape lines={lines} />}
      </div>
      {late && <small className={long ? undefined : 'hidden'}>{t('loading')}</small>}
    </div>
  );
}
