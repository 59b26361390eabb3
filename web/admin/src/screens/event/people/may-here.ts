import { useEvent } from '../../../frame/event.tsx';
import { type Organization, useOrganization } from '../../../frame/organization.tsx';

/** What this member may do in this event. In an archived event nobody changes anything. */
export function useMayHere(): Organization['may'] {
  const { may } = useOrganization();
  const { event } = useEvent();
  return (permission) => event.status !== 'archived' && may(permission);
}
