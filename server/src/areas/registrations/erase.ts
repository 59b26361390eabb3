import type { Contact } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { stampOrganization } from '../../store/clocks.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { eraseRecipients } from '../communications/index.ts';
import { aContact, type ContactRow, contactShape, requireOwn } from '../contacts/index.ts';
import { expireFiles } from '../jobs/index.ts';
import { eraseEnvelopes } from '../webhooks/index.ts';
import { Book, raiseAll } from './book.ts';
import { eraseFromContents } from './mails.ts';
import type { RegistrationState } from './state.ts';

/**
 * Erases a person: the contact, the person in every registration, and every copy that we keep (mails, stored answers, the
 * values of the audit log). What remains counts: statuses, types, days, places, tickets, payments, check-ins. It cannot be undone.
 */
export async function eraseContact(work: Work, found: ContactRow): Promise<Contact> {
  const { tx, org } = work;
  requireOwn(work, found);
  const events = await tx.all<{ event_id: Id }>(sql`
    select event_id from attendees where org_id = ${org} and contact_id = ${found.id}
    union select event_id from registrations where org_id = ${org} and contact_id = ${found.id} order by event_id`);
  // Every event's clock before the organization's: the lock order of all.
  const books: Book[] = [];
  for (const { event_id } of events) books.push(await Book.open(tx, org, event_id, null));
  const objects: Id[] = [found.id];
  for (const book of books) {
    const touched = await book.load(sql`(contact_id = ${found.id} or id in (
      select registration_id from attendees where org_id = ${org} and contact_id = ${found.id}))`);
    for (const registration of touched) objects.push(...blank(registration, found.id));
  }
  const stamp = await stampOrganization(tx, org);
  await tx.run(sql`
    update contacts set first_name = null, last_name = null, email = null, phone = null, date_of_birth = null, external_id = null,
      name_key = '', given_key = '', email_key = null, phone_key = null, erased_at = ${tx.clock.now()}, updated_at = ${stamp}
    where org_id = ${org} and id = ${found.id}`);
  for (const book of books) {
    const { occurred } = await book.close({ mails: false });
    for (const told of occurred.values()) raiseAll(work, book.world.event.id, told);
  }
  await blankCopies(work, objects, found.email);
  work.changed({ kind: 'contact', id: found.id, group: found.group_id, changes: { erased: true } });
  return contactShape((await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found'));
}

function blank(registration: RegistrationState, contact: Id): Id[] {
  registration.touched = true;
  const ids = [registration.id];
  if (registration.contact.id === contact) {
    registration.contact = { id: contact, first_name: null, last_name: null, email: null, phone: null };
  }
  for (const person of registration.people) {
    if (person.contact_id !== contact) continue;
    Object.assign(person, {
      first_name: 'Erased',
      last_name: 'person',
      email: null,
      phone: null,
      date_of_birth: null,
      external_id: null,
      answers: {},
      touched: true,
    });
    for (const ticket of registration.tickets) if (ticket.people.includes(person.id)) ticket.touched = true;
    ids.push(person.id);
  }
  return ids;
}

/** Copies hold the person's words; those of others in the same registration may go with them. */
async function blankCopies(
  { tx, org }: Pick<Work, 'tx' | 'org'>,
  objects: readonly Id[],
  email: string | null,
): Promise<void> {
  await tx.run(sql`
    update mails set recipient = 'erased', recipient_name = null, subject = 'erased', text = null, html = null, data = null,
      attachments = '[]', status = case when status = 'queued' then 'failed' else status end, last_error = null
    where org_id = ${org} and (object_id = any(${objects}) or lower(recipient) = lower(${email}))`);
  await tx.run(sql`
    update audit_log set changes = '{"erased": true}' where org_id = ${org} and object_id = any(${objects}) and changes is not null`);
  const ids = new Set(objects.map(toUlid));
  await eraseFromContents(tx, org, objects, (data) => without(data, ids));
  await blankAnswers(tx, org, objects);
  await eraseEnvelopes(tx, org, objects);
  await expireFiles(tx, org);
  await eraseRecipients(tx, org, objects, email);
  for (const object of objects) {
    await tx.run(sql`
      update idempotency set body = convert_to('{"erased":true}', 'UTF8'), encrypted = false
      where org_id = ${org} and not encrypted and position(convert_to(${toUlid(object)}, 'UTF8') in body) > 0`);
  }
}

/** Answers of scans, and occurrences on their way: they must go on being answers, so only the person is taken out of them. */
async function blankAnswers(tx: Tx, org: Id, objects: readonly Id[]): Promise<void> {
  const ids = new Set(objects.map(toUlid));
  const scans = await tx.all<{ event_id: Id; client_uuid: string; test: boolean; answer: string }>(sql`
    select s.event_id, s.client_uuid, s.test, s.answer from scans s where s.org_id = ${org} and (s.event_id, s.client_uuid, s.test) in (
      select c.event_id, c.client_uuid, c.test from checkins c where c.org_id = ${org} and c.attendee_id = any(${objects}) and c.client_uuid is not null)`);
  for (const { event_id, client_uuid, test, answer } of scans) {
    await tx.run(sql`
      update scans set answer = ${JSON.stringify(without(JSON.parse(answer), ids))}
      where org_id = ${org} and event_id = ${event_id} and client_uuid = ${client_uuid} and test = ${test}`);
  }
  for (const ulid of ids) {
    const waiting = await tx.all<{ id: Id; data: string }>(sql`
      select id, data from outbox where org_id = ${org} and position(${ulid} in data) > 0`);
    for (const { id, data } of waiting) {
      await tx.run(
        sql`update outbox set data = ${JSON.stringify(without(JSON.parse(data), ids))} where org_id = ${org} and id = ${id}`,
      );
    }
  }
}

const NAMES = { first_name: 'Erased', last_name: 'person' };
const FACTS = { email: null, phone: null, date_of_birth: null, external_id: null, answers: {} };

/** The same JSON without what it says about these people. */
function without(value: unknown, ids: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => without(one, ids));
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, without(one, ids)]));
  if (typeof copy.id !== 'string' || !ids.has(copy.id)) return copy;
  for (const [name, blank] of Object.entries({ ...NAMES, ...FACTS })) if (name in copy) copy[name] = blank;
  return copy;
}
