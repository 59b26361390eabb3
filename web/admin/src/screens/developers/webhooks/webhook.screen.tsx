import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@turnout/client';
import {
  Badge,
  Button,
  Facts,
  Menu,
  MoreIcon,
  Page,
  ProblemNotice,
  Section,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../frame/action.ts';
import { call, useCall, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { History } from '../../../parts/audit/history.tsx';
import { useChangesWebhooks } from './changes-webhooks.ts';
import { Deliveries } from './deliveries.tsx';
import { DeleteWebhook, RotateSecret } from './webhook-dialogs.tsx';
import { Health, HealthNotice } from './webhook-health.tsx';
import { SigningSecret } from './webhook-secret.tsx';
import { SendTest } from './webhook-test.tsx';
import { shortUrl } from './webhook-url.ts';
import '../developers.css';

/** One endpoint: its health, its settings, what was sent to it and who changed it. */
export default function Webhook() {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const { webhook } = useParams({ from: '/$org/developers/webhooks/$webhook' });
  const found = useCall('getWebhook', { org, webhook });
  const crumb = (
    <Link to="/$org/developers/webhooks" params={{ org }}>
      {t('title')}
    </Link>
  );
  if (found.data === undefined)
    return (
      <Page title={t('one')} crumb={crumb}>
        <QueryResult query={found}>{() => null}</QueryResult>
      </Page>
    );
  return <Endpoint endpoint={found.data} crumb={crumb} />;
}

type Open = 'test' | 'rotate' | 'delete';

function Endpoint({ endpoint, crumb }: { endpoint: WebhookEndpoint; crumb: React.ReactNode }) {
  const t = useWords('webhooks');
  const { may } = useOrganization();
  const [open, setOpen] = useState<Open | null>(null);
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret | null>(null);
  const flow = useFlow(endpoint);
  const edits = useChangesWebhooks();
  const close = () => setOpen(null);
  return (
    <Page
      title={endpoint.description || shortUrl(endpoint.url)}
      crumb={crumb}
      lead={<Health endpoint={endpoint} />}
      actions={edits && <Actions endpoint={endpoint} flow={flow} onOpen={setOpen} />}
    >
      <ProblemNotice problem={flow.problem} />
      {rotated !== null && (
        <section className="card" aria-label={t('rotated')}>
          <h2>{t('rotated')}</h2>
          <SigningSecret endpoint={rotated}>
            <Button kind="main" onClick={() => setRotated(null)}>
              {t('stored')}
            </Button>
          </SigningSecret>
        </section>
      )}
      <HealthNotice
        endpoint={endpoint}
        action={
          edits && (
            <Button size="small" busy={flow.busy} onClick={() => void flow.run('resume')}>
              {t('resume')}
            </Button>
          )
        }
      />
      <Settings endpoint={endpoint} />
      <Deliveries endpoint={endpoint} />
      {may('tenant.audit') && (
        <Section title={t('history')}>
          <History object={endpoint.id} plain />
        </Section>
      )}
      {open === 'test' && <SendTest endpoint={endpoint} onClose={close} />}
      {open === 'rotate' && <RotateSecret endpoint={endpoint} onClose={close} onRotated={setRotated} />}
      {open === 'delete' && <DeleteWebhook endpoint={endpoint} onClose={close} />}
    </Page>
  );
}

/** Pausing and resuming. */
function useFlow(endpoint: WebhookEndpoint) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return useAction(async (what: 'pause' | 'resume', { key }: { key: string }) => {
    await call(what === 'pause' ? 'pauseWebhook' : 'enableWebhook', { org, webhook: endpoint.id }, { key });
    toast(t(what === 'pause' ? 'wasPaused' : 'wasResumed'), 'good');
    await refresh('getWebhook', 'listWebhooks', 'listWebhookDeliveries', 'listAuditLog');
  });
}

function Actions({
  endpoint,
  flow,
  onOpen,
}: {
  endpoint: WebhookEndpoint;
  flow: ReturnType<typeof useFlow>;
  onOpen: (open: Open) => void;
}) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => onOpen('test')}>{t('sendTest')}</Button>
      {!endpoint.paused && (
        <Button busy={flow.busy} onClick={() => void flow.run('pause')}>
          {t('pause')}
        </Button>
      )}
      <Menu
        label={t('actionsOf', { url: shortUrl(endpoint.url) })}
        button={{ kind: 'usual', size: 'icon' }}
        groups={[
          {
            items: [
              {
                id: 'edit',
                label: t('edit'),
                onAction: () =>
                  void navigate({
                    to: '/$org/developers/webhooks/$webhook/edit',
                    params: { org, webhook: endpoint.id },
                  }),
              },
              { id: 'rotate', label: t('rotate'), onAction: () => onOpen('rotate') },
              { id: 'delete', label: t('delete'), danger: true, onAction: () => onOpen('delete') },
            ],
          },
        ]}
      >
        <MoreIcon />
      </Menu>
    </>
  );
}

function Settings({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  const types = endpoint.events.includes('*')
    ? t('allTypes')
    : endpoint.events.map((type) => (
        <code key={type} className="type-name">
          {type}
        </code>
      ));
  return (
    <Facts
      facts={[
        [t('url'), <code key="url">{endpoint.url}</code>],
        [t('types'), types],
        [t('about'), [endpoint.event, endpoint.group].filter((one) => one !== null).join(', ') || t('everything')],
        ...(endpoint.test ? [[t('activity'), <Badge key="test">{t('testOnly')}</Badge>] as const] : []),
        [
          t('secret'),
          <span key="secret">
            <code>whsec_…{endpoint.secret_last4}</code>
            {endpoint.old_secret_until !== null && (
              <span className="soft small">
                {' '}
                {t('oldSecretShort', { until: formats.dateTime(endpoint.old_secret_until) })}
              </span>
            )}
          </span>,
        ],
        [t('createdAt'), formats.dateTime(endpoint.created_at)],
      ]}
    />
  );
}
