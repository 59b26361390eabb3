import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, Page, Section, TableShape, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useCall } from '../frame/api.ts';
import { useOrganization } from '../frame/organization.tsx';
import { QueryResult } from '../frame/query-result.tsx';
import { Invitations } from './team/invitations.tsx';
import { Invite } from './team/invite.tsx';
import { Leave } from './team/leave.tsx';
import { Members } from './team/members.tsx';
import { Roles } from './team/roles.tsx';

/** Who works in this organization, and what each of them may do. */
export default function Team() {
  const t = useWords('team');
  const { org, may } = useOrganization();
  const manages = may('tenant.members');
  const { invite } = useSearch({ from: '/$org/team' });
  const navigate = useNavigate();
  // In the address, so that “Invite somebody” can be reached from anywhere.
  const setInviting = (on: boolean) =>
    void navigate({ to: '/$org/team', params: { org }, search: on ? { invite: 'yes' } : {} });
  const roles = (
    <>
      <Section title={t('roles')} lead={t('rolesLead')}>
        <Roles />
      </Section>
      <Leave />
    </>
  );
  return (
    <Page
      title={t('title')}
      actions={
        manages && (
          <Button kind="main" onClick={() => setInviting(true)}>
            {t('invite')}
          </Button>
        )
      }
    >
      {manages ? <Everybody>{roles}</Everybody> : roles}
      {manages && invite !== undefined && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}

/** Members and invitations. What is below them is drawn when their number is known, so that nothing moves. */
function Everybody({ children }: { children: ReactNode }) {
  const { org } = useOrganization();
  const members = useCall('listMembers', { org });
  const invitations = useCall('listInvitations', { org });
  const isWaiting = members.data === undefined || (invitations.data === undefined && invitations.error === null);
  const both = { data: isWaiting ? undefined : true, error: members.error, refetch: members.refetch };
  return (
    <QueryResult query={both} shape={<TableShape rows={4} columns={6} tall />}>
      {() => (
        <>
          <Members />
          <Invitations />
          {children}
        </>
      )}
    </QueryResult>
  );
}
