import type { Attendee } from '@turnout/client';
import { useCallback, useState } from 'react';
import { useEvent } from '../../../../frame/event.tsx';
import { admissionsOf } from '../admissions.ts';
import type { Repeated } from './repeated-admission.ts';

/** Finds out whether checking somebody in would only repeat an admission, for those who were admitted somewhere before. */
export function useRepeated(point: string | null) {
  const { base, timezone, days, types, points } = useEvent();
  const [found, setFound] = useState<(Repeated & { attendee: string }) | null>(null);
  /** Answers whether it would. Where that cannot be found out, the door decides. */
  const look = async (attendee: Attendee): Promise<boolean> => {
    setFound(null);
    if (point === null || !attendee.checked_in) return false;
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
  return { look, found, clear: useCallback(() => setFound(null), []) };
}
