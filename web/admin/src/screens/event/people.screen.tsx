import { Link } from '@tanstack/react-router';
import type { Attendee, Group } from '@turnout/client';
import { Button, EmptyState, Menu, MoreIcon, Page, useWords } from '@turnout/ui';
import { type ReactNode, useMemo, useState } from 'react';
import { call, useCall, usePages } from '../../frame/api.ts';
import { useEvent } from '../../frame/event.tsx';
import { DataTable, type Selection, useSelection } from '../../parts/data-table.tsx';
import { Filters } from '../../parts/filters.tsx';
import { useStateOptions } from '../../parts/status.tsx';
import { type FilterValues, useFilters } from '../../parts/use-filters.ts';
import { useGroups } from '../groups/tree.ts';
import { useForgottenNeighbours } from './people/attendee/neighbours.ts';
import type { BulkAction, Source } from './people/bulk-items.ts';
import { BulkDialog, BulkJob, useBulkDialogSoon } from './people/bulk-later.tsx';
import { choicesOf } from './people/choices.ts';
import { usePeopleColumns } from './people/columns.tsx';
import { useMayHere } from './people/may-here.ts';
import { nameOf, peopleFilter, peopleQuery } from './people/query.ts';
import { totalOf } from './people/total.ts';

/** Everybody of the event, with filters in the address and what can be done with many at once. */
export default function People() {
  const t = useWords('people');
  const { base } = useEvent();
  const may = useMayHere();
  const { values, set } = useFilters();
  useForgottenNeighbours();
  const pages = usePages('listAttendees', { ...base, query: peopleQuery(values) }, { keep: true });
  const filter = peopleFilter(values);
  const selection = useSelection(JSON.stringify(filter));
  const { data: summary } = useCall('getEventSummary', base);
  const total = totalOf(values, summary);
  const columns = usePeopleColumns(values);
  const register = may('people.write') && (
    <Link className="button" data-kind="main" to="/$org/events/$event/people/registrations/new" params={base}>
      {t('register')}
    </Link>
  );
  return (
    <Page title={t('title')} actions={register}>
      {useFilterBar()}
      <BulkJob />
      <DataTable
        name="people"
        label={t('title')}
        pages={pages}
        keyOf={(one) => one.id}
        nameOf={nameOf}
        columns={columns}
        {...(may('people.bulk') && { selection })}
        actions={<Actions selection={selection} rows={pages.rows ?? []} values={values} total={total} />}
        order={{ value: values.order, fallback: 'name', onChange: (order) => set({ order }) }}
        total={total}
        empty={<NoPeople filtered={Object.keys(filter).length > 0} action={register} />}
      />
    </Page>
  );
}

const NO_GROUPS: readonly Group[] = [];

/** It has more elements than the rows, and stays the same while rows come. */
function useFilterBar(): ReactNode {
  const t = useWords('people');
  const p = useWords('parts');
  const person = useWords('person');
  const { types, dayOptions, questions } = useEvent();
  const { data: groups = NO_GROUPS } = useGroups();
  const optionsOf = useStateOptions();
  return useMemo(() => {
    const states = optionsOf('registration');
    const choices = choicesOf({ states, types, days: dayOptions, groups, questions }, { t, p, person });
    return <Filters search={{ label: t('search') }} choices={choices} />;
  }, [t, p, person, types, dayOptions, questions, groups, optionsOf]);
}

const ABOUT_REGISTRATIONS: readonly BulkAction[] = ['approve', 'cancel'];

function Actions({
  selection,
  rows,
  values,
  total,
}: {
  selection: Selection;
  rows: readonly Attendee[];
  values: FilterValues;
  total: number | undefined;
}) {
  const t = useWords('people');
  const [action, setAction] = useState<BulkAction | null>(null);
  const source = useSource(selection, rows, values, action);
  useBulkDialogSoon();
  const item = (id: BulkAction, danger?: boolean) => ({
    ...{ id, label: t(`bulk.${id}`), onAction: () => setAction(id) },
    ...(danger && { danger }),
  });
  return (
    <>
      <Button size="small" onClick={() => setAction('send_tickets')}>
        {t('bulk.send_tickets')}
      </Button>
      <Button size="small" onClick={() => setAction('change')}>
        {t('bulk.change')}
      </Button>
      <Menu
        label={t('moreActions')}
        button={{ kind: 'usual', size: 'small' }}
        groups={[{ items: [item('reissue'), item('approve'), item('cancel', true)] }]}
      >
        <MoreIcon />
      </Menu>
      {action !== null && (
        <BulkDialog action={action} source={source} count={selection.count(total)} onClose={() => setAction(null)} />
      )}
    </>
  );
}

/** Approving and cancelling are about whole registrations; everything else is about the selected people. */
function useSource(
  selection: Selection,
  rows: readonly Attendee[],
  values: FilterValues,
  action: BulkAction | null,
): Source {
  const { base } = useEvent();
  return useMemo(() => {
    const whole = action !== null && ABOUT_REGISTRATIONS.includes(action);
    const item = (one: Attendee) => (whole ? one.registration_id : one.id);
    const byId = new Map(rows.map((one) => [one.id, item(one)]));
    return {
      selection,
      filter: whole ? undefined : peopleFilter(values),
      idOf: (id) => byId.get(id),
      page: async (cursor) => {
        const query = { ...peopleFilter(values), limit: 200, ...(cursor !== undefined && { cursor }) };
        const { data, page } = await call('listAttendees', { ...base, query });
        return { ids: data.map((one) => ({ row: one.id, item: item(one) })), next: page.next_cursor };
      },
    };
  }, [selection, rows, values, action, base]);
}

function NoPeople({ filtered, action }: { filtered: boolean; action: React.ReactNode }) {
  const t = useWords('people');
  if (filtered) return <EmptyState title={t('noMatchTitle')}>{t('noMatchText')}</EmptyState>;
  return (
    <EmptyState title={t('noneTitle')} action={action}>
      {t('noneText')}
    </EmptyState>
  );
}
