import type { OverviewEvent } from '@turnout/client';
import type { Organization } from '../../frame/organization.tsx';

type Waiting = 'toApprove' | 'unpaid' | 'waitlist';

/** Only what this member can do something about; nobody is approved any more for an event that is over. */
export function waitingTasks(
  event: Pick<OverviewEvent, 'when' | 'to_approve' | 'unpaid' | 'waiting'>,
  may: Organization['may'],
): [Waiting, number][] {
  const isOpen = event.when !== 'past' && may('people.write');
  const kinds: [Waiting, number][] = [
    ['toApprove', isOpen ? event.to_approve : 0],
    ['unpaid', may('money.record') ? event.unpaid : 0],
    ['waitlist', isOpen ? event.waiting : 0],
  ];
  return kinds.filter(([, count]) => count > 0);
}
