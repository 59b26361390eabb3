import { Link } from '@tanstack/react-router';
import type { WebhookEndpointWithSecret } from '@turnout/client';
import { Form, Page, Submit, useWords } from '@turnout/ui';
import { useState } from 'react';
import { call, useRefresh } from '../../../frame/api.ts';
import { useOrganization } from '../../../frame/organization.tsx';
import { bodyOf, WebhookFields, type WebhookValues } from './webhook-form.tsx';
import { SigningSecret } from './webhook-secret.tsx';
import '../developers.css';

const EMPTY: WebhookValues = { url: '', description: '', which: 'all', events: [], event: '', group: '' };

export default function NewWebhook() {
  const t = useWords('webhooks');
  const { org, member } = useOrganization();
  const refresh = useRefresh();
  const [createdEndpoint, setCreatedEndpoint] = useState<WebhookEndpointWithSecret | null>(null);
  const crumb = (
    <Link to="/$org/developers/webhooks" params={{ org }}>
      {t('title')}
    </Link>
  );
  if (createdEndpoint !== null)
    return (
      <Page key="made" title={t('madeTitle')} crumb={crumb} narrow>
        <SigningSecret endpoint={createdEndpoint}>
          <Link
            className="button"
            data-kind="main"
            to="/$org/developers/webhooks/$webhook"
            params={{ org, webhook: createdEndpoint.id }}
          >
            {t('stored')}
          </Link>
        </SigningSecret>
      </Page>
    );
  return (
    <Page key="form" title={t('create')} lead={t('createLead')} crumb={crumb} narrow>
      <Form
        values={{ ...EMPTY, group: member.group ?? '' }}
        submit={(values, { key }) => call('createWebhook', { org, body: bodyOf(values) }, { key })}
        done={async (reply) => {
          setCreatedEndpoint(reply);
          await refresh('listWebhooks');
        }}
      >
        {(parts) => (
          <>
            <WebhookFields {...parts} />
            <div className="buttons">
              <Submit>{t('create')}</Submit>
              <Link className="button" data-kind="quiet" to="/$org/developers/webhooks" params={{ org }}>
                {t('cancel')}
              </Link>
            </div>
          </>
        )}
      </Form>
    </Page>
  );
}
