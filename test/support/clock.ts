import { MovedClock } from '../../server/src/clock.ts';

/**
 * Starts at noon UTC today and runs on from there. For tests whose event takes place "today": with the machine's clock, that
 * day could end between two of their calls.
 */
export function noonClock(): MovedClock {
  const clock = new MovedClock();
  clock.jump(`${clock.now().toISOString().slice(0, 10)}T12:00:00Z`);
  return clock;
}
