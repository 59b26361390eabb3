import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey, innerWords, keysOf, normalise, wordsOf } from '../contacts/index.ts';
import type { AttendeeState, RegistrationState } from './state.ts';

/**
 * Words by which people are found beside the keys of their rows: the inner ones of a name, and those of a registrant who is none
 * of the people. Most registrations have none, and then nothing is written.
 */
const attendeeWords = (person: AttendeeState): string => (isPlain(person) ? '' : innerWords(keysOf(person)).join(' '));

/** Two names of one word each: their keys begin with them. */
const isPlain = ({ first_name, last_name }: AttendeeState): boolean => PLAIN.test(first_name) && PLAIN.test(last_name);
const PLAIN = /^\p{L}+$/u;

function registrantWords({ contact, attendees: people }: RegistrationState): string {
  const names = (one: { first_name: string | null; last_name: string | null }) =>
    normalise(`${one.first_name ?? ''} ${one.last_name ?? ''}`);
  const { first_name, last_name, email } = contact;
  const words: string[] = [];
  const isNamed = people.some((one) => one.first_name === first_name && one.last_name === last_name);
  if (!isNamed && !people.some((one) => names(one) === names(contact))) words.push(...wordsOf(names(contact)));
  if (email !== null && !people.some((one) => one.email === email)) {
    const key = emailKey(email);
    if (key !== null && !people.some((one) => emailKey(one.email) === key)) words.push(key);
  }
  return words.join(' ');
}

/** By the id of the person, or of the registration for its registrant; each list joined by spaces, which no word holds. */
export type Words = Map<Id, string>;

export function collectWords(registration: RegistrationState, into: Words): void {
  for (const person of registration.attendees) into.set(person.id, attendeeWords(person));
  into.set(registration.id, registrantWords(registration));
}

/** Those that differ from what stood before. */
export function writeWords(
  tx: Tx,
  org: Id,
  event: Id,
  before: Words,
  registrations: readonly RegistrationState[],
): void {
  const people: Words = new Map();
  const registrants: Words = new Map();
  const compare = (into: Words, id: Id, words: string) => {
    if ((before.get(id) ?? '') !== words) into.set(id, words);
  };
  for (const registration of registrations) {
    if (!registration.fresh && !registration.touched) continue;
    for (const person of registration.attendees) compare(people, person.id, attendeeWords(person));
    compare(registrants, registration.id, registrantWords(registration));
  }
  const old = (changed: Words) => [...changed.keys()].filter((id) => (before.get(id) ?? '') !== '');
  const pairs = (changed: Words) =>
    [...changed].flatMap(([id, words]) =>
      words
        .split(' ')
        .filter((word) => word !== '')
        .map((word) => [word, id] as const),
    );
  const [gone, left] = [old(people), old(registrants)];
  if (gone.length > 0) tx.send(sql`delete from attendee_words where org_id = ${org} and attendee_id = any(${gone})`);
  if (left.length > 0)
    tx.send(sql`delete from registrant_words where org_id = ${org} and registration_id = any(${left})`);
  const [theirs, its] = [pairs(people), pairs(registrants)];
  if (theirs.length > 0) {
    tx.send(sql`
      insert into attendee_words (org_id, event_id, word, attendee_id)
      select ${org}, ${event}, w.* from unnest(${theirs.map(([word]) => word)}::text[], ${theirs.map(([, id]) => id)}::uuid[]) w
      on conflict do nothing`);
  }
  if (its.length > 0) {
    tx.send(sql`
      insert into registrant_words (org_id, event_id, word, registration_id)
      select ${org}, ${event}, w.* from unnest(${its.map(([word]) => word)}::text[], ${its.map(([, id]) => id)}::uuid[]) w
      on conflict do nothing`);
  }
}
