/**
 * A model of registering, paying, waiting and ticketing, written from the rules and as small as possible: one event, everything in
 * memory, every number counted anew from the people. It shares no code with the server; test/registrations-model.test.ts compares
 * the two.
 *
 * Where the contract leaves a choice, the product decided:
 *   - a larger capacity promotes nobody by itself; the job that runs every minute does, or the next place that becomes free;
 *   - a registration on the waitlist waits for the scopes that had no room, or that others waited for, when it was last looked at.
 *     It is looked at when it is made and whenever the waitlist is gone through;
 *   - with the waitlist switched off, a newcomer takes a free place although others still wait;
 *   - a person who moves to another type or day needs room there for all of their places, but does not queue;
 *   - a person who moves gets the tickets that are missing, also if an organizer had voided one.
 */
export type Status =
  | 'pending_approval'
  | 'waitlisted'
  | 'pending_payment'
  | 'confirmed'
  | 'declined'
  | 'cancelled'
  | 'expired';

export interface TypeRules {
  code: string;
  price: number;
  capacity: number | null;
  /** null: all days. */
  days: string[] | null;
  pass: number | null;
  approval: boolean;
  visible: boolean;
}
export interface World {
  ticketing: 'per_person' | 'per_day' | 'shared';
  capacity: number | null;
  /** The plan's limit of attendees. */
  cap: number | null;
  waitlist: boolean;
  approval: boolean;
  hours: number;
  days: { code: string; capacity: number | null }[];
  types: TypeRules[];
}

export interface Wanted {
  type: string;
  days?: string[] | undefined;
}
export interface Person {
  type: string;
  days: string[];
  price: number;
  cancelled: boolean;
}
export interface Ticket {
  /** Positions in the registration's list of people. */
  people: number[];
  /** null: the days of its people. */
  days: string[] | null;
  /** Issued by hand, in addition to those of the event's ticketing. */
  extra: boolean;
  valid: boolean;
}
export interface Payment {
  amount: number;
  refunded: number;
  failed: boolean;
}
export interface Booking {
  test: boolean;
  status: Status;
  people: Person[];
  tickets: Ticket[];
  payments: Payment[];
  due: number | null;
  confirmedOnce: boolean;
  /** Its number in the waitlist, and the scopes that it waits for. */
  turn: number | null;
  waitsFor: string[];
}

export interface Outcome {
  status: number;
  code: string | null;
  /** Occurrences as "<number of the registration> <type>", in no particular order. */
  told: string[];
  /** In the order of promotion. */
  promoted: number[];
}

const HTTP: Record<string, number> = {
  validation_failed: 400,
  type_not_available: 422,
  day_not_available: 422,
};
class No extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
const HOLDING: Status[] = ['pending_approval', 'pending_payment', 'confirmed'];
const LIVING: Status[] = [...HOLDING, 'waitlisted'];

type Needs = Map<string, number>;

export class RegistrationModel {
  readonly world: World;
  bookings: Booking[] = [];
  now: number;
  #turns = 0;
  #freed = false;
  #created: number | null = null;
  #changed = new Set<number>();
  #told: string[] = [];
  #promoted: number[] = [];

  constructor(world: World, now: number) {
    this.world = world;
    this.now = now;
  }

  // ---- reading

  /** Places taken, by scope. */
  taken(test: boolean): Needs {
    const holding = this.bookings.filter((booking) => booking.test === test && HOLDING.includes(booking.status));
    return this.#needs(holding.flatMap(active));
  }

  /** Registrations waiting, by scope. */
  waiting(test: boolean): Needs {
    const counts: Needs = new Map();
    for (const one of this.queue(test)) for (const scope of this.bookings[one]!.waitsFor) count(counts, scope);
    return counts;
  }

  /** Who waits, oldest first. */
  queue(test: boolean): number[] {
    return [...this.bookings.keys()]
      .filter((one) => this.bookings[one]!.test === test && this.bookings[one]!.status === 'waitlisted')
      .sort((a, b) => this.bookings[a]!.turn! - this.bookings[b]!.turn!);
  }

  capacityOf(scope: string): number | null {
    const [kind, code] = scope.split(':');
    if (kind === 'event') return this.world.capacity;
    return kind === 'type' ? this.#type(code!).capacity : this.world.days.find((day) => day.code === code)!.capacity;
  }

  total = (booking: Booking): number => active(booking).reduce((sum, person) => sum + person.price, 0);
  paid = (booking: Booking): number =>
    booking.payments.reduce((sum, payment) => sum + (payment.failed ? 0 : payment.amount - payment.refunded), 0);

  /** What is due; negative for a credit. A registration that holds no places owes nothing. */
  balance = (booking: Booking): number =>
    (HOLDING.includes(booking.status) ? this.total(booking) : 0) - this.paid(booking);

  /** The days a ticket is good for. */
  daysOf(booking: Booking, ticket: Ticket): string[] {
    const days = ticket.days ?? ticket.people.flatMap((one) => booking.people[one]!.days);
    return this.world.days.map((day) => day.code).filter((day) => days.includes(day));
  }

  // ---- calls

  register(wanted: Wanted[], test: boolean): Outcome {
    return this.#attempt(201, () => {
      const people = this.#people(wanted);
      const needs = this.#needs(people);
      const lacking = this.#lacking(needs, test);
      const awaited = this.#awaited(needs, test);
      if (lacking[0]?.code === 'attendee_cap_reached') throw new No('attendee_cap_reached');
      const waits = this.world.waitlist && lacking.length + awaited.length > 0;
      if (!waits && lacking.length > 0) throw new No(lacking[0]!.code);
      const booking: Booking = {
        test,
        status: 'waitlisted',
        people,
        tickets: [],
        payments: [],
        due: null,
        confirmedOnce: false,
        turn: null,
        waitsFor: [],
      };
      const one = this.bookings.push(booking) - 1;
      this.#created = one;
      this.#tell(one, 'registration.created');
      if (waits) {
        booking.turn = this.#turns++;
        booking.waitsFor = [...new Set([...lacking.map((no) => no.scope), ...awaited])];
        this.#tell(one, 'registration.waitlisted');
      } else this.#settle(one, false);
    });
  }

  add(one: number, wanted: Wanted): Outcome {
    return this.#attempt(201, () => {
      const booking = this.#must(one, HOLDING);
      const [person] = this.#people([wanted]);
      const needs = this.#needs([person!]);
      const lacking = this.#lacking(needs, booking.test);
      if (lacking.length > 0) throw new No(lacking[0]!.code);
      const awaited = this.#awaited(needs, booking.test);
      if (awaited.length > 0) throw new No(`${awaited[0]!.split(':')[0]}_full`);
      const position = booking.people.push(person!) - 1;
      this.#tell(one, 'registration.attendee_added');
      if (booking.status === 'confirmed') this.#give(one, [position]);
    });
  }

  change(one: number, position: number, wanted: { type?: string | undefined; days?: string[] | undefined }): Outcome {
    return this.#attempt(200, () => {
      const booking = this.#must(one, LIVING);
      const person = booking.people[position]!;
      if (person.cancelled) throw new No('invalid_state');
      const type = this.#type(wanted.type ?? person.type);
      const same = type.code === person.type;
      const keeps =
        wanted.days === undefined && (same || (type.pass === null && person.days.every(offers(this, type))));
      const days = keeps ? person.days : this.#people([{ type: type.code, days: wanted.days }], same)[0]!.days;
      if (!same && !type.visible) throw new No('type_not_available');
      const moves = !same || days.join() !== person.days.join();
      const had = this.#needs([person]);
      Object.assign(person, { type: type.code, days, price: same ? person.price : type.price });
      if (moves && HOLDING.includes(booking.status)) {
        // Only the places that it does not have yet.
        const more = new Map([...this.#needs([person])].filter(([scope]) => !had.has(scope)));
        person.cancelled = true;
        const lacking = this.#lacking(more, booking.test);
        if (lacking.length > 0) throw new No(lacking[0]!.code);
        const awaited = this.#awaited(more, booking.test);
        if (awaited.length > 0) throw new No(`${awaited[0]!.split(':')[0]}_full`);
        person.cancelled = false;
        this.#freed = true;
      }
      // A person who already has that type and those days is not changed, and no occurrence is raised.
      if (!moves) return;
      this.#changed.add(one);
      this.#follow(one, position);
      this.#covered(one);
    });
  }

  cancelPerson(one: number, position: number): Outcome {
    return this.#attempt(200, () => {
      const booking = this.#must(one, LIVING);
      const person = booking.people[position]!;
      if (person.cancelled) throw new No('invalid_state');
      this.#tell(one, 'registration.attendee_removed');
      if (active(booking).length === 1) {
        this.#end(one, 'cancelled');
        this.#tell(one, 'registration.cancelled');
        return;
      }
      if (HOLDING.includes(booking.status)) this.#freed = true;
      person.cancelled = true;
      for (const ticket of booking.tickets.filter((each) => each.valid && each.people.includes(position))) {
        if (ticket.people.length === 1) this.#kill(one, ticket);
        else ticket.people = ticket.people.filter((other) => other !== position);
      }
      this.#covered(one);
    });
  }

  approve(one: number): Outcome {
    return this.#attempt(200, () => {
      this.#must(one, ['pending_approval']);
      this.#tell(one, 'registration.approved');
      this.#settle(one, true);
    });
  }

  decline(one: number): Outcome {
    return this.#attempt(200, () => {
      this.#must(one, ['pending_approval', 'waitlisted']);
      this.#end(one, 'declined');
      this.#tell(one, 'registration.declined');
    });
  }

  cancel(one: number): Outcome {
    return this.#attempt(200, () => {
      this.#must(one, LIVING);
      this.#end(one, 'cancelled');
      this.#tell(one, 'registration.cancelled');
    });
  }

  promote(one: number): Outcome {
    return this.#attempt(200, () => {
      this.#must(one, ['waitlisted']);
      if (!this.#promote(one)) throw new No('invalid_state');
    });
  }

  pay(one: number, amount: number, failed: boolean): Outcome {
    return this.#attempt(201, () => {
      const booking = this.#must(one, HOLDING);
      booking.payments.push({ amount, refunded: 0, failed });
      this.#tell(one, failed ? 'payment.failed' : 'payment.received');
      this.#covered(one);
    });
  }

  refund(one: number, which: number, amount: number | undefined, then: 'reopen' | 'cancel' | null): Outcome {
    return this.#attempt(200, () => {
      const booking = this.bookings[one]!;
      const payment = booking.payments[which]!;
      const left = payment.amount - payment.refunded;
      if (payment.failed || left === 0) throw new No('invalid_state');
      if ((amount ?? left) > left) throw new No('validation_failed');
      payment.refunded += amount ?? left;
      this.#tell(one, 'payment.refunded');
      if (then === 'reopen' && booking.status === 'confirmed' && this.paid(booking) < this.total(booking)) {
        this.#awaitPayment(booking);
      }
      if (then === 'cancel' && LIVING.includes(booking.status)) {
        this.#end(one, 'cancelled');
        this.#tell(one, 'registration.cancelled');
      }
    });
  }

  issue(one: number, position: number, days: string[] | undefined): Outcome {
    return this.#attempt(201, () => {
      const booking = this.#must(one, ['confirmed']);
      const person = booking.people[position]!;
      if (person.cancelled) throw new No('invalid_state');
      if (days?.some((day) => !person.days.includes(day))) throw new No('validation_failed');
      booking.tickets.push({ people: [position], days: days ?? null, extra: true, valid: true });
      this.#tell(one, 'ticket.issued');
    });
  }

  void(one: number, which: number): Outcome {
    return this.#attempt(200, () => {
      const ticket = this.bookings[one]!.tickets[which]!;
      if (!ticket.valid) throw new No('invalid_state');
      this.#kill(one, ticket);
    });
  }

  reissue(one: number, which: number): Outcome {
    return this.#attempt(201, () => {
      const { tickets } = this.bookings[one]!;
      const ticket = tickets[which]!;
      if (!ticket.valid) throw new No('invalid_state');
      ticket.valid = false;
      tickets.push({ ...ticket, people: [...ticket.people], valid: true });
      this.#tell(one, 'ticket.reissued');
    });
  }

  // ---- what happens with time

  expire(): Outcome {
    return this.#attempt(0, () => {
      for (const [one, booking] of this.bookings.entries()) {
        if (booking.status === 'pending_payment' && booking.due! <= this.now) this.#end(one, 'expired');
      }
    });
  }

  /** The minute's job looks at the waitlist only if something that is waited for has room. */
  promoteWaiting(): Outcome {
    return this.#attempt(0, () => {
      this.#freed = [false, true].some((test) => {
        const taken = this.taken(test);
        const hasRoom = (scope: string) =>
          (taken.get(scope) ?? 0) < (this.capacityOf(scope) ?? Number.POSITIVE_INFINITY);
        return [...this.waiting(test).keys()].some(hasRoom);
      });
    });
  }

  // ---- the rules

  /** All or nothing: a refusal changes nothing. If places became free, those who fit are promoted at once. */
  #attempt(status: number, act: () => void): Outcome {
    const before = structuredClone(this.bookings);
    this.#freed = false;
    this.#created = null;
    this.#changed = new Set();
    this.#told = [];
    this.#promoted = [];
    try {
      act();
    } catch (no) {
      if (!(no instanceof No)) throw no;
      this.bookings = before;
      return { status: HTTP[no.code] ?? 409, code: no.code, told: [], promoted: [] };
    }
    if (this.#freed) {
      for (const test of [false, true]) {
        for (const one of this.queue(test)) if (this.#promote(one)) this.#promoted.push(one);
      }
    }
    for (const one of this.#changed) if (one !== this.#created) this.#told.push(`${one} registration.updated`);
    return { status, code: null, told: this.#told, promoted: this.#promoted };
  }

  #tell(one: number, type: string): void {
    this.#told.push(`${one} ${type}`);
    this.#changed.add(one);
  }

  #must(one: number, allowed: readonly Status[]): Booking {
    const booking = this.bookings[one]!;
    if (!allowed.includes(booking.status)) throw new No('invalid_state');
    return booking;
  }

  #type = (code: string): TypeRules => this.world.types.find((type) => type.code === code)!;

  /** First the faults of all people, then the refusals in their order. */
  #people(wanted: Wanted[], already = false): Person[] {
    const wrong = new Set<string>();
    const people = wanted.map(({ type: code, days }) => {
      const type = this.#type(code);
      const all = this.world.days.map((day) => day.code).filter(offers(this, type));
      if (!type.visible && !already) wrong.add('type_not_available');
      if (days === undefined && type.pass === null && all.length !== 1) wrong.add('validation_failed');
      if (days?.some((day) => !all.includes(day))) wrong.add('day_not_available');
      else if (days !== undefined && type.pass !== null && days.length < type.pass) wrong.add('validation_failed');
      const chosen = all.filter((day) => days === undefined || days.includes(day));
      return { type: code, days: chosen, price: type.price, cancelled: false };
    });
    for (const code of ['validation_failed', 'type_not_available', 'day_not_available']) {
      if (wrong.has(code)) throw new No(code);
    }
    return people;
  }

  /** Each person needs one place in the event, one of the type and one on each day. */
  #needs(people: readonly Person[]): Needs {
    const needs: Needs = new Map();
    for (const person of people) {
      count(needs, 'event');
      count(needs, `type:${person.type}`);
      for (const day of person.days) count(needs, `day:${day}`);
    }
    return needs;
  }

  /** In the order of the refusals: the plan's cap, the event, types, days. */
  #lacking(needs: Needs, test: boolean): { code: string; scope: string }[] {
    const taken = this.taken(test);
    const found: { code: string; scope: string }[] = [];
    const more = (scope: string) => (taken.get(scope) ?? 0) + needs.get(scope)!;
    if (this.world.cap !== null && needs.has('event') && more('event') > this.world.cap) {
      found.push({ code: 'attendee_cap_reached', scope: 'event' });
    }
    for (const kind of ['event', 'type', 'day']) {
      for (const scope of needs.keys()) {
        const capacity = this.capacityOf(scope);
        if (scope.split(':')[0] !== kind || capacity === null || more(scope) <= capacity) continue;
        found.push({ code: `${kind}_full`, scope });
      }
    }
    return found;
  }

  #awaited(needs: Needs, test: boolean): string[] {
    const waiting = this.waiting(test);
    return [...needs.keys()].filter((scope) => waiting.has(scope));
  }

  /** Promotes it if there is room for all of its people. Otherwise it keeps its turn and waits for the scopes without room. */
  #promote(one: number): boolean {
    const booking = this.bookings[one]!;
    const lacking = this.#lacking(this.#needs(active(booking)), booking.test);
    if (lacking.length > 0) {
      booking.waitsFor = [...new Set(lacking.map((no) => no.scope))];
      return false;
    }
    this.#tell(one, 'registration.promoted');
    this.#settle(one, false);
    return true;
  }

  /** First approval, then payment; otherwise it is confirmed. */
  #settle(one: number, approved: boolean): void {
    const booking = this.bookings[one]!;
    const asks = this.world.approval || active(booking).some((person) => this.#type(person.type).approval);
    if (asks && !approved) {
      booking.status = 'pending_approval';
      this.#changed.add(one);
    } else if (this.paid(booking) < this.total(booking)) this.#awaitPayment(booking);
    else this.#confirm(one);
  }

  #awaitPayment(booking: Booking): void {
    booking.status = 'pending_payment';
    booking.due = this.now + this.world.hours * 3_600_000;
  }

  #covered(one: number): void {
    const booking = this.bookings[one]!;
    if (booking.status === 'pending_payment' && this.paid(booking) >= this.total(booking)) this.#confirm(one);
  }

  /** Confirming issues tickets. Whoever had one before (and was refunded since) keeps it as it is. */
  #confirm(one: number): void {
    const booking = this.bookings[one]!;
    booking.status = 'confirmed';
    booking.confirmedOnce = true;
    this.#tell(one, 'registration.confirmed');
    const had = new Set(booking.tickets.flatMap((ticket) => ticket.people));
    this.#give(
      one,
      [...booking.people.keys()].filter((position) => !booking.people[position]!.cancelled && !had.has(position)),
    );
  }

  #end(one: number, status: Status): void {
    const booking = this.bookings[one]!;
    if (HOLDING.includes(booking.status)) this.#freed = true;
    booking.status = status;
    this.#changed.add(one);
    for (const ticket of booking.tickets) if (ticket.valid) this.#kill(one, ticket);
  }

  #kill(one: number, ticket: Ticket): void {
    ticket.valid = false;
    this.#tell(one, 'ticket.voided');
  }

  /** The days of the tickets that a person gets. per_day: one a day, but only one for a pass; per_person: one. null: all days. */
  #dueTo(person: Person): (string | null)[] {
    return this.world.ticketing === 'per_day' && this.#type(person.type).pass === null ? person.days : [null];
  }

  /** The tickets that these people lack. */
  #give(one: number, positions: number[]): void {
    const booking = this.bookings[one]!;
    const regular = () => booking.tickets.filter((ticket) => ticket.valid && !ticket.extra);
    const issue = (people: number[], days: string[] | null) => {
      booking.tickets.push({ people, days, extra: false, valid: true });
      this.#tell(one, 'ticket.issued');
    };
    if (this.world.ticketing === 'shared') {
      const [shared] = regular();
      if (positions.length === 0) return;
      if (shared !== undefined) shared.people = [...new Set([...shared.people, ...positions])];
      else
        issue(
          [...booking.people.keys()].filter((position) => !booking.people[position]!.cancelled),
          null,
        );
      return;
    }
    for (const position of positions) {
      for (const day of this.#dueTo(booking.people[position]!)) {
        const days = day === null ? null : [day];
        const has = regular().some((ticket) => ticket.people[0] === position && String(ticket.days) === String(days));
        if (!has) issue([position], days);
      }
    }
  }

  /** Adapts the tickets of a person who moves: none stays valid for a day that the person no longer has. */
  #follow(one: number, position: number): void {
    const booking = this.bookings[one]!;
    const person = booking.people[position]!;
    const due = this.#dueTo(person);
    for (const ticket of booking.tickets.filter((each) => each.valid && each.people.includes(position))) {
      if (ticket.extra) {
        const left = ticket.days?.filter((day) => person.days.includes(day)) ?? null;
        if (left?.length === 0) this.#kill(one, ticket);
        else ticket.days = left;
      } else if (this.world.ticketing !== 'shared' && !due.includes(ticket.days?.[0] ?? null)) this.#kill(one, ticket);
    }
    if (booking.confirmedOnce) this.#give(one, [position]);
  }
}

const active = (booking: Booking): Person[] => booking.people.filter((person) => !person.cancelled);
const count = (needs: Needs, scope: string): void => {
  needs.set(scope, (needs.get(scope) ?? 0) + 1);
};
const offers =
  (model: RegistrationModel, type: TypeRules) =>
  (day: string): boolean =>
    type.days?.includes(day) ?? model.world.days.some((one) => one.code === day);
