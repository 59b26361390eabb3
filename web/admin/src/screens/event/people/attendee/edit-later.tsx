import { FormShape } from '@turnout/ui';
import { useEffect } from 'react';
import { later } from '../../../../parts/later.tsx';

// Most who open a person's page want to look. What is changed there is loaded once the page is drawn.
const edit = later(async () => (await import('./edit-person.tsx')).EditPerson, <FormShape />);
const booked = later(async () => (await import('../booked/change-booked.tsx')).ChangeBooked);

export const EditPerson = edit.Part;
export const ChangeBooked = booked.Part;

/** For a screen from which something can be changed: it is there when somebody wants it. */
export const useEditSoon = (): void =>
  useEffect(() => {
    // If it cannot be loaded now, it is tried again when it is needed.
    Promise.all([edit.load(), booked.load()]).catch(() => undefined);
  }, []);
