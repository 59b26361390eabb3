import type { Moment } from '@turnout/words';
import { useEffect, useState } from 'react';
import { useFormats } from './words.tsx';

/** How long ago, kept up to date; the exact time is shown when one points at it. */
export function Ago({ at }: { at: Moment }) {
  const formats = useFormats();
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => tick((count) => count + 1), 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={new Date(at).toISOString()} title={formats.dateTime(at)}>
      {formats.relative(at)}
    </time>
  );
}

/** A date and time, in a time zone if one is named, else in the viewer's. */
export function Time({ at, timeZone }: { at: Moment; timeZone?: string }) {
  const formats = useFormats();
  return <time dateTime={new Date(at).toISOString()}>{formats.dateTime(at, timeZone)}</time>;
}
