import type { RegistrationCreate, RegistrationSource } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { invalidRequest, Refusal } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import { sql } from '../../store/sql.ts';
import { emailKey } from '../contacts/index.ts';
import type { DiscountRow } from '../events/index.ts';
import { findGroup } from '../groups/index.ts';
import { amountFaults, attendeeCount } from './amounts.ts';
import type { Book } from './book.ts';
import { applyDiscount, codeRefusal, findDiscount, isValid, needsCode } from './discount.ts';
import { Findings, formRules } from './findings.ts';
import { type FormVisit, holdForForm } from './holds.ts';
import { type AttendeeDetails, readAttendee } from './input.ts';
import { bookingFaults, readLines } from './lines.ts';
import { newRegistration, type RegistrationSeed } from './new-registration.ts';
import { receive } from './payments.ts';
import { roomFor } from './room.ts';
import { sizeFault, sizeOf } from './size.ts';
import type { BookedLine, RegistrationState } from './state.ts';
import { changePlaces, confirm, outstanding, settle, totalCost } from './statuses.ts';
import { unpaidRefusal } from './unpaid.ts';
import { waitFor } from './waitlist.ts';

/**
 * Registers attendees; every source goes through here. It checks, in this order: the registration window; type, days, products and
 * answers of all attendees; their number; the code; e-mail addresses; then places; for the form also how many of its people are unpaid.
 * If it refuses, nothing was changed.
 */
export async function register(
  book: Book,
  reach: Reach,
  input: RegistrationCreate,
  source: RegistrationSource,
  form: FormVisit | null = null,
): Promise<RegistrationState | Refusal> {
  const test = reach.mode === 'test';
  const closed = windowRefusal(book);
  if (closed !== null) return closed;
  const code = input.discount_code;
  const found = code === undefined ? null : await findDiscount(reach, book.world.event.id, code);
  const discount = found !== null && isValid(found, book.now) ? found : null;
  const read = await readInput(book, reach, input, discount);
  if (read instanceof Refusal) return read;
  const refusedCode = code === undefined ? null : codeRefusal(found, code, book.now, reach.caller);
  if (refusedCode !== null) return refusedCode;
  const bought = discount === null ? read : buyWith(book, reach, discount, read);
  if (bought instanceof Refusal) return bought;
  const { group_id } = read;
  const { attendees, products } = bought;
  const duplicate = await duplicateRefusal(book, attendees, test);
  // The pages tell nobody whether an address is registered. So on them, whatever else is in the way is said first.
  if (duplicate !== null && source !== 'form') return duplicate;
  const room = roomFor({ world: book.world, places: book.places, test }, attendees, products);
  if (room instanceof Refusal) return room;
  const priced = priceRefusal(attendees, products, input.expected_total_minor);
  if (priced !== null) return priced;
  if (duplicate !== null) return duplicate;
  const unpayable = input.payment === undefined ? null : paymentRefusal(book, reach, input.payment, room.waits);
  if (unpayable !== null) return unpayable;

  const { contact, send_emails = true } = input;
  const registration = newRegistration(
    book,
    { source, test, group_id, send_emails, products, ...(contact && { contact }), ...(discount && { discount }) },
    attendees,
  );
  const holding = form === null || room.waits ? null : await unpaidRefusal(book, registration, form);
  if (holding !== null) return holding;
  registration.byVisitor = source === 'form';
  registration.happened.push({ type: 'registration.created' });
  if (room.waits) {
    registration.status = 'waitlisted';
    registration.waitlisted_at = book.stamp;
    waitFor(book, registration, room.scopes);
    registration.happened.push({ type: 'registration.waitlisted' });
  } else {
    changePlaces(book, registration, 1);
    settle(book, registration, false);
    if (form !== null && registration.status === 'pending_payment') holdForForm(book, registration, form);
  }
  if (input.payment !== undefined) receiveWith(book, registration, input.payment);
  return book.add(registration);
}

/** Refuses to book for another total than the person has seen. */
function priceRefusal(
  attendees: readonly AttendeeDetails[],
  products: readonly BookedLine[],
  expected: number | undefined,
): Refusal | null {
  const total = totalCost(attendees, products);
  if (expected === undefined || expected === total) return null;
  return new Refusal('price_changed', {
    message: `The total is ${total} now instead of ${expected}. Nothing was booked.`,
  });
}

type PaymentWith = NonNullable<RegistrationCreate['payment']>;

/** Why a payment cannot be recorded together with the registration, or null. */
function paymentRefusal(book: Book, { caller }: Reach, { currency }: PaymentWith, waits: boolean): Refusal | null {
  const { actor } = caller;
  const own = book.world.event.currency;
  if (actor.kind === 'member' && !actor.permissions.includes('money.record')) {
    return new Refusal('permission_required', {
      message: 'Your role does not include the permission `money.record`. Register without `payment`.',
    });
  }
  if (currency !== undefined && currency !== own) {
    return invalidRequest([{ path: 'payment/currency', message: `must be ${own}, the currency of the event` }]);
  }
  if (!waits) return null;
  return new Refusal('invalid_state', {
    message:
      'There are no places left, so the registration would be waitlisted, and a waitlisted registration can’t be paid. Register without `payment`.',
  });
}

function receiveWith(book: Book, registration: RegistrationState, payment: PaymentWith): void {
  const amount_minor = payment.amount_minor ?? outstanding(registration);
  if (amount_minor > 0) receive(book, registration, { ...payment, amount_minor });
}

interface ReadRegistration {
  group_id: Id | null;
  attendees: AttendeeDetails[];
  /** What is booked for all of them together. */
  products: BookedLine[];
}

/** The group, the attendees and what they book together, or a refusal that names everything that is wrong with them. */
async function readInput(
  book: Book,
  reach: Reach,
  input: RegistrationCreate,
  discount: DiscountRow | null,
): Promise<ReadRegistration | Refusal> {
  const findings = new Findings();
  const rules = formRules(book.now, input, reach.caller, discount);
  const group_id = await readRegistrationGroup(reach, book, input.group, discount, findings);
  const attendees: AttendeeDetails[] = [];
  for (const [i, item] of input.attendees.entries()) {
    const attendee = await readAttendee(reach, book.world, item, `attendees/${i}`, group_id, rules, findings);
    if (attendee !== null) attendees.push(attendee);
  }
  const products = readLines(
    book.world,
    { per: 'registration', people: attendees },
    input.products ?? [],
    [],
    'products',
    rules,
    findings,
  );
  findings.faults.push(...bookingFaults(attendees, products, totalCost(attendees, products), 'attendees'));
  const tooLarge = sizeFault(sizeOf(book.world, attendees), 'attendees');
  if (tooLarge !== null) findings.faults.push(tooLarge);
  const { max_people } = book.world.event.registration;
  if (max_people !== null && input.attendees.length > max_people) {
    findings.faults.push({
      path: 'attendees',
      message: `at most ${attendeeCount(max_people)} can be registered together`,
    });
  }
  if (!rules.hiddenTypes && attendees.length === input.attendees.length) {
    findings.faults.push(...amountFaults(book.world, attendees));
  }
  return findings.verdict() ?? { group_id, attendees, products };
}

/** The same attendees and products with a discount, if it is applicable to them and has uses left for all whom it covers. */
function buyWith(
  book: Book,
  reach: Reach,
  discount: DiscountRow,
  read: ReadRegistration,
): Pick<ReadRegistration, 'attendees' | 'products'> | Refusal {
  const bought = applyDiscount(discount, read, needsCode(book.world, reach.caller));
  if (bought instanceof Refusal) return bought;
  book.knowDiscount(discount);
  const uses = bought.attendees.filter((one) => one.discount_id !== null).length;
  const [lacking] = book.places.lacking(new Map([[discount.id, uses]]), reach.mode === 'test');
  return lacking === undefined ? bought : new Refusal(lacking.code, { message: lacking.message });
}

/** Why these attendees cannot be registered if the event takes every e-mail address once, or null. */
async function duplicateRefusal(
  book: Book,
  attendees: readonly AttendeeDetails[],
  test: boolean,
): Promise<Refusal | null> {
  if (!book.world.event.registration.unique_email) return null;
  const taken = await takenEmail(
    book,
    attendees.map((attendee) => attendee.email),
    test,
  );
  return taken === null
    ? null
    : new Refusal('duplicate_email', { message: `${taken} is registered for this event already.` });
}

/** Why the event takes no registrations now, or null. */
export function windowRefusal(book: Book): Refusal | null {
  const { event } = book.world;
  const { opens_at, closes_at } = event.registration;
  const now = book.now.getTime();
  const why =
    event.status !== 'published'
      ? `The event is ${event.status}; registration is open while it is published.`
      : opens_at !== null && now < Date.parse(opens_at)
        ? `Registration opens at ${opens_at}.`
        : closes_at !== null && now >= Date.parse(closes_at)
          ? `Registration closed at ${closes_at}.`
          : null;
  return why === null ? null : new Refusal('registration_closed', { message: why });
}

/** The group that was asked for, or else the key's group, or else that of the code, or else the event's. */
async function readRegistrationGroup(
  reach: Reach,
  book: Book,
  ref: string | null | undefined,
  discount: DiscountRow | null,
  findings: Findings,
): Promise<Id | null> {
  if (ref === undefined) return reach.caller.group?.id ?? discount?.group_id ?? book.world.event.group_id;
  if (ref === null) {
    if (reach.caller.group !== null)
      findings.faults.push({ path: 'group', message: 'must name a group: this key is limited to one' });
    return null;
  }
  const group = await findGroup(reach.tx, reach.org, ref, reach.caller);
  if (group === null) findings.faults.push({ path: 'group', message: `no such group: ${ref}` });
  return group?.id ?? null;
}

/**
 * The first of these addresses that an attendee of this event has already, or that occurs twice in the list. It is returned as the
 * caller sent it: the other attendee may be out of the caller's reach, and so may be how they spell it.
 */
export async function takenEmail(
  book: Book,
  emails: readonly (string | null)[],
  test: boolean,
  except: Id | null = null,
): Promise<string | null> {
  const sent = new Map<string, string>();
  for (const email of emails) {
    const key = emailKey(email);
    if (key === null) continue;
    if (sent.has(key)) return email;
    sent.set(key, email!);
  }
  for (const registration of book.fresh()) {
    if (registration.test !== test) continue;
    for (const attendee of registration.attendees) {
      const key = emailKey(attendee.email);
      if (key !== null && sent.has(key)) return sent.get(key)!;
    }
  }
  const row = await book.tx.maybe<{ email_key: string }>(sql`
    select email_key from attendees where org_id = ${book.org} and event_id = ${book.world.event.id} and email_key = any(${[...sent.keys()]})
      and test = ${test} and status not in ('cancelled', 'declined', 'expired') and id is distinct from ${except} limit 1`);
  return row === null ? null : sent.get(row.email_key)!;
}

/** Registers attendees whom the organizer brings: confirmed at once, without the form's rules. The caller has taken their places. */
export function enroll(book: Book, seed: RegistrationSeed, attendees: readonly AttendeeDetails[]): RegistrationState {
  const registration = newRegistration(book, seed, attendees);
  registration.happened.push({ type: 'registration.created' });
  confirm(book, registration);
  return book.add(registration);
}
