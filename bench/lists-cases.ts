import type { Id } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { COMMON, INNER, RARE } from './lists-fill.ts';
import type { BenchTurnout } from './turnout.ts';

export const EVENT = '/v1/events/big';

export interface Case {
  name: string;
  /** The path of the n-th call. */
  path: (n: number) => string;
  /** How many rows each answer must have, where that is known. */
  rows?: number;
}

export interface Sample {
  first_name: string;
  last_name: string;
  email: string;
  registration: string;
  ticket: string;
}

/** People to search for, from all over the event. */
export const sample = (turnout: Pick<BenchTurnout, 'system'>, org: Id): Promise<Sample[]> =>
  turnout.system((tx) =>
    tx.all<Sample>(sql`
      select a.first_name, a.last_name, a.email, r.code as registration, t.code as ticket
      from (select * from attendees where org_id = ${org} and status = 'confirmed' order by md5(id::text) limit 500) a
      join registrations r on r.org_id = a.org_id and r.id = a.registration_id
      join ticket_people p on p.org_id = a.org_id and p.attendee_id = a.id
      join tickets t on t.org_id = p.org_id and t.id = p.ticket_id`),
  );

/** `limited`: the key sees only some of the people, so the number of rows is not checked. */
export function searches(people: readonly Sample[], limited = false): Case[] {
  const one = (n: number) => people[n % people.length]!;
  const found = (path: string, text: (person: Sample) => string) => (n: number) =>
    `${path}=${encodeURIComponent(text(one(n)))}`;
  const attendee = `${EVENT}/attendees?search`;
  const contact = '/v1/contacts?search';
  const common = `${COMMON.last_name} ${COMMON.first_name}`;
  const cases: Case[] = [
    { name: 'attendees: one letter', path: found(attendee, ({ last_name }) => last_name.slice(0, 1)) },
    { name: 'attendees: two letters', path: found(attendee, ({ last_name }) => last_name.slice(0, 2)) },
    { name: `attendees: ${COMMON.last_name} (common)`, path: found(attendee, () => COMMON.last_name), rows: 50 },
    { name: `attendees: ${common}`, path: found(attendee, () => common), rows: 50 },
    { name: `attendees: ${RARE.last_name} (rare)`, path: found(attendee, () => RARE.last_name) },
    { name: 'attendees: first and last name', path: found(attendee, (p) => `${p.first_name} ${p.last_name}`) },
    { name: 'attendees: nobody', path: found(attendee, () => 'Nobody At All'), rows: 0 },
    { name: 'attendees: e-mail, beginning', path: found(attendee, ({ email }) => email.replace(/@.*/, '')) },
    { name: 'attendees: e-mail', path: found(attendee, ({ email }) => email), rows: 1 },
    { name: 'attendees: registration code', path: found(attendee, ({ registration }) => registration) },
    { name: 'attendees: ticket code', path: found(attendee, ({ ticket }) => ticket), rows: 1 },
    { name: 'registrations: e-mail', path: found(`${EVENT}/registrations?email`, ({ email }) => email) },
    { name: 'registrations: code', path: found(`${EVENT}/registrations?code`, (p) => p.registration), rows: 1 },
    { name: 'tickets: code', path: found(`${EVENT}/tickets?code`, ({ ticket }) => ticket), rows: 1 },
    { name: 'contacts: two letters', path: found(contact, ({ last_name }) => last_name.slice(0, 2)) },
    { name: `contacts: ${COMMON.last_name} (common)`, path: found(contact, () => COMMON.last_name), rows: 50 },
    { name: 'contacts: first and last name', path: found(contact, (p) => `${p.first_name} ${p.last_name}`) },
    { name: 'contacts: e-mail', path: found(contact, ({ email }) => email), rows: 1 },
    ...words(attendee, 'attendees'),
    ...words(`${EVENT}/registrations?search`, 'registrations'),
    ...words(contact, 'contacts'),
    {
      name: 'registrations: name',
      path: found(`${EVENT}/registrations?search`, (p) => `${p.first_name} ${p.last_name}`),
    },
    {
      name: 'registrations: search, e-mail',
      path: found(`${EVENT}/registrations?search`, ({ email }) => email),
      rows: 1,
    },
    {
      name: 'registrations: search, ticket',
      path: found(`${EVENT}/registrations?search`, ({ ticket }) => ticket),
      rows: 1,
    },
    { name: 'attendees: external_id', path: found(`${EVENT}/attendees?external_id`, ({ email }) => email), rows: 0 },
    { name: 'attendees: phone', path: found(`${EVENT}/attendees?phone`, ({ email }) => `1${email.length}`), rows: 0 },
    ...['attendees', 'registrations', 'tickets'].map((list) => ordered(`${EVENT}/${list}`, 'newest')),
    ordered('/v1/contacts', 'newest'),
    ...['attendees', 'registrations'].map((list) => ordered(`${EVENT}/${list}`, 'name')),
    ordered('/v1/contacts', 'name'),
    { name: 'availability', path: () => `${EVENT}/availability` },
    { name: 'summary', path: () => `${EVENT}/summary` },
  ];
  return limited ? cases.map(({ name, path }) => ({ name, path })) : cases;
}

const ordered = (path: string, order: string): Case => ({
  name: `${path}?order=${order}`,
  path: () => `${path}?order=${order}`,
  rows: 50,
});

/** One word or several, common and rare, with filters that leave many people, few or none, and in other orders. */
function words(path: string, list: string): Case[] {
  const text = (words: string) => encodeURIComponent(words);
  const common = text(COMMON.last_name);
  const cases: [string, string][] = [
    ['inner word', INNER.word],
    ['two beginnings', `${text('Ann Mül')}`],
    ['a common and a rare word', `${common}%20${text(RARE.last_name.slice(0, 6))}`],
    ['common words that nobody has both', `${common}%20${INNER.word}`],
    ['common, order=newest', `${common}&order=newest`],
    ['common, order=name', `${common}&order=name`],
    ['rare, order=name', `${text(RARE.last_name)}&order=name`],
  ];
  if (list !== 'contacts') {
    cases.push(['common, status=cancelled', `${common}&status=cancelled`]);
    cases.push(['common, status=declined (nobody)', `${common}&status=declined`]);
    cases.push(['common, group', `${common}&group=third`]);
  }
  return cases.map(([name, query]) => ({ name: `${list}: ${name}`, path: () => `${path}=${query}` }));
}

const answers = (...of: string[]) => of.map((one) => `answers=${encodeURIComponent(one)}`).join('&');

/** Attendees by their answers, which are frequent, rare, only among the last in the list, or given by nobody. */
export const answered: Case[] = [
  ...['half', 'some', 'few', 'rare', 'late', 'none', ''].map((diet) => [`diet:${diet}`]),
  ['diet:few', 'diet:rare', 'diet:late'],
  ['diet:half', 'photo:true'],
  ['diet:few', 'photo:false'],
].flatMap((of) =>
  ['', '&order=newest', '&order=name'].map((order) => ({
    name: `attendees: ${of.join(' ')}${order}`,
    path: () => `${EVENT}/attendees?${answers(...of)}${order}`,
  })),
);

/** Lists with a filter. No limit is set for these; they are measured so that nobody is surprised. */
export const filtered: Case[] = [
  ...['status=confirmed', 'status=cancelled', 'status=declined', 'checked_in=true', 'checked_in=false'],
  ...['attendee_type=child', 'day=d2', `status=cancelled&search=${encodeURIComponent(COMMON.last_name)}`],
].map((query) => ({ name: `attendees?${query}`, path: () => `${EVENT}/attendees?${query}` }));
