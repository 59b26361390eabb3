import { useNavigate } from '@tanstack/react-router';
import { Button, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';

/** The one strong button of Home, for those who may use it. */
export function CreateEvent() {
  const t = useWords('home');
  const { org, may } = useOrganization();
  const navigate = useNavigate();
  if (!may('events.write')) return null;
  return (
    <Button kind="main" onClick={() => void navigate({ to: '/$org/events/new', params: { org } })}>
      {t('create')}
    </Button>
  );
}
