import type { WebhookEndpointWithSecret } from '@turnout/client';
import { CopyField, Notice, useFormats, useWords } from '@turnout/ui';
import type { ReactNode } from 'react';

/** The signing secret, which is shown only once. `children`: how to go on. */
export function SigningSecret({ endpoint, children }: { endpoint: WebhookEndpointWithSecret; children: ReactNode }) {
  const t = useWords('webhooks');
  const formats = useFormats();
  return (
    <>
      <Notice tone="warn" title={t('onceTitle')}>
        <p>{t('onceText')}</p>
        {endpoint.old_secret_until !== null && (
          <p>{t('oldSecret', { until: formats.dateTime(endpoint.old_secret_until) })}</p>
        )}
      </Notice>
      <CopyField label={t('secret')} text={endpoint.secret} />
      <div className="buttons">
        {children}
        <a className="button" data-kind="quiet" href="/docs">
          {t('howToVerify')}
        </a>
      </div>
    </>
  );
}
