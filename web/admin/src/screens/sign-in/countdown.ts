import { useFormats } from '@turnout/ui';
import { useEffect, useState } from 'react';

/** Seconds until a moment (in milliseconds), counted down; 0 when it is over or there is none. */
export function useSecondsUntil(until: number | null): number {
  const left = () => (until === null ? 0 : Math.max(0, Math.ceil((until - Date.now()) / 1000)));
  const [seconds, setSeconds] = useState(left);
  useEffect(() => {
    setSeconds(left());
    if (until === null || left() === 0) return;
    const timer = setInterval(() => {
      setSeconds(left());
      if (left() === 0) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
    // biome-ignore lint/correctness/useExhaustiveDependencies: `left` reads only `until`
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
