import { Link } from '@tanstack/react-router';
import type { Member } from '@turnout/client';
import { Ago, Badge, Dialog, Facts, Time, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../audit/history.tsx';

/** A member, and who changed what about them. */
export function MemberDetails({ of, onClose }: { of: Member; onClose: () => void }) {
  const t = useWords('team');
  const { org, may } = useOrganization();
  return (
    <Dialog title={of.name} onClose={onClose} wide>
      <Facts
        of={[
          [t('email'), of.email],
          [t('role'), t(`role.${of.role}`)],
          [t('group'), of.group ?? t('all')],
          [
            t('secondFactor'),
            <Badge key="factor" tone={of.second_factor ? 'good' : 'warn'}>
              {t(of.second_factor ? 'set' : 'notSet')}
            </Badge>,
          ],
          [t('lastSeen'), of.last_seen_at === null ? t('never') : <Ago key="seen" at={of.last_seen_at} />],
          [t('since'), <Time key="since" at={of.created_at} />],
        ]}
      />
      {may('tenant.audit') && (
        <p>
          <Link to="/$org/developers/audit" params={{ org }} search={{ actor: of.id }}>
            {t('didWhat', { name: of.name })}
          </Link>
        </p>
      )}
      <History object={of.id} />
    </Dialog>
  );
}
