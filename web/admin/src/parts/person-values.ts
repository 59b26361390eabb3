import type { Attendee, AttendeeChange, AttendeeInput, ProductChoice } from '@turnout/client';
import { type FieldOf, fieldsOf } from '@turnout/contract/person-fields';
import { answersFor, type FormQuestion } from './answers.ts';

type Typed = FieldOf<'attendee', { typed: true }>;
const TYPED = fieldsOf('attendee', { typed: true });
const typedTexts = (textOf: (field: Typed) => string) =>
  Object.fromEntries(TYPED.map((field) => [field, textOf(field)])) as Record<Typed, string>;

/** One person as a form holds it: texts are never null. */
export interface PersonValues extends Record<Typed, string> {
  attendee_type: string;
  group: string;
  days: string[];
  answers: Record<string, unknown>;
  /** What somebody new takes beside the ticket. What is booked is changed by itself. */
  products?: ProductChoice[];
}

export const emptyPerson = (start: Partial<PersonValues> = {}): PersonValues => ({
  attendee_type: '',
  ...typedTexts(() => ''),
  group: '',
  days: [],
  answers: {},
  products: [],
  ...start,
});

/** What a form begins with for somebody who is there already. */
export const personValues = (one: Attendee): PersonValues => ({
  attendee_type: one.attendee_type,
  ...typedTexts((field) => one[field] ?? ''),
  group: one.group ?? '',
  days: [...one.days],
  answers: { ...one.answers },
});

/** What every attendee has. */
const NEEDED = ['attendee_type', ...fieldsOf('attendee', { kind: 'name' })] as const;
const isOptional = (field: Typed): field is Exclude<Typed, (typeof NEEDED)[number]> =>
  !(NEEDED as readonly string[]).includes(field);
const OPTIONAL = [...TYPED.filter(isOptional), 'group'] as const;

/**
 * Somebody new, for `createRegistration` and `addAttendee`. What is empty is left out, so that the server's own choice holds: all days
 * of a pass, the only day that a type has, the group of a member who is limited to one.
 */
export function personInput(values: PersonValues, questions: readonly FormQuestion[]): AttendeeInput {
  const sent: AttendeeInput = {
    attendee_type: values.attendee_type,
    first_name: values.first_name.trim(),
    last_name: values.last_name.trim(),
  };
  for (const name of OPTIONAL) if (values[name].trim() !== '') sent[name] = values[name].trim();
  if (values.days.length > 0) sent.days = values.days;
  if (values.products !== undefined && values.products.length > 0) sent.products = values.products;
  const answers = Object.entries(answersFor(questions, values.attendee_type, values.answers));
  sent.answers = Object.fromEntries(answers.filter(([, answer]) => answer !== null));
  return sent;
}

/**
 * What was changed of somebody, for `changeAttendee`: nothing else is sent, so that two people who change different things of the same
 * person do not undo each other's work. Null if nothing was.
 */
export function personChange(
  before: PersonValues,
  values: PersonValues,
  questions: readonly FormQuestion[],
): AttendeeChange | null {
  const sent: AttendeeChange = {};
  for (const name of NEEDED) if (values[name].trim() !== before[name]) sent[name] = values[name].trim();
  for (const name of OPTIONAL) if (values[name].trim() !== before[name]) sent[name] = values[name].trim() || null;
  if (values.days.toSorted().join() !== before.days.toSorted().join()) sent.days = values.days;
  const answers = answersFor(questions, values.attendee_type, values.answers);
  const old = answersFor(questions, values.attendee_type, before.answers);
  const changed = Object.entries(answers).filter(
    ([code, answer]) => JSON.stringify(answer) !== JSON.stringify(old[code] ?? null),
  );
  if (changed.length > 0) sent.answers = Object.fromEntries(changed);
  return Object.keys(sent).length === 0 ? null : sent;
}
