import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import './sections.css';
import { useFilters } from './use-filters.ts';
import { usePhone } from './use-phone.ts';

export interface SettingsSection {
  /** As it stands in the address, `?part=`; the first one is also there without it. */
  id: string;
  title: string;
  /** A `Section` of the same title, with one form at most. */
  content: ReactNode;
  /** What ends something, such as deleting: a line sets it apart from the others. */
  apart?: boolean;
}

/**
 * Settings in sections: their names in a list at the side, on a phone in a field above, and one of them to be seen. `?part=` in the address
 * says which; a form with changes is asked about before another section is opened.
 */
export function Sections({ label, sections }: { label: string; sections: readonly SettingsSection[] }) {
  const { values, set } = useFilters();
  const phone = usePhone();
  const [first] = sections;
  const shown = sections.find(({ id }) => id === values.part) ?? first;
  if (shown === undefined || first === undefined) return null;
  const partOf = (id: string) => (id === first.id ? undefined : id);
  return (
    <div className="sections">
      {phone ? (
        <select
          className="input"
          aria-label={label}
          value={shown.id}
          onChange={(event) => set({ part: partOf(event.target.value) })}
        >
          {sections.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      ) : (
        <nav aria-label={label}>
          {sections.map(({ id, title, apart }) => (
            <Link
              key={id}
              to="."
              search={(({ part: _before, ...rest }: { part?: string }) => ({ ...rest, part: partOf(id) })) as never}
              activeOptions={{ exact: true, includeSearch: true }}
              {...(id === shown.id && { 'aria-current': 'page' as const })}
              {...(apart && { 'data-apart': '' })}
            >
              {title}
            </Link>
          ))}
        </nav>
      )}
      {/* A key of its own, so that no form goes on with what was typed in another one. */}
      <div className="sections-shown" key={shown.id}>
        {shown.content}
      </div>
    </div>
  );
}
