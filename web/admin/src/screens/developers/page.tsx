import { Link } from '@tanstack/react-router';
import { Page, Tabs, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';
import { useOrganization } from '../../frame/organization.tsx';

/** One of the parts for developers, with links to the others. */
export function DevelopersPage({
  title,
  lead,
  actions,
  children,
}: {
  title: string;
  lead?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const t = useWords('developers');
  const { org, may } = useOrganization();
  const params = { org };
  return (
    <Page title={title} {...(lead !== undefined && { lead })} {...(actions !== undefined && { actions })}>
      <Tabs label={t('title')}>
        {may('tenant.api_keys') && (
          <Link to="/$org/developers/keys" params={params}>
            {t('keys')}
          </Link>
        )}
        {may('tenant.integrations') && (
          <Link to="/$org/developers/webhooks" params={params}>
            {t('webhooks')}
          </Link>
        )}
        {(may('tenant.api_keys') || may('tenant.settings')) && (
          <Link to="/$org/developers/agents" params={params}>
            {t('agents')}
          </Link>
        )}
        {may('tenant.audit') && (
          <Link to="/$org/developers/audit" params={params}>
            {t('audit')}
          </Link>
        )}
      </Tabs>
      {children}
    </Page>
  );
}
