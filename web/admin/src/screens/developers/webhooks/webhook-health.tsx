import type { WebhookEndpoint } from '@turnout/client';
import { Badge, Notice, PauseIcon, type Tone, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';

/** Whether somebody should look at it: it fails, or was paused by anybody but a person. */
export const needsCare = ({ health, paused, paused_because }: WebhookEndpoint): boolean =>
  paused ? paused_because !== 'person' : health === 'failing';

const TONES: Readonly<Record<WebhookEndpoint['status'], Tone | undefined>> = {
  healthy: 'good',
  failing: 'bad',
  paused: undefined,
  paused_plan: 'warn',
};

/** Health in a word, and what is behind it. */
export function Health({ endpoint }: { endpoint: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const tone =
    endpoint.paused_because === 'failing'
      ? 'bad'
      : endpoint.status === 'healthy' && endpoint.failures_in_a_row > 0
        ? 'warn'
        : TONES[endpoint.status];
  return (
    <span className="health">
      <Badge {...(tone !== undefined && { tone })} {...(endpoint.paused && { icon: PauseIcon })}>
        {t(`status.${endpoint.status}`)}
      </Badge>
      {!endpoint.paused && endpoint.failures_in_a_row > 0 && (
        <span className="soft small">{t('failures', { count: endpoint.failures_in_a_row })}</span>
      )}
    </span>
  );
}

/** Why nothing is sent, or what goes wrong, with what can be done about it. Nothing if all is well. */
export function HealthNotice({ endpoint, action }: { endpoint: WebhookEndpoint; action: ReactNode }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  if (endpoint.paused_because !== null)
    return (
      <Notice
        {...(endpoint.paused_because !== 'person' && { tone: 'warn' })}
        title={t(`paused.${endpoint.paused_because}`)}
      >
        <p>{t(`pausedText.${endpoint.paused_because}`)}</p>
        {endpoint.paused_because !== 'plan' && <div className="buttons">{action}</div>}
      </Notice>
    );
  if (endpoint.health !== 'failing') return null;
  return (
    <Notice tone="bad" title={t('failingTitle', { count: endpoint.failures_in_a_row })}>
      <p>
        {endpoint.failing_since !== null && `${t('failingSince', { at: formats.dateTime(endpoint.failing_since) })} `}
        {t('failingText')}
      </p>
    </Notice>
  );
}
