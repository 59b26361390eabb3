import type { Id } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { emailKey, innerWords, keysOf, type PersonNames, wordsIn } from '../contacts/index.ts';
import type { AttendeeState, RegistrationState } from './state.ts';

/*
 * Search words that are stored beside the keys of the rows: the inner words of an attendee's name, and the words of a registrant who
 * is not an attendee. Most registrations have none, and then nothing is written.
 */

const attendeeWords = (attendee: AttendeeState): string =>
  isPlain(attendee) ? '' : innerWords(keysOf(attendee)).join(' ');

/** Whether first and last name are one plain word each: then the keys begin with these words, and there are no others. */
const isPlain = ({ first_name, last_name }: AttendeeState): boolean => PLAIN.test(first_name) && PLAIN.test(last_name);
const PLAIN = /^[a-z]+$/i;

function registrantWords({ contact, attendees }: RegistrationState): string {
  const names = (one: PersonNames) => keysOf(one).given_key;
  const { first_name, last_name, email } = contact;
  const words: string[] = [];
  const isNamed = attendees.some((one) => one.first_name === first_name && one.last_name === last_name);
  const name = names(contact);
  if (!isNamed && !attendees.some((one) => names(one) === name)) words.push(...wordsIn(name));
  if (email !== null && !attendees.some((one) => one.email === email)) {
    const key = emailKey(email);
    if (key !== null && !attendees.some((one) => emailKey(one.email) === key)) words.push(key);
  }
  return words.join(' ');
}

/** Words by the id of the attendee, or of the registration for its registrant. They are joined by spaces, which no word contains. */
export type Words = Map<Id, string>;

export function collectWords(registration: RegistrationState, into: Words): void {
  for (const attendee of registration.attendees) into.set(attendee.id, attendeeWords(attendee));
  into.set(registration.id, registrantWords(registration));
}

/** Writes the words that differ from those before. */
export function writeWords(
  tx: Tx,
  org: Id,
  event: Id,
  before: Words,
  registrations: readonly RegistrationState[],
): void {
  const attendees: Words = new Map();
  const registrants: Words = new Map();
  const compare = (into: Words, id: Id, words: string) => {
    if ((before.get(id) ?? '') !== words) into.set(id, words);
  };
  for (const registration of registrations) {
    if (!registration.fresh && !registration.touched) continue;
    for (const attendee of registration.attendees) compare(attendees, attendee.id, attendeeWords(attendee));
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
  const [oldAttendees, oldRegistrants] = [old(attendees), old(registrants)];
  if (oldAttendees.length > 0)
    tx.send(sql`delete from attendee_words where org_id = ${org} and attendee_id = any(${oldAttendees})`);
  if (oldRegistrants.length > 0)
    tx.send(sql`delete from registrant_words where org_id = ${org} and registration_id = any(${oldRegistrants})`);
  const [attendeePairs, registrantPairs] = [pairs(attendees), pairs(registrants)];
  if (attendeePairs.length > 0) {
    tx.send(sql`
      insert into attendee_words (org_id, event_id, word, attendee_id)
      select ${org}, ${event}, w.* from unnest(${attendeePairs.map(([word]) => word)}::text[], ${attendeePairs.map(([, id]) => id)}::uuid[]) w
      on conflict do nothing`);
  }
  if (registrantPairs.length > 0) {
    tx.send(sql`
      insert into registrant_words (org_id, event_id, word, registration_id)
      select ${org}, ${event}, w.* from unnest(${registrantPairs.map(([word]) => word)}::text[], ${registrantPairs.map(([, id]) => id)}::uuid[]) w
      on conflict do nothing`);
  }
}
