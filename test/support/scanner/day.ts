import { type Fault, PASS } from './gate.ts';
import type { Made, Ticket } from './at-gate.ts';

/** What a network is like for a while. */
export type Weather =
  | 'fine'
  /** Nothing arrives. */
  | 'drop'
  /** Everything arrives, half a minute late. By then nobody waits for the answer. */
  | 'stall'
  /** Something in between says 503. */
  | 'down'
  /** Everything is answered by the page of a network that wants people to sign in. */
  | 'portal'
  /** Everything arrives, but no answer comes back. */
  | 'lost'
  /** Any of these, by chance. */
  | 'flaky';

const STALL_MS = 30_000;
const FAULTS: Record<Exclude<Weather, 'flaky'>, Fault> = {
  fine: PASS,
  drop: { do: 'drop' },
  stall: { do: 'delay', ms: STALL_MS },
  down: {
    do: 'answer',
    status: 503,
    type: 'application/json',
    body: '{"error":{"code":"unavailable","message":"Try again later."}}',
  },
  portal: { do: 'answer', status: 200, type: 'text/html', body: '<h1>Welcome. Please sign in to our network.</h1>' },
  lost: { do: 'lose answer' },
};
const CHANCES: readonly (keyof typeof FAULTS)[] = ['fine', 'fine', 'fine', 'drop', 'down', 'portal', 'lost'];

/** `stalled` hears when the last of what is stalled will have arrived. */
export function faultIn(weather: Weather, random: () => number, stalled: (until: number) => void): () => Fault {
  if (weather === 'flaky') return () => FAULTS[CHANCES[Math.floor(random() * CHANCES.length)]!];
  return () => {
    if (weather === 'stall') stalled(Date.now() + STALL_MS);
    return FAULTS[weather];
  };
}

/** The same numbers for the same seed, evenly between 0 and 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Who comes to which gate, in which order. Every ticket comes to one gate, and `twice` of them to a second one at about the same time.
 * All gates have about the same number of scans.
 */
export function crowd(tickets: readonly Ticket[], gates: number, twice: number, random: () => number): Ticket[][] {
  const at = Array.from({ length: gates }, (): Ticket[] => []);
  const order = tickets.map((ticket) => ({ ticket, by: random() })).sort((a, b) => a.by - b.by);
  const every = tickets.length / twice;
  let second = 0;
  for (const [i, { ticket }] of order.entries()) {
    const first = i % gates;
    at[first]!.push(ticket);
    if (i % every >= 1) continue;
    // Each gate in turn gets a ticket of another one, now of its neighbour, now of the one across.
    at[(first + 1 + (second % (gates - 1))) % gates]!.push(ticket);
    second += 1;
  }
  return at;
}

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
