import type { Attendee, ScanResponse } from '@turnout/client';
import { announce } from '@turnout/ui';
import { useEffect, useRef, useState } from 'react';
import { call, useCall } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useOrganization } from '../../../../frame/organization.tsx';
import { useReasonText, useStateText } from '../../../../parts/status.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { nameOf } from '../../people/query.ts';
import { type DeskEntry, decisionOf } from './desk-answer.tsx';
import { hasEnded, pickedAt, steppedTo } from './find.ts';
import { withServed } from './served-list.ts';
import { beep } from './sound.ts';
import type { ScanTarget } from './use-check-in.ts';

/** Who was served at this desk lately, the latest first, and who of them is looked at. */
export function useServed(sound: boolean) {
  const { base } = useEvent();
  const { may } = useOrganization();
  const textOf = useStateText();
  const reasonText = useReasonText();
  const [list, setList] = useState<readonly DeskEntry[]>([]);
  const [open, setOpen] = useState<number | null>(null);
  const serial = useRef(0);
  const openEntry = list.find(({ key }) => key === open);
  const fresh = useCall(
    'getAttendee',
    { ...base, attendee: openEntry?.attendee?.id ?? '-' },
    { enabled: openEntry !== undefined && openEntry.attendee !== null && may('people.read') },
  );
  const add = (one: Omit<DeskEntry, 'key'>) => {
    serial.current += 1;
    const key = serial.current;
    setList((before) => withServed(before, { ...one, key }));
    setOpen(key);
  };
  const answered = async (answer: ScanResponse, target: ScanTarget) => {
    const known = 'attendee' in target ? target.attendee : null;
    const decision = decisionOf(answer, known?.id);
    if (sound) beep(decision.admitted);
    const who = answer.people.find(({ id }) => id === known?.id) ?? answer.person ?? answer.people[0];
    const name = known !== null ? nameOf(known) : who === undefined ? '' : nameOf(who);
    announce([name, textOf('result', decision.result), decision.reason && reasonText(decision.reason)].join('. '));
    const attendee =
      known ??
      (who !== undefined && may('people.read')
        ? await call('getAttendee', { ...base, attendee: who.id }).catch(() => null)
        : null);
    add({ attendee, name, answer });
  };
  const correct = (key: number, corrected: 'overridden' | 'undone') =>
    setList((before) => before.map((one) => (one.key === key ? { ...one, corrected } : one)));
  return {
    ...{ list, add, answered, correct },
    /** Looked at now, as they are now. */
    shown: openEntry && {
      ...openEntry,
      attendee: fresh.data?.id === openEntry.attendee?.id ? (fresh.data ?? null) : openEntry.attendee,
    },
    open: setOpen,
  };
}

/** The text in the field. The address follows it, so that a reload shows the same. */
export function useText(): [text: string, setText: (text: string) => void] {
  const { values, set } = useFilters();
  const [text, setText] = useState(values.search ?? '');
  const written = useRef(values.search ?? '');
  // “Back” and links that lead to this screen with another search.
  useEffect(() => {
    const now = values.search ?? '';
    if (now === written.current) return;
    written.current = now;
    setText(now);
  }, [values.search]);
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text.trim() === written.current) return;
      written.current = text.trim();
      set({ search: text.trim() }, { quietly: true });
    }, 400);
    return () => clearTimeout(timer);
  }, [text, set]);
  return [text, setText];
}

/**
 * The row that is chosen: by arrow keys or a click, else the first. Another text begins at the first again. Of people who share a code, the
 * first is chosen who is not inside yet.
 */
export function useChosen(rows: readonly Attendee[], text: string, shareCode: boolean) {
  const [choice, setChoice] = useState<{ text: string; id: string } | null>(null);
  const picked = pickedAt(rows, choice, text);
  const first = shareCode ? rows.findIndex((one) => !one.checked_in && !hasEnded(one)) : 0;
  const at = picked >= 0 ? picked : Math.max(0, first);
  return {
    chosen: rows[at],
    /** It was chosen by hand, and is not only the first. */
    isPicked: picked >= 0,
    choose: (id: string) => setChoice({ text, id }),
    step: (by: number) => {
      const next = steppedTo(rows, at, by);
      if (next !== undefined) setChoice({ text, id: next.id });
    },
  };
}
