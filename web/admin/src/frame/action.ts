import { newKey, Problem } from '@turnout/client';
import { useCallback, useRef, useState } from 'react';

/**
 * Something a button does: `const revoke = useAction(async (id: string, key) => call('revokeKey', …))`. A second click while it runs
 * does nothing, and a try after a lost connection sends the same `Idempotency-Key`.
 */
export function useAction<Args extends readonly unknown[], R>(
  work: (...args: [...Args, options: { key: string }]) => Promise<R>,
) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const running = useRef(false);
  const lastKey = useRef<{ key: string; input: string } | null>(null);
  const latest = useRef(work);
  latest.current = work;
  const run = useCallback(async (...args: Args): Promise<R | undefined> => {
    if (running.current) return undefined;
    const input = JSON.stringify(args);
    if (lastKey.current?.input !== input) lastKey.current = { key: newKey(), input };
    running.current = true;
    setBusy(true);
    setProblem(null);
    try {
      const reply = await latest.current(...args, { key: lastKey.current.key });
      lastKey.current = null;
      return reply;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.unanswered && error.status < 500) lastKey.current = null;
      setProblem(error);
      return undefined;
    } finally {
      running.current = false;
      setBusy(false);
    }
  }, []);
  const clear = useCallback(() => setProblem(null), []);
  // `busy` is what is drawn; this is true from the moment it begins.
  const isRunning = useCallback(() => running.current, []);
  return { run, busy, problem, clear, isRunning };
}
