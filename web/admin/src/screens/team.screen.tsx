import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, Page, Section, useWords } from '@turnout/ui';
import { useOrganization } from '../frame/organization.tsx';
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
      {manages && <Members />}
      {manages && <Invitations />}
      <Section title={t('roles')} lead={t('rolesLead')}>
        <Roles />
      </Section>
      <Leave />
      {manages && invite !== undefined && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}
