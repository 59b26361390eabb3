import type { AttendeeType, Group, Question } from '@turnout/client';
import type { Option } from '@turnout/ui';
import type { Translate } from '@turnout/words';
import type { Choice } from '../../../parts/filters.tsx';
import { groupOptions } from '../../groups/branches.ts';
import { ANSWER, UNANSWERED } from './query.ts';

interface Parts {
  /** The states of a registration. */
  states: readonly Option[];
  types: readonly Pick<AttendeeType, 'code' | 'name'>[];
  days: readonly Option[];
  groups: readonly Group[];
  questions: readonly Pick<Question, 'code' | 'label' | 'options' | 'filterable'>[];
}

/** What the table of people can be filtered by: what every event has, and the questions that were made filterable. */
export function choicesOf(
  { states, types, days, groups, questions }: Parts,
  {
    t,
    p,
    person,
  }: {
    t: Translate<'people'>;
    p: Translate<'parts'>;
    person: Translate<'person'>;
  },
): Choice[] {
  const yesOrNo = [
    { value: 'true', label: p('yes') },
    { value: 'false', label: p('no') },
  ];
  return [
    { name: 'status', label: person('status'), options: states },
    {
      ...{ name: 'attendee_type', label: person('attendee_type') },
      options: types.map(({ code, name }) => ({ value: code, label: name })),
    },
    { name: 'day', label: t('day'), options: days },
    { name: 'group', label: person('group'), options: groupOptions(groups) },
    { name: 'checked_in', label: person('checked_in'), options: yesOrNo },
    ...questions
      .filter(({ filterable }) => filterable)
      .map(({ code, label, options }) => ({
        ...{ name: `${ANSWER}${code}`, label },
        options: [
          ...(options?.map((option) => ({ value: option, label: option })) ?? yesOrNo),
          { value: UNANSWERED, label: p('noAnswer') },
        ],
      })),
  ];
}
