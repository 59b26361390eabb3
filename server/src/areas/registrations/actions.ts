import type {
  Attendee,
  AttendeeChange,
  AttendeeInput,
  Payment,
  PaymentCreate,
  PaymentRefund,
  Reason,
  Registration,
  RegistrationChange,
  RegistrationCreate,
  Ticket,
  TicketIssue,
  TicketReissue,
  TicketReissued,
  TicketVoid,
} from '@turnout/contract';
import type { Call, Change, Item, Work } from '../../road/operation.ts';
import { allInBody, inBody, type Reference } from '../../road/reference.ts';
import { invalid, Refusal, refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { days, type EventRow } from '../events/index.ts';
import { Book, groupCodes, raiseAll } from './book.ts';
import { changeWhole } from './change-registration.ts';
import { afterRefund, loadPayments, receive, refund, refundedTo } from './payments.ts';
import { addPerson, cancelPerson, changePerson } from './people.ts';
import {
  type About,
  commonGroup,
  groupsOf,
  requireReach,
  type Showing,
  shownAttendee,
  shownRegistration,
  shownTicket,
} from './reach.ts';
import { anAttendee, type PartRef, type RegistrationRef, requireOwnMode } from './references.ts';
import { register } from './register.ts';
import { paymentShape, registrationShape } from './shapes.ts';
import type { RegistrationState } from './state.ts';
import { cancelWhole, end, requireStatus, settle, type Transition } from './statuses.ts';
import { issue, reissue, voidTicket } from './tickets.ts';
import { before, madeOf, touched } from './touched.ts';
import { promote } from './waitlist.ts';

/** Many registrations of one event in one transaction: decided in order of arrival, written together (the lane). */
export async function registerMany(
  items: readonly Item<{ event: Reference<EventRow> }, RegistrationCreate>[],
): Promise<(Registration | Refusal)[]> {
  const [first] = items;
  const { event } = first!.at;
  const book = await Book.open(first!.tx, first!.org, event.id, first!.caller.plan.limits.attendees_per_event);
  const outcomes: (RegistrationState | Refusal)[] = [];
  for (const item of items) outcomes.push(await register(book, item, item.body, 'api'));
  const { shaping, occurred } = await book.close();
  return outcomes.map((outcome, i) => {
    if (outcome instanceof Refusal) return outcome;
    const item = items[i]!;
    raiseAll(item, event.id, occurred.get(outcome)!);
    item.changed({
      kind: 'registration',
      id: outcome.id,
      event: event.id,
      group: commonGroup(book.world.event, outcome, 'registration', outcome.id),
      ...madeOf(outcome),
    });
    return registrationShape(shaping, outcome);
  });
}

/** Opens the book at one registration, does something, writes, raises; whoever was promoted by it is told of, too. */
async function change<T>(
  work: Work,
  about: About,
  found: PartRef,
  act: (book: Book, registration: RegistrationState) => T | Promise<T>,
  /** The answer, where it may be that nothing changes. */
  answer?: (showing: Showing, registration: RegistrationState, result: T) => unknown,
): Promise<{ showing: Showing; registration: RegistrationState; result: T; told: boolean }> {
  requireOwnMode(work, found);
  const only = await groupsOf(work);
  const book = await Book.open(work.tx, work.org, found.event_id, work.caller.plan.limits.attendees_per_event);
  const registration = await book.loadOne(found.registration_id);
  const { event } = book.world;
  requireReach({ world: book.world, groups: new Map(), only }, registration, about, found.id);
  const group = commonGroup(event, registration, about, found.id);
  const was = before(book, registration);
  const result = await act(book, registration);
  const change = { kind: 'registration', id: registration.id, event: found.event_id, group };
  if (answer !== undefined && isSame(touched(book, registration, was, null))) {
    const groups = await groupCodes(work.tx, work.org, groupsIn(registration));
    const showing = { world: book.world, groups, only };
    work.changed({ ...change, was: answer(showing, registration, result) });
    return { showing, registration, result, told: false };
  }
  const { shaping, occurred, told } = await book.close({ bulk: work.bulk === true });
  for (const all of occurred.values()) raiseAll(work, found.event_id, all);
  for (const other of occurred.keys())
    if (other !== registration && other.touched) work.changed(promoted(event, other));
  work.changed({ ...change, ...touched(book, registration, was, group) });
  return { showing: { ...shaping, only }, registration, result, told: told.has(registration) };
}

const isSame = ({ changes, objects }: ReturnType<typeof touched>): boolean =>
  objects.length === 0 && Object.keys(changes).length === 0;

const groupsIn = ({ group_id, people }: RegistrationState): Id[] =>
  [group_id, ...people.map((person) => person.group_id)].filter((id) => id !== null);

/** Whoever moved up because of it has a row of its own: it may be of another group. */
const promoted = (event: EventRow, registration: RegistrationState): Change => ({
  action: 'registration.promoted',
  kind: 'registration',
  id: registration.id,
  event: event.id,
  group: commonGroup(event, registration, 'registration', registration.id),
  ...madeOf(registration),
  changes: { status: ['waitlisted', registration.status] },
});

const of = (found: RegistrationRef): PartRef => ({ ...found, registration_id: found.id });

async function transition(
  work: Work,
  found: RegistrationRef,
  name: Transition,
  act: (book: Book, registration: RegistrationState) => void,
): Promise<Registration> {
  const { showing, registration } = await change(work, 'registration', of(found), (book, state) => {
    requireStatus(state, name);
    act(book, state);
  });
  return shownRegistration(showing, registration);
}

export const approve = (work: Work, found: RegistrationRef): Promise<Registration> =>
  transition(work, found, 'approve', (book, registration) => {
    registration.happened.push({ type: 'registration.approved' });
    settle(book, registration, true);
  });

export const decline = (work: Work, found: RegistrationRef, { reason }: Reason): Promise<Registration> =>
  transition(work, found, 'decline', (book, registration) => {
    if (reason !== undefined) registration.reason = reason;
    end(book, registration, 'declined');
    registration.happened.push({ type: 'registration.declined' });
  });

export const cancel = (work: Work, found: RegistrationRef, { reason }: Reason): Promise<Registration> =>
  transition(work, found, 'cancel', (book, registration) => cancelWhole(book, registration, reason));

export const promoteByHand = (work: Work, found: RegistrationRef): Promise<Registration> =>
  transition(work, found, 'promote', (book, registration) => {
    const lacking = promote(book, registration);
    if (lacking !== null) refuse('invalid_state', { message: `There is no room to promote it: ${lacking.message}` });
  });

/** Whoever made it, and whether mails go out about it; in every status, also when it is over. */
export async function changeRegistration(
  work: Work,
  found: RegistrationRef,
  body: RegistrationChange,
): Promise<Registration> {
  const only = await groupsOf(work);
  const { showing, registration } = await change(
    work,
    'registration',
    of(found),
    (book, state) => changeWhole(book, state, body, only),
    shownRegistration,
  );
  return shownRegistration(showing, registration);
}

export async function addAttendee(work: Work, found: RegistrationRef, body: AttendeeInput): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'registration', of(found), (book, state) =>
    addPerson(book, work, state, body),
  );
  return shownAttendee(showing, registration, result);
}

const personOf = (registration: RegistrationState, found: PartRef) =>
  registration.people.find((person) => person.id === found.id) ?? refuse('not_found');

export async function changeAttendee(work: Work, found: PartRef, body: AttendeeChange): Promise<Attendee> {
  const { showing, registration, result } = await change(
    work,
    'attendee',
    found,
    (book, state) => changePerson(book, work, state, personOf(state, found), body),
    shownAttendee,
  );
  return shownAttendee(showing, registration, result);
}

export async function cancelAttendee(work: Work, found: PartRef): Promise<Attendee> {
  const { showing, registration, result } = await change(work, 'attendee', found, (book, state) => {
    const person = personOf(state, found);
    cancelPerson(book, state, person);
    return person;
  });
  return shownAttendee(showing, registration, result);
}

export async function issueTicket(work: Call<{ event: Reference<EventRow> }, unknown, TicketIssue>): Promise<Ticket> {
  const { event } = work.at;
  const found = await inBody(work, anAttendee, work.body.attendee, 'attendee', { event });
  const only =
    work.body.days === undefined ? null : await allInBody(work, days.reference, work.body.days, 'days', { event });
  const { showing, registration, result } = await change(work, 'attendee', found, (book, state) => {
    const person = personOf(state, found);
    if (state.status !== 'confirmed' || person.cancelled) {
      refuse('invalid_state', {
        message: `Tickets are issued to people of a confirmed registration; this one is ${state.status}.`,
      });
    }
    const chosen = only?.map((day) => day.id) ?? null;
    const foreign = only?.find((day) => !person.day_ids.includes(day.id));
    if (foreign !== undefined) invalid({ path: 'days', message: `${foreign.code} is not one of the person’s days` });
    return issue(book, state, [person.id], chosen, true);
  });
  return shownTicket(showing, registration, result);
}

const ticketOf = (registration: RegistrationState, found: PartRef) => {
  const ticket = registration.tickets.find((one) => one.id === found.id) ?? refuse('not_found');
  if (ticket.status === 'voided')
    refuse('invalid_state', { message: `The ticket was voided already (${ticket.void_reason}).` });
  return ticket;
};

export async function voidOne(work: Work, found: PartRef, body: TicketVoid): Promise<Ticket> {
  const { showing, registration, result } = await change(work, 'ticket', found, (book, state) => {
    const ticket = ticketOf(state, found);
    voidTicket(book, state, ticket, body.reason ?? 'voided');
    return ticket;
  });
  return shownTicket(showing, registration, result);
}

export async function reissueOne(work: Work, found: PartRef, { send }: TicketReissue): Promise<TicketReissued> {
  const { showing, registration, result, told } = await change(work, 'ticket', found, (book, state) => {
    if (send !== undefined) state.tell = send;
    return reissue(book, state, ticketOf(state, found));
  });
  return { ...shownTicket(showing, registration, result), told };
}

export async function recordPayment(work: Work, found: RegistrationRef, body: PaymentCreate): Promise<Payment> {
  const { registration, result } = await change(work, 'registration', of(found), (book, state) =>
    receive(book, state, body),
  );
  return paymentShape(found.event_id, registration.test, result);
}

/** `online`: what the provider has sent back, asked for before; null where none took the payment. */
export async function refundPayment(
  work: Work,
  found: PartRef,
  body: PaymentRefund,
  online: { refunded_minor: number } | null,
): Promise<Payment> {
  const { registration, result } = await change(work, 'registration', found, async (book, state) => {
    const payment = (await loadPayments(work.tx, work.org, sql`id = ${found.id}`))[0] ?? refuse('not_found');
    if (online === null) refund(book, state, payment, body);
    else refundedTo(book, state, payment, online.refunded_minor);
    // Also where the provider told of it first: what was asked for beside the money is still to be done.
    afterRefund(book, state, body);
    return payment;
  });
  return paymentShape(found.event_id, registration.test, result);
}
