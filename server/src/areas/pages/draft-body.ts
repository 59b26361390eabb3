import type { RegistrationCreate } from '@turnout/contract';
import type { QuestionRow } from '../events/index.ts';
import type { EventWorld } from '../registrations/index.ts';
import { type Draft, isSelf, type Person, questionsFor } from './draft.ts';
import type { Taker } from './offers.ts';
import { chosenBy, fieldsOfProducts } from './product-choices.ts';
import { answerOf } from './question-field.ts';
import type { ShownEvent } from './shown.ts';

/* What a draft is sent as: by a form of ours, and to the API. */

/**
 * The fields of a draft, to be sent along by a page that does not show them. Answers to questions that this person is not asked are left
 * out, so a page is never larger than the form of the event.
 */
export function fieldsOfDraft(shown: ShownEvent, draft: Draft, world: EventWorld): [name: string, value: string][] {
  const { contact, people, code, total } = draft;
  return [
    ...Object.entries(contact).map(([name, value]): [string, string] => [`c-${name}`, value]),
    ...people.flatMap((person, i): [string, string][] => fieldsOfPerson(person, i, questionsFor(world, person))),
    ...fieldsOfProducts(shown, draft),
    ...(code === '' ? [] : ([['code', code]] as [string, string][])),
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

const unlessBlank = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const present = <T extends object>(values: T): T =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T;

/** What a program would send to the API for the same registration. */
export function bodyOf(shown: ShownEvent, draft: Draft, world: EventWorld, language: string): RegistrationCreate {
  const { contact, people, code, total } = draft;
  const productsOf = (taker: Taker) => {
    const chosen = chosenBy(shown, draft, taker);
    return chosen.length === 0 ? undefined : chosen.map((one) => one.body);
  };
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
      products: productsOf(i),
    });
  });
  const together = productsOf('all');
  return {
    attendees,
    ...(together !== undefined && { products: together }),
    ...(code !== '' && { discount_code: code }),
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
