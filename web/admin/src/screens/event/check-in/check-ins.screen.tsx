import type { CheckIn } from '@turnout/client';
import { Badge, ChevronIcon, EmptyState, Page, Time, useWords } from '@turnout/ui';
import { usePages } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { type DataColumn, DataTable } from '../../../parts/data-table.tsx';
import { ExportFile, ExportProgress } from '../../../parts/export-file.tsx';
import { DateTimeField } from '../../../parts/fields.tsx';
import { Filters } from '../../../parts/filters.tsx';
import { PeriodMenuOfMoments } from '../../../parts/period-menu.tsx';
import { Popup } from '../../../parts/popup.tsx';
import { StateBadge, useReasonText, useStateOptions } from '../../../parts/status.tsx';
import { useFilters } from '../../../parts/use-filters.ts';
import { spanOf } from '../../../parts/zoned.ts';
import { CheckInDialog } from './check-ins/check-in.tsx';
import { PersonName } from './check-ins/person-name.tsx';
import './check-in.css';

/** Every scan of a ticket, newest first, with what a member can do about one: let somebody in all the same, or take it back. */
export default function CheckIns() {
  const t = useWords('door');
  const { base, timezone } = useEvent();
  const { values, set } = useFilters();
  const { check_in, job: _job, admitted, test, from, to, ...others } = values;
  const rest = { ...others, ...spanOf({ from, to }, timezone) };
  const query = {
    ...rest,
    ...(admitted !== undefined && { admitted: admitted === 'true' }),
    ...(test === 'true' && { test: true }),
    limit: 100,
  };
  const pages = usePages('listCheckIns', { ...base, query }, { keep: true });
  const columns = useColumns((id) => set({ check_in: id }));
  const open = pages.rows?.find(({ id }) => id === check_in);
  return (
    <Page
      title={t('checkIns')}
      actions={
        test !== 'true' && (
          <ExportFile
            what="checkins"
            filter={{ report: 'all', ...rest, ...(admitted !== undefined && { admitted: admitted === 'true' }) }}
          />
        )
      }
    >
      <ExportProgress />
      <CheckInFilters />
      <DataTable
        name="check-ins"
        label={t('checkIns')}
        pages={pages}
        keyOf={(one) => one.id}
        columns={columns}
        empty={<EmptyState title={t('noCheckIns')}>{t('noCheckInsText')}</EmptyState>}
      />
      {open !== undefined && <CheckInDialog checkIn={open} onClose={() => set({ check_in: undefined })} />}
    </Page>
  );
}

function CheckInFilters() {
  const t = useWords('door');
  const options = useStateOptions();
  const { points, dayOptions, timezone } = useEvent();
  const { values, set } = useFilters();
  const span = spanOf(values, timezone);
  return (
    <Filters
      choices={[
        {
          name: 'check_in_point',
          label: t('point'),
          options: points.map(({ code, name }) => ({ value: code, label: name })),
        },
        { name: 'day', label: t('day'), options: dayOptions },
        {
          name: 'admitted',
          label: t('admittedOrNot'),
          options: [
            { value: 'true', label: t('wasAdmitted') },
            { value: 'false', label: t('wasRefused') },
          ],
        },
        { name: 'result', label: t('result'), options: options('result') },
        { name: 'test', label: t('mode'), options: [{ value: 'true', label: t('isTest') }] },
      ]}
      others={['from', 'to']}
    >
      <Popup
        name={t('time')}
        button={{ size: 'small' }}
        label={
          <>
            {t('time')}
            <ChevronIcon />
          </>
        }
      >
        <div className="stack door-times">
          <PeriodMenuOfMoments zone={timezone} onChoose={(moments) => set({ ...moments })} />
          <DateTimeField
            label={t('from')}
            zone={timezone}
            required={false}
            value={span.from ?? null}
            onChange={(from) => set({ from: from ?? undefined })}
          />
          <DateTimeField
            label={t('to')}
            zone={timezone}
            required={false}
            value={span.to ?? null}
            onChange={(to) => set({ to: to ?? undefined })}
          />
        </div>
      </Popup>
    </Filters>
  );
}

function useColumns(open: (id: string) => void): DataColumn<CheckIn>[] {
  const t = useWords('door');
  const reasonText = useReasonText();
  const { pointName, dayName, timezone } = useEvent();
  return [
    {
      ...{ id: 'person', head: t('person'), width: 'minmax(11rem, 2fr)', always: true, card: 'title' },
      cell: (one) => (
        <button type="button" className="row-link" onClick={() => open(one.id)}>
          <PersonName name={one.attendee_id} />
        </button>
      ),
    },
    {
      ...{ id: 'result', head: t('result'), width: 'minmax(9rem, 1fr)', always: true, card: 'end' },
      cell: (one) => <StateBadge kind="result" value={one.result} />,
    },
    {
      ...{ id: 'reason', head: t('why'), width: 'minmax(10rem, 2fr)' },
      cell: (one) => <WhyLine checkIn={one} text={one.reason === null ? '' : reasonText(one.reason)} />,
    },
    { id: 'point', head: t('point'), cell: (one) => pointName(one.check_in_point) },
    { id: 'day', head: t('day'), cell: (one) => (one.day === null ? '–' : dayName(one.day)) },
    {
      ...{ id: 'at', head: t('time'), width: 'minmax(10rem, 1fr)', card: 'line' },
      cell: (one) => <Time at={one.scanned_at} timeZone={timezone} />,
    },
    { id: 'by', head: t('by'), cell: (one) => <bdi>{one.device?.name ?? one.actor.name}</bdi>, extra: true },
  ];
}

function WhyLine({ checkIn, text }: { checkIn: CheckIn; text: string }) {
  const t = useWords('door');
  if (checkIn.undone_at !== null) return <Badge>{t('wasUndone')}</Badge>;
  if (checkIn.override !== null) return <bdi>{t('overrideBecause', { reason: checkIn.override.reason })}</bdi>;
  return text;
}
