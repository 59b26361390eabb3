import { type Fault, PASS } from './gate.ts';

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
