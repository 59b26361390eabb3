import { useFormats } from '@turnout/ui';
import { useEffect, useState } from 'react';

const secondsUntil = (until: number | null): number =>
  until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000));

/** Seconds until a moment (in milliseconds), counted down; 0 when it is over or there is none. */
export function useSecondsUntil(until: number | null): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until));
  useEffect(() => {
    setSeconds(secondsUntil(until));
    if (secondsUntil(until) === 0) return;
    const timer = setInterval(() => {
      setSeconds(secondsUntil(until));
      if (secondsUntil(until) === 0) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [until]);
  return seconds;
}

/** `45 seconds`, and from two minutes on `3 minutes`. */
export function useLength(): (seconds: number) => string {
  const formats = useFormats();
  return (seconds) => {
    const unit = seconds < 120 ? 'second' : 'minute';
    const value = unit === 'second' ? seconds : Math.ceil(seconds / 60);
    return formats.number(value, { style: 'unit', unit, unitDisplay: 'long' });
  };
}
