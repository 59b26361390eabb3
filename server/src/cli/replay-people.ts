import type { CasePerson, CaseTicket, GoldenCase } from '@turnout/checkin';
import type { Client, Mode } from './replay-client.ts';
import type { BuiltWorld } from './replay-world.ts';

/** The API cannot set this case up. The file should mark it as `local_only`. */
export class CannotSetUp extends Error {}

/** What a scan needs to know about a ticket: its code and its people. */
export interface ReadyTicket {
  code: string;
  /** Attendee ids by the person's `ref`. */
  people: ReadonlyMap<string, string>;
}

interface IssuedTicket {
  id: string;
  code: string;
}
interface Registration {
  id: string;
  status: string;
  total_minor: number;
  attendees: { id: string; tickets: IssuedTicket[] }[];
}

export async function setUpTickets(
  client: Client,
  world: BuiltWorld,
  one: GoldenCase,
): Promise<Map<string, ReadyTicket>> {
  const ready = new Map<string, ReadyTicket>();
  // Days by the ids of the API, because the file may name a day by code in one place and by id in another.
  const given = one.tickets.map((ticket) => ({
    ...ticket,
    people: ticket.people.map((person) => ({ ...person, days: [...new Set(world.days.all(person.days))] })),
  }));
  for (const tickets of partiesOf(given)) {
    for (const [ref, ticket] of await setUpParty(client, world, tickets)) ready.set(ref, ticket);
  }
  return ready;
}

/** Tickets that share a person belong to one registration. */
function partiesOf(tickets: readonly CaseTicket[]): CaseTicket[][] {
  let parties: CaseTicket[][] = [];
  for (const ticket of tickets) {
    const refs = new Set(ticket.people.map((person) => person.ref));
    const shares = (party: CaseTicket[]) => party.some(({ people }) => people.some(({ ref }) => refs.has(ref)));
    const joined = [...parties.filter(shares).flat(), ticket];
    parties = [...parties.filter((party) => !shares(party)), joined];
  }
  return parties;
}

/** All people of these tickets in the order of the largest ticket, which decides who gets the last place; each with all their days. */
function peopleOf(tickets: readonly CaseTicket[]): CasePerson[] {
  const largest = tickets.toSorted((a, b) => b.people.length - a.people.length)[0]!;
  const people = new Map<string, CasePerson>();
  for (const person of [largest, ...tickets].flatMap((ticket) => ticket.people)) {
    const days = new Set([...(people.get(person.ref)?.days ?? []), ...person.days]);
    people.set(person.ref, { ...person, days: [...days] });
  }
  return [...people.values()];
}

const isConfirmed = (person: CasePerson): boolean => (person.status ?? 'confirmed') === 'confirmed';
const isVoided = (ticket: CaseTicket): boolean => ticket.status === 'voided';

function same<T>(values: readonly T[], what: string): T {
  const [first, ...others] = new Set(values);
  if (others.length > 0) throw new CannotSetUp(`people who share tickets are ${what}`);
  return first!;
}

/**
 * Makes one registration for the people who share tickets. It is paid if something is due, and further tickets are issued or reissued
 * while it is confirmed. If it must not be confirmed, the payment is then refunded: the decision only knows confirmed or not. Finally
 * the tickets that the case wants voided are voided.
 */
async function setUpParty(client: Client, world: BuiltWorld, tickets: CaseTicket[]): Promise<Map<string, ReadyTicket>> {
  const people = peopleOf(tickets);
  const confirmed = same(people.map(isConfirmed), 'confirmed and not confirmed');
  const mode: Mode = same(
    tickets.map((ticket) => ticket.test === true),
    'live and test',
  )
    ? 'test'
    : 'live';
  let registration = await register(client, world, people, mode);
  const path = `/events/${world.event}/registrations/${registration.id}`;
  let payment: string | null = null;
  if (registration.total_minor > 0) {
    const body = { amount_minor: registration.total_minor, method: 'cash' };
    payment = (await client.post<{ id: string }>(`${path}/payments`, body, mode)).id;
    registration = await client.get<Registration>(path, mode);
  }
  if (!confirmed && payment === null) throw new CannotSetUp('nobody owes anything, so nobody is unconfirmed');

  const ids = new Map(people.map((person, i) => [person.ref, registration.attendees[i]!.id]));
  const own = registration.attendees[0]!.tickets[0];
  if (own === undefined) throw new CannotSetUp(`the registration is ${registration.status} and has no ticket`);
  const issued = await issueTickets(client, world, tickets, people, ids, own, mode);
  if (!confirmed) await client.post(`/payments/${payment}/refund`, { reopen: true }, mode);
  const ready = new Map<string, ReadyTicket>();
  for (const [ticket, { id, code, dead }] of issued) {
    if (isVoided(ticket) && !dead) await client.post(`/tickets/${id}/void`, {}, mode);
    ready.set(ticket.ref, { code, people: new Map(ticket.people.map(({ ref }) => [ref, ids.get(ref)!])) });
  }
  return ready;
}

function register(client: Client, world: BuiltWorld, people: readonly CasePerson[], mode: Mode): Promise<Registration> {
  const { event, types, groups } = world;
  const booked = people.map((person) => bookedBy(world, person));
  const whole = same(
    booked.map((one) => one.whole.join()),
    'with and without a product of the whole registration',
  );
  return client.post<Registration>(
    `/events/${event}/registrations`,
    {
      attendees: people.map((person, i) => ({
        attendee_type: types.of(person.attendee_type),
        first_name: person.ref.slice(0, 200),
        last_name: 'Golden',
        days: person.days,
        ...(person.group != null && { group: groups.of(person.group) }),
        ...(booked[i]!.own.length > 0 && { products: booked[i]!.own.map((product) => ({ product })) }),
        // One contact for all of them, so that the organization's address book is not filled with made-up people.
        external_id: 'golden-cases',
      })),
      ...(whole !== '' && { products: whole.split(',').map((product) => ({ product })) }),
      contact: { first_name: 'Golden', last_name: 'Cases', email: 'golden-cases@example.org' },
      send_emails: false,
      // The days of the published cases may be over.
      past_days: true,
    },
    mode,
  );
}

/** What somebody has booked, by the ids of the API: for themselves, and with the whole registration. */
function bookedBy({ products, wholeProducts }: BuiltWorld, person: CasePerson): { own: string[]; whole: string[] } {
  const all = [...new Set(products.all(person.products ?? []))].sort();
  return { own: all.filter((one) => !wholeProducts.has(one)), whole: all.filter((one) => wholeProducts.has(one)) };
}

/** `dead`: reissuing has voided it already. */
type Issued = Map<CaseTicket, IssuedTicket & { dead: boolean }>;

/** The registration's own ticket is for all people and days. Other tickets are issued for one person, or by reissuing that one. */
async function issueTickets(
  client: Client,
  { event }: BuiltWorld,
  tickets: readonly CaseTicket[],
  people: readonly CasePerson[],
  ids: ReadonlyMap<string, string>,
  own: IssuedTicket,
  mode: Mode,
): Promise<Issued> {
  const issued: Issued = new Map();
  const isWhole = (ticket: CaseTicket) =>
    ticket.people.length === people.length &&
    ticket.people.every(({ ref, days: on }) => people.find((one) => one.ref === ref)!.days.length === on.length);
  const issueFor = (ticket: CaseTicket) => {
    const [person, ...others] = ticket.people;
    if (others.length > 0) throw new CannotSetUp('several people share more than one ticket, or only for some days');
    const body = { attendee: ids.get(person!.ref)!, ...(!isWhole(ticket) && { days: person!.days }) };
    return client.post<IssuedTicket>(`/events/${event}/tickets`, body, mode);
  };
  // The voided ones first: each is then replaced by the next, by reissuing it.
  const whole = tickets.filter(isWhole).toSorted((a, b) => Number(isVoided(b)) - Number(isVoided(a)));
  for (const [i, ticket] of whole.entries()) {
    const before = whole[i - 1];
    if (before === undefined) issued.set(ticket, { ...own, dead: false });
    else if (isVoided(before)) {
      const old = issued.get(before)!;
      issued.set(ticket, {
        ...(await client.post<IssuedTicket>(`/tickets/${old.id}/reissue`, {}, mode)),
        dead: false,
      });
      old.dead = true;
    } else issued.set(ticket, { ...(await issueFor(ticket)), dead: false });
  }
  for (const ticket of tickets) {
    if (!issued.has(ticket)) issued.set(ticket, { ...(await issueFor(ticket)), dead: false });
  }
  return issued;
}
