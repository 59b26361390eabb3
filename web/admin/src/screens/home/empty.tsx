import { Link } from '@tanstack/react-router';
import { CopyField, EmptyState, useWords } from '@turnout/ui';
import { useOrganization } from '../../frame/organization.tsx';

/** What belongs here, and the first step. */
export function Empty() {
  const t = useWords('home');
  const { org, may } = useOrganization();
  const developer = may('tenant.api_keys');
  return (
    <div className="stack">
      <EmptyState title={t('emptyTitle')}>{t('emptyText')}</EmptyState>
      <p>{t(developer ? 'emptyDeveloper' : 'emptyAsk')}</p>
      {developer && (
        <>
          <CopyField label={t('emptyCurl')} text={firstCall(location.origin)} />
          <div className="buttons">
            <Link className="button" data-kind="main" to="/$org/developers" params={{ org }}>
              {t('emptyKey')}
            </Link>
            <a className="button" href="/docs">
              {t('emptyDocs')}
            </a>
          </div>
        </>
      )}
    </div>
  );
}

const firstCall = (origin: string): string =>
  [
    `curl ${origin}/v1/events \\`,
    '  -H "Authorization: Bearer svc_live_…" \\',
    '  -H "Idempotency-Key: first-event" \\',
    '  -H "Content-Type: application/json" \\',
    `  -d '{"name": "Summer fair", "capacity": 200}'`,
  ].join('\n');
