import type { Removed } from '@turnout/contract';
import { toUlid } from '../../common/ids.ts';
import { sixDecimals } from '../../store/stamps.ts';

/** A row of a list for something that is not in it any more. */
export interface RemovedRow {
  id: string;
  updated_at: string;
  removed: true;
}

export const isRemoved = (row: unknown): row is RemovedRow => (row as Partial<RemovedRow>).removed === true;

export const removedShape = ({ id, updated_at }: RemovedRow): Removed => ({
  id: toUlid(id),
  removed: true,
  updated_at: sixDecimals(updated_at),
});
