import type { Attendee } from '@turnout/client';
import { useState } from 'react';
import { call } from '../../../../frame/api.ts';
import { useEvent } from '../../../../frame/event.tsx';
import { useFilters } from '../../../../parts/use-filters.ts';
import { nameOf } from '../../people/query.ts';
import type { Mode } from './panel.tsx';
import type { Finding } from './use-finding.ts';
import { useUnsavedHere } from './use-hands.ts';

/** The forms of the desk: which one is open and for whom. What was typed is not lost without a question. */
export function useForms({ isFinding, setText }: Finding, focusField: () => void, mayWrite: boolean) {
  const { base } = useEvent();
  const { values, set } = useFilters();
  // The scanner hands somebody without a ticket over to the desk by such an address.
  const [mode, setMode] = useState<Mode>(mayWrite && values.add === 'true' ? 'walk-in' : 'find');
  /** Whom a form is open for. The list may change below it, and must not take it away. */
  const [fixing, setFixing] = useState<Attendee | undefined>(undefined);
  const [leaving, setLeaving] = useState(false);
  const unsaved = useUnsavedHere();
  const close = () => {
    setMode('find');
    if (values.add !== undefined) set({ add: undefined }, { quietly: true });
    setLeaving(false);
    focusField();
  };
  return {
    ...{ mode, fixing, leaving, close },
    tellUnsaved: unsaved.tell,
    addWalkIn: () => setMode('walk-in'),
    fix: (attendee: Attendee) => {
      setFixing(attendee);
      setMode('fix');
    },
    fixed: async () => {
      close();
      const now = fixing && (await call('getAttendee', { ...base, attendee: fixing.id }).catch(() => undefined));
      // Whoever was found by a name that was wrong is found by the right one from now on.
      if (isFinding && now !== undefined && fixing !== undefined && nameOf(now) !== nameOf(fixing))
        setText(nameOf(now));
    },
    /** Escape: asks first if something was typed. */
    leave: () => (unsaved.isChanged() ? setLeaving(true) : close()),
    stay: () => setLeaving(false),
  };
}
