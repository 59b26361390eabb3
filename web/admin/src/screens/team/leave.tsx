import { useNavigate } from '@tanstack/react-router';
import { Button, ConfirmDialog, ProblemNotice, Section, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';

/** Leaves the organization. The account stays. */
export function Leave() {
  const t = useWords('team');
  const { org, organization } = useOrganization();
  const navigate = useNavigate();
  const refresh = useRefresh();
  const [asking, setAsking] = useState(false);
  const leave = useAction(async () => {
    await call('leaveOrganization', { org });
    await refresh('getAccount');
    await navigate({ to: '/' });
  });
  if (organization.sandbox) return null;
  const { name } = organization;
  return (
    <Section title={t('leaveSection')} lead={t('leaveLead')}>
      <div className="buttons">
        <Button kind="danger" onClick={() => setAsking(true)}>
          {t('leave', { name })}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('leaveTitle', { name })}
          action={t('leave', { name })}
          danger
          busy={leave.busy}
          onConfirm={() => void leave.run()}
          onClose={() => setAsking(false)}
        >
          <p>{t('leaveText')}</p>
          <ProblemNotice problem={leave.problem} />
        </ConfirmDialog>
      )}
    </Section>
  );
}
