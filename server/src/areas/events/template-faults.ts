import type { EventTemplate } from '@turnout/contract';
import { type Fault, MOST_FAULTS } from '../../road/refusal.ts';
import { passFaults } from './attendee-types.ts';
import { policyFaults } from './check-in-points.ts';
import { dayFaults } from './days.ts';
import { eventFaults } from './events.ts';
import { filterableFaults, optionFaults, tooManyFilterable } from './questions.ts';

/** All faults inside a template, each with its path: against the rules of each part, and references that lead nowhere. */
export function templateFaults(template: EventTemplate): Fault[] {
  const { event, days, attendee_types, questions, check_in_points } = template;
  const dayCodes = codesOf(days);
  const typeCodes = codesOf(attendee_types);
  const zones = codesOf(check_in_points.filter((point) => point.kind === 'zone'));
  return [
    ...below('event', eventFaults(event)),
    ...each('days', days, (day) => dayFaults(event, day)),
    ...each('attendee_types', attendee_types, (type) => [
      ...unknown('days', type.days, dayCodes, 'day'),
      ...passFaults(type.pass_days, type.days),
    ]),
    ...each('questions', questions, (question) => [
      ...optionFaults(question.kind, question.options),
      ...filterableFaults(question.kind, question.filterable),
      ...unknown('attendee_types', question.attendee_types, typeCodes, 'attendee type'),
    ]),
    ...below('questions', tooManyFilterable(questions)),
    ...each('check_in_points', check_in_points, ({ kind, policy }) => [
      ...policyFaults(kind, policy),
      ...unknown('policy/attendee_types', policy.attendee_types, typeCodes, 'attendee type'),
      ...unknown('policy/days', policy.days, dayCodes, 'day'),
      ...(policy.leaves === null || zones.has(policy.leaves.toLowerCase())
        ? []
        : [{ path: 'policy/leaves', message: `no such zone in the template: ${policy.leaves}` }]),
    ]),
  ];
}

interface Coded {
  code: string;
}
const codesOf = (parts: readonly Coded[]): ReadonlySet<string> => new Set(parts.map((part) => part.code.toLowerCase()));

export const below = (path: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, path: `${path}/${fault.path}` }));

/** The faults of each part, and a fault for each code that an earlier part of the same list has. */
function each<Part extends Coded>(name: string, parts: readonly Part[], faultsOf: (part: Part) => Fault[]): Fault[] {
  const taken = new Set<string>();
  return parts.flatMap((part, i) => {
    const code = part.code.toLowerCase();
    const twice = taken.has(code) ? [{ path: 'code', message: `the code ${part.code} is already taken` }] : [];
    taken.add(code);
    return below(`${name}/${i}`, [...twice, ...faultsOf(part)]);
  });
}

export function unknown(path: string, refs: string[] | null, known: ReadonlySet<string>, what: string): Fault[] {
  const faults: Fault[] = [];
  for (const [i, ref] of (refs ?? []).entries()) {
    if (known.has(ref.toLowerCase())) continue;
    faults.push({ path: `${path}/${i}`, message: `no such ${what}: ${ref}` });
    if (faults.length > MOST_FAULTS) break;
  }
  return faults;
}
