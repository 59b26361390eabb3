import type { Contact } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { Again, stampErasure } from '../../store/clocks.ts';
import { updateRow } from '../../store/rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { aContact, type ContactRow, contactShape, keysOf, requireOwn, writeContactWords } from '../contacts/index.ts';
import { attendeeInReach, limitOf, registrantInReach } from '../groups/index.ts';
import { Book } from './book.ts';
import { type ContactShare, contactShare, firstRegisteredAt } from './contact-share.ts';
import { eraseCopies } from './erase-copies.ts';
import { raiseAll } from './occurrences.ts';
import { loadPayments } from './payments.ts';
import {
  ERASED_ATTENDEE,
  ERASED_CONTACT,
  ERASED_REGISTRANT,
  type ErasedPerson,
  type Mentions,
  mentionsOf,
} from './redact.ts';

/**
 * Erases a person: the contact, the registrant and attendee in every registration, and every copy that was kept of them. They are
 * found by their ids and never by an e-mail address, which others may share. What is needed for counting stays: statuses, types,
 * days, places, tickets, payments and check-ins. It cannot be undone. docs/internals/erasure.md says what stays, and until when.
 */
export async function eraseContact(work: Work, found: ContactRow): Promise<Contact> {
  const { tx, org } = work;
  const { books, stamp, contact } = await lockContact(work, found);
  const shares = await sharesOf(work, books, contact);
  const mentions = mentionsOf([contact, ...shares.flatMap((one) => one.names)]);
  const payments = await blankPayments(work, shares, mentions);
  const person: ErasedPerson = {
    contact: contact.id,
    attendees: shares.flatMap((one) => one.attendees.map(({ id }) => id)),
    former: shares.flatMap((one) => one.former),
    tickets: shares.flatMap((one) => one.ownTickets),
    payments,
    checkins: await blankOverrideReasons(work, shares),
    handOuts: await blankUndoReasons(work, shares, mentions),
    ...mentions,
  };
  for (const one of shares) blankRegistration(one, mentions);
  await blankContact(tx, org, contact.id, stamp);
  await writeContactWords(tx, org, contact.id, keysOf(contact), null);
  await eraseCopies(work, contact, person, shares);
  for (const [event, book] of books) {
    const { occurred } = await book.close({ mails: false });
    for (const all of occurred.values()) raiseAll(work, event, all);
  }
  work.changed({
    kind: 'contact',
    id: contact.id,
    group: contact.group_id,
    details: { erased: true },
    objects: shares.flatMap(({ registration, attendees }) => [
      { kind: 'registration', id: registration.id },
      ...attendees.map(({ id }) => ({ kind: 'attendee', id })),
    ]),
  });
  return contactShape((await aContact.find(work, toUlid(contact.id), {})) ?? refuse('not_found'));
}

/** Locks the contact and every event in which it is found, and reads it anew. */
async function lockContact(
  work: Work,
  found: ContactRow,
): Promise<{ books: Map<Id, Book>; stamp: string; contact: ContactRow }> {
  const { tx, org } = work;
  requireOwn(work, found);
  // The clocks of all events come before the organization's: everybody locks in this order.
  const books = new Map<Id, Book>();
  for (const event of await eventsOf(work, found.id)) books.set(event, await Book.open(tx, org, event, null));
  const stamp = await stampErasure(tx, org);
  const contact = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  requireOwn(work, contact); // another call may have erased it while this one waited for the clock
  // From here on no registration can be linked to the contact. One may have been while this waited for the clock, in an event whose
  // clock is not held: then the transaction starts again.
  if ((await eventsOf(work, contact.id)).some((event) => !books.has(event)))
    throw new Again('the contact was found in another event');
  await requireInReach(work, contact.id);
  return { books, stamp, contact };
}

/** What every registration has of the person. */
async function sharesOf({ tx, org }: Work, books: ReadonlyMap<Id, Book>, contact: ContactRow): Promise<ContactShare[]> {
  const shares: ContactShare[] = [];
  const handedOn = await tx.all<{ attendee_id: Id; registration_id: Id }>(sql`
    delete from former_attendees where org_id = ${org} and contact_id = ${contact.id} returning attendee_id, registration_id`);
  const former = new Set(handedOn.map((one) => one.attendee_id));
  for (const book of books.values()) {
    const linked = await book.load(sql`(contact_id = ${contact.id} or id in (
      select registration_id from attendees where org_id = ${org} and contact_id = ${contact.id})
      or id = any(${handedOn.map((one) => one.registration_id)}))`);
    for (const registration of linked) shares.push(contactShare(book, registration, contact, former));
  }
  return shares;
}

async function blankContact(tx: Tx, org: Id, contact: Id, stamp: string): Promise<void> {
  await updateRow(tx, 'contacts', sql`org_id = ${org} and id = ${contact}`, {
    ...ERASED_CONTACT,
    ...keysOf(ERASED_CONTACT),
    erased_at: tx.clock.now(),
    updated_at: stamp,
  });
}

async function eventsOf({ tx, org }: Work, contact: Id): Promise<Id[]> {
  const rows = await tx.all<{ event_id: Id }>(sql`
    select event_id from attendees where org_id = ${org} and contact_id = ${contact}
    union select event_id from registrations where org_id = ${org} and contact_id = ${contact}
    union select event_id from former_attendees where org_id = ${org} and contact_id = ${contact} order by event_id`);
  return rows.map((row) => row.event_id);
}

/** A contact stays in its group when its attendees move to another, so some of them may be out of the caller's reach. */
async function requireInReach({ tx, org, caller }: Work, contact: Id): Promise<void> {
  if (caller.group === null) return;
  const limit = limitOf(caller);
  const outside = await tx.maybe(sql`
    select 1 from attendees a
    where a.org_id = ${org} and a.contact_id = ${contact} and (${attendeeInReach(limit, 'a')}) is not true
    union all
    select 1 from registrations r
    where r.org_id = ${org} and r.contact_id = ${contact} and not ${registrantInReach(limit, 'r')} limit 1`);
  if (outside !== null) {
    refuse('invalid_state', {
      message:
        'The contact also stands for attendees outside the group that this key is limited to. Ask somebody who can see all of them to erase it.',
    });
  }
}

function blankRegistration(
  { registration, registrant, attendees, tickets, ownTickets }: ContactShare,
  { isMentioned }: Mentions,
): void {
  registration.touched = true;
  if (registrant !== null) {
    registration.contact = { id: registrant.id, ...ERASED_REGISTRANT };
    if (registration.hold !== null) registration.hold = { ...registration.hold, network: null };
  }
  // Each attendee gets an object of its own for the answers.
  for (const attendee of attendees) Object.assign(attendee, { ...ERASED_ATTENDEE, answers: {}, touched: true });
  for (const ticket of registration.tickets) {
    if (!tickets.includes(ticket.id)) continue;
    ticket.touched = true;
    const { void_reason: reason } = ticket;
    if (reason !== null && !OWN_REASON.test(reason) && (ownTickets.includes(ticket.id) || isMentioned(reason))) {
      ticket.void_reason = 'erased';
    }
  }
}
/** Reasons that Turnout itself writes, such as `registration_cancelled`. Reasons typed by people look different. */
const OWN_REASON = /^[a-z_]+$/;

/**
 * Blanks the references of payments that may identify the person: where the person is the registrant or the only attendee, or where
 * the reference names the person. Returns the payments that were changed.
 */
async function blankPayments(
  { tx, org }: Work,
  shares: readonly ContactShare[],
  { isMentioned }: Mentions,
): Promise<Id[]> {
  const byId = new Map(shares.map((one) => [one.registration.id, one]));
  const paid = await loadPayments(
    tx,
    org,
    sql`registration_id = any(${[...byId.keys()]}) and reference is not null and provider is null`,
  );
  const blanked = paid.filter(({ registration_id, reference }) => {
    const { registrant, attendees, registration } = byId.get(registration_id)!;
    return registrant !== null || attendees.length === registration.attendees.length || isMentioned(reference!);
  });
  for (const payment of blanked) {
    const { book, registration } = byId.get(payment.registration_id)!;
    payment.reference = null;
    book.savePayment(payment, registration.test);
  }
  return blanked.map((payment) => payment.id);
}

/** Blanks the reasons typed for overrides at check-in. Check-ins have no index by attendee, so those of the event since then are searched. */
async function blankOverrideReasons({ tx, org }: Work, shares: readonly ContactShare[]): Promise<Id[]> {
  const attendees = shares.flatMap((one) => one.attendees.map(({ id }) => id));
  if (attendees.length === 0) return [];
  const rows = await tx.all<{ id: Id }>(sql`
    update checkins set override_reason = 'erased'
    where org_id = ${org} and event_id = any(${shares.map((one) => one.book.world.event.id)}) and test in (true, false)
      and recorded_at >= ${firstRegisteredAt(shares)} and attendee_id = any(${attendees}) and override_reason is not null
    returning id`);
  return rows.map((row) => row.id);
}

/** Blanks the reasons typed for taking back what they were given, and those for a whole registration if they are its registrant or named. */
async function blankUndoReasons(
  { tx, org }: Work,
  shares: readonly ContactShare[],
  { isMentioned }: Mentions,
): Promise<Id[]> {
  const byId = new Map(shares.map((one) => [one.registration.id, one]));
  const own = new Set(shares.flatMap((one) => one.attendees.map(({ id }) => id)));
  const rows = await tx.all<{ id: Id; registration_id: Id; attendee_id: Id | null; undo_reason: string }>(sql`
    select id, registration_id, attendee_id, undo_reason from hand_outs
    where org_id = ${org} and registration_id = any(${[...byId.keys()]}) and undo_reason is not null`);
  const blanked = rows
    .filter(({ registration_id, attendee_id, undo_reason }) => {
      const isTheirs = attendee_id === null ? byId.get(registration_id)!.registrant !== null : own.has(attendee_id);
      return isTheirs || isMentioned(undo_reason);
    })
    .map((row) => row.id);
  if (blanked.length > 0) {
    await tx.run(sql`
      update hand_outs set undo_reason = 'erased', updated_at = e.at
      from event_clocks e
      where hand_outs.org_id = ${org} and hand_outs.id = any(${blanked}) and e.org_id = hand_outs.org_id and e.event_id = hand_outs.event_id`);
  }
  return blanked;
}
