import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { AuditEntry } from '@turnout/client';
import { Button, CopyButton, EmptyState, Select, useAllWords, useWords } from '@turnout/ui';
import { Answer, More } from '../../frame/answer.tsx';
import { useCall, usePages } from '../../frame/api.ts';
import { useOrganization } from '../../frame/organization.tsx';
import { ACTIONS } from '../audit/actions.ts';
import { Entry, useActionText, useKindText } from '../audit/entry.tsx';
import { DevelopersPage } from './page.tsx';
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
    <DevelopersPage title={t('title')} lead={t('lead')}>
      <FilterBar of={query} rows={pages.rows ?? []} />
      <Answer of={{ data: pages.rows, error: pages.error, refetch: pages.refetch }}>
        {(rows) =>
          rows.length === 0 ? (
            <EmptyState title={t(filtered ? 'noMatchTitle' : 'noneTitle')}>
              {t(filtered ? 'noMatchText' : 'noneText')}
            </EmptyState>
          ) : (
            <>
              <ol className="log" aria-label={t('title')}>
                {rows.map((one) => (
                  <Row key={one.id} of={one} />
                ))}
              </ol>
              <More of={pages} />
            </>
          )
        }
      </Answer>
    </DevelopersPage>
  );
}

const defined = (of: { [Name in keyof Filters]: string | undefined }): Filters =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Filters;

function FilterBar({ of, rows }: { of: Filters; rows: readonly AuditEntry[] }) {
  const t = useWords('audit');
  const { language } = useAllWords();
  const actionText = useActionText();
  const kindText = useKindText();
  const navigate = useNavigate({ from: '/$org/developers/audit' });
  const actors = useActors(rows, of.actor);
  const change = (next: { [Name in keyof Filters]: string | undefined }) =>
    void navigate({ search: (old) => defined({ ...old, ...next }), replace: true, resetScroll: false });
  const kind = rows.flatMap(({ objects }) => objects).find(({ id }) => id === of.object)?.kind;
  const actions = ACTIONS.map((value) => ({ value: value as string, label: actionText(value) }));
  if (of.action !== undefined && !ACTIONS.some((one) => one === of.action))
    actions.push({ value: of.action, label: of.action });
  return (
    <search className="filters" aria-label={t('filters')}>
      <Select
        label={t('actor')}
        value={of.actor ?? ''}
        empty={t('anybody')}
        options={actors}
        onChange={(actor) => change({ actor: actor || undefined })}
      />
      <Select
        label={t('action')}
        value={of.action ?? ''}
        empty={t('anything')}
        options={actions.toSorted((a, b) => a.label.localeCompare(b.label, language))}
        onChange={(action) => change({ action: action || undefined })}
      />
      <TimeRange from={of.from} to={of.to} onChange={change} />
      {of.object !== undefined && (
        <Button onClick={() => change({ object: undefined })} aria-label={t('everyObject')}>
          {kind === undefined ? t('object') : kindText(kind)} …{of.object.slice(-6)} ✕
        </Button>
      )}
      {Object.keys(of).length > 0 && (
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

function Row({ of }: { of: AuditEntry }) {
  const t = useWords('audit');
  const { org } = useOrganization();
  const kindText = useKindText();
  const actor =
    of.actor.id === null ? (
      of.actor.name
    ) : (
      <Link
        to="/$org/developers/audit"
        params={{ org }}
        search={(old) => ({ ...old, actor: of.actor.id! })}
        title={t('onlyActor', { name: of.actor.name })}
      >
        {of.actor.name}
      </Link>
    );
  return (
    <Entry
      of={of}
      actor={actor}
      extra={
        <span className="log-foot soft small">
          {of.object.id !== null && (
            <Link
              to="/$org/developers/audit"
              params={{ org }}
              search={(old) => ({ ...old, object: of.object.id! })}
              title={t('onlyObject')}
            >
              {kindText(of.object.kind)} …{of.object.id.slice(-6)}
            </Link>
          )}
          {of.client !== null && <span>{of.client}</span>}
          {of.request_id !== null && (
            <CopyButton text={of.request_id} what={t('requestId')} kind="link">
              {t('requestId')}
            </CopyButton>
          )}
        </span>
      }
    />
  );
}
