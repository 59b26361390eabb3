import type { ExportCreate } from '@turnout/client';
import type { Exported, ExportFilterName } from '@turnout/contract/file-columns';
import { useFormats, useWords } from '@turnout/ui';
import { useEvent } from '../../../../frame/event.tsx';
import { DateTimeField } from '../../../../parts/fields.tsx';
import { type Choice, Filters } from '../../../../parts/filters.tsx';
import { PeriodMenuOfMoments } from '../../../../parts/period-menu.tsx';
import { useNameText, useStateOptions } from '../../../../parts/status.tsx';
import { answersOf, useFilters } from '../../../../parts/use-filters.ts';
import { groupOptions, useGroups } from '../../../groups/tree.ts';
import { FILTER_NAMES, isFilterOf } from './columns.ts';

type ExportFilter = NonNullable<ExportCreate['filter']>;
const YES_NO = ['checked_in', 'admitted'];

/** The menus that fit what is exported. */
function useChoices(what: Exported): Choice[] {
  const t = useWords('export');
  const p = useWords('parts');
  const person = useWords('person');
  const { types, dayOptions, points, questions, products } = useEvent();
  const optionsOf = useStateOptions();
  const names = useNameText();
  const { data: groups = [] } = useGroups();
  const named = (list: readonly { code: string; name: string }[]) =>
    list.map(({ code, name }) => ({ value: code, label: name }));
  const yesNo = [
    { value: 'true', label: p('yes') },
    { value: 'false', label: p('no') },
  ];
  const statuses =
    what === 'tickets' ? optionsOf('ticket') : what === 'payments' ? optionsOf('payment') : optionsOf('registration');
  const all: Choice[] = [
    { name: 'status', label: t('filter.status'), options: statuses },
    { name: 'attendee_type', label: person('attendee_type'), options: named(types) },
    { name: 'day', label: t('filter.day'), options: dayOptions },
    {
      ...{ name: 'group', label: person('group') },
      options: groupOptions(groups),
    },
    { name: 'product', label: t('filter.product'), options: named(products) },
    { name: 'checked_in', label: person('checked_in'), options: yesNo },
    {
      ...{ name: 'report', label: t('filter.report') },
      options: (['attendance', 'reconciliation'] as const).map((value) => ({ value, label: t(`report.${value}`) })),
    },
    { name: 'check_in_point', label: t('filter.check_in_point'), options: named(points) },
    { name: 'result', label: t('filter.result'), options: optionsOf('result') },
    { name: 'admitted', label: t('filter.admitted'), options: yesNo },
    {
      ...{ name: 'method', label: t('filter.method') },
      options: (['cash', 'transfer', 'card', 'online', 'other'] as const).map((value) => ({
        value,
        label: names.method(value),
      })),
    },
    {
      ...{ name: 'registration_status', label: t('filter.registration_status') },
      options: optionsOf('registration'),
    },
    {
      ...{ name: 'by', label: t('filter.by') },
      options: (['day', 'hour', 'week'] as const).map((value) => ({ value, label: t(`by.${value}`) })),
    },
  ];
  const questionChoices: Choice[] = questions
    .filter(({ filterable }) => filterable)
    .map(({ code, label, kind, options }) => ({
      name: `answer.${code}`,
      label,
      options: kind === 'yes_no' ? yesNo : (options ?? []).map((value) => ({ value, label: value })),
    }));
  const fits = (name: string) => isFilterOf(what, name as ExportFilterName);
  return [
    ...all.filter(({ name, options }) => fits(name) && options.length > 0),
    ...(fits('answers') ? questionChoices : []),
  ];
}

export function ExportFilters({ what }: { what: Exported }) {
  const t = useWords('export');
  const { timezone } = useEvent();
  const { values, set } = useFilters();
  const timed = isFilterOf(what, 'from');
  const at = (name: 'from' | 'to') => (
    <DateTimeField
      label={t(name)}
      zone={timezone}
      value={values[name] ?? null}
      onChange={(value) => set({ [name]: value ?? undefined, job: undefined }, { quietly: true })}
    />
  );
  return (
    <div className="stack" data-gap="small">
      <Filters choices={useChoices(what)} others={timed ? ['from', 'to'] : []} />
      {timed && (
        <div className="export-times">
          {at('from')}
          {at('to')}
          <PeriodMenuOfMoments zone={timezone} onChoose={(moments) => set({ ...moments, job: undefined })} />
        </div>
      )}
    </div>
  );
}

/** The filter in the address, as the operation takes it. */
export function useFilterOf(what: Exported): ExportFilter {
  const { values } = useFilters();
  const filter: Record<string, unknown> = {};
  for (const name of FILTER_NAMES) {
    const value = values[name];
    if (value === undefined || name === 'answers' || !isFilterOf(what, name)) continue;
    filter[name] = YES_NO.includes(name) ? value === 'true' : value;
  }
  const answers = answersOf(values);
  if (answers.length > 0 && isFilterOf(what, 'answers')) filter.answers = answers;
  return filter;
}

/** What will be in the file, as a sentence. */
export function useInWords(what: Exported): string {
  const t = useWords('export');
  const formats = useFormats();
  const { timezone } = useEvent();
  const { values } = useFilters();
  const conditions = useChoices(what).flatMap(({ name, label, options }) => {
    const value = values[name];
    if (value === undefined || name === 'by') return [];
    return [`${label}: ${options.find((option) => option.value === value)?.label.trim() ?? value}`];
  });
  const timed = isFilterOf(what, 'from');
  if (timed && values.from !== undefined)
    conditions.push(t('since', { when: formats.dateTime(values.from, timezone) }));
  if (timed && values.to !== undefined) conditions.push(t('until', { when: formats.dateTime(values.to, timezone) }));
  const subject = t(`what.${what}`);
  return conditions.length === 0
    ? t('everything', { what: subject })
    : t('only', { what: subject, conditions: formats.list(conditions) });
}
