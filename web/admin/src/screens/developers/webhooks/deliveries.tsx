import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { WebhookDelivery, WebhookEndpoint } from '@turnout/client';
import {
  Ago,
  Badge,
  Button,
  EmptyState,
  RepeatIcon,
  Section,
  Select,
  Table,
  TableShape,
  type Tone,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { usePages } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { MoreButton, QueryResult } from '../../../frame/query-result.tsx';
import { asInstant, TimeRange } from '../time-range.tsx';
import { useChangesWebhooks } from './changes-webhooks.ts';
import { ReplayAll, ReplayProgress } from './replay-all.tsx';

const STATUSES = ['delivered', 'failed', 'dead', 'pending'] as const;
type Status = (typeof STATUSES)[number];
const statusOf = (text: string | undefined): Status | undefined => STATUSES.find((one) => one === text);

const TONES: Readonly<Record<Status, Tone | undefined>> = {
  delivered: 'good',
  failed: 'warn',
  dead: 'bad',
  pending: undefined,
};
export function DeliveryStatus({ delivery }: { delivery: Pick<WebhookDelivery, 'status'> }) {
  const t = useWords('webhooks');
  const tone = TONES[delivery.status];
  return <Badge {...(tone !== undefined && { tone })}>{t(`delivery.${delivery.status}`)}</Badge>;
}

/** What was sent to an endpoint, newest first. The filters stand in the address. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const edits = useChangesWebhooks();
  const search = useSearch({ from: '/$org/developers/webhooks/$webhook' });
  const navigate = useNavigate({ from: '/$org/developers/webhooks/$webhook' });
  const [replaying, setReplaying] = useState(false);
  const [status, from, to] = [statusOf(search.status), asInstant(search.from), asInstant(search.to)];
  const query = { ...(status && { status }), ...(from && { from }), ...(to && { to }), limit: 50 };
  const pages = usePages('listWebhookDeliveries', { org, webhook: endpoint.id, query });
  const change = (next: Partial<Record<'status' | 'from' | 'to' | 'job', string | undefined>>) =>
    void navigate({ search: (old) => defined({ ...old, ...next }), replace: true, resetScroll: false });
  const filtered = status !== undefined || from !== undefined || to !== undefined;
  return (
    <Section
      title={t('deliveries')}
      lead={t('deliveriesLead')}
      actions={
        edits && (
          <Button size="small" onClick={() => setReplaying(true)}>
            {t('replayAll')}
          </Button>
        )
      }
    >
      {search.job !== undefined && <ReplayProgress job={search.job} onClose={() => change({ job: undefined })} />}
      <search className="filters" aria-label={t('filters')}>
        <Select
          label={t('status')}
          value={status ?? ''}
          empty={t('anyStatus')}
          options={STATUSES.map((one) => ({ value: one, label: t(`delivery.${one}`) }))}
          onChange={(value) => change({ status: value || undefined })}
        />
        <TimeRange from={from} to={to} onChange={change} />
        {filtered && (
          <Button kind="quiet" onClick={() => change({ status: undefined, from: undefined, to: undefined })}>
            {t('clearFilters')}
          </Button>
        )}
      </search>
      <QueryResult
        query={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}
        shape={<TableShape rows={filtered ? 3 : 10} columns={5} />}
      >
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t(filtered ? 'noMatchTitle' : 'noDeliveriesTitle')}>
              {t(filtered ? 'noMatchText' : 'noDeliveriesText')}
            </EmptyState>
          ) : (
            <>
              <DeliveryTable deliveries={rows} />
              <MoreButton pages={pages} />
            </>
          )
        }
      </QueryResult>
      {replaying && (
        <ReplayAll
          endpoint={endpoint}
          since={from}
          onClose={() => setReplaying(false)}
          onStarted={(job) => {
            setReplaying(false);
            change({ job });
          }}
        />
      )}
    </Section>
  );
}

const defined = <T extends object>(filters: T) =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as { [K in keyof T]: string };

function DeliveryTable({ deliveries }: { deliveries: readonly WebhookDelivery[] }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const navigate = useNavigate();
  const there = (one: WebhookDelivery) =>
    ({
      to: '/$org/developers/webhooks/$webhook/deliveries/$delivery',
      params: { org, webhook: one.endpoint_id, delivery: one.id },
    }) as const;
  return (
    <Table
      label={t('deliveries')}
      rows={deliveries}
      keyOf={({ id }) => id}
      onOpen={(one) => void navigate(there(one))}
      columns={[
        {
          id: 'type',
          head: t('type'),
          cell: (one) => (
            <div className="row">
              <Link className="row-link" {...there(one)}>
                {t(`type.${one.type}`)}
              </Link>
              {one.test_event ? (
                <Badge icon={null}>{t('testEvent')}</Badge>
              ) : (
                !one.livemode && <Badge icon={null}>{t('testMode')}</Badge>
              )}
              {one.replay_of !== null && <Badge icon={RepeatIcon}>{t('replay')}</Badge>}
            </div>
          ),
        },
        { id: 'status', head: t('status'), cell: (one) => <DeliveryStatus delivery={one} /> },
        {
          id: 'answer',
          head: t('answer'),
          cell: (one) => one.last_status_code ?? <span className="soft">–</span>,
        },
        { id: 'attempts', head: t('attempts'), align: 'end', cell: (one) => one.attempts },
        { id: 'at', head: t('recorded'), align: 'end', cell: (one) => <Ago at={one.created_at} /> },
      ]}
    />
  );
}
