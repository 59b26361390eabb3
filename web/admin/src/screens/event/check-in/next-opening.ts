import { instant, opensNext } from '@turnout/checkin';
import { type Parts, worldOf } from './points/simulate.ts';

/** When a check-in point opens next after a scan there; null if it does not, or if the point is gone. */
export function nextOpening(
  event: Omit<Parts, 'groups' | 'products'>,
  point: string,
  scannedAt: string,
): string | null {
  const points = event.points
    .filter(({ code }) => code === point)
    .map((one) => ({ ...one, policy: { ...one.policy, groups: null, requires: null, leaves: null } }));
  if (points.length === 0) return null;
  const opens = opensNext(worldOf({ ...event, points, groups: [], products: [] }), point, instant(scannedAt));
  return opens === null ? null : new Date(opens).toISOString();
}
