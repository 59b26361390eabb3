import type { Invitation, InvitationMade } from '@turnout/client';
import { Badge, Button, ProblemNotice, Section, Table, Time, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { InvitationLink } from './invite.tsx';
import './team.css';

/** Those who were invited and have not come yet. Nothing is shown if there are none. */
export function Invitations() {
  const t = useWords('team');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const invitations = useCall('listInvitations', { org });
  const [sentInvitation, setSentInvitation] = useState<InvitationMade | null>(null);
  const again = useAction(async (invitation: string, { key }: { key: string }) => {
    setSentInvitation(await call('sendInvitation', { org, invitation }, { key }));
    await refresh('listInvitations');
  });
  const withdraw = useAction(async (invitation: string, email: string, _options: { key: string }) => {
    await call('withdrawInvitation', { org, invitation });
    toast(t('withdrawn', { email }), 'good');
    await refresh('listInvitations');
  });
  const buttons = ({ id, email }: Invitation) => (
    <span className="buttons invitation-buttons">
      <Button
        size="small"
        busy={again.busy}
        aria-label={t('sendAgainTo', { email })}
        onClick={() => void again.run(id)}
      >
        {t('sendAgain')}
      </Button>
      <Button
        size="small"
        kind="quiet"
        busy={withdraw.busy}
        aria-label={t('withdrawFrom', { email })}
        onClick={() => void withdraw.run(id, email)}
      >
        {t('withdraw')}
      </Button>
    </span>
  );
  if (invitations.data?.data.length === 0 && sentInvitation === null) return null;
  return (
    <Section title={t('invitations')}>
      <ProblemNotice problem={again.problem ?? withdraw.problem} />
      <QueryResult query={invitations} lines={2}>
        {({ data }) => (
          <Table
            label={t('invitations')}
            rows={data}
            keyOf={(one) => one.id}
            columns={[
              { id: 'email', head: t('email'), cell: (one) => one.email },
              { id: 'role', head: t('role'), cell: (one) => t(`role.${one.role}`) },
              { id: 'by', head: t('invitedBy'), cell: (one) => one.invited_by ?? t('operator') },
              {
                id: 'until',
                head: t('validUntil'),
                cell: (one) =>
                  one.state === 'expired' ? <Badge tone="warn">{t('expired')}</Badge> : <Time at={one.expires_at} />,
              },
              { id: t('actions'), head: '', align: 'end', cell: buttons },
            ]}
          />
        )}
      </QueryResult>
      {sentInvitation !== null && (
        <InvitationLink invitation={sentInvitation} onClose={() => setSentInvitation(null)} />
      )}
    </Section>
  );
}
