import { type LiveSnapshot, type LiveState, watchLive } from '@turnout/client';
import { useEffect, useState } from 'react';
import { useRefresh } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';

const AGAIN_MS = 5000;

/**
 * The live page of the event. The browser connects again by itself after a lost connection; after a refusal this does, because a server
 * that restarts refuses for a moment. Whoever has lost the right to watch is told so by the event's own operation, which is asked then.
 */
export function useLive(): { snapshot: LiveSnapshot | null; state: LiveState } {
  const { base } = useEvent();
  const refresh = useRefresh();
  const [snapshot, setSnapshot] = useState<LiveSnapshot | null>(null);
  const [state, setState] = useState<LiveState>('connecting');
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is another stream
  useEffect(() => watchLive(base, { shows: setSnapshot, state: setState }), [base, tries]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `refresh` is another function each time and does the same
  useEffect(() => {
    if (state !== 'ended') return;
    void refresh('getEvent');
    const timer = setTimeout(() => setTries((count) => count + 1), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [state, tries]);
  return { snapshot, state };
}
