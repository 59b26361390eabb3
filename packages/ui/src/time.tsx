import type { Moment } from '@turnout/words';
import { useSyncExternalStore } from 'react';
import { useFormats } from './words.tsx';

const listeners = new Set<() => void>();
let beats = 0;
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all: a table has dozens of times, and they change together. */
function listen(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    beats += 1;
    for (const one of listeners) one();
  }, 30_000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** How long ago, kept up to date; the exact time is shown when one points at it. */
export function Ago({ at }: { at: Moment }) {
  const formats = useFormats();
  useSyncExternalStore(listen, () => beats);
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
