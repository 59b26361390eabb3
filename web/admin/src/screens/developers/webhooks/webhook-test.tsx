import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WebhookDeliveryDetails, WebhookEndpoint } from '@turnout/client';
import { EVENT_TYPES, type EventType } from '@turnout/contract/event-types';
import { announce, Dialog, Form, Notice, Select, Spinner, Submit, useWords } from '@turnout/ui';
import { useEffect, useState } from 'react';
import { call, queryOf, useCall, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { QueryResult } from '../../../frame/query-result.tsx';
import { Code } from '../code.tsx';

/** Sends a made-up event and shows what the receiver answers. */
export function SendTest({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const [sent, setSent] = useState<string | null>(null);
  const first = EVENT_TYPES.find((type) => endpoint.events.includes(type)) ?? EVENT_TYPES[0];
  return (
    <Dialog title={t('sendTest')} onClose={onClose} wide>
      <p className="soft">{t('testText')}</p>
      <Form
        values={{ type: first as EventType | '' }}
        careless
        submit={({ type }, { key }) =>
          call('testWebhook', { org, webhook: endpoint.id, body: type === '' ? {} : { type } }, { key })
        }
        done={async ({ id }) => {
          setSent(id);
          await refresh('listWebhookDeliveries', 'listAuditLog');
        }}
      >
        {({ values, field }) => (
          <>
            <Select
              label={t('type')}
              options={EVENT_TYPES.map((type) => ({ value: type, label: `${t(`type.${type}`)} · ${type}` }))}
              {...field('type')}
            />
            <Example type={values.type} />
            <div className="buttons">
              <Submit>{t('sendTest')}</Submit>
            </div>
          </>
        )}
      </Form>
      {sent !== null && <Outcome key={sent} webhook={endpoint.id} delivery={sent} />}
    </Dialog>
  );
}

/** What the receiver has to understand: a whole message of this type. It is asked for when somebody wants to see it. */
function Example({ type }: { type: EventType | '' }) {
  const t = useWords('webhooks');
  const [open, setOpen] = useState(false);
  return (
    <details className="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('example')}</summary>
      {open && <Message eventType={type} />}
    </details>
  );
}

function Message({ eventType }: { eventType: EventType | '' }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const types = useCall('listWebhookEventTypes', { org });
  return (
    <QueryResult query={types} lines={6}>
      {({ data }) => (
        <Code label={t('example')}>
          {JSON.stringify(data.find(({ type }) => type === eventType)?.sample, null, 2) ?? ''}
        </Code>
      )}
    </QueryResult>
  );
}

/** Whether the only attempt of a test event has been made. */
const isOver = (one: WebhookDeliveryDetails | undefined): boolean => one !== undefined && one.status !== 'pending';

function Outcome({ webhook, delivery }: { webhook: string; delivery: string }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const found = useQuery({
    ...queryOf('getWebhookDelivery', { org, id: delivery }),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : 500),
  });
  const over = isOver(found.data);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the answer is there
  useEffect(() => {
    if (!over || found.data === undefined) return;
    announce(t(found.data.status === 'delivered' ? 'testArrived' : 'testFailed'));
    void refresh('listWebhookDeliveries', 'getWebhook');
  }, [over]);
  return (
    <QueryResult query={found} lines={2}>
      {(one) =>
        over ? (
          <Notice
            tone={one.status === 'delivered' ? 'good' : 'bad'}
            title={t(one.status === 'delivered' ? 'testArrived' : 'testFailed')}
          >
            <ReceiverAnswer delivery={one} />
            <p>
              <Link
                to="/$org/developers/webhooks/$webhook/deliveries/$delivery"
                params={{ org, webhook, delivery: one.id }}
              >
                {t('lookAtDelivery')}
              </Link>
            </p>
          </Notice>
        ) : (
          <p className="row soft">
            <Spinner /> {t('waitingForAnswer')}
          </p>
        )
      }
    </QueryResult>
  );
}

/** The last answer of the receiver, or why there was none. */
export function ReceiverAnswer({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const t = useWords('webhooks');
  const last = delivery.attempt_log.at(-1);
  if (last === undefined) return <p className="soft">{t('notYet')}</p>;
  return (
    <div className="stack" data-gap="small">
      <p>
        {last.status_code !== null && t('answeredWith', { status: String(last.status_code), ms: last.duration_ms })}
        {last.cause !== null && !isOnlyStatus(last.cause) && <span lang="en"> {sentence(last.cause)}</span>}
      </p>
      {delivery.last_answer !== null && delivery.last_answer !== '' && (
        <Code label={t('answer')}>{delivery.last_answer}</Code>
      )}
    </div>
  );
}

/** A cause that says no more than the status does. */
export const isOnlyStatus = (cause: string): boolean => /^answered \d+$/.test(cause);

export const sentence = (text: string): string =>
  `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
