import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HeldClock } from '../../../../test/support/clock.ts';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { expireUnpaid, promoteWaitlists } from './index.ts';

const clock = new HeldClock(Date.parse('2027-01-01T00:00:00Z'));
let t: TestTurnout;
let key: string;
beforeAll(async () => {
  t = await startTest({ clock });
  await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
});
afterAll(() => t.stop());

const post = (path: string, body?: unknown) => t.call('POST', `/v1${path}`, { key, body });
const patch = (path: string, body: unknown) => t.call('PATCH', `/v1${path}`, { key, body });
const get = (path: string) => t.call('GET', `/v1${path}`, { key });
async function done(reply: Promise<Reply>) {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(text);
  return body;
}

interface Setting {
  registration?: object;
  capacity?: number;
  ticketing?: string;
  price?: number;
  types?: object[];
}
let serial = 0;
/** An event with two days and one attendee type that costs 1000. */
async function event({ price = 1000, types, ...more }: Setting = {}): Promise<string> {
  const code = `e${++serial}`;
  await done(post('/events', { code, name: code, ...more }));
  for (const day of ['d1', 'd2']) await done(post(`/events/${code}/days`, { code: day, date: `2030-06-0${day[1]}` }));
  for (const type of types ?? [{ code: 'adult', price_minor: price }])
    await done(post(`/events/${code}/attendee-types`, { name: 'Type', ...type }));
  await done(post(`/events/${code}/publish`));
  return code;
}
const person = (more: object = {}) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: `Person${++serial}`,
  days: ['d1'],
  ...more,
});
const register = (code: string, ...people: object[]) =>
  done(post(`/events/${code}/registrations`, { attendees: people.length === 0 ? [person()] : people }));
const at = (code: string, id: string, action = '') => `/events/${code}/registrations/${id}${action && `/${action}`}`;
const pay = (code: string, id: string, amount_minor: number) =>
  done(post(at(code, id, 'payments'), { amount_minor, method: 'transfer' }));
const statusOf = async (code: string, id: string) => (await done(get(at(code, id)))).status;
const minute = async () => {
  await expireUnpaid(t.pool, clock);
  await promoteWaitlists(t.pool, clock);
};

/** The types of what was raised since the last call, in order. */
const seenOccurrences = new Map<string, number>();
async function newOccurrences(code: string): Promise<string[]> {
  const rows = await t.system((tx) =>
    tx.all<{ type: string }>(sql`
      select o.type from outbox o join events e on e.org_id = o.org_id and e.id = o.event_id
      where e.code = ${code} order by o.id`),
  );
  const from = seenOccurrences.get(code) ?? 0;
  seenOccurrences.set(code, rows.length);
  return rows.slice(from).map((row) => row.type);
}

/** The stored counts of places: of the event and of each day. */
async function places(code: string): Promise<{ event: number; d1: number; d2: number; waiting: number }> {
  const rows = await t.system((tx) =>
    tx.all<{ scope: 'event' | 'd1' | 'd2' | 'type'; taken: number; waiting: number }>(sql`
      select case when p.scope_id = e.id then 'event' else coalesce(d.code, 'type') end as scope, p.taken, p.waiting
      from places p join events e on e.org_id = p.org_id and e.id = p.event_id
      left join days d on d.org_id = p.org_id and d.id = p.scope_id where e.code = ${code}`),
  );
  const of = (scope: string) => rows.find((row) => row.scope === scope)?.taken ?? 0;
  return {
    event: of('event'),
    d1: of('d1'),
    d2: of('d2'),
    waiting: rows.find((row) => row.scope === 'event')?.waiting ?? 0,
  };
}

interface Standing {
  registration: { status: string; total_minor: number; paid_minor: number; updated_at: string };
  places: { event: number; d1: number; d2: number; waiting: number };
  tickets: { valid: number; voided: number };
  told: string[];
}
async function standing(code: string, id: string): Promise<Standing> {
  const tickets = (await done(get(`/events/${code}/tickets?registration=${id}`))).data as { status: string }[];
  return {
    registration: await done(get(at(code, id))),
    places: await places(code),
    tickets: {
      valid: tickets.filter((ticket) => ticket.status === 'valid').length,
      voided: tickets.filter((ticket) => ticket.status === 'voided').length,
    },
    told: await newOccurrences(code),
  };
}

// ---- the table

const STATUSES = [
  'pending_approval',
  'waitlisted',
  'pending_payment',
  'confirmed',
  'declined',
  'cancelled',
  'expired',
] as const;
type Status = (typeof STATUSES)[number];

interface Case {
  code: string;
  id: string;
  people: { id: string }[];
  payments: { id: string }[];
}
/** Two attendees on d1 who owe 2000. Where paying is possible, 500 of it are paid; if confirmed, all of it. */
async function reach(status: Status): Promise<Case> {
  const asked = status === 'pending_approval' || status === 'declined';
  const waits = status === 'waitlisted';
  const code = await event({ registration: { approval: asked, waitlist: waits }, ...(waits && { capacity: 2 }) });
  if (waits) {
    const first = await register(code, person({ days: ['d2'] }), person({ days: ['d2'] }));
    await pay(code, first.id, 2000);
  }
  const made = await register(code, person(), person());
  const payments = waits ? [] : [await pay(code, made.id, 500)];
  if (status === 'confirmed' || status === 'cancelled') payments.push(await pay(code, made.id, 1500));
  if (status === 'declined') await done(post(at(code, made.id, 'decline'), {}));
  if (status === 'cancelled') await done(post(at(code, made.id, 'cancel'), {}));
  if (status === 'expired') {
    clock.advance(72 * HOUR);
    await expireUnpaid(t.pool, clock);
  }
  return { code, id: made.id, people: made.attendees, payments };
}

type Act = (one: Case, from: Status) => Promise<Reply | null>;
const ACTS = {
  approve: ({ code, id }) => post(at(code, id, 'approve')),
  decline: ({ code, id }) => post(at(code, id, 'decline'), { reason: 'no' }),
  cancel: ({ code, id }) => post(at(code, id, 'cancel'), { reason: 'ill' }),
  promote: ({ code, id }) => post(at(code, id, 'promote')),
  'pay in full': ({ code, id }) => post(at(code, id, 'payments'), { amount_minor: 1500, method: 'cash' }),
  refund: ({ payments }) => post(`/payments/${payments.at(-1)!.id}/refund`, {}),
  'refund and reopen': ({ payments }) => post(`/payments/${payments.at(-1)!.id}/refund`, { reopen: true }),
  'refund and cancel': ({ payments }) => post(`/payments/${payments.at(-1)!.id}/refund`, { cancel: true }),
  expire: async () => {
    clock.advance(72 * HOUR);
    await expireUnpaid(t.pool, clock);
    return null;
  },
  add: ({ code, id }) => post(at(code, id, 'attendees'), person()),
  change: ({ code, people }) => patch(`/events/${code}/attendees/${people[0]!.id}`, { days: ['d2'] }),
  'cancel attendee': ({ code, people }) => post(`/events/${code}/attendees/${people[0]!.id}/cancel`),
} satisfies Record<string, Act>;
type What = keyof typeof ACTS;

interface Row {
  to: Status;
  told: string[];
  /** The places that this registration takes in the event, on d1 and on d2. */
  places: [number, number, number];
  tickets?: [valid: number, voided: number];
  total: number;
  paid: number;
}
const BOTH: Row['places'] = [2, 2, 0];
const NONE: Row['places'] = [0, 0, 0];
const row = (
  to: Status,
  told: string[],
  places: Row['places'],
  [paid, total]: [number, number],
  tickets: [number, number] = [0, 0],
): Row => ({
  to,
  told: [...told, 'registration.updated'],
  places,
  total,
  paid,
  tickets,
});

const OVER = {
  declined: row('declined', ['payment.refunded'], NONE, [0, 2000]),
  cancelled: row('cancelled', ['payment.refunded'], NONE, [500, 2000], [0, 2]),
  expired: row('expired', ['payment.refunded'], NONE, [0, 2000]),
};

/** The allowed transitions. Everything else is refused, or for `expire` has no effect. */
const TABLE: Record<What, Partial<Record<Status, Row>>> = {
  approve: {
    pending_approval: row('pending_payment', ['registration.approved'], BOTH, [500, 2000]),
  },
  decline: {
    pending_approval: row('declined', ['registration.declined'], NONE, [500, 2000]),
    waitlisted: row('declined', ['registration.declined'], NONE, [0, 2000]),
  },
  cancel: {
    pending_approval: row('cancelled', ['registration.cancelled'], NONE, [500, 2000]),
    waitlisted: row('cancelled', ['registration.cancelled'], NONE, [0, 2000]),
    pending_payment: row('cancelled', ['registration.cancelled'], NONE, [500, 2000]),
    confirmed: row(
      'cancelled',
      ['ticket.voided', 'ticket.voided', 'registration.cancelled'],
      NONE,
      [2000, 2000],
      [0, 2],
    ),
  },
  promote: {
    waitlisted: row('pending_payment', ['registration.promoted'], BOTH, [0, 2000]),
  },
  'pay in full': {
    pending_approval: row('pending_approval', ['payment.received'], BOTH, [2000, 2000]),
    pending_payment: row(
      'confirmed',
      ['payment.received', 'registration.confirmed', 'ticket.issued', 'ticket.issued'],
      BOTH,
      [2000, 2000],
      [2, 0],
    ),
    confirmed: row('confirmed', ['payment.received'], BOTH, [3500, 2000], [2, 0]),
  },
  // Money can be refunded in every status, and the status stays.
  refund: {
    pending_approval: row('pending_approval', ['payment.refunded'], BOTH, [0, 2000]),
    pending_payment: row('pending_payment', ['payment.refunded'], BOTH, [0, 2000]),
    confirmed: row('confirmed', ['payment.refunded'], BOTH, [500, 2000], [2, 0]),
    ...OVER,
  },
  // Only a confirmed registration can be reopened.
  'refund and reopen': {
    pending_approval: row('pending_approval', ['payment.refunded'], BOTH, [0, 2000]),
    pending_payment: row('pending_payment', ['payment.refunded'], BOTH, [0, 2000]),
    confirmed: row('pending_payment', ['payment.refunded'], BOTH, [500, 2000], [2, 0]),
    ...OVER,
  },
  // A registration that has ended stays as it is.
  'refund and cancel': {
    pending_approval: row('cancelled', ['payment.refunded', 'registration.cancelled'], NONE, [0, 2000]),
    pending_payment: row('cancelled', ['payment.refunded', 'registration.cancelled'], NONE, [0, 2000]),
    confirmed: row(
      'cancelled',
      ['payment.refunded', 'ticket.voided', 'ticket.voided', 'registration.cancelled'],
      NONE,
      [500, 2000],
      [0, 2],
    ),
    ...OVER,
  },
  expire: {
    pending_payment: row('expired', [], NONE, [500, 2000]),
  },
  add: {
    pending_approval: row('pending_approval', ['registration.attendee_added'], [3, 3, 0], [500, 3000]),
    pending_payment: row('pending_payment', ['registration.attendee_added'], [3, 3, 0], [500, 3000]),
    confirmed: row('confirmed', ['registration.attendee_added', 'ticket.issued'], [3, 3, 0], [2000, 3000], [3, 0]),
  },
  change: {
    pending_approval: row('pending_approval', [], [2, 1, 1], [500, 2000]),
    waitlisted: row('waitlisted', [], NONE, [0, 2000]),
    pending_payment: row('pending_payment', [], [2, 1, 1], [500, 2000]),
    confirmed: row('confirmed', [], [2, 1, 1], [2000, 2000], [2, 0]),
  },
  'cancel attendee': {
    pending_approval: row('pending_approval', ['registration.attendee_removed'], [1, 1, 0], [500, 1000]),
    waitlisted: row('waitlisted', ['registration.attendee_removed'], NONE, [0, 1000]),
    pending_payment: row('pending_payment', ['registration.attendee_removed'], [1, 1, 0], [500, 1000]),
    confirmed: row('confirmed', ['ticket.voided', 'registration.attendee_removed'], [1, 1, 0], [2000, 1000], [1, 1]),
  },
};

/** What the refusal says is possible instead. */
const POSSIBLE: Record<Status, string> = {
  pending_approval: 'Possible now: approve, decline, cancel, pay, add, change.',
  waitlisted: 'Possible now: decline, cancel, promote, change.',
  pending_payment: 'Possible now: cancel, pay, add, change.',
  confirmed: 'Possible now: cancel, pay, add, change.',
  declined: 'Nothing can be done to it any more.',
  cancelled: 'Nothing can be done to it any more.',
  expired: 'Nothing can be done to it any more.',
};
/** The statuses in which a registration owes its total. */
const HOLDING: Status[] = ['pending_approval', 'pending_payment', 'confirmed'];
const others = (from: Status): number => (from === 'waitlisted' ? 2 : 0);
const WHATS = Object.keys(ACTS) as What[];
const allowed = WHATS.flatMap((what) =>
  STATUSES.flatMap((from) => {
    const row = TABLE[what][from];
    return row === undefined ? [] : [[`${what}: ${from} → ${row.to}`, what, from, row] as const];
  }),
);

describe('allowed', () => {
  test.each(allowed)('%s', async (_, what, from, row) => {
    const one = await reach(from);
    if (what === 'promote') await done(patch(`/events/${one.code}`, { capacity: 4 }));
    const before = await standing(one.code, one.id);
    expect(before.registration.status).toBe(from);
    const reply = await ACTS[what](one);
    if (reply !== null) expect([200, 201]).toContain(reply.status);
    const after = await standing(one.code, one.id);
    expect(after.registration).toMatchObject({
      status: row.to,
      total_minor: row.total,
      paid_minor: row.paid,
      balance_minor: (HOLDING.includes(row.to) ? row.total : 0) - row.paid,
    });
    expect(after.told).toEqual(row.told);
    const { event: all, d1, d2 } = after.places;
    expect([all - others(from), d1, d2 - others(from)]).toEqual(row.places);
    expect([after.tickets.valid, after.tickets.voided]).toEqual(row.tickets);
    expect(after.places.waiting).toBe(row.to === 'waitlisted' ? 1 : 0);
    expect(after.registration.updated_at > before.registration.updated_at).toBe(true);
  });
});

describe('409 invalid_state', () => {
  const VERB: Partial<Record<What, string>> = { 'pay in full': 'pay', 'cancel attendee': 'cancel' };

  // A refusal changes nothing, so all refusals can be tried on one registration.
  test.each(STATUSES)('%s: everything else is refused, and the message says what is possible instead', async (from) => {
    const one = await reach(from);
    const before = await standing(one.code, one.id);
    const others = WHATS.filter((what) => TABLE[what][from] === undefined && what !== 'expire');
    for (const what of others.filter((each) => !each.startsWith('refund') || one.payments.length > 0)) {
      const reply = await ACTS[what](one);
      expect([what, reply!.status, reply!.body.error?.code]).toEqual([what, 409, 'invalid_state']);
      const asked = STATUSES.filter((status) => TABLE[what][status] !== undefined).join(' or ');
      expect(reply!.body.error.message).toBe(
        `The registration is ${from}; to ${VERB[what] ?? what} it must be ${asked}. ${POSSIBLE[from]}`,
      );
      expect(await standing(one.code, one.id), what).toEqual({ ...before, told: [] });
    }
    if (from === 'pending_payment') return;
    clock.advance(1000 * HOUR);
    await expireUnpaid(t.pool, clock);
    expect(await standing(one.code, one.id), 'expire').toEqual({ ...before, told: [] });
  });

  test('a cancelled attendee is neither changed nor cancelled again', async () => {
    const { code, id, people } = await reach('confirmed');
    await done(post(`/events/${code}/attendees/${people[0]!.id}/cancel`));
    const before = await standing(code, id);
    for (const reply of [
      await post(`/events/${code}/attendees/${people[0]!.id}/cancel`),
      await patch(`/events/${code}/attendees/${people[0]!.id}`, { first_name: 'Eve' }),
      await post(`/events/${code}/tickets`, { attendee: people[0]!.id }),
    ]) {
      expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
    }
    expect(await standing(code, id)).toEqual({ ...before, told: [] });
  });

  test('promoting is refused without room', async () => {
    const { code, id } = await reach('waitlisted');
    await done(patch(`/events/${code}`, { capacity: 3 }));
    const before = await standing(code, id);
    const reply = await post(at(code, id, 'promote'));
    expect([reply.status, reply.body.error.code]).toEqual([409, 'invalid_state']);
    expect(reply.body.error.message).toContain('The event has 1 place left.');
    expect(await standing(code, id)).toEqual({ ...before, told: [] });
  });

  test('tickets are only issued to attendees of a confirmed registration', async () => {
    const { code, people } = await reach('pending_payment');
    const reply = await post(`/events/${code}/tickets`, { attendee: people[0]!.id });
    expect(reply.body.error).toMatchObject({ code: 'invalid_state' });
    expect(reply.body.error.message).toContain('confirmed registration; this one is pending_payment');
  });
});

describe('a new registration raises no registration.updated, and is', () => {
  test('confirmed if nothing has to be approved or paid', async () => {
    const code = await event({ price: 0 });
    const made = await register(code);
    expect([made.status, made.payment_due_at]).toEqual(['confirmed', null]);
    expect(made.confirmed_at).toBe(made.created_at);
    expect(await newOccurrences(code)).toEqual(['registration.created', 'registration.confirmed', 'ticket.issued']);
  });

  test('pending_payment if something is to be paid', async () => {
    const code = await event();
    const made = await register(code);
    expect([made.status, made.total_minor, made.confirmed_at]).toEqual(['pending_payment', 1000, null]);
    expect(await newOccurrences(code)).toEqual(['registration.created']);
    expect(await places(code)).toMatchObject({ event: 1, d1: 1 });
  });

  // claim: api-follows-form-rules
  test('pending_approval if the event or the type of an attendee asks for it, and holds its places', async () => {
    const types = [{ code: 'adult' }, { code: 'press', approval: true }];
    const asks = await event({ registration: { approval: true }, types });
    expect((await register(asks)).status).toBe('pending_approval');
    expect(await newOccurrences(asks)).toEqual(['registration.created']);
    const code = await event({ types });
    expect((await register(code)).status).toBe('confirmed');
    const made = await register(code, person(), person({ attendee_type: 'press' }));
    expect([made.status, made.payment_due_at]).toEqual(['pending_approval', null]);
    expect(await places(code)).toMatchObject({ event: 3, d1: 3 });
  });

  test('waitlisted before approval and payment, without places', async () => {
    const code = await event({ registration: { approval: true, waitlist: true }, capacity: 1 });
    const first = await register(code);
    const second = await register(code);
    expect([first.status, second.status]).toEqual(['pending_approval', 'waitlisted']);
    expect(await newOccurrences(code)).toEqual([
      'registration.created',
      'registration.created',
      'registration.waitlisted',
    ]);
    expect(await places(code)).toMatchObject({ event: 1, waiting: 1 });
  });
});

describe('the way to confirmed', () => {
  test('an approved registration with nothing left to pay is confirmed at once', async () => {
    const free = await event({ registration: { approval: true }, price: 0 });
    const one = await register(free);
    await newOccurrences(free);
    expect((await done(post(at(free, one.id, 'approve')))).status).toBe('confirmed');
    expect(await newOccurrences(free)).toEqual([
      'registration.approved',
      'registration.confirmed',
      'ticket.issued',
      'registration.updated',
    ]);
    const paid = await event({ registration: { approval: true } });
    const two = await register(paid);
    await pay(paid, two.id, 1000);
    expect(await statusOf(paid, two.id)).toBe('pending_approval');
    expect((await done(post(at(paid, two.id, 'approve')))).status).toBe('confirmed');
  });

  // claim: one-update-per-commit, tickets-on-confirmation
  test('from the waitlist over approval to payment, each step raises its own type and one update', async () => {
    const code = await event({ registration: { approval: true, waitlist: true }, capacity: 1 });
    const first = await register(code);
    const { id } = await register(code);
    await newOccurrences(code);
    await done(post(at(code, first.id, 'decline'), {}));
    expect(await newOccurrences(code)).toEqual([
      'registration.declined',
      'registration.updated',
      'registration.promoted',
      'registration.updated',
    ]);
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'pending_approval', payment_due_at: null },
      places: { event: 1, waiting: 0 },
      tickets: { valid: 0 },
    });
    await done(post(at(code, id, 'approve')));
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'pending_payment' },
      told: ['registration.approved', 'registration.updated'],
    });
    await pay(code, id, 999);
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'pending_payment', paid_minor: 999 },
      told: ['payment.received', 'registration.updated'],
    });
    await pay(code, id, 1);
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'confirmed', paid_minor: 1000 },
      tickets: { valid: 1 },
      told: ['payment.received', 'registration.confirmed', 'ticket.issued', 'registration.updated'],
    });
  });

  test('large sums are shown exactly, and a payment beyond the largest sum is refused', async () => {
    const code = await event({ price: 1_000_000_000_000 });
    const { id, total_minor } = await register(code, person(), person());
    expect(total_minor).toBe(2_000_000_000_000);
    const pay = () => post(at(code, id, 'payments'), { amount_minor: 1_000_000_000_000, method: 'transfer' });
    for (let i = 0; i < 3; i += 1) await done(pay());
    expect((await get(at(code, id))).body).toMatchObject({ status: 'confirmed', paid_minor: 3_000_000_000_000 });
    await t.system((tx) => tx.run(sql`update registrations set paid_minor = 999500000000000 where id = ${toUuid(id)}`));
    const refused = await pay();
    expect([refused.status, refused.body.error.details[0].path]).toEqual([400, 'amount_minor']);
  });

  test('a payment that failed pays nothing', async () => {
    const { code, id } = await reach('pending_payment');
    await newOccurrences(code);
    await done(post(at(code, id, 'payments'), { amount_minor: 1500, method: 'card', status: 'failed' }));
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'pending_payment', paid_minor: 500 },
      told: ['payment.failed', 'registration.updated'],
    });
  });

  test('a registration is confirmed when nothing is left to pay because an attendee is cancelled or costs less', async () => {
    const code = await event({ types: [{ code: 'adult', price_minor: 1000 }, { code: 'child' }] });
    const leaves = await register(code, person(), person());
    await pay(code, leaves.id, 1000);
    await newOccurrences(code);
    await done(post(`/events/${code}/attendees/${leaves.attendees[0].id}/cancel`));
    expect(await standing(code, leaves.id)).toMatchObject({
      registration: { status: 'confirmed', total_minor: 1000, paid_minor: 1000 },
      tickets: { valid: 1, voided: 0 },
      told: ['registration.attendee_removed', 'registration.confirmed', 'ticket.issued', 'registration.updated'],
    });
    const cheaper = await register(code);
    await newOccurrences(code);
    await done(patch(`/events/${code}/attendees/${cheaper.attendees[0].id}`, { attendee_type: 'child' }));
    expect(await standing(code, cheaper.id)).toMatchObject({
      registration: { status: 'confirmed', total_minor: 0 },
      tickets: { valid: 1 },
      told: ['registration.confirmed', 'ticket.issued', 'registration.updated'],
    });
  });

  test('confirmed again after it was reopened: attendees keep their tickets, and those added meanwhile get one', async () => {
    const { code, id, people, payments } = await reach('confirmed');
    const { confirmed_at, attendees } = await done(get(at(code, id)));
    await done(post(`/tickets/${attendees[1].tickets[0].id}/void`, {}));
    await done(post(`/payments/${payments[0]!.id}/refund`, { amount_minor: 1, reopen: true }));
    await done(post(at(code, id, 'attendees'), person()));
    await newOccurrences(code);
    await pay(code, id, 1001);
    const { registration, tickets, told: last } = await standing(code, id);
    expect(registration).toMatchObject({ status: 'confirmed', confirmed_at, paid_minor: 3000, total_minor: 3000 });
    expect(tickets).toEqual({ valid: 2, voided: 1 });
    expect(last).toEqual(['payment.received', 'registration.confirmed', 'ticket.issued', 'registration.updated']);
    const again = await done(get(`/events/${code}/attendees/${people[0]!.id}`));
    expect(again.tickets).toEqual(attendees[0].tickets);
  });
});

describe('when a registration ends', () => {
  test('cancelling the last attendee cancels it', async () => {
    const { code, id, people } = await reach('confirmed');
    await done(post(`/events/${code}/attendees/${people[0]!.id}/cancel`));
    await newOccurrences(code);
    expect((await done(post(`/events/${code}/attendees/${people[1]!.id}/cancel`))).status).toBe('cancelled');
    expect(await standing(code, id)).toMatchObject({
      registration: { status: 'cancelled', total_minor: 1000, paid_minor: 2000 },
      places: { event: 0, d1: 0 },
      tickets: { valid: 0, voided: 2 },
      told: ['registration.attendee_removed', 'ticket.voided', 'registration.cancelled', 'registration.updated'],
    });
  });

  test('its places go to the waitlist in the same commit, and the promotion is raised after it', async () => {
    const code = await event({ registration: { waitlist: true }, capacity: 2, price: 0 });
    const first = await register(code, person(), person());
    const next = [await register(code), await register(code, person(), person()), await register(code)];
    await newOccurrences(code);
    await done(post(at(code, first.id, 'cancel'), {}));
    expect(await Promise.all(next.map(({ id }) => statusOf(code, id)))).toEqual([
      'confirmed',
      'waitlisted',
      'confirmed',
    ]);
    const promoted = ['registration.promoted', 'registration.confirmed', 'ticket.issued', 'registration.updated'];
    expect(await newOccurrences(code)).toEqual([
      'ticket.voided',
      'ticket.voided',
      'registration.cancelled',
      'registration.updated',
      ...promoted,
      ...promoted,
    ]);
    expect(await places(code)).toMatchObject({ event: 2, waiting: 1 });
  });
});

describe('an unpaid registration expires', () => {
  const due = (registration: { payment_due_at: string }) => Date.parse(registration.payment_due_at);

  test('after exactly 72 hours', async () => {
    const code = await event();
    clock.advance(120); // PostgreSQL prints this time with fewer decimals
    const made = await register(code);
    expect(due(made)).toBe(clock.now().getTime() + 72 * HOUR);
    expect((await done(get(at(code, made.id)))).payment_due_at).toBe(made.payment_due_at);
    clock.advance(72 * HOUR - 1);
    await minute();
    expect(await statusOf(code, made.id)).toBe('pending_payment');
    clock.advance(1);
    await minute();
    expect(await standing(code, made.id)).toMatchObject({
      registration: { status: 'expired', payment_due_at: null, cancelled_at: null },
      places: { event: 0, d1: 0 },
    });
  });

  test('after the event’s own hours, and a change of them applies to later registrations', async () => {
    const code = await event({ registration: { payment_hours: 5 } });
    const early = await register(code);
    await done(patch(`/events/${code}`, { registration: { payment_hours: 1 } }));
    const late = await register(code);
    expect([due(early), due(late)]).toEqual([5, 1].map((hours) => clock.now().getTime() + hours * HOUR));
    clock.advance(HOUR);
    await minute();
    expect([await statusOf(code, early.id), await statusOf(code, late.id)]).toEqual(['pending_payment', 'expired']);
    clock.advance(4 * HOUR);
    await minute();
    expect(await statusOf(code, early.id)).toBe('expired');
  });

  test('despite part payments, but not if it is paid in full at the last moment', async () => {
    const code = await event();
    const [part, full] = [await register(code), await register(code)];
    clock.advance(72 * HOUR - 1);
    await pay(code, part.id, 999);
    await pay(code, full.id, 1000);
    clock.advance(1);
    await minute();
    expect([await statusOf(code, part.id), await statusOf(code, full.id)]).toEqual(['expired', 'confirmed']);
  });

  test('after a payment period that starts when it is approved, promoted or reopened', async () => {
    const code = await event({ registration: { waitlist: true }, capacity: 2 });
    const first = await register(code, person(), person());
    clock.advance(50 * HOUR);
    const waits = await register(code);
    expect(waits.payment_due_at).toBe(null);
    clock.advance(22 * HOUR); // the first one's time to pay is over, and its places go to the waitlist
    await newOccurrences(code);
    await minute();
    expect(await newOccurrences(code)).toEqual([
      'registration.updated',
      'registration.promoted',
      'registration.updated',
    ]);
    expect(await statusOf(code, first.id)).toBe('expired');
    const promoted = await done(get(at(code, waits.id)));
    expect([promoted.status, due(promoted)]).toEqual(['pending_payment', clock.now().getTime() + 72 * HOUR]);
    const payment = await pay(code, waits.id, 1000);
    clock.advance(500 * HOUR);
    await minute();
    expect(await done(get(at(code, waits.id)))).toMatchObject({ status: 'confirmed', payment_due_at: null });
    await done(post(`/payments/${payment.id}/refund`, { amount_minor: 1, reopen: true }));
    const back = await done(get(at(code, waits.id)));
    expect([back.status, due(back)]).toEqual(['pending_payment', clock.now().getTime() + 72 * HOUR]);
    await newOccurrences(code);
    clock.advance(72 * HOUR);
    await minute();
    expect(await standing(code, waits.id)).toMatchObject({
      registration: { status: 'expired', paid_minor: 999 },
      tickets: { valid: 0, voided: 1 },
      told: ['ticket.voided', 'registration.updated'],
    });
    const asked = await event({ registration: { approval: true } });
    const { id } = await register(asked);
    clock.advance(500 * HOUR);
    await minute();
    expect(await statusOf(asked, id)).toBe('pending_approval');
    expect(due(await done(post(at(asked, id, 'approve'))))).toBe(clock.now().getTime() + 72 * HOUR);
  });
});

describe('the waitlist promotes', () => {
  // PostgreSQL prints .120 as ".12", which as text sorts after ".123".
  test.each([
    ['at the same instant', 0],
    ['a few milliseconds apart', 3],
    ['within a second', 900],
  ])('the oldest first: %s', async (_, apart) => {
    const code = await event({ registration: { waitlist: true }, capacity: 1, price: 0 });
    const first = await register(code);
    clock.advance(1000 - (clock.now().getTime() % 1000) + (apart === 900 ? 0 : 120));
    const older = await register(code);
    clock.advance(apart);
    const newer = await register(code);
    await done(post(at(code, first.id, 'cancel'), {}));
    expect([await statusOf(code, older.id), await statusOf(code, newer.id)]).toEqual(['confirmed', 'waitlisted']);
  });

  test('within a minute after the capacity is raised, and newcomers queue until then', async () => {
    const code = await event({ registration: { waitlist: true }, capacity: 1, price: 0 });
    await register(code);
    const waits = await register(code);
    await done(patch(`/events/${code}`, { capacity: 3 }));
    const newcomer = await register(code);
    expect([await statusOf(code, waits.id), newcomer.status]).toEqual(['waitlisted', 'waitlisted']);
    await newOccurrences(code);
    await minute();
    expect([await statusOf(code, waits.id), await statusOf(code, newcomer.id)]).toEqual(['confirmed', 'confirmed']);
    expect((await newOccurrences(code)).filter((type) => type === 'registration.updated')).toHaveLength(2);
    expect(await places(code)).toMatchObject({ event: 3, waiting: 0 });
  });

  test('by hand out of turn, if there is room for the whole registration', async () => {
    const code = await event({ registration: { waitlist: true }, capacity: 1, price: 0 });
    await register(code);
    const [older, newer] = [await register(code), await register(code)];
    await done(patch(`/events/${code}`, { capacity: 2 }));
    expect((await done(post(at(code, newer.id, 'promote')))).status).toBe('confirmed');
    expect((await post(at(code, older.id, 'promote'))).status).toBe(409);
  });
});

describe('when an attendee is changed', () => {
  test('no ticket issued by hand stays valid for a day that is no longer the attendee’s', async () => {
    for (const ticketing of ['per_person', 'per_day', 'shared']) {
      const code = await event({ ticketing, price: 0 });
      const made = await register(code, person({ days: ['d1', 'd2'] }));
      const attendee = made.attendees[0].id;
      const both = await done(post(`/events/${code}/tickets`, { attendee, days: ['d1', 'd2'] }));
      const one = await done(post(`/events/${code}/tickets`, { attendee, days: ['d1'] }));
      await done(patch(`/events/${code}/attendees/${attendee}`, { days: ['d2'] }));
      expect(await done(get(`/tickets/${both.id}`)), ticketing).toMatchObject({ status: 'valid', days: ['d2'] });
      expect(await done(get(`/tickets/${one.id}`)), ticketing).toMatchObject({ status: 'voided' });
    }
  });

  test('422 duplicate_email if another attendee has the address', async () => {
    const code = await event({ registration: { unique_email: true }, price: 0 });
    const made = await register(code, person({ email: 'a@example.org' }), person({ email: 'b@example.org' }));
    await register(code, person({ email: 'c@example.org' }));
    const change = (email: string) => patch(`/events/${code}/attendees/${made.attendees[0].id}`, { email });
    for (const email of ['c@example.org', 'C@Example.org', 'b@example.org', 'B@example.org']) {
      expect((await change(email)).body.error?.code, email).toBe('duplicate_email');
    }
    expect((await change('A@example.org')).status).toBe(200);
    expect((await change('d@example.org')).status).toBe(200);
  });
});
