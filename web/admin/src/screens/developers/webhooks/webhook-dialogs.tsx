import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@turnout/client';
import { announce, ConfirmDialog, ProblemNotice, toast, useWords } from '@turnout/ui';
import { useAction } from '../../../frame/action.ts';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { shortUrl } from './webhook-url.ts';

interface Props {
  endpoint: WebhookEndpoint;
  onClose: () => void;
}

export function RotateSecret({
  endpoint,
  onClose,
  onRotated,
}: Props & { onRotated: (rotated: WebhookEndpointWithSecret) => void }) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const rotate = useAction(async ({ key }: { key: string }) => {
    onRotated(await call('rotateWebhookSecret', { org, webhook: endpoint.id }, { key }));
    announce(t('rotated'));
    onClose();
    await refresh('getWebhook', 'listWebhooks', 'listAuditLog');
  });
  return (
    <ConfirmDialog
      title={t('rotateTitle', { url: shortUrl(endpoint.url) })}
      action={t('rotate')}
      busy={rotate.busy}
      onConfirm={() => void rotate.run()}
      onClose={onClose}
    >
      <p>{t('rotateText')}</p>
      <ProblemNotice problem={rotate.problem} />
    </ConfirmDialog>
  );
}

export function DeleteWebhook({ endpoint, onClose }: Props) {
  const t = useWords('webhooks');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const remove = useAction(async () => {
    await call('deleteWebhook', { org, webhook: endpoint.id });
    toast(t('deleted', { url: shortUrl(endpoint.url) }), 'good');
    onClose();
    await navigate({ to: '/$org/developers/webhooks', params: { org } });
    await refresh('listWebhooks', 'listAuditLog');
  });
  return (
    <ConfirmDialog
      title={t('deleteTitle', { url: shortUrl(endpoint.url) })}
      action={t('delete')}
      danger
      busy={remove.busy}
      onConfirm={() => void remove.run()}
      onClose={onClose}
    >
      <p>{t('deleteText')}</p>
      <ProblemNotice problem={remove.problem} />
    </ConfirmDialog>
  );
}
