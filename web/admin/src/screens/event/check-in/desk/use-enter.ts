import type { Attendee } from '@turnout/client';
import { useEffect, useRef } from 'react';
import { type EarlyEnter, earlyEnterMeans } from './enter.ts';

/** What Enter does while people are searched. One that comes before the answer waits for it. */
export function useEnter(
  text: string,
  isCurrent: boolean,
  rows: readonly Attendee[],
  serve: (attendee: Attendee) => void,
): (chosen: Attendee | undefined, isPicked: boolean) => void {
  const early = useRef<EarlyEnter | null>(null);
  useEffect(() => {
    if (early.current === null) return;
    const meant = earlyEnterMeans(early.current, { text, isCurrent, rows });
    if (meant === 'wait') return;
    early.current = null;
    if (meant !== 'nobody') serve(meant);
  });
  return (chosen, isPicked) => {
    if (!isCurrent) early.current = { text, picked: isPicked ? chosen?.id : undefined };
    else if (chosen !== undefined) serve(chosen);
  };
}
