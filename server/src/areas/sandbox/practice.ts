import { type AttendeeInput, type DayCreate, PRACTICE } from '@turnout/contract';
import { toUuid } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { insertRow } from '../../store/rows.ts';
import { keysOf } from '../contacts/index.ts';
import {
  createAttendeeType,
  createCheckInPoint,
  createDay,
  createDiscount,
  createEvent,
  createProduct,
  createQuestion,
  createQuota,
  type EventRow,
  findEvent,
  moveEvent,
} from '../events/index.ts';
import { Book, type RegistrationState, receive, register } from '../registrations/index.ts';

/**
 * Makes the test events in which the public key may change everything. Each example of the reference that changes something has an
 * object of its own there, with the id or code that PRACTICE names. The spare day, which an example deletes, is `later`.
 */
export async function addPractice(live: Work, days: readonly DayCreate[], later: string): Promise<void> {
  const work: Work = { ...live, mode: 'test' };
  const event = await anEvent(work, PRACTICE.event, 'Practice event', days);
  await createDay(work, event, { code: PRACTICE.spare, name: 'A day to delete', date: later });
  await createAttendeeType(work, event, { code: PRACTICE.spare, name: 'A type to delete' });
  await createAttendeeType(work, event, { code: 'vip', name: 'VIP', approval: true });
  await addSales(work, event);
  await createProduct(work, event, { code: PRACTICE.spare, name: 'A product to delete' });
  await createQuota(work, event, { code: PRACTICE.spare, name: 'A limit to delete', capacity: 10_000, days: ['day1'] });
  await createDiscount(work, event, { code: PRACTICE.spare, name: 'A code to delete', kind: 'percent', value: 10 });
  await createQuestion(work, event, { code: 'diet', label: 'Anything we should know about food?', kind: 'text' });
  await createQuestion(work, event, { code: PRACTICE.spare, label: 'A question to delete', kind: 'text' });
  await createCheckInPoint(work, event, { code: 'main-gate', name: 'Main gate', kind: 'entry' });
  await createCheckInPoint(work, event, { code: PRACTICE.spare, name: 'A gate to delete', kind: 'entry' });
  await move(work, PRACTICE.event, 'publish');
  await addPeople(work, event);
  await addMessages(work, event);
  await addJobs(work, event);

  await anEvent(work, PRACTICE.draft, 'An event to publish', days);
  await anEvent(work, PRACTICE.open, 'An event to close', days);
  await move(work, PRACTICE.open, 'publish');
  await anEvent(work, PRACTICE.closed, 'An event to archive', days);
  await move(work, PRACTICE.closed, 'publish');
  await move(work, PRACTICE.closed, 'close');
}

/** What the fair and the practice event sell beside the ticket. */
export async function addSales(work: Work, event: EventRow): Promise<void> {
  await createProduct(work, event, {
    code: 'workshop',
    name: 'Bread workshop',
    description: 'Two hours at the oven of the boathouse.',
    price_minor: 2500,
    options: [
      { code: 'morning', name: 'In the morning' },
      { code: 'evening', name: 'In the evening' },
    ],
  });
  await createQuota(work, event, {
    code: 'kitchen',
    name: 'Seats in the kitchen',
    capacity: 40,
    products: ['workshop'],
  });
  await createDiscount(work, event, { code: 'FRIENDS-25', name: 'Friends of the house', kind: 'percent', value: 25 });
}

async function anEvent(work: Work, code: string, name: string, days: readonly DayCreate[]): Promise<EventRow> {
  const made = await createEvent(work, { code, name, registration: { waitlist: true } });
  const event = (await findEvent(work.tx, work.caller, made.id, 'change'))! as EventRow;
  for (const day of days) await createDay(work, event, day);
  await createAttendeeType(work, event, { code: 'adult', name: 'Adult', price_minor: 1800 });
  return event;
}

const move = async (work: Work, code: string, step: 'publish' | 'close') =>
  moveEvent(work, (await findEvent(work.tx, work.caller, code, 'change'))!, step);

const person = (first_name: string, more: Partial<AttendeeInput> = {}): AttendeeInput => ({
  attendee_type: 'adult',
  first_name,
  last_name: 'Practice',
  email: `${first_name.toLowerCase()}@example.org`,
  days: ['day2'],
  ...more,
});

async function addPeople(work: Work, event: EventRow): Promise<void> {
  const book = await Book.open(work.tx, work.org, event.id, null);
  const make = async (code: string, ...attendees: AttendeeInput[]): Promise<RegistrationState> => {
    const made = await register(book, work, { attendees, send_emails: false }, 'form');
    if (made instanceof Refusal) throw made;
    // Codes and ids can still be replaced, because nothing is written until the book is closed.
    return Object.assign(made, { code });
  };
  const pay = (made: RegistrationState) => receive(book, made, { amount_minor: made.total_minor, method: 'transfer' });

  const main = await make(PRACTICE.registration, person('Nora'), person('Omar'), person('Pia'));
  main.attendees[0]!.id = toUuid(PRACTICE.attendee);
  main.attendees[1]!.id = toUuid(PRACTICE.attendeeToCancel);
  pay(main).id = toUuid(PRACTICE.payment);
  const [ticket, , other] = main.tickets;
  ticket!.id = toUuid(PRACTICE.ticket);
  other!.id = toUuid(PRACTICE.ticketToVoid);
  const second = await make(PRACTICE.toAddTo, person('Quentin'));
  pay(second).id = toUuid(PRACTICE.paymentToRefund);
  second.tickets[0]!.id = toUuid(PRACTICE.ticketToReissue);
  pay(await make(PRACTICE.toCancel, person('Rosa')));
  await make(PRACTICE.toPay, person('Sami'));
  await make(PRACTICE.toApprove, person('Tara', { attendee_type: 'vip' }));
  await make(PRACTICE.toDecline, person('Udo', { attendee_type: 'vip' }));

  const vera = person('Vera');
  const known = await make('C0NTACT000', vera);
  const contact = toUuid(PRACTICE.contact);
  const { first_name, last_name, email = null } = vera;
  await insertRow(work.tx, 'contacts', {
    org_id: work.org,
    id: contact,
    test: true,
    first_name,
    last_name,
    email,
    ...keysOf({ first_name, last_name, email, phone: null }),
    created_at: book.stamp,
    updated_at: book.stamp,
  });
  known.attendees[0]!.contact_id = contact;
  await book.close({ mails: false });
}

async function addMessages(work: Work, event: EventRow): Promise<void> {
  const now = work.tx.clock.now();
  const later = new Date(now.getTime() + 30 * 86_400_000);
  const message = (id: string, subject: string, send_at: Date | null = null) =>
    insertRow(work.tx, 'communications', {
      org_id: work.org,
      id: toUuid(id),
      event_id: event.id,
      test: true,
      kind: 'service',
      status: send_at === null ? 'draft' : 'scheduled',
      subject,
      text: 'Dear {{first_name}}, this is a message for practice.',
      statuses: ['confirmed'],
      send_at,
      created_at: now,
      updated_at: now,
    });
  await message(PRACTICE.communication, 'A message to read and change');
  await message(PRACTICE.communicationToSend, 'A message to send');
  await message(PRACTICE.communicationToCancel, 'A message to cancel', later);
  await message(PRACTICE.communicationToDelete, 'A message to delete');
}

/** A job that has ended, and one that waits for a day on which the sandbox has been built anew long before. */
async function addJobs(work: Work, event: EventRow): Promise<void> {
  const now = work.tx.clock.now();
  const job = (id: string, columns: Record<string, unknown>) =>
    insertRow(work.tx, 'jobs', {
      org_id: work.org,
      id: toUuid(id),
      kind: 'export',
      event_id: event.id,
      test: true,
      actor: JSON.stringify({ kind: 'system', id: null, name: 'sandbox refresh', source: 'system', client: null }),
      created_at: now,
      updated_at: now,
      ...columns,
    });
  await job(PRACTICE.job, {
    status: 'succeeded',
    done: 8,
    total: 8,
    counts: JSON.stringify({ rows: 8 }),
    due_at: now,
    started_at: now,
    finished_at: now,
  });
  await job(PRACTICE.jobToCancel, { status: 'queued', due_at: new Date(now.getTime() + 30 * 86_400_000) });
}
