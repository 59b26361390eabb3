import type { Attendee, ScanResponse } from '@turnout/client';
import { useCallback, useRef, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { admissionsOf } from '../admissions.ts';
import type { Repeated } from './repeated-admission.ts';

/** Finds out whether checking somebody in would only repeat an admission, for those who were admitted somewhere before. */
export function useRepeated(point: string | null) {
  const { base, timezone, days, types, points } = useEvent();
  const [found, setFound] = useState<(Repeated & { attendee: string }) | null>(null);
  // Whoever was admitted here a moment ago may still stand in the list as it was before.
  const admitted = useRef(new Set<string>());
  const note = ({ people }: ScanResponse) => {
    for (const one of people) if (one.admitted) admitted.current.add(one.id);
  };
  /** Answers whether it would. Where that cannot be found out, the door decides. */
  const look = async (attendee: Attendee): Promise<boolean> => {
    setFound(null);
    if (point === null || !(attendee.checked_in || admitted.current.has(attendee.id))) return false;
    try {
      const [checkIns, { repeatedAdmission }] = await Promise.all([
        admissionsOf(base, attendee.id, attendee.test),
        // The rules of the door are loaded when they are needed for the first time.
        import('./repeated-admission.ts'),
      ]);
      const now = new Date().toISOString();
      const repeated = repeatedAdmission({ timezone, days, types, points }, attendee, { point, checkIns, now });
      setFound(repeated && { ...repeated, attendee: attendee.id });
      return repeated !== null;
    } catch {
      return false;
    }
  };
  return { look, note, found, clear: useCallback(() => setFound(null), []) };
}
