import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Page, Submit, toast, useWords } from '@turnout/ui';
import { call, useCall, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { SharedForm } from '../../../parts/shared-form.tsx';
import { changedBody, valuesOf, WebhookFields } from './webhook-form.tsx';
import { shortUrl } from './webhook-url.ts';
import '../developers.css';

export default function EditWebhook() {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const { webhook } = useParams({ from: '/$org/developers/webhooks/$webhook/edit' });
  const found = useCall('getWebhook', { org, webhook });
  const refresh = useRefresh();
  const navigate = useNavigate();
  const there = { to: '/$org/developers/webhooks/$webhook', params: { org, webhook } } as const;
  return (
    <Page
      title={t('edit')}
      crumb={<Link {...there}>{found.data === undefined ? t('title') : shortUrl(found.data.url)}</Link>}
      narrow
    >
      <QueryResult query={found}>
        {(endpoint) => (
          <SharedForm
            operation="changeWebhook"
            values={valuesOf(endpoint)}
            now={async () => {
              const now = await call('getWebhook', { org, webhook });
              return { values: valuesOf(now), updated_at: now.updated_at };
            }}
            save={(change, values, options) =>
              call('changeWebhook', { org, webhook, body: changedBody(change, values) }, options)
            }
            textOf={(name, value) =>
              name === 'events' && (value as unknown[]).length === 0 ? t('allTypes') : undefined
            }
            done={async () => {
              toast(t('saved'), 'good');
              await refresh('getWebhook', 'listWebhooks', 'listAuditLog');
              await navigate(there);
            }}
          >
            {(parts) => (
              <>
                <WebhookFields {...parts} />
                <div className="buttons">
                  <Submit />
                  <Link className="button" data-kind="quiet" {...there}>
                    {t('cancel')}
                  </Link>
                </div>
              </>
            )}
          </SharedForm>
        )}
      </QueryResult>
    </Page>
  );
}
