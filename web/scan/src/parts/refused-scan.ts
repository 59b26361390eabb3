import type { NotRecorded } from '../engine/types.ts';

/** The code under which the texts say why a scan was not recorded. The server calls a point that was deleted a mistake in the request. */
export const reasonOf = ({ code, point }: Pick<NotRecorded, 'code' | 'point'>, points: readonly string[]): string =>
  code === 'validation_failed' && !points.includes(point) ? 'not_found' : code;
