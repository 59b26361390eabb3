import type { AttendeeType, Day, EventSummary } from '@turnout/client';
import { useWords } from '@turnout/ui';
import { useCall } from '../../../frame/api.ts';
import { useEvent } from '../../../frame/event.tsx';
import { useOrganization } from '../../../frame/organization.tsx';

type Tally = EventSummary['days'][number]['people'];
const everybody = (people: Tally | undefined): number =>
  Object.values(people ?? {}).reduce((sum: number, count: number) => sum + count, 0);

/** What keeps a day or a type from being deleted or getting another code, in words, as far as the app knows it. */
export function useUsage(): { ofDay: (day: Day) => string[]; ofType: (type: AttendeeType) => string[] } {
  const t = useWords('form');
  const { base, types, points, questions, products, limits } = useEvent();
  const { may } = useOrganization();
  const { data } = useCall('getEventSummary', base, { enabled: may('people.read') });
  const people = (count: number) => (count === 0 ? [] : [t('usedByPeople', { count })]);
  const codesIn = (list: readonly string[] | null, code: string) => list?.includes(code) === true;
  return {
    ofDay: ({ code }) => [
      ...people(everybody(data?.days.find(({ day }) => day === code)?.people)),
      ...types.filter(({ days }) => codesIn(days, code)).map(({ name }) => t('usedByType', { name })),
      ...products.filter(({ days }) => codesIn(days, code)).map(({ name }) => t('usedByProduct', { name })),
      ...limits.filter(({ days }) => codesIn(days, code)).map(({ name }) => t('usedByLimit', { name })),
      ...points.filter(({ policy }) => codesIn(policy.days, code)).map(({ name }) => t('usedByPoint', { name })),
    ],
    ofType: ({ code }) => [
      ...people(everybody(data?.attendee_types.find(({ attendee_type }) => attendee_type === code)?.people)),
      ...questions
        .filter((one) => codesIn(one.attendee_types, code))
        .map(({ label }) => t('usedByQuestion', { name: label })),
      ...products.filter((one) => codesIn(one.attendee_types, code)).map(({ name }) => t('usedByProduct', { name })),
      ...limits.filter((one) => codesIn(one.attendee_types, code)).map(({ name }) => t('usedByLimit', { name })),
      ...points
        .filter(({ policy }) => codesIn(policy.attendee_types, code))
        .map(({ name }) => t('usedByPoint', { name })),
    ],
  };
}
