import { Link } from '@tanstack/react-router';
import { Tabs, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';

/** The screens for developers that this member may see. */
export function DeveloperTabs() {
  const t = useWords('developers');
  const { org, may } = useOrganization();
  const params = { org };
  return (
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
  );
}
