/** What the client of a drill saw of one call, and of the twins that it sent when an answer was lost. */
export interface Call {
  kind: 'registration' | 'scan';
  /** What the call leaves in the database: the address that only it registers, or its client_uuid. */
  mark: string;
  /** The first answer that was a success: the id of the registration, or the result of the scan. Null: there was none. */
  answer: string | null;
  /** A refusal that ended the call, such as `type_full`. */
  refused: string | null;
}

/** What the database holds afterwards. */
export interface Truth {
  registrations: { id: string; mark: string; type: string; holdsPlace: boolean }[];
  scans: { mark: string; ticket: string; result: string; admitted: boolean }[];
}

export interface Faults {
  /** Answered with success, and not in the database, or not as it was answered. */
  lost: string[];
  /** In the database more than once. */
  doubled: string[];
  /** How many places were given beyond the capacity of a type. */
  oversold: number;
  /** Tickets that were admitted more than once. */
  twice: string[];
}

/** Compares what callers were told with what is stored. `capacities` are those of attendee types, by code. */
export function check(calls: readonly Call[], truth: Truth, capacities: Readonly<Record<string, number>>): Faults {
  const stored = {
    registration: byMark(truth.registrations, ({ id }) => id),
    scan: byMark(truth.scans, ({ result }) => result),
  };
  const lost = calls.filter(({ kind, mark, answer }) => answer !== null && !stored[kind].get(mark)?.includes(answer));
  const doubled = [...stored.registration, ...stored.scan].filter(([, found]) => found.length > 1);
  const admissions = byMark(
    truth.scans.filter(({ admitted }) => admitted).map(({ ticket }) => ({ mark: ticket })),
    ({ mark }) => mark,
  );
  return {
    lost: lost.map(({ mark }) => mark),
    doubled: doubled.map(([mark]) => mark),
    oversold: Object.entries(capacities).reduce((sum, [type, capacity]) => {
      const taken = truth.registrations.filter((one) => one.type === type && one.holdsPlace).length;
      return sum + Math.max(0, taken - capacity);
    }, 0),
    twice: [...admissions].filter(([, found]) => found.length > 1).map(([ticket]) => ticket),
  };
}

function byMark<Row extends { mark: string }>(rows: readonly Row[], what: (row: Row) => string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const row of rows) found.set(row.mark, [...(found.get(row.mark) ?? []), what(row)]);
  return found;
}
