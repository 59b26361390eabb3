import { linkOptions } from '@tanstack/react-router';
import type { Attendee, Group } from '@turnout/client';
import { type FieldOf, fieldsOf } from '@turnout/contract/person-fields';
import { Ago, useFormats, useWords } from '@turnout/ui';
import { useMemo } from 'react';
import { useEvent } from '../../../frame/event.tsx';
import type { DataColumn } from '../../../parts/data-table.tsx';
import { daysText } from '../../../parts/days-text.ts';
import { RowLink, useRowLinks } from '../../../parts/row-link.tsx';
import { StateBadge } from '../../../parts/status.tsx';
import type { FilterValues } from '../../../parts/use-filters.ts';
import { useNarrowerThan } from '../../../parts/use-phone.ts';
import { useGroups } from '../../groups/tree.ts';
import { useAnswerText } from './answer-text.ts';
import { nameOf } from './query.ts';

const NO_GROUPS: readonly Group[] = [];

/** Most people come on the same few days, and writing dates took a sixth of the time in which a row is drawn. */
function oncePerDays(write: (days: readonly string[]) => string): (days: readonly string[]) => string {
  const known = new Map<string, string>();
  return (days) => {
    const key = days.join();
    const text = known.get(key) ?? write(days);
    known.set(key, text);
    return text;
  };
}

/** The columns of the table of people; each question is one that can be chosen. */
export function usePeopleColumns(values: FilterValues): DataColumn<Attendee>[] {
  const t = useWords('people');
  const p = useWords('parts');
  const person = useWords('person');
  const formats = useFormats();
  const answerText = useAnswerText();
  const { base, questions, typeName, days, money } = useEvent();
  const { data: groups = NO_GROUPS } = useGroups();
  // Below these widths of the screen not all columns fit, and whether somebody is checked in must not be what is cut off.
  const narrow = useNarrowerThan(89.75);
  const narrower = useNarrowerThan(84.75);
  const links = useRowLinks(
    (attendee) => {
      const { job: _, ...search } = values;
      const params = { ...base, attendee };
      return linkOptions({ to: '/$org/events/$event/people/$attendee', params, search: search as never });
    },
    [base, values],
  );
  return useMemo<DataColumn<Attendee>[]>(() => {
    const typed = (id: FieldOf<'attendee', { typed: true }>) => ({
      ...{ id, head: person(id), extra: true },
      cell: (one: Attendee) => one[id],
    });
    const daysOf = oncePerDays((codes) => daysText(codes, days, formats, (count) => p('allDays', { count })));
    return [
      {
        ...{ id: 'name', head: t('name'), order: 'name', always: true, card: 'title' },
        width: 'minmax(10.5rem, 2fr)',
        cell: (one) => (
          <RowLink to={links} id={one.id}>
            <bdi>{nameOf(one)}</bdi>
          </RowLink>
        ),
      },
      {
        id: 'type',
        head: person('attendee_type'),
        card: 'line',
        width: 'minmax(5rem, 1fr)',
        cell: (one) => <bdi>{typeName(one.attendee_type)}</bdi>,
      },
      ...(days.length > 0
        ? [
            {
              ...({ id: 'days', head: person('days'), card: 'line' } as const),
              cell: (one: Attendee) => daysOf(one.days),
            },
          ]
        : []),
      {
        ...{ id: 'status', head: person('status'), card: 'end', width: '8.25rem' },
        cell: (one) => <StateBadge kind="registration" value={one.status} />,
      },
      ...(groups.length > 0
        ? [
            {
              ...{ id: 'group', head: person('group'), extra: narrower, width: 'minmax(4.5rem, 0.8fr)' },
              cell: (one: Attendee) => groups.find(({ code }) => code === one.group)?.name ?? one.group,
            },
          ]
        : []),
      ...fieldsOf('attendee', { kind: 'email' }).map((id) => ({
        ...typed(id),
        ...{ extra: false, width: 'minmax(11rem, 1.5fr)' },
      })),
      {
        ...{ id: 'tickets', head: person('tickets'), align: 'end', width: '4rem' },
        extra: groups.length > 0 ? narrow : narrower,
        cell: (one) => {
          const valid = one.tickets.filter(({ status }) => status === 'valid').length;
          return valid === 0 ? '' : formats.number(valid);
        },
      },
      {
        ...{ id: 'checked_in', head: person('checked_in'), width: '7.5rem' },
        cell: (one) => (one.checked_in ? <StateBadge kind="attendance" value="in" /> : null),
      },
      {
        ...{ id: 'changed', head: t('changed'), order: 'newest', extra: true, width: 'minmax(7rem, 0.8fr)' },
        cell: (one) => <Ago at={one.updated_at} />,
      },
      ...fieldsOf('attendee', { kind: 'phone' }).map(typed),
      { id: 'price', head: person('price_minor'), extra: true, align: 'end', cell: (one) => money(one.price_minor) },
      ...fieldsOf('attendee', { kind: 'date' }).map((id) => ({
        ...typed(id),
        cell: (one: Attendee) => (one[id] === null ? null : formats.date(one[id])),
      })),
      ...fieldsOf('attendee', { kind: 'text' }).map(typed),
      ...questions.map((question) => ({
        ...{ id: `answer.${question.code}`, head: question.label, extra: true },
        cell: (one: Attendee) => answerText(one.answers[question.code]),
      })),
    ];
  }, [t, p, person, formats, answerText, links, questions, typeName, days, money, groups, narrow, narrower]);
}
