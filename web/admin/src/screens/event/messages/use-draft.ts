import { useQueryClient } from '@tanstack/react-query';
import { type Communication, newKey, Problem } from '@turnout/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call, queryOf, useRefresh } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { changesIn, clashesOf, differing } from '../../../parts/changes.ts';
import { overNewest } from '../../../parts/over-newest.ts';
import { afterSave, type MessageValues, messageInput, messageValues, only } from './draft-values.ts';

const PAUSE_MS = 700;

interface SavedDraft {
  id: string | null;
  /** What the fields said when it was saved. */
  savedValues: MessageValues;
  /** What the server is known to have. It may write the same in another way. */
  known: MessageValues;
  /** Since when the server has it. */
  at: string;
  version: number;
}
/** Fields that somebody else changed as well. Nothing is saved until it is decided whose stay. */
export interface DraftClash {
  names: readonly (keyof MessageValues)[];
  theirs: Communication;
}

const begin = (given: Communication | null): SavedDraft => {
  const values = messageValues(given);
  return { id: given?.id ?? null, at: given?.updated_at ?? '', savedValues: values, known: values, version: 0 };
};

/**
 * A draft that is saved by itself a moment after the last change, so that preview and number of people follow. The first save creates
 * it; later ones send only what was changed. `flush` saves at once and answers the id, or null if it could not be saved.
 */
export function useDraftMessage(draft: Communication | null, onCreated: (id: string) => void) {
  const { base } = useEvent();
  const client = useQueryClient();
  const refresh = useRefresh();
  const [values, setValues] = useState(() => messageValues(draft));
  const [saved, setSaved] = useState(() => begin(draft));
  const [clash, setClash] = useState<DraftClash | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  const changed = differing(saved.savedValues, values).length > 0;
  const complete = values.subject.trim() !== '' && values.text.trim() !== '';
  const state = useRef({ values, saved, base, refresh, onCreated });
  state.current = { values, saved, base, refresh, onCreated };
  const running = useRef<Promise<string | null> | null>(null);
  /** What others have set, as JSON by field, where this person decided to keep their own. */
  const knownClashes = useRef<ReadonlyMap<string, string>>(new Map());
  // A lost answer must not make a second draft.
  const key = useRef(newKey());

  const goOn = useCallback((next: { values: MessageValues } & Omit<SavedDraft, 'version'>) => {
    const { values: typed, ...rest } = next;
    const now = { ...rest, version: state.current.saved.version + 1 };
    Object.assign(state.current, { values: typed, saved: now });
    setValues(typed);
    setSaved(now);
  }, []);

  const flush = useCallback(async (): Promise<string | null> => {
    // One save at a time: a second one begins when the first is over, with what is there then.
    if (running.current !== null) await running.current;
    const { values: sent, saved: before, base, refresh, onCreated } = state.current;
    const change = changesIn(before.savedValues, sent);
    const names = Object.keys(change) as (keyof MessageValues)[];
    if (names.length === 0) return before.id;
    const write = async (): Promise<Communication | null> => {
      if (before.id === null)
        return call('createCommunication', { ...base, body: messageInput(sent) }, { key: key.current });
      const at = { ...base, communication: before.id };
      return overNewest(
        () => call('getCommunication', at),
        async (theirs, options) => {
          const clashing = clashesOf(before.known, change, messageValues(theirs), knownClashes.current);
          setClash(clashing.length === 0 ? null : { names: clashing, theirs });
          return clashing.length > 0
            ? null
            : call('changeCommunication', { ...at, body: messageInput(change) }, options);
        },
      );
    };
    const save = async (): Promise<string | null> => {
      setBusy(true);
      setProblem(null);
      try {
        const made = await write();
        if (made === null) return null;
        knownClashes.current = new Map();
        const typed = state.current.values;
        goOn({ id: made.id, at: made.updated_at, ...afterSave(before.known, sent, names, typed, messageValues(made)) });
        client.setQueryData(queryOf('getCommunication', { ...base, communication: made.id }).queryKey, made);
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
  }, [client, goOn]);

  useEffect(() => {
    if (differing(saved.savedValues, values).length === 0 || !complete || clash !== null) return;
    const timer = setTimeout(() => void flush(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [values, saved, complete, clash, flush]);

  // While nothing is typed here, what others write appears by itself.
  useEffect(() => {
    const { saved: before, values: typed } = state.current;
    if (draft === null || draft.updated_at <= before.at || running.current !== null) return;
    if (differing(before.savedValues, typed).length > 0) return;
    const newest = messageValues(draft);
    goOn({ id: draft.id, at: draft.updated_at, values: newest, savedValues: newest, known: newest });
  }, [draft, goOn]);

  return {
    values,
    set: (change: Partial<MessageValues>) => {
      // What was wrong may be right now; the next save tells.
      setProblem(null);
      setValues((old) => ({ ...old, ...change }));
    },
    ...{ saved, changed, complete, busy, problem, flush, clash },
    /** Puts what was typed here in the place of what somebody else wrote. */
    keepMine: ({ names, theirs }: DraftClash) => {
      const now = messageValues(theirs);
      knownClashes.current = new Map(names.map((name) => [name, JSON.stringify(now[name])]));
      void flush();
    },
    takeTheirs: ({ names, theirs }: DraftClash) => {
      const taken = only(messageValues(theirs), names);
      const { values: typed, saved: before } = state.current;
      goOn({
        ...{ id: before.id, at: theirs.updated_at, values: { ...typed, ...taken } },
        ...{ savedValues: { ...before.savedValues, ...taken }, known: { ...before.known, ...taken } },
      });
      setClash(null);
    },
  };
}
