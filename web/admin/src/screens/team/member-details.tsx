import { Link } from '@tanstack/react-router';
import type { Member } from '@turnout/client';
import { Ago, Badge, Dialog, Facts, Time, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../../parts/audit/history.tsx';

/** A member, and who changed what about them. */
export function MemberDetails({ member, onClose }: { member: Member; onClose: () => void }) {
  const t = useWords('team');
  const { org, may } = useOrganization();
  return (
    <Dialog title={member.name} onClose={onClose} wide>
      <Facts
        facts={[
          [t('email'), member.email],
          [t('role'), t(`role.${member.role}`)],
          [t('group'), member.group ?? t('all')],
          [
            t('secondFactor'),
            <Badge key="factor" tone={member.second_factor ? 'good' : 'warn'}>
              {t(member.second_factor ? 'set' : 'notSet')}
            </Badge>,
          ],
          [t('lastSeen'), member.last_seen_at === null ? t('never') : <Ago key="seen" at={member.last_seen_at} />],
          [t('since'), <Time key="since" at={member.created_at} />],
        ]}
      />
      {may('tenant.audit') && (
        <p>
          <Link to="/$org/developers/audit" params={{ org }} search={{ actor: member.id }}>
            {t('didWhat', { name: member.name })}
          </Link>
        </p>
      )}
      <History object={member.id} />
    </Dialog>
  );
}
