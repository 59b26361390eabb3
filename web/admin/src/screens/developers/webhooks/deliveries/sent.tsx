import type { WebhookDeliveryDetails } from '@turnout/client';
import { CopyButton, Section, useWords } from '@turnout/ui';
import { Code } from '../../code.tsx';

/** The headers that prove where it came from and that the body is the one that was signed. */
function headersOf({
  last_signature: signature,
  last_webhook_signature: standard,
  envelope_id,
}: WebhookDeliveryDetails) {
  if (signature === null) return null;
  const time = /t=(\d+)/.exec(signature)?.[1];
  return [
    'content-type: application/json; charset=utf-8',
    `service-signature: ${signature}`,
    `webhook-id: ${envelope_id}`,
    ...(time === undefined ? [] : [`webhook-timestamp: ${time}`]),
    ...(standard === null ? [] : [`webhook-signature: ${standard}`]),
  ].join('\n');
}

/** What the receiver got, byte by byte. */
export function SentRequest({ delivery }: { delivery: WebhookDeliveryDetails }) {
  const t = useWords('webhooks');
  const headers = headersOf(delivery);
  return (
    <Section
      title={t('sent')}
      lead={t('sentLead')}
      actions={delivery.envelope !== null && <CopyButton text={delivery.envelope} what={t('body')} />}
    >
      {headers !== null && (
        <div className="stack" data-gap="small">
          <h3>{t('headers')}</h3>
          <Code label={t('headers')}>{headers}</Code>
          {delivery.last_webhook_signature === null && <p className="soft small">{t('noWebhookSignature')}</p>}
        </div>
      )}
      <div className="stack" data-gap="small">
        <h3>{t('body')}</h3>
        {delivery.envelope === null ? <p className="soft">{t('erased')}</p> : <Body text={delivery.envelope} />}
      </div>
    </Section>
  );
}

function Body({ text }: { text: string }) {
  const t = useWords('webhooks');
  return (
    <>
      <Code label={t('body')}>{text}</Code>
      <details className="folded">
        <summary>{t('indented')}</summary>
        <Code label={t('indented')}>{indented(text)}</Code>
      </details>
    </>
  );
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
