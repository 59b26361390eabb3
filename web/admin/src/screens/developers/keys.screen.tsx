import { useNavigate, useSearch } from '@tanstack/react-router';
import { Button, EmptyState, Page, useWords } from '@turnout/ui';
import { useState } from 'react';
import { useCall } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { ChangeKey, KeyDetails, RevokeKey } from './keys/key-dialogs.tsx';
import type { KeyAction } from './keys/key-parts.ts';
import { KeyTable } from './keys/key-table.tsx';
import { DeveloperTabs } from './tabs.tsx';
import './developers.css';

/** The keys of programs. Those that work no longer are folded away. */
export default function Keys() {
  const t = useWords('developers');
  const { org, may } = useOrganization();
  const navigate = useNavigate();
  const { key: open } = useSearch({ from: '/$org/developers/keys' });
  const keys = useCall('listKeys', { org });
  const [doing, setDoing] = useState<KeyAction | null>(null);
  const create = may('tenant.api_keys') && (
    <Button kind="main" onClick={() => void navigate({ to: '/$org/developers/keys/new', params: { org } })}>
      {t('createKey')}
    </Button>
  );
  const close = () => void navigate({ to: '/$org/developers/keys', params: { org }, search: {} });
  return (
    <Page
      title={t('keys')}
      lead={t('keysLead')}
      actions={keys.data?.data.length !== 0 && create}
      tabs={<DeveloperTabs />}
    >
      <QueryResult query={keys}>
        {({ data }) => {
          const usable = data.filter(({ state }) => state === 'usable');
          const over = data.filter(({ state }) => state !== 'usable');
          const opened = data.find(({ id }) => id === open);
          return (
            <>
              {usable.length === 0 && (
                <EmptyState title={t('noKeysTitle')} action={data.length === 0 && create}>
                  {t('noKeysText')}
                </EmptyState>
              )}
              {usable.length > 0 && <KeyTable label={t('keys')} keys={usable} onDo={setDoing} />}
              {over.length > 0 && (
                <details className="folded">
                  <summary>{t('overKeys', { count: over.length })}</summary>
                  <KeyTable label={t('overKeys', { count: over.length })} keys={over} />
                </details>
              )}
              {opened !== undefined && <KeyDetails apiKey={opened} onClose={close} />}
              {doing?.what === 'change' && <ChangeKey apiKey={doing.key} onClose={() => setDoing(null)} />}
              {doing?.what === 'revoke' && <RevokeKey apiKey={doing.key} onClose={() => setDoing(null)} />}
            </>
          );
        }}
      </QueryResult>
    </Page>
  );
}
