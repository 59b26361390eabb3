import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expireUnpaid, promoteWaitlists } from '../server/src/areas/registrations/index.ts';
import { HOUR } from '../server/src/clock.ts';
import { type Id, toUlid, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { HeldClock } from './support/clock.ts';
import { isNight } from './support/night.ts';
import {
  type Booking,
  type Outcome,
  RegistrationModel,
  type Ticket,
  type World,
} from './support/registration-model.ts';
import { type Reply, startTest, type TestTurnout } from './support/turnout.ts';

/**
 * Random sequences of everything that can be done with registrations, over HTTP and in a model of the rules. After each step, the
 * answer, every registration, all places, the waitlist, the tickets and the outbox must be as in the model. Capacities are small,
 * so that limits are reached often. The clock stands still between steps, so that turns in the waitlist are microseconds apart.
 *
 * A failure is shrunk and printed with its seed and all steps in words. Try more sequences with
 *   MODEL_RUNS=500 MODEL_SEED=1 npx vitest run test/registrations-model.test.ts
 */
const RUNS = Number(process.env.MODEL_RUNS ?? (isNight ? 60 : 12));
const BUDGET_MS = 5_000 * RUNS;
const SEED = Number(process.env.MODEL_SEED ?? 5);

// Every run begins at the same time, so that a run, and each shrunk version of it, can be repeated exactly.
const START = Date.parse('2029-01-01T00:00:00Z');

const clock = new HeldClock(START);
let t: TestTurnout;
let keys: { live: string; test: string };
beforeAll(async () => {
  t = await startTest({ clock });
  await t.org('acme');
  keys = { live: (await t.key('acme')).secret, test: (await t.key('acme', { mode: 'test' })).secret };
});
afterAll(() => t.stop());

// ---- worlds

const size = (min: number, max: number) => fc.option(fc.integer({ min, max }), { nil: null, freq: 2 });
const worlds: fc.Arbitrary<World> = fc
  .record({
    ticketing: fc.constantFrom('per_person' as const, 'per_day' as const, 'shared' as const),
    capacity: size(2, 9),
    cap: size(4, 10),
    waitlist: fc.constantFrom(true, true, false),
    approval: fc.constantFrom(false, false, false, true),
    hours: fc.constantFrom(72, 24),
    days: fc.constantFrom(1, 2, 3, 3, 3).chain((n) => fc.array(size(1, 7), { minLength: n, maxLength: n })),
    types: fc.array(
      fc.record({
        price: fc.constantFrom(0, 0, 1000, 2500),
        capacity: size(1, 6),
        days: fc.constantFrom(7, 7, 7, 7, 1, 2, 3, 6),
        pass: fc.constantFrom(0, 0, 1, 2),
        approval: fc.constantFrom(false, false, false, false, true),
        visible: fc.constantFrom(true, true, true, false),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
  .map(({ days, types, ...rest }) => ({
    ...rest,
    days: days.map((capacity, i) => ({ code: `d${i + 1}`, capacity })),
    types: types.map((type, i) => {
      const some = days.map((_, day) => `d${day + 1}`).filter((_, day) => (type.days >> day) & 1);
      const offered = type.days === 7 || some.length === 0 ? null : some;
      const pass = type.pass === 0 || type.pass > (offered ?? days).length ? null : type.pass;
      return { ...type, code: `t${i + 1}`, days: offered, pass, visible: type.visible || i === 0 };
    }),
  }));

// ---- steps: a kind and some numbers. What the numbers mean depends on the state of the run, so every sequence is possible

const KINDS = {
  /** The next step in the life of the registration that was changed last. It makes sequences that chance alone would hardly make. */
  goOn: 45,
  register: 10,
  add: 3,
  change: 4,
  cancelPerson: 3,
  cancel: 3,
  decline: 1,
  approve: 3,
  pay: 4,
  refund: 2,
  promote: 2,
  expire: 2,
  promoteWaiting: 2,
  capacity: 4,
  rules: 2,
  issue: 1,
  void: 1,
  reissue: 1,
} as const;
type Kind = keyof typeof KINDS;
const kinds = (names: string) => names.split(' ') as Kind[];
const NEXT: Record<Booking['status'], Kind[]> = {
  pending_approval: kinds('approve approve approve pay add change cancelPerson'),
  waitlisted: kinds('promote change cancelPerson capacity register register'),
  pending_payment: kinds('pay pay pay pay add change cancelPerson refund'),
  confirmed: kinds('add change change change cancelPerson refund refund issue issue void void reissue'),
  declined: ['register'],
  cancelled: ['register'],
  expired: ['register'],
};
interface Step {
  kind: Kind;
  dice: number[];
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(Object.keys(KINDS) as Kind[]).flatMap((kind) => Array<Kind>(KINDS[kind]).fill(kind))),
    dice: fc.array(fc.nat(999), { minLength: 14, maxLength: 14, size: 'max' }),
  }),
  { minLength: 1, maxLength: 90, size: 'max' },
);

// ---- one run

/** How often each outcome occurred in the runs: runs in which nothing happens would prove nothing. */
const MET = new Set<string>();
const EVERYTHING = [
  ...['attendee_cap_reached', 'day_full', 'day_not_available', 'event_full', 'invalid_state'],
  ...['payment.failed', 'payment.received', 'payment.refunded'],
  ...['approved', 'attendee_added', 'attendee_removed', 'cancelled', 'confirmed', 'created'].map(
    (n) => `registration.${n}`,
  ),
  ...['declined', 'promoted', 'updated', 'waitlisted'].map((name) => `registration.${name}`),
  ...['ticket.issued', 'ticket.reissued', 'ticket.voided', 'type_full', 'validation_failed'],
];
/** Occurs only if a hidden type is made and then chosen, which is rare. register.test.ts tests it explicitly. */
const RARE = ['type_not_available'];

let serial = 0;

class Run {
  readonly model: RegistrationModel;
  readonly event = `e${++serial}`;
  readonly lines: string[] = [];
  #eventId!: Id;
  #scopes!: Map<Id, string>;
  readonly #ids: string[] = [];
  readonly #payments: string[][] = [];
  #seen = '00000000-0000-0000-0000-000000000000';
  #dice: number[] = [];
  #last = -1;
  #rows!: Rows;

  constructor(world: World) {
    clock.jump(new Date(START));
    this.model = new RegistrationModel(structuredClone(world), START);
  }

  async begin(): Promise<void> {
    const { world } = this.model;
    await t.plan('acme', 'scale', [
      ['api_rate_per_min', '1000000'],
      ['attendees_per_event', world.cap === null ? 'default' : String(world.cap)],
    ]);
    const { capacity, ticketing, waitlist, approval, hours } = world;
    const made = await this.#must('POST', '/events', {
      code: this.event,
      name: this.event,
      capacity,
      ticketing,
      registration: { waitlist, approval, payment_hours: hours },
    });
    this.#eventId = toUuid(made.body.id);
    this.#scopes = new Map([[this.#eventId, 'event']]);
    for (const [i, day] of world.days.entries()) {
      const { body } = await this.#must('POST', `/events/${this.event}/days`, { ...day, date: `2030-01-0${i + 1}` });
      this.#scopes.set(toUuid(body.id), `day:${day.code}`);
    }
    for (const { code, price, capacity, days, pass, approval, visible } of world.types) {
      const { body } = await this.#must('POST', `/events/${this.event}/attendee-types`, {
        code,
        name: code,
        price_minor: price,
        capacity,
        days,
        pass_days: pass,
        approval,
        visible,
      });
      this.#scopes.set(toUuid(body.id), `type:${code}`);
    }
    await this.#must('POST', `/events/${this.event}/publish`);
  }

  async take(step: Step): Promise<void> {
    this.#dice = [...step.dice];
    clock.advance([0, 0, 0, 1, 10, 1000][this.#draw(6)]!);
    this.model.now = clock.now().getTime();
    const before = [false, true].map((test) => this.model.taken(test));
    const { words, reply, outcome } = await this.#act(step.kind);
    this.lines.push(`${words} → ${outcome.code ?? outcome.status}`);
    for (const met of [outcome.code, ...outcome.told.map((line) => line.split(' ')[1]!)])
      if (met !== null) MET.add(met);
    if (reply !== null) expect([reply.status, reply.body.error?.code ?? null]).toEqual([outcome.status, outcome.code]);
    if (outcome.code === 'invalid_state') expect(reply!.body.error.message).not.toBe('');
    await this.#compare(outcome);
    for (const [i, test] of [false, true].entries()) {
      for (const [scope, taken] of this.model.taken(test)) {
        const limit = this.model.capacityOf(scope) ?? Number.POSITIVE_INFINITY;
        expect(taken, `${scope} grew beyond its capacity`).toBeLessThanOrEqual(
          Math.max(limit, before[i]!.get(scope) ?? 0),
        );
      }
    }
  }

  /** Lists and objects over HTTP show what the tables contain. */
  async finish(): Promise<void> {
    for (const [one, booking] of this.model.bookings.entries()) {
      const shown = await t.call('GET', `/v1/events/${this.event}/registrations/${this.#ids[one]}`, {
        key: this.#key(booking),
      });
      expect(shown.body).toMatchObject({
        status: booking.status,
        total_minor: this.model.total(booking),
        paid_minor: this.model.paid(booking),
        balance_minor: this.model.balance(booking),
        test: booking.test,
      });
      expect(shown.body.attendees.map((person: { status: string }) => person.status)).toEqual(
        booking.people.map((person) => (person.cancelled ? 'cancelled' : booking.status)),
      );
    }
  }

  /** Ends the run so that the jobs of the next run have nothing to do here. */
  async leave(): Promise<void> {
    await t.system(async (tx) => {
      await tx.run(sql`update places set waiting = 0 where event_id = ${this.#eventId}`);
      await tx.run(sql`update registrations set status = 'cancelled' where event_id = ${this.#eventId}`);
    });
  }

  // ---- a step, on the server and in the model

  async #act(
    kind: Kind,
    going: number | null = null,
  ): Promise<{ words: string; reply: Reply | null; outcome: Outcome }> {
    const { model } = this;
    if (kind === 'goOn') {
      const next = NEXT[model.bookings[this.#last]?.status ?? 'cancelled'];
      return this.#act(next[this.#draw(next.length)]!, this.#last);
    }
    const one = going ?? this.#registration(kind);
    if (one === null && !['register', 'expire', 'promoteWaiting', 'capacity', 'rules'].includes(kind)) {
      return this.#act('register');
    }
    const booking = model.bookings[one!]!;
    const path = `/events/${this.event}/registrations/${this.#ids[one!]}`;
    const post = (to: string, body?: object) => this.#call('POST', to, body, booking);
    switch (kind) {
      case 'register': {
        const wanted = Array.from({ length: [1, 1, 2, 2, 3, 4][this.#draw(6)]! }, () => this.#wanted());
        const mode = this.#draw(7) === 6;
        const words = `register #${model.bookings.length}${mode ? ' (test)' : ''} ${JSON.stringify(wanted)}`;
        const outcome = model.register(wanted, mode);
        const reply = await t.call('POST', `/v1/events/${this.event}/registrations`, {
          key: mode ? keys.test : keys.live,
          body: { attendees: wanted.map((each) => this.#input(each)) },
        });
        if (reply.status === 201) {
          this.#ids.push(reply.body.id);
          this.#payments.push([]);
          this.#last = this.#ids.length - 1;
          expect(reply.body.status).toBe(model.bookings.at(-1)!.status);
        }
        return { words, reply, outcome };
      }
      case 'add': {
        const wanted = this.#wanted();
        const outcome = model.add(one!, wanted);
        const reply = await post(`${path}/attendees`, this.#input(wanted));
        return { words: `add to #${one} ${JSON.stringify(wanted)}`, reply, outcome };
      }
      case 'change': {
        const position = this.#draw(booking.people.length);
        const { type, days } = this.#wanted();
        const own = model.world.types.find((each) => each.code === booking.people[position]!.type)!;
        const others = this.#days(own.days ?? model.world.days.map((day) => day.code));
        const wanted = [{ days: others }, { days: others }, { type }, { type, days }][this.#draw(4)]!;
        const person = this.#rows.people.get(this.#ids[one!]!)![position]!;
        const outcome = model.change(one!, position, wanted);
        const reply = await this.#call(
          'PATCH',
          `/events/${this.event}/attendees/${person.id}`,
          { ...(wanted.type && { attendee_type: wanted.type }), ...(wanted.days && { days: wanted.days }) },
          booking,
        );
        return { words: `change #${one}/${position} to ${JSON.stringify(wanted)}`, reply, outcome };
      }
      case 'cancelPerson': {
        const position = this.#draw(booking.people.length);
        const person = this.#rows.people.get(this.#ids[one!]!)![position]!;
        const outcome = model.cancelPerson(one!, position);
        const reply = await post(`/events/${this.event}/attendees/${person.id}/cancel`);
        return { words: `cancel person #${one}/${position}`, reply, outcome };
      }
      case 'cancel':
      case 'decline': {
        const outcome = model[kind](one!);
        return { words: `${kind} #${one}`, reply: await post(`${path}/${kind}`, {}), outcome };
      }
      case 'approve':
      case 'promote': {
        const outcome = model[kind](one!);
        return { words: `${kind} #${one}`, reply: await post(`${path}/${kind}`), outcome };
      }
      case 'pay': {
        const open = model.total(booking) - model.paid(booking);
        const amount = [open, open, open, Math.ceil(open / 2), open + 500, booking.people[0]!.price][this.#draw(6)]!;
        const failed = this.#draw(8) === 7;
        const amount_minor = Math.max(1, amount);
        const outcome = model.pay(one!, amount_minor, failed);
        const reply = await post(`${path}/payments`, {
          amount_minor,
          method: 'cash',
          ...(failed && { status: 'failed' }),
        });
        if (reply.status === 201) this.#payments[one!]!.push(reply.body.id);
        return { words: `pay ${amount_minor} for #${one}${failed ? ' (failed)' : ''}`, reply, outcome };
      }
      case 'refund': {
        if (booking.payments.length === 0) return this.#act('pay', one);
        const which = this.#draw(booking.payments.length);
        const { amount } = booking.payments[which]!;
        const back = [undefined, undefined, Math.ceil(amount / 2), 1, amount][this.#draw(5)];
        const then = ([null, null, 'reopen', 'reopen', 'cancel'] as const)[this.#draw(5)]!;
        const outcome = model.refund(one!, which, back, then);
        const reply = await post(`/payments/${this.#payments[one!]![which]}/refund`, {
          ...(back !== undefined && { amount_minor: back }),
          ...(then !== null && { [then]: true }),
        });
        return { words: `refund ${back ?? 'all'} of payment ${which} of #${one}, ${then}`, reply, outcome };
      }
      case 'issue': {
        const position = this.#draw(booking.people.length);
        const days = this.#draw(3) === 0 ? undefined : this.#days(booking.people[position]!.days);
        const person = this.#rows.people.get(this.#ids[one!]!)![position]!;
        const outcome = model.issue(one!, position, days);
        const reply = await post(`/events/${this.event}/tickets`, { attendee: person.id, ...(days && { days }) });
        return { words: `issue #${one}/${position} ${days ?? ''}`, reply, outcome };
      }
      case 'void':
      case 'reissue': {
        if (booking.tickets.length === 0) return this.#act('issue', one);
        const which = this.#draw(booking.tickets.length);
        const looks = this.#ticket(booking, booking.tickets[which]!);
        const ticket = this.#rows.tickets.get(this.#ids[one!]!)!.find((row) => row.looks === looks)!;
        const outcome = model[kind](one!, which);
        const reply = await post(`/tickets/${ticket.id}/${kind}`, kind === 'void' ? {} : undefined);
        return { words: `${kind} ticket of #${one} (${looks})`, reply, outcome };
      }
      case 'expire': {
        const hours = [model.world.hours - 1, model.world.hours, 24, 1][this.#draw(4)]!;
        clock.advance(hours * HOUR);
        model.now = clock.now().getTime();
        const outcome = model.expire();
        await expireUnpaid(t.pool, clock);
        return { words: `${hours} hours later`, reply: null, outcome };
      }
      case 'promoteWaiting': {
        const outcome = model.promoteWaiting();
        await promoteWaitlists(t.pool, clock);
        return { words: 'the minute’s job', reply: null, outcome };
      }
      case 'capacity':
        return this.#capacity();
      case 'rules':
        return this.#rules();
    }
  }

  async #capacity(): Promise<{ words: string; reply: Reply; outcome: Outcome }> {
    const { world } = this.model;
    const all = [
      { what: world, path: '' },
      ...world.days.map((day) => ({ what: day, path: `/days/${day.code}` })),
      ...world.types.map((type) => ({ what: type, path: `/attendee-types/${type.code}` })),
    ];
    const { what, path } = all[this.#draw(all.length)]!;
    what.capacity = this.#draw(5) === 4 ? null : 1 + this.#draw(6);
    const reply = await this.#call('PATCH', `/events/${this.event}${path}`, { capacity: what.capacity });
    return { words: `capacity of ${path || 'event'} is ${what.capacity}`, reply, outcome: QUIET };
  }

  async #rules(): Promise<{ words: string; reply: Reply; outcome: Outcome }> {
    const { world } = this.model;
    const what = this.#draw(3);
    if (what === 2) {
      const type = world.types[this.#draw(world.types.length)]!;
      type.price = [0, 500, 2000][this.#draw(3)]!;
      const price = { price_minor: type.price };
      const reply = await this.#call('PATCH', `/events/${this.event}/attendee-types/${type.code}`, price);
      return { words: `price of ${type.code} is ${type.price}`, reply, outcome: QUIET };
    }
    if (what === 0) world.waitlist = !world.waitlist;
    else world.approval = !world.approval;
    const { waitlist, approval } = world;
    const reply = await this.#call('PATCH', `/events/${this.event}`, { registration: { waitlist, approval } });
    return { words: `waitlist ${waitlist}, approval ${approval}`, reply, outcome: QUIET };
  }

  // ---- random choices

  #draw(below: number): number {
    return (this.#dice.shift() ?? 0) % below;
  }

  /** Usually a registration for which this is possible, sometimes any. */
  #registration(kind: Kind): number | null {
    const all = [...this.model.bookings.keys()];
    const holds = ({ status }: Booking) => ['pending_approval', 'pending_payment', 'confirmed'].includes(status);
    const ticketed = (booking: Booking) => booking.tickets.some((ticket) => ticket.valid);
    const fits: Partial<Record<Kind, (booking: Booking) => boolean>> = {
      approve: ({ status }) => status === 'pending_approval',
      decline: ({ status }) => status === 'pending_approval' || status === 'waitlisted',
      promote: ({ status }) => status === 'waitlisted',
      pay: ({ status }) => status === 'pending_payment',
      refund: (booking) => booking.payments.length > 0,
      issue: ({ status }) => status === 'confirmed',
      void: ticketed,
      reissue: ticketed,
    };
    const some = all.filter((one) => (fits[kind] ?? holds)(this.model.bookings[one]!));
    const from = this.#draw(7) === 6 ? all : some;
    if (from.length === 0) return null;
    this.#last = from[this.#draw(from.length)]!;
    return this.#last;
  }

  #days(of: readonly string[]): string[] {
    const mask = 1 + this.#draw(7);
    const some = of.filter((_, i) => (mask >> i) & 1);
    return some.length === 0 ? of.slice(-1) : some;
  }

  /** Usually types and days that are offered. */
  #wanted(): { type: string; days: string[] | undefined } {
    const { world } = this.model;
    const all = world.days.map((day) => day.code);
    const offered = this.#draw(10) === 9 ? world.types : world.types.filter((each) => each.visible);
    const type = offered[this.#draw(offered.length)]!;
    const how = this.#draw(30);
    const left = how === 29 || (type.pass !== null && how < 20);
    return { type: type.code, days: left ? undefined : this.#days(how === 28 ? all : (type.days ?? all)) };
  }

  #input = ({ type, days }: { type: string; days?: string[] | undefined }) => ({
    attendee_type: type,
    first_name: 'Ada',
    last_name: 'Lovelace',
    ...(days && { days }),
  });

  #key = (booking: Booking | undefined) => (booking?.test ? keys.test : keys.live);
  #call(method: string, path: string, body?: object, booking?: Booking): Promise<Reply> {
    return t.call(method, `/v1${path}`, { key: this.#key(booking), body });
  }
  async #must(method: string, path: string, body?: object): Promise<Reply> {
    const reply = await this.#call(method, path, body);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply;
  }

  // ---- comparing

  #ticket(booking: Booking, ticket: Ticket): string {
    const days = this.model.daysOf(booking, ticket).join();
    return looksOf({ ...ticket, people: [...ticket.people].sort((a, b) => a - b), days });
  }

  async #compare(outcome: Outcome): Promise<void> {
    const { model } = this;
    const rows = await this.#read();
    this.#rows = rows;
    const number = new Map(this.#ids.map((id, one) => [id, one]));
    const expected = model.bookings.map((booking) => ({
      status: booking.status,
      test: booking.test,
      total: model.total(booking),
      paid: model.paid(booking),
      balance: model.balance(booking),
      due: booking.status === 'pending_payment' ? booking.due : null,
      people: booking.people.map(({ type, days, price, cancelled }) => ({
        type,
        days: days.join(),
        price,
        status: cancelled ? 'cancelled' : booking.status,
      })),
      tickets: booking.tickets.map((ticket) => this.#ticket(booking, ticket)).sort(),
    }));
    const actual = this.#ids.map((id) => ({
      ...rows.registrations.get(id)!,
      people: rows.people.get(id)!.map(({ id: _, ...person }) => person),
      tickets: (rows.tickets.get(id) ?? []).map((ticket) => ticket.looks).sort(),
    }));
    expect(actual).toEqual(expected);

    for (const test of [false, true]) {
      expect(
        rows.queue.filter((row) => row.test === test).map((row) => number.get(row.id)),
        'the queue',
      ).toEqual(model.queue(test));
      const taken = new Map<string, number>();
      const waiting = new Map<string, number>();
      for (const row of rows.places.filter((each) => each.test === test)) {
        const scope = this.#scopes.get(row.scope_id)!;
        if (row.taken > 0) taken.set(scope, row.taken);
        if (row.waiting > 0) waiting.set(scope, row.waiting);
      }
      expect(sorted(taken), 'places taken').toEqual(sorted(model.taken(test)));
      expect(sorted(waiting), 'registrations waiting').toEqual(sorted(model.waiting(test)));
    }

    const told = rows.told.map((row) => `${number.get(row.registration)} ${row.type}`);
    expect([...told].sort(), 'the outbox').toEqual([...outcome.told].sort());
    const promoted = told
      .filter((line) => line.endsWith(' registration.promoted'))
      .map((line) => Number.parseInt(line, 10));
    if (outcome.promoted.length > 0) expect(promoted, 'promoted in turn').toEqual(outcome.promoted);
  }

  #read(): Promise<Rows> {
    return t.system(async (tx) => {
      const [registrations, people, tickets, places, outbox] = await Promise.all([
        tx.all<{
          id: Id;
          status: string;
          test: boolean;
          total: number;
          paid: number;
          balance: number;
          due: string | null;
        }>(sql`
          select id, status, test, total_minor as total, paid_minor as paid, balance_minor as balance, payment_due_at as due from registrations
          where event_id = ${this.#eventId} order by waitlisted_at, id`),
        tx.all<{ id: Id; registration_id: Id; type: string; days: string; price: number; status: string }>(sql`
          select a.id, a.registration_id, y.code as type, a.price_minor as price, a.status, (select coalesce(string_agg(d.code, ','
            order by d.date), '') from days d where d.id = any(a.day_ids)) as days
          from attendees a join attendee_types y on y.org_id = a.org_id and y.id = a.attendee_type_id
          where a.event_id = ${this.#eventId} order by a.registration_id, a.position`),
        tx.all<{ id: Id; registration_id: Id; valid: boolean; extra: boolean; people: number[]; days: string }>(sql`
          select k.id, k.registration_id, k.status = 'valid' as valid, k.extra, p.people, (select coalesce(string_agg(d.code, ','
            order by d.date), '') from days d where d.id = any(coalesce(k.day_ids, p.days))) as days
          from tickets k cross join lateral (
            select array_agg(distinct a.position order by a.position) as people, array_agg(distinct day) as days
            from ticket_people tp join attendees a on a.org_id = tp.org_id and a.id = tp.attendee_id
            cross join unnest(a.day_ids) day where tp.org_id = k.org_id and tp.ticket_id = k.id) p
          where k.event_id = ${this.#eventId}`),
        tx.all<{ scope_id: Id; test: boolean; taken: number; waiting: number }>(sql`
          select scope_id, test, taken, waiting from places where event_id = ${this.#eventId}`),
        tx.all<{ id: Id; type: string; registration: string }>(sql`
          select id, type, coalesce(data::json->>'registration_id', data::json->>'id') as registration from outbox
          where event_id = ${this.#eventId} and id > ${this.#seen} order by id`),
      ]);
      this.#seen = outbox.at(-1)?.id ?? this.#seen;
      const byId = new Map(this.#ids.map((ulid) => [toUuid(ulid), ulid]));
      const group = <Row extends { registration_id: Id }, Out>(list: Row[], shape: (row: Row) => Out) => {
        const groups = new Map<string, Out[]>();
        for (const row of list) {
          const ulid = byId.get(row.registration_id)!;
          groups.set(ulid, [...(groups.get(ulid) ?? []), shape(row)]);
        }
        return groups;
      };
      return {
        registrations: new Map(
          registrations.map(({ id, due, ...row }) => [byId.get(id)!, { ...row, due: due && Date.parse(due) }]),
        ),
        queue: registrations
          .filter((row) => row.status === 'waitlisted')
          .map(({ id, test }) => ({ id: byId.get(id)!, test })),
        people: group(people, ({ registration_id: _, ...row }) => ({ ...row, id: toUlid(row.id) })),
        tickets: group(tickets, (row) => ({ id: toUlid(row.id), looks: looksOf(row) })),
        places,
        told: outbox,
      };
    });
  }
}

interface Rows {
  registrations: Map<string, unknown>;
  queue: { id: string; test: boolean }[];
  people: Map<string, { id: Id; type: string; days: string; price: number; status: string }[]>;
  tickets: Map<string, { id: Id; looks: string }[]>;
  places: { scope_id: Id; test: boolean; taken: number; waiting: number }[];
  told: { type: string; registration: string }[];
}
const QUIET: Outcome = { status: 200, code: null, told: [], promoted: [] };
const sorted = (counts: Map<string, number>) => [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
const looksOf = (ticket: { valid: boolean; extra: boolean; people: number[]; days: string }): string =>
  `${ticket.valid ? 'valid' : 'voided'}${ticket.extra ? ' extra' : ''} for ${ticket.people.join()}${
    ticket.valid ? ` on ${ticket.days}` : ''
  }`;

test('in every sequence of steps, the server does what the model does', { timeout: 600_000 }, async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(worlds, steps, async (world, sequence) => {
      const run = new Run(world);
      await run.begin();
      try {
        for (const step of sequence) await run.take(step);
        await run.finish();
        runs += 1;
      } catch (error) {
        const told = [JSON.stringify(world), ...run.lines].join('\n  ');
        throw new Error(`${(error as Error).message}\n  ${told}`, { cause: error });
      } finally {
        await run.leave();
      }
    }),
    { numRuns: RUNS, seed: SEED, unbiased: true, interruptAfterTimeLimit: BUDGET_MS },
  );
  const met = [...MET].filter((name) => !RARE.includes(name)).sort();
  if (runs === 30 && SEED === 5) expect(met, 'nothing was left out').toEqual(EVERYTHING);
});
