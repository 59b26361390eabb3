import type { RosterClient } from '../roster/client.ts';
import type { Db } from '../store/db.ts';
import type { EventRow, Mode } from '../store/rows.ts';
import type { Board } from './board.ts';
import type { Outcome } from './calls.ts';
import type { Clock, DeviceTime } from './clock.ts';
import { heardIn } from './link.ts';
import type { Queue } from './queue.ts';
import type { Disagreement } from './types.ts';

/** What the parts of an engine share, without those that are made of it. */
export interface SharedParts {
  readonly event: EventRow;
  readonly db: Db;
  readonly clock: Clock;
  readonly alarm: DeviceTime['alarm'];
  readonly board: Board;
  readonly queue: Queue;
  readonly roster: RosterClient;
  /** Numbers scans in the order in which they are made. */
  next(): number;
  mode: Mode;
  disagreed(one: Disagreement): void;
}

export const eventPath = ({ event }: SharedParts): string => `/events/${event.event.id}`;

/** Notes what an outcome tells about the connection. */
export function note(
  board: Board,
  outcome: Outcome<unknown>,
  about: 'event' | 'device' | 'thing',
  scanning = false,
): void {
  if (outcome.kind === 'none') board.heard({ what: 'unanswered' });
  else if (outcome.kind === 'refused') {
    board.heard(heardIn(outcome.refusal, about) ?? { what: 'answered', scanning: false });
  } else board.heard({ what: 'answered', scanning });
}
