import { useNavigate } from '@tanstack/react-router';
import { Button, EmptyState, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';

/** What belongs here, and the first step. */
export function Empty() {
  const t = useWords('home');
  const { org, may } = useOrganization();
  const navigate = useNavigate();
  const mayCreate = may('events.write');
  return (
    <EmptyState
      title={t('emptyTitle')}
      action={
        mayCreate && (
          <Button kind="main" onClick={() => void navigate({ to: '/$org/events/new', params: { org } })}>
            {t('create')}
          </Button>
        )
      }
    >
      {t('emptyText')} {!mayCreate && t('emptyAsk')}
    </EmptyState>
  );
}
