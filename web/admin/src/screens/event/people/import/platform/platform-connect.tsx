import type { PlatformConnection } from '@turnout/client';
import {
  Ago,
  Button,
  ConfirmDialog,
  Form,
  PasswordField,
  ProblemNotice,
  rich,
  Section,
  Submit,
  Table,
  TableShape,
  useWords,
} from '@turnout/ui';
import { useState } from 'react';
import { useAction } from '../../../../../frame/action.ts';
import { call, useCall, useRefresh } from '../../../../../frame/api.ts';
import { useOrganization } from '../../../../../frame/organization.tsx';
import { QueryResult } from '../../../../../frame/query-result.tsx';

const TOKENS = 'https://www.eventbrite.com/platform/api-keys';

/** Which account on the platform: one that is connected, or another with its token. */
export function Connect({ onChoose }: { onChoose: (connection: string) => void }) {
  const t = useWords('import');
  const { org } = useOrganization();
  const connections = useCall('listPlatformConnections', { org });
  const refresh = useRefresh();
  const [forgetting, setForgetting] = useState<PlatformConnection | null>(null);
  return (
    <div className="stack" data-gap="large">
      <QueryResult query={connections} shape={<TableShape rows={1} columns={5} tall />}>
        {({ data }) =>
          data.length > 0 && (
            <Table
              label={t('connections')}
              rows={data}
              keyOf={(one) => one.id}
              columns={[
                {
                  ...{ id: 'account', head: t('account') },
                  cell: (one) => (
                    <button type="button" className="row-link button" data-kind="link" onClick={() => onChoose(one.id)}>
                      {one.account.name}
                    </button>
                  ),
                },
                { id: 'email', head: t('accountEmail'), cell: (one) => one.account.email },
                { id: 'since', head: t('connectedAt'), cell: (one) => <Ago at={one.updated_at} /> },
                {
                  ...{ id: 'actions', head: '' },
                  cell: (one) => (
                    <div className="buttons">
                      <Button size="small" kind="main" onClick={() => onChoose(one.id)}>
                        {t('useAccount')}
                      </Button>
                      <Button size="small" kind="quiet" onClick={() => setForgetting(one)}>
                        {t('disconnect')}
                      </Button>
                    </div>
                  ),
                },
              ]}
            />
          )
        }
      </QueryResult>
      <Section title={t('connectTitle')} lead={t('connectLead')}>
        <Form
          values={{ token: '' }}
          reset
          submit={({ token }, { key }) =>
            call('connectPlatform', { org, body: { platform: 'eventbrite', token: token.trim() } }, { key })
          }
          done={async (made) => {
            await refresh('listPlatformConnections');
            onChoose(made.id);
          }}
        >
          {({ field }) => (
            <>
              <ol className="import-rules">
                <li>
                  {rich(t('token1'), {
                    link: (inner) => (
                      <a href={TOKENS} target="_blank" rel="noreferrer">
                        {inner}
                      </a>
                    ),
                  })}
                </li>
                <li>{t('token2')}</li>
                <li>{t('token3')}</li>
              </ol>
              <PasswordField
                label={t('token')}
                hint={t('tokenHint')}
                // It is no password of this site: nothing should offer to keep it.
                autoComplete="new-password"
                {...field('token')}
              />
              <div className="buttons">
                <Submit>{t('connect')}</Submit>
              </div>
            </>
          )}
        </Form>
      </Section>
      {forgetting !== null && <Disconnect connection={forgetting} onClose={() => setForgetting(null)} />}
    </div>
  );
}

function Disconnect({ connection, onClose }: { connection: PlatformConnection; onClose: () => void }) {
  const t = useWords('import');
  const { org } = useOrganization();
  const refresh = useRefresh();
  const forget = useAction(async () => {
    await call('disconnectPlatform', { org, connection: connection.id });
    await refresh('listPlatformConnections');
    onClose();
  });
  return (
    <ConfirmDialog
      title={t('disconnectTitle', { name: connection.account.name })}
      action={t('disconnect')}
      danger
      busy={forget.busy}
      onConfirm={() => void forget.run()}
      onClose={onClose}
    >
      <p>{t('disconnectText')}</p>
      <ProblemNotice problem={forget.problem} />
    </ConfirmDialog>
  );
}
