import type { Contact } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { Again, stampErasure } from '../../store/clocks.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { aContact, type ContactRow, contactShape, keysOf, requireOwn, writeContactWords } from '../contacts/index.ts';
import { limitOf, personInReach, registrantInReach } from '../groups/index.ts';
import { Book } from './book.ts';
import { type ContactShare, contactShare, firstRegisteredAt } from './contact-share.ts';
import { eraseCopies } from './erase-copies.ts';
import { raiseAll } from './occurrences.ts';
import { loadPayments } from './payments.ts';
import { ERASED_NAMES, type ErasedPerson, type Mentions, mentionsOf } from './redact.ts';

/**
 * Erases a person: one contact, the person in every registration, and every copy that we keep of them. They are found by their
 * ids, never by an address, which others may share. What remains counts: statuses, types, days, places, tickets, payments,
 * check-ins. It cannot be undone. What stays, and until when: docs/erasure.md.
 */
export async function eraseContact(work: Work, found: ContactRow): Promise<Contact> {
  const { tx, org } = work;
  requireOwn(work, found);
  // Every event's clock before the organization's: the lock order of all.
  const books = new Map<Id, Book>();
  for (const event of await eventsOf(work, found.id)) books.set(event, await Book.open(tx, org, event, null));
  const stamp = await stampErasure(tx, org);
  const contact = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  requireOwn(work, contact); // whoever erased it meanwhile had the clock first
  // Nobody finds the contact from here on. Somebody may have while we waited, in an event whose clock we do not hold.
  if ((await eventsOf(work, contact.id)).some((event) => !books.has(event)))
    throw new Again('the contact was found in another event');
  await requireInReach(work, contact.id);

  const theirs: ContactShare[] = [];
  for (const book of books.values()) {
    const touched = await book.load(sql`(contact_id = ${contact.id} or id in (
      select registration_id from attendees where org_id = ${org} and contact_id = ${contact.id}))`);
    for (const registration of touched) theirs.push(contactShare(book, registration, contact.id));
  }
  const naming = mentionsOf([contact, ...theirs.flatMap((one) => one.names)]);
  const payments = await blankPayments(work, theirs, naming);
  const person: ErasedPerson = {
    contact: contact.id,
    attendees: theirs.flatMap((one) => one.attendees.map(({ id }) => id)),
    tickets: theirs.flatMap((one) => one.ownTickets),
    payments,
    checkins: await blankOverrideReasons(work, theirs),
    ...naming,
  };
  for (const one of theirs) blankRegistration(one, naming);
  await tx.run(sql`
    update contacts set first_name = null, last_name = null, email = null, phone = null, date_of_birth = null, external_id = null,
      name_key = '', given_key = '', email_key = null, phone_key = null, erased_at = ${tx.clock.now()}, updated_at = ${stamp}
    where org_id = ${org} and id = ${contact.id}`);
  await writeContactWords(tx, org, contact.id, keysOf(contact), null);
  await eraseCopies(work, contact, person, theirs);
  for (const [event, book] of books) {
    const { occurred } = await book.close({ mails: false });
    for (const told of occurred.values()) raiseAll(work, event, told);
  }
  work.changed({
    kind: 'contact',
    id: contact.id,
    group: contact.group_id,
    details: { erased: true },
    objects: theirs.flatMap(({ registration, attendees: people }) => [
      { kind: 'registration', id: registration.id },
      ...people.map(({ id }) => ({ kind: 'attendee', id })),
    ]),
  });
  return contactShape((await aContact.find(work, toUlid(contact.id), {})) ?? refuse('not_found'));
}

async function eventsOf({ tx, org }: Work, contact: Id): Promise<Id[]> {
  const rows = await tx.all<{ event_id: Id }>(sql`
    select event_id from attendees where org_id = ${org} and contact_id = ${contact}
    union select event_id from registrations where org_id = ${org} and contact_id = ${contact} order by event_id`);
  return rows.map((row) => row.event_id);
}

/** A contact stays in its group when its people move to another: not everybody whom it stands for need be in reach. */
async function requireInReach({ tx, org, caller }: Work, contact: Id): Promise<void> {
  if (caller.group === null) return;
  const limit = limitOf(caller);
  const outside = await tx.maybe(sql`
    select 1 from attendees a
    where a.org_id = ${org} and a.contact_id = ${contact} and (${personInReach(limit, 'a')}) is not true
    union all
    select 1 from registrations r
    where r.org_id = ${org} and r.contact_id = ${contact} and not ${registrantInReach(limit, 'r')} limit 1`);
  if (outside !== null) {
    refuse('invalid_state', {
      message:
        'The contact also stands for people outside of the group that this key is limited to. Somebody who may see all of them has to erase it.',
    });
  }
}

function blankRegistration(
  { registration, registrant, attendees: people, tickets, ownTickets: alone }: ContactShare,
  { isMentioned: names }: Mentions,
): void {
  registration.touched = true;
  if (registrant !== null) {
    registration.contact = {
      id: registrant.id,
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
      language: null,
    };
  }
  for (const person of people) {
    Object.assign(person, {
      ...ERASED_NAMES,
      email: null,
      phone: null,
      date_of_birth: null,
      external_id: null,
      answers: {},
      touched: true,
    });
  }
  for (const ticket of registration.tickets) {
    if (!tickets.includes(ticket.id)) continue;
    ticket.touched = true;
    const { void_reason: reason } = ticket;
    if (reason !== null && !OUR_WORDS.test(reason) && (alone.includes(ticket.id) || names(reason))) {
      ticket.void_reason = 'erased';
    }
  }
}
/** Reasons that Turnout itself gives are one word; people write sentences. */
const OUR_WORDS = /^[a-z_]+$/;

/** References that are the registrant's, that can be about nobody else, or that name the person. Answers which were blanked. */
async function blankPayments(
  { tx, org }: Work,
  theirs: readonly ContactShare[],
  { isMentioned: names }: Mentions,
): Promise<Id[]> {
  const byId = new Map(theirs.map((one) => [one.registration.id, one]));
  const paid = await loadPayments(
    tx,
    org,
    sql`registration_id = any(${[...byId.keys()]}) and reference is not null and provider is null`,
  );
  const blanked = paid.filter(({ registration_id, reference }) => {
    const { registrant, attendees: people, registration } = byId.get(registration_id)!;
    return registrant !== null || people.length === registration.attendees.length || names(reference!);
  });
  for (const payment of blanked) {
    const { book, registration } = byId.get(payment.registration_id)!;
    payment.reference = null;
    book.pay(payment, registration.test);
  }
  return blanked.map((payment) => payment.id);
}

/** Why somebody was let in all the same. Looked for among the event's check-ins since: they have no index by person. */
async function blankOverrideReasons({ tx, org }: Work, theirs: readonly ContactShare[]): Promise<Id[]> {
  const people = theirs.flatMap((one) => one.attendees.map(({ id }) => id));
  if (people.length === 0) return [];
  const rows = await tx.all<{ id: Id }>(sql`
    update checkins set override_reason = 'erased'
    where org_id = ${org} and event_id = any(${theirs.map((one) => one.book.world.event.id)}) and test in (true, false)
      and recorded_at >= ${firstRegisteredAt(theirs)} and attendee_id = any(${people}) and override_reason is not null
    returning id`);
  return rows.map((row) => row.id);
}
