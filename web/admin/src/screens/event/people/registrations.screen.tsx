import { Link } from '@tanstack/react-router';
import type { EventSummary, Registration } from '@turnout/client';
import { Button, EmptyState, Menu, MoreIcon, Page, Tabs, useFormats, useWords } from '@turnout/ui';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { call, useCall, usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { DataTable, type Selection, useSelection } from '../../../parts/data-table.tsx';
import { type Choice, Filters } from '../../../parts/filters.tsx';
import { useNameText, useStateText } from '../../../parts/status.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { groupOptions, useGroups } from '../../groups/tree.ts';
import type { Source } from './bulk-items.ts';
import { BulkDialog, BulkJob, useBulkDialogSoon } from './bulk-later.tsx';
import './people.css';
import { useMayHere } from './may-here.ts';
import { nameOf } from './query.ts';
import { useRegistrationColumns } from './registrations/columns.tsx';
import { type Decision, decisionsIn, wantedBy } from './registrations/decisions.ts';
import { type RegistrationsQuery, registrationsFilter, registrationsQuery } from './registrations/query.ts';
import { type Status, shownStatuses, totalOf } from './registrations/statuses.ts';

/** All registrations by their state, with what is to be decided about many of them at once, also by keyboard. */
export default function Registrations() {
  const t = useWords('registrations');
  const { base } = useEvent();
  const may = useMayHere();
  const { values, set } = useFilters();
  const filter = registrationsFilter(values);
  const { data: summary } = useCall('getEventSummary', base);
  const pages = usePages('listRegistrations', { ...base, query: registrationsQuery(values) }, { keep: true });
  const selection = useSelection(JSON.stringify(filter));
  const total = totalOf(values, summary);
  const acting = useActing(selection, pages.rows ?? [], filter);
  const bulk = may('people.bulk');
  const register = may('people.write') && (
    <Link className="button" data-kind="main" to="/$org/events/$event/people/registrations/new" params={base}>
      {t('newTitle')}
    </Link>
  );
  return (
    <Page title={t('title')} actions={register} tabs={<StatusTabs summary={summary} />}>
      <Filters search={{ label: t('search') }} choices={useChoices()} />
      <BulkJob />
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the rows inside; everything is a button, too */}
      <div onKeyDown={bulk ? acting.press : undefined}>
        <DataTable
          name="registrations"
          label={t('title')}
          pages={pages}
          keyOf={(one) => one.id}
          nameOf={(one) => nameOf(one.contact) || one.code}
          columns={useRegistrationColumns(values)}
          {...(bulk && { selection })}
          actions={<Actions status={values.status as Status | undefined} onChoose={acting.choose} />}
          order={{ value: values.order, fallback: 'newest', onChange: (order) => set({ order }) }}
          total={total}
          empty={<NoRegistrations filtered={Object.keys(filter).length > 0} action={register} />}
        >
          {bulk && <span className="soft small keys-hint">{t('keysHint')}</span>}
        </DataTable>
      </div>
      {acting.decision !== null && (
        <BulkDialog
          action={acting.decision}
          source={acting.source}
          count={selection.count(total)}
          onClose={() => acting.choose(null)}
        />
      )}
    </Page>
  );
}

/** Which decision is asked about, and the keys: X selects the row, A, D, P and C decide about what is selected or else about the row. */
function useActing(selection: Selection, rows: readonly Registration[], filter: RegistrationsQuery) {
  const { base } = useEvent();
  const [decision, choose] = useState<Decision | null>(null);
  const source = useMemo<Source>(
    () => ({
      ...{ selection, filter },
      idOf: (id) => id,
      page: async (cursor) => {
        const query = { ...filter, limit: 200, ...(cursor !== undefined && { cursor }) };
        const { data, page } = await call('listRegistrations', { ...base, query });
        return { ids: data.map(({ id }) => ({ row: id, item: id })), next: page.next_cursor };
      },
    }),
    [selection, filter, base],
  );
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    if (event.altKey || event.ctrlKey || event.metaKey || !target.matches('.row-link, .data-check > input')) return;
    const row = rows[Number(target.closest<HTMLElement>('.data-row')?.dataset.index ?? -1)];
    if (row === undefined) return;
    const wanted = wantedBy(event.key, row.status, selection.hasAny);
    if (wanted === null) return;
    event.preventDefault();
    if (wanted === 'select') return selection.set([row.id], !selection.has(row.id));
    if (!selection.hasAny) selection.set([row.id], true);
    choose(wanted);
  };
  return { decision, choose, source, press };
}
/** What can be done with what is selected; below a tab only what its state allows. */
function Actions({ status, onChoose }: { status: Status | undefined; onChoose: (decision: Decision) => void }) {
  const t = useWords('registrations');
  useBulkDialogSoon();
  const possible = decisionsIn(status);
  const shown = possible.filter((one) => one !== 'cancel');
  const cancels = possible.includes('cancel');
  return (
    <>
      {shown.map((one) => (
        <Button key={one} size="small" kind={one === 'decline' ? 'usual' : 'main'} onClick={() => onChoose(one)}>
          {t(one)}
        </Button>
      ))}
      {cancels && (
        <Menu
          label={t('moreActions')}
          button={{ kind: 'usual', size: 'small' }}
          groups={[{ items: [{ id: 'cancel', label: t('cancel'), danger: true, onAction: () => onChoose('cancel') }] }]}
        >
          <MoreIcon />
        </Menu>
      )}
    </>
  );
}

/** The states as tabs, each with how many there are. */
function StatusTabs({ summary }: { summary: EventSummary | undefined }) {
  const t = useWords('registrations');
  const formats = useFormats();
  const stateText = useStateText();
  const { base } = useEvent();
  const { values } = useFilters();
  const counts = summary?.registrations;
  const shown = shownStatuses(counts, values.status);
  const { status: _, ...rest } = values;
  const tab = (status: Status | undefined, label: string, count: number | undefined) => (
    <Link
      key={status ?? ''}
      to="/$org/events/$event/people/registrations"
      params={base}
      search={{ ...rest, ...(status !== undefined && { status }) } as never}
      activeOptions={{ exact: true, includeSearch: true }}
    >
      {label}
      {count !== undefined && <span className="tab-count">{formats.number(count)}</span>}
    </Link>
  );
  return (
    <Tabs label={t('byStatus')}>
      {tab(undefined, t('all'), counts && Object.values(counts).reduce((sum, count) => sum + count, 0))}
      {shown.map((one) => tab(one, stateText('registration', one), counts?.[one]))}
    </Tabs>
  );
}

function useChoices(): Choice[] {
  const t = useWords('registrations');
  const p = useWords('parts');
  const { source } = useNameText();
  const { data: groups = [] } = useGroups();
  return [
    {
      ...{ name: 'balance', label: t('balance') },
      options: [
        { value: 'due', label: t('balance.due') },
        { value: 'credit', label: t('balance.credit') },
      ],
    },
    {
      ...{ name: 'source', label: t('source') },
      options: (['form', 'api', 'import', 'platform'] as const).map((value) => ({ value, label: source(value) })),
    },
    {
      ...{ name: 'group', label: p('group') },
      options: groupOptions(groups),
    },
  ];
}

function NoRegistrations({ filtered, action }: { filtered: boolean; action: React.ReactNode }) {
  const t = useWords('registrations');
  if (filtered) return <EmptyState title={t('noMatchTitle')}>{t('noMatchText')}</EmptyState>;
  return (
    <EmptyState title={t('noneTitle')} action={action}>
      {t('noneText')}
    </EmptyState>
  );
}
