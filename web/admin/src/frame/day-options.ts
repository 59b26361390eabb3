import type { Day } from '@turnout/client';
import type { Formats } from '@turnout/words';

type NamedDay = Pick<Day, 'code' | 'name' | 'date'>;

/** What a day is called: by its name, or by its date as the language writes it if it has no name of its own. */
export const dayName = ({ name, date }: Omit<NamedDay, 'code'>, formats: Formats): string =>
  name === date ? formats.date(date) : name;

/** The days to choose from. Two names such as “Opening” and “Gala” do not say which comes first, so the date stands beside a name. */
export const dayOptions = (days: readonly NamedDay[], formats: Formats): { value: string; label: string }[] =>
  days.map(({ code, name, date }) => ({
    value: code,
    label: name === date ? formats.date(date) : `${name} (${formats.date(date)})`,
  }));
