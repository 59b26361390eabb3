import { type Holder, standingOf } from '../../road/for-areas/holder.ts';
import type { Tx } from '../../store/tx.ts';
import type { RosterReach } from './roster-reach.ts';

/** Whether the holder of a link to a roster may still read it. */
export async function mayStillRead(tx: Tx, { org, event, group }: RosterReach, holder: Holder | undefined) {
  const now = await standingOf(tx, org, holder);
  switch (now?.kind) {
    case 'key':
      return true;
    case 'device':
      return now.event === event && now.group === group;
    case 'member':
      return now.group === group && now.permissions.includes('door.scan');
    default:
      return false;
  }
}
