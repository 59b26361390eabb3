import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useOrganization } from '../../frame/organization.tsx';

/**
 * Opens an event after a form was sent. It waits until the form counts as saved; otherwise the frame would ask whether to leave it.
 */
export function useOpenEvent(to: '/$org/events/$event' | '/$org/events/$event/settings', replace = false) {
  const { org } = useOrganization();
  const navigate = useNavigate();
  const [event, setEvent] = useState<string | null>(null);
  useEffect(() => {
    if (event !== null) void navigate({ to, params: { org, event }, replace });
  }, [event, navigate, org, to, replace]);
  return setEvent;
}
