import type { ReactNode } from 'react';

/** The totals of a report, in one row. */
export const Totals = ({
  label,
  facts,
}: {
  label: string;
  facts: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <dl className="report-totals" aria-label={label}>
    {facts.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd className="number">{value}</dd>
      </div>
    ))}
  </dl>
);
