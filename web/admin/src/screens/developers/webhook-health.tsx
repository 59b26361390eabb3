import type { WebhookEndpoint } from '@turnout/client';
import { Badge, Notice, type Tone, useFormats, useWords } from '@turnout/ui';
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
export function Health({ of }: { of: WebhookEndpoint }) {
  const t = useWords('webhooks');
  const tone =
    of.paused_because === 'failing'
      ? 'bad'
      : of.status === 'healthy' && of.failures_in_a_row > 0
        ? 'warn'
        : TONES[of.status];
  return (
    <span className="health">
      <Badge {...(tone !== undefined && { tone })} {...(of.paused && { sign: 'Ⅱ' })}>
        {t(`status.${of.status}`)}
      </Badge>
      {!of.paused && of.failures_in_a_row > 0 && (
        <span className="soft small">{t('failures', { count: of.failures_in_a_row })}</span>
      )}
    </span>
  );
}

/** Why nothing is sent, or what goes wrong, with what can be done about it. Nothing if all is well. */
export function HealthNotice({ of, action }: { of: WebhookEndpoint; action: ReactNode }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  if (of.paused_because !== null)
    return (
      <Notice tone={of.paused_because === 'person' ? 'accent' : 'warn'} title={t(`paused.${of.paused_because}`)}>
        <p>{t(`pausedText.${of.paused_because}`)}</p>
        {of.paused_because !== 'plan' && <div className="buttons">{action}</div>}
      </Notice>
    );
  if (of.health !== 'failing') return null;
  return (
    <Notice tone="bad" title={t('failingTitle', { count: of.failures_in_a_row })}>
      <p>
        {of.failing_since !== null && `${t('failingSince', { at: formats.dateTime(of.failing_since) })} `}
        {t('failingText')}
      </p>
    </Notice>
  );
}
