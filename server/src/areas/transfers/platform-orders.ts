import type { PlatformName } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import type { SourceAttendee, SourceOrder, SourcePerson } from '../../outside/platforms.ts';
import type { Run } from '../../road/for-areas/job.ts';
import type { Change } from '../../road/operation.ts';
import { insertAll } from '../../store/bulk.ts';
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
import { attendeeOf, LeftOut, nameOf } from './platform-attendees.ts';
import type { ImportInput, Mapped } from './platform-mapping.ts';

export type Result = 'created' | 'existing' | 'skipped' | 'rejected';
/** What became of one attendee of the platform. */
export interface Outcome {
  result: Result;
  order: string;
  attendee: string;
  who: SourcePerson;
  ticket_class: string;
  /** Set if the result is `rejected`. */
  why: LeftOut | null;
}

type Importing = Pick<Run<ImportInput, unknown>, 'id' | 'org' | 'event' | 'mode' | 'input' | 'audit' | 'raise'>;

/**
 * Imports one page of orders in one transaction. The event's clock is taken before the known attendees are read, so if two
 * imports run at once, the second one sees whom the first has added. The primary key of `platform_people` guards this as well.
 */
export async function importOrders(
  tx: Tx,
  run: Importing,
  platform: PlatformName,
  orders: readonly SourceOrder[],
): Promise<Outcome[]> {
  const event = run.event!;
  const book = await Book.open(tx, run.org, event, await attendeeCap(tx, run.org));
  const importer = new OrderImporter(book, run, platform, await knownOf(tx, run, platform, orders));
  for (const order of orders) await importer.order(order);
  const { occurred } = await book.close({ mails: run.input.send_emails, bulk: true });
  insertAll(tx, 'platform_people', LINK, importer.links);
  const occurrences = [...occurred.values()].flat();
  run.raise(
    tx,
    occurrences.map((one) => ({ ...one, event })),
  );
  const [created, joined] = [true, false].map((fresh) =>
    [...occurred.keys()].filter((one) => one.fresh === fresh).flatMap((one) => changesOf(one, event, platform)),
  );
  run.audit(tx, 'registration.created', created!);
  run.audit(tx, 'registration.attendee_added', joined!);
  return importer.outcomes;
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

interface ImportedPerson {
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

const knownOf = (
  tx: Tx,
  run: Importing,
  platform: PlatformName,
  orders: readonly SourceOrder[],
): Promise<ImportedPerson[]> =>
  tx.all<ImportedPerson>(sql`
    select source_attendee, source_order, registration_id, job_id from platform_people
    where org_id = ${run.org} and event_id = ${run.event} and platform = ${platform}
      and (source_order = any(${orders.map((order) => order.id)})
        or source_attendee = any(${orders.flatMap((order) => order.attendees.map((one) => one.id))}))`);

interface Newcomer {
  attendee: SourceAttendee;
  details: AttendeeDetails;
}

class OrderImporter {
  readonly outcomes: Outcome[] = [];
  readonly links: Record<keyof typeof LINK, string>[] = [];
  readonly #book: Book;
  readonly #run: Importing;
  readonly #platform: PlatformName;
  readonly #known: Map<string, ImportedPerson>;
  /** The registration that an order became in an earlier import, by the order's id. */
  readonly #registrations: Map<string, Id>;
  readonly #mapping: Map<string, Mapped>;
  readonly #test: boolean;

  constructor(book: Book, run: Importing, platform: PlatformName, known: readonly ImportedPerson[]) {
    this.#book = book;
    this.#run = run;
    this.#platform = platform;
    this.#known = new Map(known.map((one) => [one.source_attendee, one]));
    this.#registrations = new Map(known.map((one) => [one.source_order, one.registration_id]));
    this.#mapping = new Map(run.input.mapping.map((line) => [line.ticket_class, line]));
    this.#test = run.mode === 'test';
  }

  async order(order: SourceOrder): Promise<void> {
    const newcomers: Newcomer[] = [];
    for (const attendee of order.attendees) {
      const found = this.#examine(order, attendee);
      if (found instanceof LeftOut) this.#report(order, attendee, 'rejected', found);
      else if (typeof found === 'string') this.#report(order, attendee, found);
      else newcomers.push({ attendee, details: found });
    }
    if (newcomers.length === 0) return;
    const before = this.#registrations.get(order.id);
    if (before === undefined) this.#create(order, newcomers);
    else this.#add(order, await this.#book.loadOne(before), newcomers);
  }

  /** The result for an attendee who is known or left out; the details of one who is to be added. */
  #examine(order: SourceOrder, attendee: SourceAttendee): Exclude<Result, 'rejected'> | AttendeeDetails | LeftOut {
    const known = this.#known.get(attendee.id);
    if (known !== undefined) return known.job_id === this.#run.id ? 'created' : 'existing';
    if (attendee.gone) return 'skipped';
    const mapped = this.#mapping.get(attendee.ticket_class);
    if (mapped === undefined) return new LeftOut('unknown_ticket_class', 'Its ticket class is not in the mapping.');
    const { name, becomes } = mapped;
    return becomes === null ? 'skipped' : attendeeOf(this.#book.world, name, becomes, attendee, order.buyer);
  }

  /** Makes one registration of the order. Either there is room for all its new attendees, or all of them are rejected. */
  #create(order: SourceOrder, newcomers: readonly Newcomer[]): void {
    const people = newcomers.map((newcomer) => newcomer.details);
    const full = this.#takePlaces(people);
    if (full !== null) {
      for (const { attendee } of newcomers) this.#report(order, attendee, 'rejected', full);
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
    for (const [i, { attendee }] of newcomers.entries())
      this.#added(order, attendee, registration, registration.attendees[i]!);
    this.#recordPayment(order, registration, people);
  }

  /** Adds new attendees of an order that was imported before to its registration, each of them if there is room. */
  #add(order: SourceOrder, registration: RegistrationState, newcomers: readonly Newcomer[]): void {
    const joined: AttendeeDetails[] = [];
    for (const { attendee, details } of newcomers) {
      const refused = holdsPlaces(registration)
        ? this.#takePlaces([details])
        : new LeftOut('invalid_state', `The registration ${registration.code} of its order is ${registration.status}.`);
      if (refused !== null) {
        this.#report(order, attendee, 'rejected', refused);
        continue;
      }
      this.#added(order, attendee, registration, appendAttendee(this.#book, registration, details));
      joined.push(details);
    }
    this.#recordPayment(order, registration, joined);
  }

  #takePlaces(people: readonly AttendeeDetails[]): LeftOut | null {
    const { places, world } = this.#book;
    const needs = needsOf(world, people);
    const full = places.refusal(needs, this.#test);
    if (full !== null) return new LeftOut(full.code, full.message);
    places.take(needs, this.#test, 1);
    return null;
  }

  /**
   * The platform received the money. Each attendee's price is what was paid for them there, so recording that sum as a payment
   * leaves nothing to pay.
   */
  #recordPayment(order: SourceOrder, registration: RegistrationState, people: readonly AttendeeDetails[]): void {
    const amount_minor = people.reduce((sum, person) => sum + person.price_minor, 0);
    if (amount_minor === 0) return;
    receive(this.#book, registration, {
      amount_minor,
      method: 'other',
      reference: `${this.#platform} order ${order.id}`,
    });
  }

  #added(order: SourceOrder, attendee: SourceAttendee, registration: RegistrationState, person: AttendeeState): void {
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
    this.#report(order, attendee, 'created');
  }

  #report(order: SourceOrder, attendee: SourceAttendee, result: Result, why: LeftOut | null = null): void {
    const who = nameOf(attendee, order.buyer);
    const ticket_class = this.#mapping.get(attendee.ticket_class)?.name ?? attendee.ticket_class;
    this.outcomes.push({ result, order: order.id, attendee: attendee.id, who, ticket_class, why });
  }
}
