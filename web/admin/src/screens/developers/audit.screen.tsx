import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@turnout/client';
import { Button, CloseIcon, CopyButton, EmptyState, Page, Select, useAllWords, useWords } from '@turnout/ui';
import { useCall, usePages } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { MoreButton, QueryResult } from '../../frame/query-result.tsx';
import { ACTIONS } from '../../parts/audit/actions.ts';
import { Entry, useActionText, useKindText } from '../../parts/audit/entry.tsx';
import { DeveloperTabs } from './tabs.tsx';
import { asInstant, TimeRange } from './time-range.tsx';
import './developers.css';

type Filters = { [Name in 'actor' | 'action' | 'object' | 'from' | 'to']?: string };

/** Everything that was changed, newest first. The filters stand in the address, so that what was found can be sent to somebody. */
export default function Audit() {
  const t = useWords('audit');
  const { org } = useOrganization();
  const search = useSearch({ from: '/$org/developers/audit' });
  const [from, to] = [asInstant(search.from), asInstant(search.to)];
  const query = defined({ ...search, from, to });
  const pages = usePages('listAuditLog', { org, query: { ...query, limit: 50 } });
  const filtered = Object.keys(query).length > 0;
  return (
    <Page title={t('title')} lead={t('lead')} tabs={<DeveloperTabs />}>
      <FilterBar filters={query} rows={pages.rows ?? []} />
      <QueryResult query={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t(filtered ? 'noMatchTitle' : 'noneTitle')}>
              {t(filtered ? 'noMatchText' : 'noneText')}
            </EmptyState>
          ) : (
            <>
              <ol className="log" aria-label={t('title')}>
                {rows.map((one) => (
                  <Row key={one.id} entry={one} />
                ))}
              </ol>
              <MoreButton pages={pages} />
            </>
          )
        }
      </QueryResult>
    </Page>
  );
}

const defined = (filters: { [Name in keyof Filters]: string | undefined }): Filters =>
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as Filters;

function FilterBar({ filters, rows }: { filters: Filters; rows: readonly AuditEntry[] }) {
  const t = useWords('audit');
  const { language } = useAllWords();
  const actionText = useActionText();
  const kindText = useKindText();
  const navigate = useNavigate({ from: '/$org/developers/audit' });
  const actors = useActors(rows, filters.actor);
  const change = (next: { [Name in keyof Filters]: string | undefined }) =>
    void navigate({ search: (old) => defined({ ...old, ...next }), replace: true, resetScroll: false });
  const kind = rows.flatMap(({ objects }) => objects).find(({ id }) => id === filters.object)?.kind;
  const actions = ACTIONS.map((value) => ({ value: value as string, label: actionText(value) }));
  if (filters.action !== undefined && !ACTIONS.some((one) => one === filters.action))
    actions.push({ value: filters.action, label: filters.action });
  return (
    <search className="filters" aria-label={t('filters')}>
      <Select
        label={t('actor')}
        value={filters.actor ?? ''}
        empty={t('anybody')}
        options={actors}
        onChange={(actor) => change({ actor: actor || undefined })}
      />
      <Select
        label={t('action')}
        value={filters.action ?? ''}
        empty={t('anything')}
        options={actions.toSorted((a, b) => a.label.localeCompare(b.label, language))}
        onChange={(action) => change({ action: action || undefined })}
      />
      <TimeRange from={filters.from} to={filters.to} onChange={change} />
      {filters.object !== undefined && (
        <Button onClick={() => change({ object: undefined })} aria-label={t('everyObject')}>
          {kind === undefined ? t('object') : kindText(kind)} …{filters.object.slice(-6)} <CloseIcon />
        </Button>
      )}
      {Object.keys(filters).length > 0 && (
        <Button
          kind="quiet"
          onClick={() =>
            change({ actor: undefined, action: undefined, object: undefined, from: undefined, to: undefined })
          }
        >
          {t('clearFilters')}
        </Button>
      )}
    </search>
  );
}

/** Members and keys, as far as this member may see them, and whoever stands in the list. */
function useActors(rows: readonly AuditEntry[], chosen: string | undefined) {
  const t = useWords('audit');
  const { org, may } = useOrganization();
  const members = useCall('listMembers', { org }, { enabled: may('tenant.members') });
  const keys = useCall('listKeys', { org }, { enabled: may('tenant.api_keys') });
  const names = new Map<string, string>();
  if (chosen !== undefined) names.set(chosen, `…${chosen.slice(-6)}`);
  for (const { actor } of rows) if (actor.id !== null) names.set(actor.id, actor.name);
  for (const { id, name } of members.data?.data ?? []) names.set(id, name);
  for (const { id, name } of keys.data?.data ?? []) names.set(id, t('keyNamed', { name }));
  return [...names].map(([value, label]) => ({ value, label })).toSorted((a, b) => a.label.localeCompare(b.label));
}

function Row({ entry }: { entry: AuditEntry }) {
  const t = useWords('audit');
  const { org } = useOrganization();
  const kindText = useKindText();
  const actor =
    entry.actor.id === null ? (
      entry.actor.name
    ) : (
      <Link
        to="/$org/developers/audit"
        params={{ org }}
        search={(old) => ({ ...old, actor: entry.actor.id! })}
        title={t('onlyActor', { name: entry.actor.name })}
      >
        {entry.actor.name}
      </Link>
    );
  return (
    <Entry
      entry={entry}
      actor={actor}
      extra={
        <span className="log-foot soft small">
          {entry.object.id !== null && (
            <Link
              to="/$org/developers/audit"
              params={{ org }}
              search={(old) => ({ ...old, object: entry.object.id! })}
              title={t('onlyObject')}
            >
              {kindText(entry.object.kind)} …{entry.object.id.slice(-6)}
            </Link>
          )}
          {entry.client !== null && <span>{entry.client}</span>}
          {entry.request_id !== null && (
            <CopyButton text={entry.request_id} what={t('requestId')} kind="link">
              {t('requestId')}
            </CopyButton>
          )}
        </span>
      }
    />
  );
}
