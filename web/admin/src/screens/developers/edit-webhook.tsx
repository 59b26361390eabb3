import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Form, Page, Submit, toast, useWords } from '@turnout/ui';
import { Answer } from '../../frame/answer.tsx';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { bodyOf, valuesOf, WebhookFields } from './webhook-form.tsx';
import { shortUrl } from './webhook-url.ts';
import './developers.css';

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
      <Answer of={found}>
        {(endpoint) => (
          <Form
            values={valuesOf(endpoint)}
            submit={(values) => call('changeWebhook', { org, webhook, body: bodyOf(values) })}
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
          </Form>
        )}
      </Answer>
    </Page>
  );
}
