import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import type { WebhookAttempt, WebhookDeliveryDetails } from '@turnout/client';
import {
  Ago,
  Badge,
  Button,
  Facts,
  Page,
  ProblemNotice,
  Section,
  Table,
  Time,
  toast,
  useFormats,
  useWords,
} from '@turnout/ui';
import { useAction } from '../../../../frame/action.ts';
import { call, queryOf, useRefresh } from '../../../../frame/api.ts';
import { useOrganization } from '../../../../frame/organization.tsx';
import { QueryResult } from '../../../../frame/query-result.tsx';
import { useChangesWebhooks } from '../changes-webhooks.ts';
import { DeliveryStatus } from '../deliveries.tsx';
import { isOnlyStatus, ReceiverAnswer, sentence } from '../webhook-test.tsx';
import { SentRequest } from './sent.tsx';
import '../../developers.css';

/** One delivery: the exact bytes, the headers, the answer and every attempt. It follows while attempts are to come. */
export default function Delivery() {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const { webhook, delivery } = useParams({ from: '/$org/developers/webhooks/$webhook/deliveries/$delivery' });
  const found = useQuery({
    ...queryOf('getWebhookDelivery', { org, id: delivery }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' || state.data?.status === 'failed' ? 2000 : false,
  });
  const crumb = (
    <Link to="/$org/developers/webhooks/$webhook" params={{ org, webhook }}>
      {t('toDeliveries')}
    </Link>
  );
  if (found.data === undefined)
    return (
      <Page title={t('oneDelivery')} crumb={crumb}>
        <QueryResult query={found}>{() => null}</QueryResult>
      </Page>
    );
  const one = found.data;
  return (
    <Page
      key={one.id}
      title={t(`type.${one.type}`)}
      crumb={crumb}
      lead={<DeliveryLead delivery={one} />}
      actions={<Replay delivery={one} />}
    >
      <Overview delivery={one} />
      <Section title={t('answer')}>
        <ReceiverAnswer delivery={one} />
      </Section>
      <Attempts attempts={one.attempt_log} />
      <SentRequest delivery={one} />
    </Page>
  );
}

function DeliveryLead({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const t = useWords('webhooks');
  return (
    <span className="row">
      <DeliveryStatus delivery={delivery} />
      {delivery.test_event && <Badge icon={null}>{t('testEvent')}</Badge>}
      {!delivery.livemode && !delivery.test_event && <Badge icon={null}>{t('testMode')}</Badge>}
      <Ago at={delivery.created_at} />
    </span>
  );
}

function Replay({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const edits = useChangesWebhooks();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const replay = useAction(async ({ key }: { key: string }) => {
    const { pathname } = window.location;
    const next = await call('replayWebhookDelivery', { org, id: delivery.id }, { key });
    void refresh('listWebhookDeliveries', 'listAuditLog');
    // Whoever has gone elsewhere meanwhile stays there.
    if (window.location.pathname !== pathname) return;
    toast(t('replayed'), 'good');
    await navigate({
      to: '/$org/developers/webhooks/$webhook/deliveries/$delivery',
      params: { org, webhook: delivery.endpoint_id, delivery: next.id },
    });
  });
  if (!edits) return null;
  return (
    <div className="stack" data-gap="small">
      <Button kind="main" busy={replay.busy} onClick={() => void replay.run()}>
        {t('replayOne')}
      </Button>
      <ProblemNotice problem={replay.problem} />
    </div>
  );
}

function Overview({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  return (
    <Facts
      facts={[
        [t('type'), <code key="type">{delivery.type}</code>],
        [t('envelope'), <code key="envelope">{delivery.envelope_id}</code>],
        [t('deliveryId'), <code key="id">{delivery.id}</code>],
        ...(delivery.replay_of === null
          ? []
          : [
              [
                t('replayOf'),
                <Link
                  key="replay"
                  to="/$org/developers/webhooks/$webhook/deliveries/$delivery"
                  params={{ org, webhook: delivery.endpoint_id, delivery: delivery.replay_of }}
                >
                  <code>{delivery.replay_of}</code>
                </Link>,
              ] as const,
            ]),
        [t('recorded'), <Time key="at" at={delivery.created_at} />],
        ...(delivery.next_attempt_at === null
          ? []
          : [[t('nextAttempt'), <Ago key="next" at={delivery.next_attempt_at} />] as const]),
      ]}
    />
  );
}

function Attempts({ attempts }: { attempts: readonly WebhookAttempt[] }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  if (attempts.length === 0) return null;
  return (
    <Section title={t('attempts')}>
      <Table
        label={t('attempts')}
        rows={attempts.toReversed()}
        keyOf={({ number }) => String(number)}
        columns={[
          { id: 'number', head: t('number'), cell: ({ number }) => number },
          {
            id: 'at',
            head: t('at'),
            cell: ({ at }) => (
              <time dateTime={at}>{formats.when(at, { dateStyle: 'medium', timeStyle: 'medium' })}</time>
            ),
          },
          {
            id: 'result',
            head: t('result'),
            cell: ({ status_code, cause }) => (
              <span className="row">
                <Badge tone={cause === null ? 'good' : 'bad'}>{status_code ?? t('noAnswer')}</Badge>
                {cause !== null && !isOnlyStatus(cause) && (
                  <span className="soft" lang="en">
                    {sentence(cause)}
                  </span>
                )}
              </span>
            ),
          },
          {
            id: 'duration',
            head: t('duration'),
            align: 'end',
            cell: ({ duration_ms }) => formats.number(duration_ms, { style: 'unit', unit: 'millisecond' }),
          },
        ]}
      />
    </Section>
  );
}
