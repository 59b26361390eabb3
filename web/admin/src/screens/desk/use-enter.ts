import type { Attendee } from '@turnout/client';
import { useEffect, useRef } from 'react';

/**
 * What Enter does while people are searched. Nobody is checked in whom the clerk has not seen: an Enter that comes before the answer
 * waits for it, and counts only if exactly one person is found.
 */
export function useEnter(
  text: string,
  isCurrent: boolean,
  rows: readonly Attendee[],
  serve: (attendee: Attendee) => void,
): (chosen: Attendee | undefined) => void {
  const waitsFor = useRef<string | null>(null);
  useEffect(() => {
    if (waitsFor.current === null) return;
    if (waitsFor.current !== text) waitsFor.current = null;
    else if (isCurrent) {
      waitsFor.current = null;
      if (rows.length === 1) serve(rows[0]!);
    }
  });
  return (chosen) => {
    if (!isCurrent) waitsFor.current = text;
    else if (chosen !== undefined) serve(chosen);
  };
}
