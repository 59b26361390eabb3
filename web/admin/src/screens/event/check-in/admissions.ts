import { type Admission, instant } from '@turnout/checkin';
import type { CheckIn, CheckInPoint } from '@turnout/client';
import { call } from '../../../frame/api.ts';

/** Every check-in of a person that admitted them and was not undone, oldest first. */
export async function admissionsOf(
  base: { org: string; event: string },
  attendee: string,
  test: boolean,
  signal?: AbortSignal,
): Promise<readonly CheckIn[]> {
  const all: CheckIn[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const query = {
      attendee,
      admitted: true,
      limit: 200,
      ...(test && { test }),
      ...(cursor !== undefined && { cursor }),
    };
    const { data, page } = await call('listCheckIns', { ...base, query }, signal && { signal });
    all.push(...data.filter((one) => one.undone_at === null));
    cursor = page.next_cursor;
  }
  return all.reverse();
}

/** Check-ins as the decision of the door takes them. */
export function asAdmissions(
  checkIns: readonly Pick<CheckIn, 'check_in_point' | 'day' | 'scanned_at'>[],
  points: readonly Pick<CheckInPoint, 'code' | 'kind'>[],
): Admission[] {
  const kinds = new Map(points.map(({ code, kind }) => [code, kind]));
  return checkIns.map(({ check_in_point, day, scanned_at }, seq) => ({
    ...{ check_in_point, day, seq, at: instant(scanned_at), kind: kinds.get(check_in_point) ?? 'entry' },
  }));
}
