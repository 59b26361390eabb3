import { Link } from '@tanstack/react-router';
import type { ApiKey } from '@turnout/client';
import { Ago, Badge, Menu, MoreIcon, Table, useFormats, useWords } from '@turnout/ui';
import { useOrganization } from '../../../frame/organization.tsx';
import { type KeyAction, shortSecret } from './key-parts.ts';

/** Without `onDo`, the keys are only shown. */
export function KeyTable({
  label,
  keys,
  onDo,
}: {
  label: string;
  keys: readonly ApiKey[];
  onDo?: (doing: KeyAction) => void;
}) {
  const t = useWords('developers');
  const formats = useFormats();
  const actions = (key: ApiKey) =>
    onDo !== undefined && (
      <Menu
        label={t('actionsOf', { name: key.name })}
        button={{ kind: 'quiet', size: 'small' }}
        groups={[
          {
            items: [
              { id: 'change', label: t('changeKey'), onAction: () => onDo({ what: 'change', key }) },
              { id: 'revoke', label: t('revokeKey'), danger: true, onAction: () => onDo({ what: 'revoke', key }) },
            ],
          },
        ]}
      >
        <MoreIcon />
      </Menu>
    );
  return (
    <Table
      label={label}
      rows={keys}
      keyOf={({ id }) => id}
      columns={[
        { id: 'name', head: t('name'), cell: (key) => <KeyName apiKey={key} /> },
        {
          id: 'scopes',
          head: t('scopes'),
          cell: ({ scopes }) => formats.list(scopes.map((scope) => t(`scope.${scope}`))),
        },
        { id: 'limits', head: t('limits'), cell: (key) => <Limits apiKey={key} /> },
        {
          id: 'used',
          head: t('lastUse'),
          cell: ({ last_used_at: at }) => (at === null ? <span className="soft">{t('never')}</span> : <Ago at={at} />),
        },
        { id: t('actions'), head: '', align: 'end', cell: actions },
      ]}
    />
  );
}

function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const t = useWords('developers');
  const { org } = useOrganization();
  return (
    <div>
      <div className="row">
        <Link className="row-link" to="/$org/developers/keys" params={{ org }} search={{ key: apiKey.id }}>
          {apiKey.name}
        </Link>
        {apiKey.mode === 'test' && <Badge icon={null}>{t('mode.test')}</Badge>}
      </div>
      <code className="soft small">{shortSecret(apiKey)}</code>
    </div>
  );
}

/** What the key is limited to, and whether it works no longer. */
function Limits({ apiKey }: { apiKey: ApiKey }) {
  const t = useWords('developers');
  const formats = useFormats();
  if (apiKey.state === 'revoked') return <Badge tone="bad">{t('revoked')}</Badge>;
  if (apiKey.state === 'expired') return <Badge tone="warn">{t('expired')}</Badge>;
  const addresses = apiKey.allowed_addresses?.length ?? 0;
  if (apiKey.group === null && addresses === 0 && apiKey.expires_at === null)
    return <span className="soft">{t('unlimited')}</span>;
  return (
    <ul className="plain-list">
      {apiKey.group !== null && <li>{t('onlyGroup', { group: apiKey.group })}</li>}
      {addresses > 0 && <li>{t('onlyAddresses', { count: addresses })}</li>}
      {apiKey.expires_at !== null && <li>{t('until', { at: formats.dateTime(apiKey.expires_at) })}</li>}
    </ul>
  );
}
