import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventType } from '@turnout/contract';
import type { Held, Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { stampCounted, stampOrganization, unsettle } from '../../store/clocks.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { linkContacts } from '../contacts/index.ts';
import { eventById } from '../events/index.ts';
import { Counts, recount } from './counts.ts';
import { loadRegistrations } from './load.ts';
import { queueMails } from './mails.ts';
import { Places } from './places.ts';
import { groupOf, heldIn, ownGroup } from './reach.ts';
import { saveRegistrations } from './save.ts';
import { attendeeShape, paymentShape, registrationShape, type Shaping, ticketShape } from './shapes.ts';
import type { AttendeeState, Happening, PaymentState, RegistrationState } from './state.ts';
import { promoteWaiting } from './waitlist.ts';
import { type Words, wordsIn, writeWords } from './words.ts';
import { type EventWorld, worldOf } from './world.ts';

const MANY = 20;

export interface Occurred {
  type: EventType;
  group: Id | null;
  held?: Held | undefined;
  livemode: boolean;
  data: unknown;
}

/**
 * An event's registrations, open for one transaction: under the event's clock it reads what is needed, the rules change it in
 * memory, and `close` writes all of it at once, with the mails. Because the clock is held from the first line on, nothing it
 * read can change underneath: capacity is a comparison of two numbers.
 */
export class Book {
  readonly tx: Tx;
  readonly org: Id;
  readonly world: EventWorld;
  readonly places: Places;
  readonly stamp: string;
  readonly now: Date;
  readonly #open = new Map<Id, RegistrationState>();
  readonly #payments: { payment: PaymentState; test: boolean }[] = [];
  readonly #counts = new Counts();
  /** Whether the counts were kept until now. */
  readonly #counted: boolean;
  readonly #words: Words = new Map();
  readonly #groups = new Map<Id, Id | null>();

  private constructor(
    tx: Tx,
    org: Id,
    world: EventWorld,
    places: Places,
    { at, counted }: { at: string; counted: boolean },
  ) {
    this.tx = tx;
    this.org = org;
    this.world = world;
    this.places = places;
    this.stamp = at;
    this.#counted = counted;
    this.now = tx.clock.now();
  }

  static async open(tx: Tx, org: Id, event: Id, cap: number | null): Promise<Book> {
    // In one packet, each statement after the one before: what follows the stamp is read under the clock. The event is read
    // again, because what the path found may have changed since.
    const [stamp, row, counts] = await Promise.all([
      stampCounted(tx, org, event),
      eventById(tx, org, event),
      Places.counts(tx, org, event),
    ]);
    const world = await worldOf(tx, org, row ?? refuse('not_found'));
    return new Book(tx, org, world, new Places(world, cap, counts), stamp);
  }

  /** Registrations to be changed; each is in the book once, however often it is asked for. */
  async load(which: Sql): Promise<RegistrationState[]> {
    const found = await loadRegistrations(this.tx, this.org, sql`event_id = ${this.world.event.id} and ${which}`);
    return found.map((registration) => this.#open.get(registration.id) ?? this.add(this.#remember(registration)));
  }

  /** As it was: what is kept beside the rows follows the difference. */
  #remember(registration: RegistrationState): RegistrationState {
    this.#counts.add(registration, -1);
    wordsIn(registration, this.#words);
    for (const person of registration.people) this.#groups.set(person.id, person.group_id);
    return registration;
  }

  async loadOne(id: Id): Promise<RegistrationState> {
    const known = this.#open.get(id);
    return known ?? (await this.load(sql`id = ${id}`))[0] ?? refuse('not_found');
  }

  add(registration: RegistrationState): RegistrationState {
    this.#open.set(registration.id, registration);
    return registration;
  }

  /** Those that this transaction makes. */
  fresh(): RegistrationState[] {
    return [...this.#open.values()].filter((registration) => registration.fresh);
  }

  pay(payment: PaymentState, test: boolean): void {
    this.#payments.push({ payment, test });
  }

  /** What came in or went back for it in this transaction. */
  paymentsOf(registration: RegistrationState): PaymentState[] {
    return this.#payments.map((one) => one.payment).filter((payment) => payment.registration_id === registration.id);
  }

  /** Whoever waits and fits now, live and test apart. */
  async promote(everybody = false): Promise<number> {
    let promoted = 0;
    for (const test of [false, true]) {
      if (this.places.anybodyWaits(test)) promoted += (await promoteWaiting(this, test, everybody)).length;
    }
    return promoted;
  }

  /** Writes everything; answers what happened to each registration, for whoever raises it, and the words to shape it. */
  async close({
    mails = true,
    bulk = false,
    promote = true,
  }: {
    mails?: boolean;
    /** Many people at once: their mails go behind those that somebody waits for. */
    bulk?: boolean;
    /** false: whoever waits is promoted by the minute's job. */
    promote?: boolean;
  } = {}): Promise<{
    shaping: Shaping;
    occurred: Map<RegistrationState, Occurred[]>;
    /** Those of which somebody gets a mail. */
    told: Set<RegistrationState>;
  }> {
    if (promote && this.places.released) await this.promote();
    const registrations = [...this.#open.values()];
    await this.#link(registrations);
    saveRegistrations(this.tx, this.org, this.world.event.id, this.stamp, registrations, this.#payments);
    this.places.write(this.tx, this.org);
    this.#writeBeside(registrations);
    // What was sent leaves with this turn of the event loop: the database writes it while the rest is put into words.
    if (registrations.length >= MANY) await nextTurn();
    const shaping: Shaping = { world: this.world, groups: await this.#groupCodes(registrations) };
    const occurred = new Map<RegistrationState, Occurred[]>();
    for (const registration of registrations) occurred.set(registration, occurrences(shaping, registration));
    const told = mails ? queueMails(this, shaping, registrations, { bulk }) : new Set<RegistrationState>();
    return { shaping, occurred, told };
  }

  /** Words to find people by, and counts of them. */
  #writeBeside(registrations: readonly RegistrationState[]): void {
    const { tx, org } = this;
    const event = this.world.event.id;
    writeWords(tx, org, event, this.#words, registrations);
    if (!this.#counted) {
      for (const statement of recount(org, event)) tx.send(statement);
      return;
    }
    for (const registration of registrations) this.#counts.add(registration, 1);
    this.#counts.write(tx, org, event);
    const moved = (person: AttendeeState) => !person.fresh && this.#groups.get(person.id) !== person.group_id;
    if (registrations.some((registration) => registration.people.some(moved))) unsettle(tx, org, event);
  }

  /** New people, and the registrant, are known to the address book. */
  async #link(registrations: readonly RegistrationState[]): Promise<void> {
    const { event } = this.world;
    const registrants: { contact: RegistrationState['contact']; self: AttendeeState }[] = [];
    const links: { person: Parameters<typeof linkContacts>[3][number]; set: (id: Id) => void }[] = [];
    for (const registration of registrations) {
      for (const person of registration.people) {
        if (person.contact_id !== null) continue;
        const group_id = groupOf(event, registration, person);
        links.push({ person: { ...person, group_id, test: registration.test }, set: (id) => (person.contact_id = id) });
      }
      const { contact } = registration;
      if (registration.relink !== true && (contact.id !== null || !registration.fresh)) continue;
      const self = registration.people.find((person) => isSame(contact, person));
      if (self !== undefined) {
        registrants.push({ contact, self });
        continue;
      }
      links.push({
        person: {
          ...contact,
          external_id: null,
          date_of_birth: null,
          group_id: ownGroup(event, registration),
          test: registration.test,
        },
        set: (id) => (contact.id = id),
      });
    }
    if (links.length > 0) {
      const stamp = stampOrganization(this.tx, this.org);
      const ids = await linkContacts(
        this.tx,
        this.org,
        stamp,
        links.map((link) => link.person),
      );
      for (const [i, link] of links.entries()) link.set(ids[i]!);
    }
    for (const { contact, self } of registrants) contact.id = self.contact_id;
  }

  async #groupCodes(registrations: readonly RegistrationState[]): Promise<Map<Id, string>> {
    const ids = new Set(registrations.flatMap((one) => [one.group_id, ...one.people.map((person) => person.group_id)]));
    ids.delete(null);
    return groupCodes(this.tx, this.org, [...ids] as Id[]);
  }
}

const isSame = (contact: RegistrationState['contact'], person: AttendeeState): boolean =>
  contact.first_name === person.first_name &&
  contact.last_name === person.last_name &&
  contact.email === person.email &&
  contact.phone === person.phone;

export async function groupCodes(tx: Tx, org: Id, ids: readonly Id[]): Promise<Map<Id, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx.all<{ id: Id; code: string }>(
    sql`select id, code from groups where org_id = ${org} and id = any(${ids})`,
  );
  return new Map(rows.map((row) => [row.id, row.code]));
}

/** In API shapes; `registration.updated` once, beside the specific types, and never in the creating commit. */
function occurrences(shaping: Shaping, registration: RegistrationState): Occurred[] {
  if (!registration.fresh && !registration.touched) return [];
  const livemode = !registration.test;
  const whole = registrationShape(shaping, registration);
  const ofAll = heldIn(shaping, registration, 'registration');
  const told = registration.happened.map(
    (happening): Occurred => ({
      type: happening.type,
      livemode,
      ...ofAll,
      ...shapeOf(shaping, registration, happening, whole),
    }),
  );
  if (!registration.fresh) told.push({ type: 'registration.updated', livemode, ...ofAll, data: whole });
  return told;
}

function shapeOf(
  shaping: Shaping,
  registration: RegistrationState,
  happening: Happening,
  whole: unknown,
): Partial<Occurred> & { data: unknown } {
  if ('person' in happening) {
    return { data: { ...(whole as object), attendee: attendeeShape(shaping, registration, happening.person) } };
  }
  if ('ticket' in happening) {
    const ticket = ticketShape(shaping, registration, happening.ticket);
    return {
      held: undefined,
      ...heldIn(shaping, registration, 'ticket', happening.ticket),
      data: 'replaces' in happening ? { ...ticket, replaces: toUlid(happening.replaces) } : ticket,
    };
  }
  if ('payment' in happening) {
    const data = paymentShape(shaping.world.event.id, registration.test, happening.payment);
    return { held: undefined, ...heldIn(shaping, registration, 'whole'), data };
  }
  return { data: whole };
}

/** Raises what happened through the call that made it happen. */
export function raiseAll(work: Pick<Work, 'raise'>, event: Id, occurred: readonly Occurred[]): void {
  for (const one of occurred) work.raise({ ...one, event });
}
