import type { Attendee } from '@turnout/client';
import { useEffect, useRef } from 'react';

/**
 * What Enter does while people are searched. Nobody is checked in whom the clerk has not seen: an Enter that comes before the answer
 * waits for it, and counts only for a person whom the clerk had picked among those shown, or if exactly one is found.
 */
export function useEnter(
  text: string,
  isCurrent: boolean,
  rows: readonly Attendee[],
  serve: (attendee: Attendee) => void,
): (chosen: Attendee | undefined, isPicked: boolean) => void {
  const waits = useRef<{ text: string; picked: string | undefined } | null>(null);
  useEffect(() => {
    const waiting = waits.current;
    if (waiting === null) return;
    if (waiting.text !== text) waits.current = null;
    else if (isCurrent) {
      waits.current = null;
      const only = rows.length === 1 ? rows[0] : undefined;
      const meant = waiting.picked === undefined ? only : rows.find(({ id }) => id === waiting.picked);
      if (meant !== undefined) serve(meant);
    }
  });
  return (chosen, isPicked) => {
    if (!isCurrent) waits.current = { text, picked: isPicked ? chosen?.id : undefined };
    else if (chosen !== undefined) serve(chosen);
  };
}
