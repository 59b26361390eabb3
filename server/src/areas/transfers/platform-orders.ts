import type { PlatformName } from '@turnout/contract';
import type { SourceAttendee, SourceOrder, SourcePerson } from '../../outside/platforms.ts';
import type { Run } from '../../road/job.ts';
import type { Change } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import {
  type AttendeeDetails,
  type AttendeeState,
  appendAttendee,
  attendeeCap,
  Book,
  enroll,
  holdsPlaces,
  needsOf,
  type RegistrationState,
  receive,
} from '../registrations/index.ts';
import type { ImportInput, Mapped } from './platform-mapping.ts';
import { LeftOut, nameOf, personOf } from './platform-people.ts';

export type Result = 'created' | 'existing' | 'skipped' | 'rejected';
/** What came of one attendee of the platform. */
export interface Outcome {
  result: Result;
  order: string;
  attendee: string;
  who: SourcePerson;
  ticket_class: string;
  /** Of the rejected. */
  why: LeftOut | null;
}

type Importing = Pick<Run<ImportInput, unknown>, 'id' | 'org' | 'event' | 'mode' | 'input' | 'audit' | 'raise'>;

/**
 * Some orders, in one transaction. The event's clock is held before it is asked who is known, so of two imports at once the
 * second finds whom the first has added; the primary key of `platform_people` stands behind it.
 */
export async function takeOver(
  tx: Tx,
  run: Importing,
  platform: PlatformName,
  orders: readonly SourceOrder[],
): Promise<Outcome[]> {
  const event = run.event!;
  const book = await Book.open(tx, run.org, event, await attendeeCap(tx, run.org));
  const taking = new Taking(book, run, platform, await knownOf(tx, run, platform, orders));
  for (const order of orders) await taking.order(order);
  const { occurred } = await book.close({ mails: run.input.send_emails, bulk: true });
  insertAll(tx, 'platform_people', LINK, taking.links);
  const told = [...occurred.values()].flat();
  run.raise(
    tx,
    told.map((one) => ({ ...one, event })),
  );
  const [created, joined] = [true, false].map((fresh) =>
    [...occurred.keys()].filter((one) => one.fresh === fresh).flatMap((one) => changesOf(one, event, platform)),
  );
  run.audit(tx, 'registration.created', created!);
  run.audit(tx, 'registration.attendee_added', joined!);
  return taking.outcomes;
}

function changesOf(
  { id, group_id: group, attendees: people, tickets }: RegistrationState,
  event: Id,
  platform: PlatformName,
): Change[] {
  const added = people.filter((person) => person.fresh);
  if (added.length === 0) return [];
  const objects = [
    ...added.map((person) => ({ kind: 'attendee', id: person.id })),
    ...tickets.filter((ticket) => ticket.fresh).map((ticket) => ({ kind: 'ticket', id: ticket.id })),
  ];
  return [{ kind: 'registration', id, event, group, details: { platform, people: added.length }, objects }];
}

interface Known {
  source_attendee: string;
  source_order: string;
  registration_id: Id;
  job_id: Id;
}
const LINK = {
  org_id: 'uuid',
  event_id: 'uuid',
  platform: 'text',
  source_attendee: 'text',
  source_order: 'text',
  registration_id: 'uuid',
  attendee_id: 'uuid',
  job_id: 'uuid',
} as const;

const knownOf = (tx: Tx, run: Importing, platform: PlatformName, orders: readonly SourceOrder[]): Promise<Known[]> =>
  tx.all<Known>(sql`
    select source_attendee, source_order, registration_id, job_id from platform_people
    where org_id = ${run.org} and event_id = ${run.event} and platform = ${platform}
      and (source_order = any(${orders.map((order) => order.id)})
        or source_attendee = any(${orders.flatMap((order) => order.attendees.map((one) => one.id))}))`);

interface Comer {
  attendee: SourceAttendee;
  details: AttendeeDetails;
}

class Taking {
  readonly outcomes: Outcome[] = [];
  readonly links: Record<keyof typeof LINK, string>[] = [];
  readonly #book: Book;
  readonly #run: Importing;
  readonly #platform: PlatformName;
  readonly #known: Map<string, Known>;
  /** What an order has become before. */
  readonly #registrations: Map<string, Id>;
  readonly #mapping: Map<string, Mapped>;
  readonly #test: boolean;

  constructor(book: Book, run: Importing, platform: PlatformName, known: readonly Known[]) {
    this.#book = book;
    this.#run = run;
    this.#platform = platform;
    this.#known = new Map(known.map((one) => [one.source_attendee, one]));
    this.#registrations = new Map(known.map((one) => [one.source_order, one.registration_id]));
    this.#mapping = new Map(run.input.mapping.map((line) => [line.ticket_class, line]));
    this.#test = run.mode === 'test';
  }

  async order(order: SourceOrder): Promise<void> {
    const comers: Comer[] = [];
    for (const attendee of order.attendees) {
      const found = this.#look(order, attendee);
      if (found instanceof LeftOut) this.#tell(order, attendee, 'rejected', found);
      else if (typeof found === 'string') this.#tell(order, attendee, found);
      else comers.push({ attendee, details: found });
    }
    if (comers.length === 0) return;
    const before = this.#registrations.get(order.id);
    if (before === undefined) this.#create(order, comers);
    else this.#add(order, await this.#book.loadOne(before), comers);
  }

  /** Known, left out, or somebody to come. */
  #look(order: SourceOrder, attendee: SourceAttendee): Exclude<Result, 'rejected'> | AttendeeDetails | LeftOut {
    const known = this.#known.get(attendee.id);
    if (known !== undefined) return known.job_id === this.#run.id ? 'created' : 'existing';
    if (attendee.gone) return 'skipped';
    const mapped = this.#mapping.get(attendee.ticket_class);
    if (mapped === undefined) return new LeftOut('unknown_ticket_class', 'Its ticket class is not in the mapping.');
    const { name, becomes } = mapped;
    return becomes === null ? 'skipped' : personOf(this.#book.world, name, becomes, attendee, order.buyer);
  }

  /** One registration for the order: it fits whole or not at all. */
  #create(order: SourceOrder, comers: readonly Comer[]): void {
    const people = comers.map((comer) => comer.details);
    const full = this.#takePlaces(people);
    if (full !== null) {
      for (const { attendee } of comers) this.#tell(order, attendee, 'rejected', full);
      return;
    }
    const making = {
      source: 'platform',
      test: this.#test,
      group_id: this.#book.world.event.group_id,
      send_emails: true,
      contact: nameOf(order.buyer, people[0]!),
    } as const;
    const registration = enroll(this.#book, making, people);
    for (const [i, { attendee }] of comers.entries())
      this.#arrived(order, attendee, registration, registration.attendees[i]!);
    this.#paid(order, registration, people);
  }

  /** Who is new in an order that was taken over before joins its registration, each as there is room. */
  #add(order: SourceOrder, registration: RegistrationState, comers: readonly Comer[]): void {
    const joined: AttendeeDetails[] = [];
    for (const { attendee, details } of comers) {
      const refused = holdsPlaces(registration)
        ? this.#takePlaces([details])
        : new LeftOut('invalid_state', `The registration ${registration.code} of its order is ${registration.status}.`);
      if (refused !== null) {
        this.#tell(order, attendee, 'rejected', refused);
        continue;
      }
      this.#arrived(order, attendee, registration, appendAttendee(this.#book, registration, details));
      joined.push(details);
    }
    this.#paid(order, registration, joined);
  }

  #takePlaces(people: readonly AttendeeDetails[]): LeftOut | null {
    const { places, world } = this.#book;
    const needs = needsOf(world.event.id, people);
    const full = places.refusal(needs, this.#test);
    if (full !== null) return new LeftOut(full.code, full.message);
    places.take(needs, this.#test, 1);
    return null;
  }

  /** The money is there, if not here: what people cost is what was paid for them, so nothing is owed. */
  #paid(order: SourceOrder, registration: RegistrationState, people: readonly AttendeeDetails[]): void {
    const amount_minor = people.reduce((sum, person) => sum + person.price_minor, 0);
    if (amount_minor === 0) return;
    receive(this.#book, registration, {
      amount_minor,
      method: 'other',
      reference: `${this.#platform} order ${order.id}`,
    });
  }

  #arrived(order: SourceOrder, attendee: SourceAttendee, registration: RegistrationState, person: AttendeeState): void {
    this.links.push({
      org_id: this.#run.org,
      event_id: this.#book.world.event.id,
      platform: this.#platform,
      source_attendee: attendee.id,
      source_order: order.id,
      registration_id: registration.id,
      attendee_id: person.id,
      job_id: this.#run.id,
    });
    this.#tell(order, attendee, 'created');
  }

  #tell(order: SourceOrder, attendee: SourceAttendee, result: Result, why: LeftOut | null = null): void {
    const who = nameOf(attendee, order.buyer);
    const ticket_class = this.#mapping.get(attendee.ticket_class)?.name ?? attendee.ticket_class;
    this.outcomes.push({ result, order: order.id, attendee: attendee.id, who, ticket_class, why });
  }
}
