import type { RegistrationCreate } from '@turnout/contract';
import type { Fields } from '../../road/request/form-body.ts';
import type { QuestionRow } from '../events/index.ts';
import type { EventWorld } from '../registrations/index.ts';
import { countField, MAX_PEOPLE, mostPeople } from './chooser.ts';
import type { ShownType } from './queries.ts';
import { answerOf } from './question-field.ts';
import type { ShownEvent } from './shown.ts';

/** Somebody in a form, as they were typed. */
export interface Person {
  /** Code of the attendee type. */
  type: string;
  first: string;
  last: string;
  email: string;
  days: string[];
  /** By the code of the question. `choices` may have several. */
  answers: ReadonlyMap<string, string[]>;
}

/** A form that is being filled in. It stands in the form itself, so that nothing is kept for people who never send it. */
export interface Draft {
  contact: { first: string; last: string; email: string; phone: string };
  people: Person[];
  token: string;
  /** The total that the person was shown. Null until they were. */
  total: number | null;
}

const nobody = (type: string): Person => ({ type, first: '', last: '', email: '', days: [], answers: new Map() });

/** How many of each type were chosen on the event's page; one of the first type if nothing was. */
export function draftOf(query: Readonly<Record<string, unknown>>, shown: ShownEvent): Draft {
  const people: Person[] = [];
  for (const type of shown.types) {
    const count = Number(query[countField(type)] ?? 0);
    for (let i = 0; i < count && people.length < mostPeople(shown); i += 1) people.push(nobody(type.code));
  }
  const [first] = shown.types;
  if (people.length === 0 && first !== undefined) people.push(nobody(first.code));
  return { contact: { first: '', last: '', email: '', phone: '' }, people, token: '', total: null };
}

/** The draft in the fields of a form. Fields that a form of ours cannot have are left out. */
export function readDraft(fields: Fields): Draft {
  const text = (name: string): string => fields.get(name) ?? '';
  const people: Person[] = [];
  for (let i = 0; i < MAX_PEOPLE; i += 1) {
    const type = fields.get(`p${i}-type`);
    if (type === null) continue;
    people.push({
      type,
      first: text(`p${i}-first`),
      last: text(`p${i}-last`),
      email: text(`p${i}-email`),
      days: [...fields.getAll(`p${i}-days`)],
      answers: new Map(),
    });
  }
  const answers = people.map(() => new Map<string, string[]>());
  const places = placesOf(fields);
  for (const [name, values] of fields) {
    const match = /^p(\d{1,2})-q-(.+)$/s.exec(name);
    const of = match === null ? undefined : answers[places.indexOf(Number(match[1]))];
    if (match === null || of === undefined) continue;
    // Browsers send every line break as two characters. The field counts it as one.
    const given = values.map((value) => value.replaceAll('\r\n', '\n'));
    of.set(match[2]!, [...(of.get(match[2]!) ?? []), ...given]);
  }
  const total = text('total');
  return {
    contact: { first: text('c-first'), last: text('c-last'), email: text('c-email'), phone: text('c-phone') },
    people: people.map((person, i) => ({ ...person, answers: answers[i]! })),
    token: text('token'),
    total: /^\d{1,15}$/.test(total) ? Number(total) : null,
  };
}

/** The numbers that the people have in the fields: somebody may have been removed in between. */
const placesOf = (fields: Fields): number[] =>
  Array.from({ length: MAX_PEOPLE }, (_, i) => i).filter((i) => fields.has(`p${i}-type`));

/** The questions that this person is asked. */
export function questionsFor({ types, questions }: EventWorld, person: Person): QuestionRow[] {
  const type = [...types.values()].find((one) => one.code.toLowerCase() === person.type.toLowerCase());
  return questions.filter(
    ({ attendee_type_ids: ids }) => ids === null || (type !== undefined && ids.includes(type.id)),
  );
}

/**
 * The fields of a draft, to be sent along by a page that does not show them. Answers to questions that this person is not asked are left
 * out, so a page is never larger than the form of the event.
 */
export function fieldsOfDraft({ contact, people, total }: Draft, world: EventWorld): [name: string, value: string][] {
  return [
    ...Object.entries(contact).map(([name, value]): [string, string] => [`c-${name}`, value]),
    ...people.flatMap((person, i): [string, string][] => fieldsOfPerson(person, i, questionsFor(world, person))),
    ...(total === null ? [] : ([['total', String(total)]] as [string, string][])),
  ];
}

const fieldsOfPerson = (
  { type, first, last, email, days, answers }: Person,
  i: number,
  questions: readonly QuestionRow[],
): [string, string][] => [
  [`p${i}-type`, type],
  [`p${i}-first`, first],
  [`p${i}-last`, last],
  [`p${i}-email`, email],
  ...days.map((day): [string, string] => [`p${i}-days`, day]),
  ...questions.flatMap(({ code }) =>
    (answers.get(code) ?? []).map((value): [string, string] => [`p${i}-q-${code}`, value]),
  ),
];

/** Whoever registers comes in the first place, unless the form names somebody else there. */
export const isSelf = ({ people: [first] }: Draft, i: number): boolean =>
  i === 0 && first !== undefined && first.first.trim() === '' && first.last.trim() === '' && first.email.trim() === '';

const unlessBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const present = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** What a program would send to the API for the same registration. */
export function bodyOf(draft: Draft, world: EventWorld, language: string): RegistrationCreate {
  const { contact, people, total } = draft;
  const attendees = people.map((person, i) => {
    const named = isSelf(draft, i) ? contact : person;
    return present({
      attendee_type: person.type,
      first_name: unlessBlank(named.first),
      last_name: unlessBlank(named.last),
      email: unlessBlank(named.email),
      phone: isSelf(draft, i) ? unlessBlank(contact.phone) : undefined,
      days: person.days.length === 0 ? undefined : person.days,
      answers: answersOf(person, questionsFor(world, person)),
    });
  });
  return {
    attendees,
    contact: present({
      first_name: unlessBlank(contact.first),
      last_name: unlessBlank(contact.last),
      email: unlessBlank(contact.email),
      phone: unlessBlank(contact.phone),
      language,
    }),
    ...(total !== null && { expected_total_minor: total }),
  } as RegistrationCreate;
}

/** The answers to the questions that this person is asked. */
function answersOf({ answers }: Person, questions: readonly QuestionRow[]): Record<string, unknown> | undefined {
  const entries = questions.flatMap(({ code, kind }) => {
    const answer = answerOf(kind, answers.get(code) ?? []);
    return answer === undefined ? [] : [[code, answer] as const];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** The types of the people, as they are offered now; undefined for one that is hidden or gone. */
export const typeOf = (shown: ShownEvent, { type }: Person): ShownType | undefined =>
  shown.types.find((one) => one.code.toLowerCase() === type.toLowerCase());

export const totalOf = (shown: ShownEvent, { people }: Draft): number =>
  people.reduce((sum, person) => sum + (typeOf(shown, person)?.price.price_minor ?? 0), 0);
