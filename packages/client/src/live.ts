import type { LiveChange, LiveSnapshot } from '@turnout/contract';
import { applyLive } from '@turnout/contract/live';

export type { LiveSnapshot } from '@turnout/contract';

/**
 * `connecting`: nothing was received yet. `live`: what is shown is at most a few seconds old. `lost`: the connection broke, and the
 * browser tries again by itself. `ended`: the server refused; whoever wants to know why calls an operation and shows its refusal.
 */
export type LiveState = 'connecting' | 'live' | 'lost' | 'ended';

export interface LiveListener {
  shows: (snapshot: LiveSnapshot) => void;
  state?: (state: LiveState) => void;
}

/** What is needed of the browser's `EventSource`; tests replace it. */
export interface LiveSource {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: unknown }) => void): void;
  close(): void;
}

const CLOSED = 2;
const open = (url: string): LiveSource => new EventSource(url) as LiveSource;

/** The address of an event's live stream. */
export const liveAddress = (org: string, event: string): string =>
  `/app/api/${encodeURIComponent(org)}/events/${encodeURIComponent(event)}/live`;

/** Watches an event: `shows` gets the whole page at once and after every change. Returns the function that ends it. */
export function watchLive(
  { org, event }: { org: string; event: string },
  { shows, state = () => {} }: LiveListener,
  source: (url: string) => LiveSource = open,
): () => void {
  let snapshot: LiveSnapshot | null = null;
  const stream = source(liveAddress(org, event));
  const take = (next: LiveSnapshot) => {
    snapshot = next;
    state('live');
    shows(next);
  };
  state('connecting');
  stream.addEventListener('snapshot', ({ data }) => take(JSON.parse(String(data)) as LiveSnapshot));
  stream.addEventListener('change', ({ data }) => {
    // A change without a snapshot before it cannot be understood; the next connection begins with one.
    if (snapshot !== null) take(applyLive(snapshot, JSON.parse(String(data)) as LiveChange));
  });
  stream.addEventListener('error', () => {
    snapshot = null;
    state(stream.readyState === CLOSED ? 'ended' : 'lost');
  });
  return () => stream.close();
}
