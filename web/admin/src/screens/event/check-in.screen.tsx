import { Navigate } from '@tanstack/react-router';
import { useEvent } from '../../frame/event.tsx';
import { sectionsFor } from '../../frame/event-sections.ts';
import { useOrganization } from '../../frame/organization.tsx';

/** Goes on to the first screen of check-in that this member is offered. */
export default function CheckIn() {
  const { base } = useEvent();
  const { may } = useOrganization();
  const first = sectionsFor(may).find(({ id }) => id === 'checkIn')!.screens[0]!;
  return <Navigate to={first.to} params={base} replace />;
}
