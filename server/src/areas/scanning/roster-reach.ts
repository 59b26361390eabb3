import type { Mode } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';

/** Which roster: of the whole event, or of a group and the groups below it; with the admissions of one mode. */
export interface RosterReach {
  org: Id;
  event: Id;
  group: Id | null;
  mode: Mode;
}
