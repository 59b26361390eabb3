import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { Turns } from '../../common/turns.ts';
import { stampCounted, unsettle } from '../../store/clocks.ts';
import { type Sql, sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type DiscountRow, discountsById, eventById, writeAnswers } from '../events/index.ts';
import { Counts, recount } from './counts.ts';
import { groupCodesOf } from './group-codes.ts';
import { LeftGroups } from './left-groups.ts';
import { linkAttendees } from './link-attendees.ts';
import { loadRegistrations } from './load.ts';
import { queueMails } from './mails.ts';
import { type Occurred, occurrencesOf } from './occurrences.ts';
import { Places } from './places.ts';
import { markProven, paidFrom } from './proven-addresses.ts';
import { saveRegistrations } from './save.ts';
import type { Shaping } from './shapes.ts';
import type { AttendeeState, PaymentState, RegistrationState } from './state.ts';
import { promoteWaiting } from './waitlist.ts';
import { collectWords, type Words, writeWords } from './words.ts';
import { type EventWorld, worldOf } from './world.ts';

/** From this many registrations or tickets on, `close` lets the database start writing before it shapes them. */
const MANY = 20;

interface Closing {
  /** Whether mails are queued. */
  mails?: boolean;
  /** Whether many registrations are changed at once: their mails are then sent after those that somebody waits for. */
  bulk?: boolean;
  /**
   * Whether places that came free are given to the waitlist now. If false, the job that runs every minute does it: so where many are
   * changed at once, the waitlist is not looked through for each of them.
   */
  promote?: boolean;
}

/**
 * An event's registrations, open for one transaction. The book holds the event clock from its first statement on: it reads what is
 * needed, the rules change it in memory, and `close` writes everything at once, including the mails. Because of the clock, nothing
 * that was read can change in the meantime, so a capacity check is a comparison of two numbers.
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
  /** Whether the stored counts were up to date when the book was opened. */
  readonly #counted: boolean;
  readonly #words: Words = new Map();
  readonly #groups = new Map<Id, Id | null>();
  readonly #discounts = new Map<Id, DiscountRow>();
  readonly #leftGroups = new LeftGroups();
  readonly #erased = new Map<RegistrationState, Promise<ReadonlySet<Id>>>();

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
    // The three statements leave in one packet and run one after the other, so what follows the stamp is read under the clock.
    // The event is read again because it may have changed since the path of the request was resolved.
    const [stamp, row, counts] = await Promise.all([
      stampCounted(tx, org, event),
      eventById(tx, org, event),
      Places.counts(tx, org, event),
    ]);
    const world = await worldOf(tx, org, row ?? refuse('not_found'));
    return new Book(tx, org, world, new Places(world, cap, counts), stamp);
  }

  /** Loads registrations that are to be changed. Each is in the book once, however often it is loaded. */
  async load(which: Sql): Promise<RegistrationState[]> {
    const found = await loadRegistrations(this.tx, this.org, sql`event_id = ${this.world.event.id} and ${which}`);
    await this.#knowDiscounts(found);
    return found.map((registration) => this.#open.get(registration.id) ?? this.add(this.#remember(registration)));
  }

  /** Whoever is changed may give back uses of a discount, or take more. */
  async #knowDiscounts(registrations: readonly RegistrationState[]): Promise<void> {
    const ids = new Set(registrations.flatMap(({ discount_id }) => (discount_id === null ? [] : [discount_id])));
    const unknown = [...ids].filter((id) => !this.#discounts.has(id));
    for (const discount of (await discountsById(this.tx, this.org, unknown)).values()) this.knowDiscount(discount);
  }

  /** Takes a discount into the book. It holds the event's clock, so nobody else changes how often the discount is used. */
  knowDiscount(discount: DiscountRow): void {
    this.#discounts.set(discount.id, discount);
    this.places.limit(discount);
  }

  /** The discount that a registration of the book was made with. */
  discountOf({ discount_id }: Pick<RegistrationState, 'discount_id'>): DiscountRow | null {
    return discount_id === null ? null : (this.#discounts.get(discount_id) ?? null);
  }

  /** Remembers a registration as it was loaded: counts and search words are updated by the difference to it. */
  #remember(registration: RegistrationState): RegistrationState {
    this.#counts.add(registration, -1);
    collectWords(registration, this.#words);
    for (const attendee of registration.attendees) this.#groups.set(attendee.id, attendee.group_id);
    this.#leftGroups.remember(registration);
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

  /**
   * The erased contacts among the attendees and the registrant of a registration. They are read once, however many of them are
   * changed: nobody is erased while the book holds the event clock.
   */
  erasedContacts(registration: RegistrationState): Promise<ReadonlySet<Id>> {
    let erased = this.#erased.get(registration);
    if (erased === undefined) {
      const contacts = [registration.contact.id, ...registration.attendees.map((one) => one.contact_id)];
      erased = this.tx
        .all<{ id: Id }>(sql`
          select id from contacts where org_id = ${this.org} and id = any(${contacts}::uuid[]) and erased_at is not null`)
        .then((rows) => new Set(rows.map(({ id }) => id)));
      this.#erased.set(registration, erased);
    }
    return erased;
  }

  /** The registrations that this transaction creates. */
  fresh(): RegistrationState[] {
    return [...this.#open.values()].filter((registration) => registration.fresh);
  }

  /** Saves a new or changed payment when the book is closed. */
  savePayment(payment: PaymentState, test: boolean): void {
    this.#payments.push({ payment, test });
  }

  /** The payments of a registration that this transaction adds or changes. */
  paymentsOf(registration: RegistrationState): PaymentState[] {
    return this.#payments.map((one) => one.payment).filter((payment) => payment.registration_id === registration.id);
  }

  /** Promotes from the waitlist whatever fits now. Live and test registrations have waitlists of their own. */
  async promote(everybody = false): Promise<number> {
    let promoted = 0;
    for (const test of [false, true]) {
      if (this.places.anybodyWaits(test)) promoted += (await promoteWaiting(this, test, everybody)).length;
    }
    return promoted;
  }

  /**
   * Writes everything. Returns what happened to each registration, for the caller to raise, what is needed to shape the
   * registrations, and for which of them somebody gets a mail.
   */
  async close({ mails = true, bulk = false, promote = !bulk }: Closing = {}): Promise<{
    shaping: Shaping;
    occurred: Map<RegistrationState, Occurred[]>;
    mailed: Set<RegistrationState>;
  }> {
    const { tx, org, stamp } = this;
    const { event } = this.world;
    if (promote && this.places.released) await this.promote();
    const registrations = [...this.#open.values()];
    await linkAttendees(tx, org, event, registrations);
    saveRegistrations({ tx, org, event: event.id, stamp }, registrations, this.#payments);
    if (this.world.filtered) writeAnswers(tx, org, event.id, stamp);
    await this.#leftGroups.write({ tx, org, event, stamp }, registrations);
    this.places.write(tx, org);
    this.#writeWordsAndCounts(registrations);
    // The statements sent so far leave at the end of this turn of the event loop. Ending it now lets the database write while this
    // process shapes the registrations.
    if (registrations.length >= MANY || registrations.some((one) => one.tickets.length >= MANY)) await nextTurn();
    const shaping: Shaping = { world: this.world, groups: await groupCodesOf(tx, org, registrations) };
    const occurred = new Map<RegistrationState, Occurred[]>();
    const turns = new Turns();
    for (const registration of registrations) {
      occurred.set(registration, await occurrencesOf(shaping, registration, turns));
    }
    await turns.pause();
    markProven(tx, org, ...paidFrom(registrations));
    const mailed = mails ? await queueMails(this, shaping, registrations, { bulk }) : new Set<RegistrationState>();
    return { shaping, occurred, mailed };
  }

  #writeWordsAndCounts(registrations: readonly RegistrationState[]): void {
    const { tx, org } = this;
    const event = this.world.event.id;
    writeWords(tx, org, event, this.#words, registrations);
    if (!this.#counted) {
      for (const statement of recount(org, event)) tx.send(statement);
      return;
    }
    for (const registration of registrations) this.#counts.add(registration, 1);
    this.#counts.write(tx, org, event);
    const moved = (attendee: AttendeeState) => !attendee.fresh && this.#groups.get(attendee.id) !== attendee.group_id;
    if (registrations.some((registration) => registration.attendees.some(moved))) unsettle(tx, org, event);
  }
}
