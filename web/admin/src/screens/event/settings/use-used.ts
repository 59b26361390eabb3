import { HOLDING_PLACES } from '@turnout/contract/registration-states';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';

/**
 * Whether somebody is registered already, so that a change has consequences for them, and how many places are taken. Without the right
 * to see people, an event that was published counts as used.
 */
export function useUsed(): { used: boolean; takenPlaces: number } {
  const { event, base } = useEvent();
  const { may } = useOrganization();
  const { data } = useCall('getEventSummary', base, { enabled: may('people.read') });
  if (data === undefined) return { used: event.status !== 'draft', takenPlaces: 0 };
  const { people } = data;
  return {
    used: Object.values(people).some((count) => count > 0),
    takenPlaces: HOLDING_PLACES.reduce((sum, status) => sum + people[status], 0),
  };
}
