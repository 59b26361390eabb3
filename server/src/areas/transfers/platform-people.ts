import { Email, LocalDateInput } from '@turnout/contract';
import type { SourceAttendee, SourcePerson } from '../../outside/platforms.ts';
import { bodyCheck } from '../../road/validate.ts';
import { isVisible } from '../../unicode.ts';
import { normalise } from '../contacts/index.ts';
import type { AttendeeTypeRow } from '../events/index.ts';
import {
  type AttendeeDetails,
  checkAnswers,
  daysOf,
  type EventWorld,
  Findings,
  tooMuchFault,
} from '../registrations/index.ts';
import { answerOf } from './import-cells.ts';
import type { Mapped } from './platform-mapping.ts';

/** Why somebody is left out: a code, and the words for whoever has to look into it. */
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
/** Never through the middle of a letter. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const hasName = (person: SourcePerson): boolean => isVisible(person.first_name) || isVisible(person.last_name);

/** Names that are missing are the buyer's; so is the address. */
export function nameOf(person: SourcePerson, buyer: SourcePerson): SourcePerson {
  const named = hasName(person) ? person : buyer;
  const email = [person.email, buyer.email].find((one) => one !== null && isEmail(one).length === 0);
  return {
    first_name: cut(named.first_name, LONGEST.name),
    last_name: cut(named.last_name, LONGEST.name),
    email: email ?? null,
  };
}

/** An attendee of the platform as a person of the event, or why not. */
export function personOf(
  world: EventWorld,
  ticketClass: string,
  becomes: NonNullable<Mapped['becomes']>,
  attendee: SourceAttendee,
  buyer: SourcePerson,
): AttendeeDetails | LeftOut {
  const type = world.types.get(becomes.attendee_type);
  if (type === undefined) {
    return new LeftOut('unknown_type', `The attendee type for ${ticketClass} is not there any more.`);
  }
  const offered = daysOf(world, type);
  if (!becomes.days.every((day) => offered.includes(day))) {
    return new LeftOut('day_not_available', `A day for ${ticketClass} is not offered any more.`);
  }
  const who = nameOf(attendee, buyer);
  if (!hasName(who)) {
    return new LeftOut('name_required', 'Neither the person nor the buyer has a name.');
  }
  const { phone, date_of_birth: born, paid } = attendee;
  const answers = answersOf(world, type, attendee);
  const tooMuch = tooMuchFault(answers);
  if (tooMuch !== null) return new LeftOut('invalid_value', `The answers ${tooMuch}.`);
  return {
    ...who,
    attendee_type_id: type.id,
    group_id: world.event.group_id,
    day_ids: becomes.days,
    phone: phone !== null && phone.length <= LONGEST.phone && isVisible(phone) ? phone : null,
    date_of_birth: born !== null && isDate(born).length === 0 ? born : null,
    external_id: null,
    answers,
    // Paid there, in whatever currency: here it counts where it can be added up.
    price_minor: paid?.currency === world.event.currency ? paid.amount_minor : 0,
  };
}

/** To the event's own question of the same words, if it takes the answer; else under the words themselves. */
function answersOf(world: EventWorld, type: AttendeeTypeRow, { answers }: SourceAttendee): Record<string, unknown> {
  return Object.fromEntries(
    answers.map(({ question, answer }) => {
      const words = normalise(question);
      const said = cut(answer, LONGEST.answer);
      const own = world.questions.find((one) => normalise(one.label) === words || normalise(one.code) === words);
      if (own === undefined) return [cut(question, LONGEST.question), said];
      const value = answerOf(own, said, 'ymd');
      if (value !== null && takes(world, type, own.code, value)) return [own.code, value];
      // Not under the code, which would make it the answer after all.
      return [`${cut(question, LONGEST.question)} (as given)`, said];
    }),
  );
}

function takes(world: EventWorld, type: AttendeeTypeRow, code: string, value: unknown): boolean {
  const findings = new Findings();
  const rules = { hiddenTypes: true, requiredAnswers: false, otherAnswers: false };
  checkAnswers(world, type, { [code]: value }, '', rules, findings);
  return findings.faults.length === 0;
}
