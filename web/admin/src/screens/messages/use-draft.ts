import { useQueryClient } from '@tanstack/react-query';
import { type Communication, newKey, Problem } from '@turnout/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { asking, call, useRefresh } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { type AudienceValues, audienceInput, audienceValues } from './audience.tsx';

export interface MessageValues {
  subject: string;
  text: string;
  kind: Communication['kind'];
  audience: AudienceValues;
}
const valuesOf = (one: Communication | null): MessageValues => ({
  ...{ subject: one?.subject ?? '', text: one?.text ?? '', kind: one?.kind ?? 'service' },
  audience: audienceValues(one?.audience),
});

const PAUSE_MS = 700;

/**
 * A draft that is saved by itself a moment after the last change, so that preview and number of people follow. The first save creates
 * it. `flush` saves at once and answers the id, or null if it could not be saved.
 */
export function useDraftMessage(given: Communication | null, onCreated: (id: string) => void) {
  const { base } = useEvent();
  const client = useQueryClient();
  const refresh = useRefresh();
  const [values, setValues] = useState(() => valuesOf(given));
  const [saved, setSaved] = useState<{ id: string | null; text: string; version: number }>(() => ({
    ...{ id: given?.id ?? null, text: JSON.stringify(valuesOf(given)), version: 0 },
  }));
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const now = JSON.stringify(values);
  const changed = now !== saved.text;
  const complete = values.subject.trim() !== '' && values.text.trim() !== '';
  const state = useRef({ values, saved, now, base, refresh, onCreated });
  state.current = { values, saved, now, base, refresh, onCreated };
  const running = useRef<Promise<string | null> | null>(null);
  // A lost answer must not make a second draft.
  const key = useRef(newKey());

  const flush = useCallback(async (): Promise<string | null> => {
    // One save at a time: a second one begins when the first is over, with what is there then.
    if (running.current !== null) await running.current;
    const { values: sent, saved: before, now: text, base, refresh, onCreated } = state.current;
    if (text === before.text) return before.id;
    const body = { ...sent, audience: audienceInput(sent.audience) };
    const save = async (): Promise<string | null> => {
      setBusy(true);
      setProblem(null);
      try {
        const made =
          before.id === null
            ? await call('createCommunication', { ...base, body }, { key: key.current })
            : await call('changeCommunication', { ...base, communication: before.id, body });
        const next = { id: made.id, text, version: before.version + 1 };
        state.current.saved = next;
        setSaved(next);
        client.setQueryData(asking('getCommunication', { ...base, communication: made.id }).queryKey, made);
        if (before.id === null) onCreated(made.id);
        await refresh('listCommunications');
        return made.id;
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        if (!error.unanswered) key.current = newKey();
        setProblem(error);
        return null;
      } finally {
        setBusy(false);
        running.current = null;
      }
    };
    running.current = save();
    return running.current;
  }, [client]);

  useEffect(() => {
    if (now === saved.text || !complete) return;
    const timer = setTimeout(() => void flush(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [now, saved.text, complete, flush]);

  return {
    values,
    set: (change: Partial<MessageValues>) => {
      // What was wrong may be right now; the next save tells.
      setProblem(null);
      setValues((old) => ({ ...old, ...change }));
    },
    saved,
    changed,
    complete,
    busy,
    problem,
    flush,
  };
}
