import { FormShape } from '@turnout/ui';
import { useEffect } from 'react';
import { later } from '../../../../parts/later.tsx';

// The desk finds people first. Its forms are loaded once it is drawn, long before somebody presses a key for one.
const walkIn = later(async () => (await import('./walk-in.tsx')).WalkIn, <FormShape />);
const edit = later(async () => (await import('../../people/attendee/edit-person.tsx')).EditPerson, <FormShape />);

export const WalkIn = walkIn.Part;
export const EditPerson = edit.Part;

/** For the desk: when somebody wants a form, it is there. */
export const useFormsSoon = (): void =>
  useEffect(() => {
    // If one cannot be loaded now, it is tried again when it is needed.
    Promise.all([walkIn.load(), edit.load()]).catch(() => undefined);
  }, []);
