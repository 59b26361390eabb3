import type { TenantHost } from '@turnout/client';
import { Form, FormShape, Submit, TextField, toast, useWords } from '@turnout/ui';
import { call, useCall, useRefresh } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { QueryResult } from '../../frame/query-result.tsx';
import { Host } from './host.tsx';
import './hosts.css';

/** The most that an organization can have. */
const MAX_HOSTS = 10;

/** The hosts at which the registration pages are, and the records that prove them. */
export function Hosts() {
  const { org } = useOrganization();
  const hosts = useCall('listTenantHosts', { org });
  return (
    <QueryResult query={hosts} shape={<FormShape fields={1} />}>
      {({ data }) => (
        <>
          {data.length > 0 && <List hosts={data} />}
          {data.length < MAX_HOSTS && <Add />}
        </>
      )}
    </QueryResult>
  );
}

const List = ({ hosts }: { hosts: readonly TenantHost[] }) => (
  <ul className="hosts">
    {hosts.map((one) => (
      <li key={one.id}>
        <Host host={one} />
      </li>
    ))}
  </ul>
);

function Add() {
  const t = useWords('hosts');
  const { org } = useOrganization();
  const refresh = useRefresh();
  return (
    <Form
      values={{ host: '' }}
      reset
      submit={({ host }, { key }) => call('addTenantHost', { org, body: { host: host.trim() } }, { key })}
      done={async ({ host }) => {
        toast(t('added', { host }), 'good');
        await refresh('listTenantHosts', 'listAuditLog');
      }}
    >
      {({ field }) => (
        <>
          <TextField
            label={t('host')}
            hint={t('hostHint')}
            placeholder="tickets.example.org"
            maxLength={253}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            {...field('host')}
          />
          <div className="buttons">
            <Submit>{t('add')}</Submit>
          </div>
        </>
      )}
    </Form>
  );
}
