import { Navigate } from '@tanstack/react-router';
import { EmptyState, Page, useWords } from '@turnout/ui';
import { useOrganization } from '../frame/organization.tsx';

/** Goes on to the first part that this member may see. */
export default function Developers() {
  const t = useWords('developers');
  const { org, may } = useOrganization();
  const params = { org };
  if (may('tenant.api_keys')) return <Navigate to="/$org/developers/keys" params={params} replace />;
  if (may('tenant.integrations')) return <Navigate to="/$org/developers/webhooks" params={params} replace />;
  if (may('tenant.audit')) return <Navigate to="/$org/developers/audit" params={params} replace />;
  return (
    <Page title={t('title')}>
      <EmptyState title={t('nothingTitle')}>{t('nothingText')}</EmptyState>
    </Page>
  );
}
