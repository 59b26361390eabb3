import type { Day } from '@turnout/client';
import { useFormats } from '@turnout/ui';

/** What a day is called: by its name, or by its date as the language writes it if it has no name of its own. */
export function useDayName(): (day: Pick<Day, 'name' | 'date'>) => string {
  const formats = useFormats();
  return ({ name, date }) => (name === date || name === '' ? formats.date(date) : name);
}
