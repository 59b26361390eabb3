import { type Id, toUlid } from '../../store/ids.ts';
import { emailKey, normalise, type PersonNames, phoneKey } from '../contacts/index.ts';

/** Who is being forgotten: by the ids of what is theirs alone, and by the words that name them. */
export interface ErasedPerson extends Mentions {
  contact: Id;
  /** The person in registrations. */
  attendees: readonly Id[];
  /** Tickets that are for nobody else. */
  tickets: readonly Id[];
  /** Payments whose reference was theirs. */
  payments: readonly Id[];
  /** Check-ins with a reason that somebody typed. */
  checkins: readonly Id[];
}

/** Everything of theirs that a copy may name. */
export const idsOf = ({ contact, attendees, tickets, payments, checkins }: ErasedPerson): Id[] => [
  contact,
  ...attendees,
  ...tickets,
  ...payments,
  ...checkins,
];

/** The same JSON without what it says about the person: their own objects are known by their ids. */
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
  // What an answer says beside its objects: where a ticket was sent, how a message reads, why something was cancelled.
  return Object.fromEntries(
    Object.entries(copy).map(([name, one]) => [
      name,
      typeof one === 'string' && person.isMentioned(one) ? 'erased' : one,
    ]),
  );
}

export const ERASED_NAMES = { first_name: 'Erased', last_name: 'person' };
const NOTHING = { email: null, phone: null, date_of_birth: null, external_id: null, answers: {}, reference: null };

function blanked(
  object: Record<string, unknown>,
  isContact: boolean,
  { keepCodes = false }: { keepCodes?: boolean },
): Record<string, unknown> {
  const names = isContact ? { first_name: null, last_name: null } : ERASED_NAMES;
  for (const [name, nothing] of Object.entries({ ...names, ...NOTHING })) if (name in object) object[name] = nothing;
  if (typeof object.void_reason === 'string') object.void_reason = 'erased';
  if (typeof object.code === 'string' && !keepCodes) object.code = 'erased';
  if (typeof object.override === 'object' && object.override !== null) {
    object.override = { ...object.override, reason: 'erased' };
  }
  return object;
}

/** How a text of people tells who is meant. */
export interface Mentions {
  /** By the first or last name as a word, the address, or the phone. */
  isMentioned(text: string): boolean;
  /** By the address or the phone. */
  isAddressMentioned(text: string): boolean;
  /** As they are compared. */
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
  const addresses = (text: string): boolean => {
    const plain = normalise(text);
    const digits = text.replaceAll(/\D/g, '');
    return emails.some((one) => plain.includes(one)) || phones.some((one) => digits.includes(one));
  };
  return {
    emails,
    isAddressMentioned: addresses,
    isMentioned: (text) => addresses(text) || names.some((one) => words(text).includes(one)),
  };
}
const words = (text: string): string =>
  ` ${normalise(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
