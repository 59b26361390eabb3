import { Link, useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint } from '@turnout/client';
import { Badge, Button, EmptyState, Page, Table, useWords } from '@turnout/ui';
import { usePages } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { MoreButton, QueryResult } from '../../frame/query-result.tsx';
import { DeveloperTabs } from './tabs.tsx';
import { useChangesWebhooks } from './webhooks/changes-webhooks.ts';
import { Health, needsCare } from './webhooks/webhook-health.tsx';
import { shortUrl } from './webhooks/webhook-url.ts';
import './developers.css';

/** The endpoints that are told what happens, and how well that goes. */
export default function Webhooks() {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const navigate = useNavigate();
  const pages = usePages('listWebhooks', { org, query: { limit: 100 } });
  const edits = useChangesWebhooks();
  const create = edits && (
    <Button kind="main" onClick={() => void navigate({ to: '/$org/developers/webhooks/new', params: { org } })}>
      {t('create')}
    </Button>
  );
  return (
    <Page title={t('title')} lead={t('lead')} actions={pages.rows?.length !== 0 && create} tabs={<DeveloperTabs />}>
      <QueryResult query={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t('noneTitle')} action={create}>
              {t(edits ? 'noneText' : 'notInPlan')}
            </EmptyState>
          ) : (
            <>
              {pages.more === undefined && <Summary endpoints={rows} />}
              <Table
                label={t('title')}
                rows={rows}
                keyOf={({ id }) => id}
                onOpen={({ id }) =>
                  void navigate({ to: '/$org/developers/webhooks/$webhook', params: { org, webhook: id } })
                }
                columns={[
                  { id: 'url', head: t('url'), cell: (one) => <EndpointName endpoint={one} /> },
                  { id: 'health', head: t('health'), cell: (one) => <Health endpoint={one} /> },
                  {
                    id: 'events',
                    head: t('types'),
                    cell: ({ events }) =>
                      events.includes('*') ? t('allTypes') : t('someTypes', { count: events.length }),
                  },
                  {
                    id: 'about',
                    head: t('about'),
                    cell: ({ event, group }) =>
                      [event, group].filter((one) => one !== null).join(', ') || (
                        <span className="soft">{t('everything')}</span>
                      ),
                  },
                ]}
              />
              <MoreButton pages={pages} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

/** All of them in one sentence. */
function Summary({ endpoints }: { endpoints: readonly WebhookEndpoint[] }) {
  const t = useWords('webhooks');
  const care = endpoints.filter(needsCare).length;
  const paused = endpoints.filter((one) => one.paused && !needsCare(one)).length;
  const counts = { care, work: endpoints.length - care - paused, paused };
  const parts = (['care', 'work', 'paused'] as const).filter((one) => counts[one] > 0);
  return <p className="summary">{parts.map((one) => t(`summary.${one}`, { count: counts[one] })).join(' · ')}</p>;
}

function EndpointName({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const text = shortUrl(endpoint.url);
  return (
    <div>
      <div className="row">
        <Link
          className="row-link"
          to="/$org/developers/webhooks/$webhook"
          params={{ org, webhook: endpoint.id }}
          title={endpoint.url}
        >
          {endpoint.description || text}
        </Link>
        {endpoint.test && <Badge icon={null}>{t('testOnly')}</Badge>}
      </div>
      {endpoint.description !== null && endpoint.description !== '' && <div className="soft small">{text}</div>}
    </div>
  );
}
