import { type Contact, type ContactChange, type ContactChanged, fieldsOf, PERSON_FIELDS } from '@turnout/contract';
import { type Id, toUlid } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { Again, stampOrganization } from '../../store/clocks.ts';
import { type Sql, sql } from '../../store/sql.ts';
import {
  aContact,
  type ContactFields,
  type ContactRow,
  changeContact,
  emailKey,
  requireOwn,
} from '../contacts/index.ts';
import { type AuditFacts, auditChange, auditFacts } from './audit.ts';
import { Book } from './book.ts';
import { raiseAll } from './occurrences.ts';
import { attendeeGroup, commonGroup, reachedGroups } from './reach.ts';
import { takenEmail } from './register.ts';
import { type AttendeeState, type RegistrationState, touch } from './state.ts';
import { ATTENDEE_TEXTS, REGISTRANT_TEXTS } from './texts.ts';

/** The most registrations that are changed together with a contact. One transaction does it and holds the clocks of all their events. */
export const MAX_CHANGED_REGISTRATIONS = 100;

/** Changes a contact and, if the caller asks for it, the open registrations of the contact. */
export async function changeContactEverywhere(
  work: Work,
  found: ContactRow,
  { apply_to_registrations: apply = false, ...body }: ContactChange,
): Promise<ContactChanged> {
  const none = { applied_to_registrations: 0 };
  // If nothing changes, the road answers with `was`: the contact as it was, applied to no registration.
  const contactOnly: Work = {
    ...work,
    changed: (change) =>
      work.changed(change.was === undefined ? change : { ...change, was: { ...(change.was as Contact), ...none } }),
  };
  if (!apply) return { ...(await changeContact(contactOnly, found, body)), ...none };
  const { tx, org } = work;
  requireOwn(work, found);
  // The clocks of all events come before the organization's: everybody locks in this order.
  const books = new Map<Id, Book>();
  for (const event of eventsIn(await openRegistrations(work, found.id)))
    books.set(event, await Book.open(tx, org, event, null));
  await stampOrganization(tx, org);
  const before = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  // From here on no registration can be linked to the contact. One may have been while this waited for the clock, in an event whose
  // clock is not held: then the transaction starts again.
  const open = await openRegistrations(work, found.id);
  if (eventsIn(open).some((event) => !books.has(event))) throw new Again('the contact was found in another event');
  const shape = await changeContact(contactOnly, found, body);
  const after = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  const reached = await reachedGroups(work);
  let applied = 0;
  for (const [event, book] of books) {
    const ids = open.filter((one) => one.event_id === event).map((one) => one.id);
    const changed = new Map<RegistrationState, AuditFacts>();
    for (const registration of await book.load(sql`id = any(${ids})`)) {
      const facts = auditFacts(book, registration);
      if (await applyTo(book, registration, { before, after, body, reached })) changed.set(registration, facts);
    }
    const { occurred } = await book.close({ mails: false });
    for (const [registration, facts] of changed) {
      raiseAll(work, event, occurred.get(registration)!);
      const group = commonGroup(book.world.event, registration, 'registration', registration.id);
      const audited = auditChange(book, registration, facts, group);
      work.changed({ kind: 'registration', id: registration.id, event, group, ...audited });
    }
    applied += changed.size;
  }
  return { ...shape, applied_to_registrations: applied };
}

interface OpenRegistration {
  id: Id;
  event_id: Id;
}
const eventsIn = (open: readonly OpenRegistration[]): Id[] => [...new Set(open.map((one) => one.event_id))].sort();

/** The registrations of the contact that have not ended, in events that are not archived. More than can be changed at once are refused. */
async function openRegistrations({ tx, org }: Work, contact: Id): Promise<OpenRegistration[]> {
  const isOpen: Sql = sql`r.status not in ('declined', 'cancelled', 'expired') and exists (
    select from events e where e.org_id = r.org_id and e.id = r.event_id and e.status <> 'archived' offset 0)`;
  const open = await tx.all<OpenRegistration>(sql`
    select r.id, r.event_id from registrations r where r.org_id = ${org} and r.contact_id = ${contact} and ${isOpen}
    union
    select r.id, r.event_id from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.org_id = ${org} and a.contact_id = ${contact} and ${isOpen}
    limit ${MAX_CHANGED_REGISTRATIONS + 1}`);
  if (open.length > MAX_CHANGED_REGISTRATIONS) {
    refuse('invalid_state', {
      message: `The contact has more than ${MAX_CHANGED_REGISTRATIONS} open registrations, and that many cannot be changed at once. Send the change without apply_to_registrations and change the registrations that need it one by one.`,
    });
  }
  return open;
}

interface Applying {
  before: ContactRow;
  after: ContactRow;
  body: ContactFields;
  reached: ReadonlySet<Id> | undefined;
}
const CONTACT = fieldsOf('contact', { typed: true });
type Field = (typeof CONTACT)[number];
const among = (fields: readonly string[]): Field[] => CONTACT.filter((field) => fields.includes(field));
const REGISTRANT = among(REGISTRANT_TEXTS);
const ATTENDEE = among(ATTENDEE_TEXTS);

/** The new values of those fields that had the contact's old value. An attendee must have a name, so names are never removed. */
function valuesFor(
  has: Partial<Record<Field, string | null>>,
  fields: readonly Field[],
  { before, after, body }: Applying,
): Partial<Record<Field, string>> {
  const given = fields.filter(
    (field) =>
      body[field] !== undefined &&
      before[field] !== after[field] &&
      has[field] === before[field] &&
      !(after[field] === null && PERSON_FIELDS[field].kind === 'name'),
  );
  return Object.fromEntries(given.map((field) => [field, after[field] as string]));
}

/** A caller limited to a group changes its own attendees, and the registrant only if it reaches all attendees. */
async function applyTo(book: Book, registration: RegistrationState, applying: Applying): Promise<boolean> {
  const { before: contact, reached } = applying;
  const reaches = (attendee: AttendeeState): boolean => {
    const group = attendeeGroup(book.world.event, registration, attendee);
    return reached === undefined || (group !== null && reached.has(group));
  };
  let changed = false;
  if (registration.contact.id === contact.id && registration.attendees.every(reaches)) {
    const values = valuesFor(registration.contact, REGISTRANT, applying);
    if (Object.keys(values).length > 0) {
      Object.assign(registration.contact, values);
      changed = true;
    }
  }
  for (const attendee of registration.attendees) {
    if (attendee.contact_id !== contact.id || attendee.cancelled || !reaches(attendee)) continue;
    const values = valuesFor(attendee, ATTENDEE, applying);
    if (Object.keys(values).length === 0) continue;
    await requireFree(book, registration, attendee, values.email);
    Object.assign(attendee, values, { touched: true });
    for (const ticket of registration.tickets) if (ticket.attendee_ids.includes(attendee.id)) ticket.touched = true;
    changed = true;
  }
  if (changed) touch(registration);
  return changed;
}

/** Refuses an address that is taken, if the event accepts each e-mail address only once. */
async function requireFree(
  book: Book,
  registration: RegistrationState,
  attendee: AttendeeState,
  email: string | null | undefined,
): Promise<void> {
  if (email == null || !book.world.event.registration.unique_email) return;
  if (emailKey(email) === emailKey(attendee.email)) return;
  const taken = await takenEmail(book, [email], registration.test, attendee.id);
  if (taken !== null) {
    refuse('duplicate_email', {
      message: `${taken} is registered for the event ${book.world.event.code} already. Nothing was changed.`,
    });
  }
}
