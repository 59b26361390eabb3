import type { Made } from './at-gate.ts';

export interface OnRecord {
  readonly client_uuid: string;
  readonly attendee_id: string;
  readonly result: string;
  readonly offline_result: string | null;
  readonly admitted: boolean;
}

/** What is wrong with a record of these scans. Each must be on it exactly once, nothing else may be, and nobody may be in twice. */
export function findings(made: readonly Made[], rows: readonly OnRecord[]): string[] {
  const found: string[] = [];
  const scans = new Map(made.map((one) => [one.client_uuid, one]));
  const by = Map.groupBy(rows, ({ client_uuid }) => client_uuid);
  for (const { client_uuid, person, told } of made) {
    const recorded = by.get(client_uuid) ?? [];
    if (recorded.length !== 1) found.push(`${client_uuid} is on record ${recorded.length} times`);
    for (const row of recorded) {
      if (row.attendee_id !== person) found.push(`${client_uuid} is on record for somebody else`);
      if (told?.by === 'server' && told.result !== row.result)
        found.push(`${client_uuid} was told as ${told.result} by the server, but is on record as ${row.result}`);
    }
  }
  for (const { client_uuid } of rows)
    if (!scans.has(client_uuid)) found.push(`${client_uuid} is on record, but nobody made such a scan`);
  const admitted = Map.groupBy(
    rows.filter((row) => row.admitted),
    ({ attendee_id }) => attendee_id,
  );
  for (const [person, several] of admitted)
    if (several.length > 1) found.push(`${person} is on record as admitted ${several.length} times`);
  const online = Map.groupBy(
    made.filter(({ told }) => told?.by === 'server' && told.admitted),
    ({ person }) => person,
  );
  for (const [person, several] of online)
    if (several.length > 1) found.push(`${person} was admitted ${several.length} times by gates that were online`);
  return found;
}

/** The scans by which people were told to come in, of those who were told so more than once. */
export function letInTwice(made: readonly Made[]): Made[] {
  const admitted = made.filter(({ told }) => told?.admitted === true);
  const by = Map.groupBy(admitted, ({ person }) => person);
  return [...by.values()].filter((several) => several.length > 1).flat();
}
