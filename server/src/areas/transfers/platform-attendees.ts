import { Email, LocalDateInput } from '@turnout/contract';
import { isVisible } from '../../common/unicode.ts';
import type { SourceAttendee, SourcePerson } from '../../outside/platforms.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { normalise } from '../contacts/index.ts';
import type { AttendeeTypeRow } from '../events/index.ts';
import {
  type AttendeeDetails,
  checkAnswers,
  daysOf,
  type EventWorld,
  Findings,
  NO_LINES,
  NO_TEXTS,
  tooMuchFault,
} from '../registrations/index.ts';
import { answerOf } from './import-cells.ts';
import type { Mapped } from './platform-mapping.ts';

/** Why an attendee is left out: a code, and a sentence for the organizer. */
export class LeftOut {
  readonly code: string;
  readonly words: string;
  constructor(code: string, words: string) {
    this.code = code;
    this.words = words;
  }
}

const isEmail = bodyCheck(Email());
const isDate = bodyCheck(LocalDateInput());
const LONGEST = { name: 200, phone: 50, question: 200, answer: 5000 };
/** Cuts a text; `toWellFormed` mends a surrogate pair that was cut in two. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const hasName = (person: SourcePerson): boolean => isVisible(person.first_name) || isVisible(person.last_name);

/** An attendee without a name gets the buyer's name, and one without a valid e-mail address gets the buyer's address. */
export function nameOf(person: SourcePerson, buyer: SourcePerson): SourcePerson {
  const named = hasName(person) ? person : buyer;
  const email = [person.email, buyer.email].find((one) => one !== null && isEmail(one).length === 0);
  return {
    first_name: cut(named.first_name, LONGEST.name),
    last_name: cut(named.last_name, LONGEST.name),
    email: email ?? null,
  };
}

/** The details of an attendee of the platform as an attendee of the event, or the reason why they are left out. */
export function attendeeOf(
  world: EventWorld,
  ticketClass: string,
  becomes: NonNullable<Mapped['becomes']>,
  attendee: SourceAttendee,
  buyer: SourcePerson,
): AttendeeDetails | LeftOut {
  const type = world.types.get(becomes.attendee_type);
  if (type === undefined) {
    return new LeftOut('unknown_type', `The attendee type for ${ticketClass} was deleted.`);
  }
  const offered = daysOf(world, type);
  if (!becomes.days.every((day) => offered.includes(day))) {
    return new LeftOut('day_not_available', `A day for ${ticketClass} is no longer offered.`);
  }
  const who = nameOf(attendee, buyer);
  if (!hasName(who)) {
    return new LeftOut('name_required', 'Neither the attendee nor the buyer has a name.');
  }
  const { phone, date_of_birth: born, paid } = attendee;
  const answers = answersOf(world, type, attendee);
  const tooMuch = tooMuchFault(answers);
  if (tooMuch !== null) return new LeftOut('invalid_value', `The answers ${tooMuch}.`);
  return {
    ...NO_TEXTS,
    ...who,
    attendee_type_id: type.id,
    group_id: world.event.group_id,
    day_ids: becomes.days,
    phone: phone !== null && phone.length <= LONGEST.phone && isVisible(phone) ? phone : null,
    date_of_birth: born !== null && isDate(born).length === 0 ? born : null,
    answers,
    // An amount in another currency than the event's cannot be added up, so it counts as nothing.
    price_minor: paid?.currency === world.event.currency ? paid.amount_minor : 0,
    price_name: null,
    discount_minor: 0,
    discount_id: null,
    products: NO_LINES,
  };
}

/**
 * An answer goes to the event's question with the same text, if that question accepts it. Otherwise it is kept under the text of
 * the platform's question.
 */
function answersOf(world: EventWorld, type: AttendeeTypeRow, { answers }: SourceAttendee): Record<string, unknown> {
  return Object.fromEntries(
    answers.map(({ question, answer }) => {
      const words = normalise(question);
      const given = cut(answer, LONGEST.answer);
      const own = world.questions.find((one) => normalise(one.label) === words || normalise(one.code) === words);
      if (own === undefined) return [cut(question, LONGEST.question), given];
      const value = answerOf(own, given, 'ymd');
      if (value !== null && accepts(world, type, own.code, value)) return [own.code, value];
      // Under another key than the question's code: the answer must not count as an answer to the question.
      return [`${cut(question, LONGEST.question)} (as given)`, given];
    }),
  );
}

function accepts(world: EventWorld, type: AttendeeTypeRow, code: string, value: unknown): boolean {
  const findings = new Findings();
  const rules = { requiredAnswers: false, otherAnswers: false };
  checkAnswers(world, type, { [code]: value }, '', rules, findings);
  return findings.faults.length === 0;
}
