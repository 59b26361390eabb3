import { Link } from '@tanstack/react-router';
import type { Account } from '@turnout/client';
import { Badge, Button, ConfirmDialog, ProblemNotice, Section, toast, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../frame/action.ts';
import { call, useRefresh } from '../../frame/api.ts';

type OwnOrganization = Account['organizations'][number];

export function Organizations({ account }: { account: Account }) {
  const t = useWords('account');
  return (
    <Section title={t('organizations')}>
      {account.organizations.length === 0 ? (
        <p className="soft">{t('organizationsNone')}</p>
      ) : (
        <ul className="items">
          {account.organizations.map((one) => (
            <OrganizationItem key={one.id} organization={one} fixed={account.sandbox} />
          ))}
        </ul>
      )}
    </Section>
  );
}

function OrganizationItem({ organization, fixed }: { organization: OwnOrganization; fixed: boolean }) {
  const t = useWords('account');
  const [leaving, setLeaving] = useState(false);
  const { code, name, role, group, second_factor_missing } = organization;
  return (
    <li>
      <div>
        <Link to="/$org" params={{ org: code }}>
          {name}
        </Link>{' '}
        {second_factor_missing && <Badge tone="warn">{t('organizationFactor')}</Badge>}
        <div className="soft small">
          {group === null ? t(`role.${role}`) : t('organizationGroup', { role: t(`role.${role}`), group })}
        </div>
      </div>
      {!fixed && (
        <Button kind="quiet" size="small" onClick={() => setLeaving(true)}>
          {t('leave')}
          <span className="hidden"> {name}</span>
        </Button>
      )}
      {leaving && <Leave organization={organization} onClose={() => setLeaving(false)} />}
    </li>
  );
}

function Leave({ organization: { code, name }, onClose }: { organization: OwnOrganization; onClose: () => void }) {
  const t = useWords('account');
  const refresh = useRefresh();
  const leave = useAction(async () => {
    await call('leaveOrganization', { org: code });
    return true;
  });
  return (
    <ConfirmDialog
      title={t('leaveTitle', { organization: name })}
      action={t('leave')}
      danger
      busy={leave.busy}
      onClose={onClose}
      onConfirm={async () => {
        if ((await leave.run()) !== true) return;
        onClose();
        toast(t('left', { organization: name }), 'good');
        await refresh('getAccount', 'getMembership');
      }}
    >
      <p>{t('leaveText')}</p>
      <ProblemNotice problem={leave.problem} />
    </ConfirmDialog>
  );
}
