import { Problem } from '@turnout/client';
import { announce, useWords } from '@turnout/ui';
import { useEffect, useRef } from 'react';
import { useLength, useSecondsUntil } from './countdown.ts';

/** When one may try again, if that is what the error says. */
export const throttledUntil = (error: unknown): number | null =>
  error instanceof Problem && error.code === 'sign_in_throttled' && error.retryAfter !== null
    ? Date.now() + error.retryAfter * 1000
    : null;

/** Says how long to wait. It is read out when it begins and when it is over, not every second. */
export function ThrottleNotice({ until }: { until: number | null }) {
  const t = useWords('sign-in');
  const seconds = useSecondsUntil(until);
  const length = useLength();
  const text = t('throttled', { time: length(seconds) });
  const latest = useRef(text);
  latest.current = text;
  const waiting = seconds > 0;
  const waited = useRef(false);
  useEffect(() => {
    if (waiting) announce(latest.current);
    else if (waited.current) announce(t('throttledOver'));
    waited.current = waiting;
  }, [waiting, t]);
  if (until === null) return null;
  return (
    <div className="notice" data-tone={waiting ? 'warn' : 'good'}>
      {waiting ? text : t('throttledOver')}
    </div>
  );
}
