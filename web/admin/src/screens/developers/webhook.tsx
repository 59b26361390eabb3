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
import { useAction } from '../../frame/action.ts';
import { Answer } from '../../frame/answer.tsx';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { History } from '../audit/history.tsx';
import { useChangesWebhooks } from './changes-webhooks.ts';
import { Deliveries } from './deliveries.tsx';
import { DeleteWebhook, RotateSecret } from './webhook-dialogs.tsx';
import { Health, HealthNotice } from './webhook-health.tsx';
import { SigningSecret } from './webhook-secret.tsx';
import { SendTest } from './webhook-test.tsx';
import { shortUrl } from './webhook-url.ts';
import './developers.css';

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
        <Answer of={found}>{() => null}</Answer>
      </Page>
    );
  return <Endpoint of={found.data} crumb={crumb} />;
}

type Open = 'test' | 'rotate' | 'delete';

function Endpoint({ of, crumb }: { of: WebhookEndpoint; crumb: React.ReactNode }) {
  const t = useWords('webhooks');
  const { may } = useOrganization();
  const [open, setOpen] = useState<Open | null>(null);
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret | null>(null);
  const flow = useFlow(of);
  const edits = useChangesWebhooks();
  const close = () => setOpen(null);
  return (
    <Page
      title={of.description || shortUrl(of.url)}
      crumb={crumb}
      lead={<Health of={of} />}
      actions={edits && <Actions of={of} flow={flow} onOpen={setOpen} />}
    >
      <ProblemNotice problem={flow.problem} />
      {rotated !== null && (
        <section className="card" aria-label={t('rotated')}>
          <h2>{t('rotated')}</h2>
          <SigningSecret of={rotated}>
            <Button kind="main" onClick={() => setRotated(null)}>
              {t('stored')}
            </Button>
          </SigningSecret>
        </section>
      )}
      <HealthNotice
        of={of}
        action={
          edits && (
            <Button size="small" busy={flow.busy} onClick={() => void flow.run('resume')}>
              {t('resume')}
            </Button>
          )
        }
      />
      <Settings of={of} />
      <Deliveries of={of} />
      {may('tenant.audit') && (
        <Section title={t('history')}>
          <History object={of.id} plain />
        </Section>
      )}
      {open === 'test' && <SendTest of={of} onClose={close} />}
      {open === 'rotate' && <RotateSecret of={of} onClose={close} onRotated={setRotated} />}
      {open === 'delete' && <DeleteWebhook of={of} onClose={close} />}
    </Page>
  );
}

/** Pausing and resuming. */
function useFlow(of: WebhookEndpoint) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return useAction(async (what: 'pause' | 'resume', { key }: { key: string }) => {
    await call(what === 'pause' ? 'pauseWebhook' : 'enableWebhook', { org, webhook: of.id }, { key });
    toast(t(what === 'pause' ? 'wasPaused' : 'wasResumed'), 'good');
    await refresh('getWebhook', 'listWebhooks', 'listWebhookDeliveries', 'listAuditLog');
  });
}

function Actions({
  of,
  flow,
  onOpen,
}: {
  of: WebhookEndpoint;
  flow: ReturnType<typeof useFlow>;
  onOpen: (open: Open) => void;
}) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const navigate = useNavigate();
  return (
    <>
      <Button onClick={() => onOpen('test')}>{t('sendTest')}</Button>
      {!of.paused && (
        <Button busy={flow.busy} onClick={() => void flow.run('pause')}>
          {t('pause')}
        </Button>
      )}
      <Menu
        label={t('actionsOf', { url: shortUrl(of.url) })}
        button={{ kind: 'usual', size: 'icon' }}
        groups={[
          {
            items: [
              {
                id: 'edit',
                label: t('edit'),
                onAction: () =>
                  void navigate({ to: '/$org/developers/webhooks/$webhook/edit', params: { org, webhook: of.id } }),
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

function Settings({ of }: { of: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  const types = of.events.includes('*')
    ? t('allTypes')
    : of.events.map((type) => (
        <code key={type} className="type-name">
          {type}
        </code>
      ));
  return (
    <Facts
      of={[
        [t('url'), <code key="url">{of.url}</code>],
        [t('types'), types],
        [t('about'), [of.event, of.group].filter((one) => one !== null).join(', ') || t('everything')],
        ...(of.test ? [[t('activity'), <Badge key="test">{t('testOnly')}</Badge>] as const] : []),
        [
          t('secret'),
          <span key="secret">
            <code>whsec_…{of.secret_last4}</code>
            {of.old_secret_until !== null && (
              <span className="soft small">
                {' '}
                {t('oldSecretShort', { until: formats.dateTime(of.old_secret_until) })}
              </span>
            )}
          </span>,
        ],
        [t('createdAt'), formats.dateTime(of.created_at)],
      ]}
    />
  );
}
