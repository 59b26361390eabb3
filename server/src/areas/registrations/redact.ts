import { type FieldOf, fieldsOf, type Owner } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { emailKey, type PersonNames, phoneKey, plainText } from '../contacts/index.ts';

/** The person to erase: the ids of what belongs to them alone, and how texts mention them. */
export interface ErasedPerson extends Mentions {
  contact: Id;
  /** The person's attendees, one for each registration they are in. */
  attendees: readonly Id[];
  /** Attendees whose place the person has handed on. */
  former: readonly Id[];
  /** Tickets that are for nobody else. */
  tickets: readonly Id[];
  /** Payments whose reference was blanked. */
  payments: readonly Id[];
  /** Check-ins whose typed override reason was blanked. */
  checkins: readonly Id[];
  /** What was handed out to them and taken back, with a typed reason that was blanked. */
  handOuts: readonly Id[];
}

/** The ids of everything that belongs to the person alone. Copies are found by these ids. */
export const idsOf = ({ contact, attendees, former, tickets, payments, checkins, handOuts }: ErasedPerson): Id[] => [
  contact,
  ...attendees,
  ...former,
  ...tickets,
  ...payments,
  ...checkins,
  ...handOuts,
];

/** A copy of a JSON value without the person's data. The person's own objects are recognized by their ids. */
export function redact(value: unknown, person: ErasedPerson, options: { keepCodes?: boolean } = {}): unknown {
  const own = new Set(idsOf(person).map(toUlid));
  const contact = toUlid(person.contact);
  const visit = (one: unknown): unknown => {
    if (Array.isArray(one)) return one.map(visit);
    if (typeof one !== 'object' || one === null) return one;
    const copy = Object.fromEntries(Object.entries(one).map(([name, inner]) => [name, visit(inner)]));
    return typeof copy.id === 'string' && own.has(copy.id) ? blanked(copy, copy.id === contact, options) : copy;
  };
  const copy = visit(value);
  if (typeof copy !== 'object' || copy === null || Array.isArray(copy)) return copy;
  // Texts on the top level belong to no object: the address a ticket was sent to, a message, the reason of a cancellation.
  return Object.fromEntries(
    Object.entries(copy).map(([name, one]) => [
      name,
      typeof one === 'string' && person.isMentioned(one) ? 'erased' : one,
    ]),
  );
}

const nullFields = (owner: Owner) => Object.fromEntries(fieldsOf(owner, { typed: true }).map((field) => [field, null]));

/**
 * What is left of the personal fields. Fields that people type follow from the table; any other personal field that is missing here does
 * not compile.
 */
export const ERASED_ATTENDEE = {
  ...(nullFields('attendee') as NullFields<'attendee'>),
  first_name: 'Erased',
  last_name: 'person',
  answers: {},
} satisfies Record<FieldOf<'attendee', { personal: true }>, unknown>;
export const ERASED_CONTACT = nullFields('contact') as NullFields<'contact'> satisfies Record<
  FieldOf<'contact', { personal: true }>,
  null
>;
export const ERASED_REGISTRANT = {
  ...(nullFields('registrant') as NullFields<'registrant'>),
  language: null,
} satisfies Record<FieldOf<'registrant', { personal: true }>, null>;
type NullFields<Whose extends Owner> = Record<FieldOf<Whose, { typed: true }>, null>;

function blanked(
  object: Record<string, unknown>,
  isContact: boolean,
  { keepCodes = false }: { keepCodes?: boolean },
): Record<string, unknown> {
  const left = { ...ERASED_REGISTRANT, ...ERASED_ATTENDEE, ...(isContact && ERASED_CONTACT), reference: null };
  for (const [name, value] of Object.entries(left)) if (name in object) object[name] = value;
  if (typeof object.void_reason === 'string') object.void_reason = 'erased';
  if (typeof object.code === 'string' && !keepCodes) object.code = 'erased';
  if (typeof object.override === 'object' && object.override !== null) {
    object.override = { ...object.override, reason: 'erased' };
  }
  return object;
}

/** How texts that people have typed mention a person. */
export interface Mentions {
  /** By their first or last name as a word, e-mail address or phone number. */
  isMentioned(text: string): boolean;
  /** By their e-mail address or phone number. */
  isAddressMentioned(text: string): boolean;
  /** Their e-mail addresses, normalised for comparison. */
  emails: readonly string[];
}

export function mentionsOf(people: readonly PersonNames[]): Mentions {
  const given = (values: (string | null)[], shortest: number): string[] =>
    values.filter((one): one is string => one !== null && one.trim().length >= shortest);
  const emails = given(
    people.map((one) => emailKey(one.email)),
    3,
  );
  const phones = given(
    people.map((one) => phoneKey(one.phone)),
    6,
  );
  const called = people.flatMap(({ first_name, last_name }) => [first_name, last_name]);
  const names = given(
    called.map((name) => (name === null ? null : words(name))),
    3,
  );
  const isAddressMentioned = (text: string): boolean => {
    const plain = plainText(text);
    const digits = text.replaceAll(/\D/g, '');
    return emails.some((one) => plain.includes(one)) || phones.some((one) => digits.includes(one));
  };
  return {
    emails,
    isAddressMentioned,
    isMentioned: (text) => isAddressMentioned(text) || names.some((one) => words(text).includes(one)),
  };
}
/** The words of a text between single spaces, so that a word is found by a simple comparison. */
const words = (text: string): string =>
  ` ${plainText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
