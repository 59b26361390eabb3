import type { Contact, ContactChange, ContactChanged } from '@turnout/contract';
import type { Work } from '../../road/operation.ts';
import { refuse } from '../../road/refusal.ts';
import { Again, stampOrganization } from '../../store/clocks.ts';
import { type Id, toUlid } from '../../store/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import {
  aContact,
  type ContactFields,
  type ContactRow,
  changeContact,
  emailKey,
  requireOwn,
} from '../contacts/index.ts';
import { type AuditFacts, auditChange, auditFacts as beforeOf } from './audit.ts';
import { Book } from './book.ts';
import { raiseAll } from './occurrences.ts';
import { attendeeGroup, commonGroup, reachedGroups } from './reach.ts';
import { takenEmail } from './register.ts';
import { type AttendeeState, type RegistrationState, touch } from './state.ts';

/** Registrations that are changed with their contact in one transaction, which holds the clocks of all their events. */
export const MOST_APPLIED = 100;

/** A contact, and with it, where that is asked for, its open registrations. */
export async function changeContactEverywhere(
  work: Work,
  found: ContactRow,
  { apply_to_registrations: apply = false, ...body }: ContactChange,
): Promise<ContactChanged> {
  const none = { applied_to_registrations: 0 };
  // Where nothing changes, the answer is the contact as it was, and it applies to none.
  const noting: Work = {
    ...work,
    changed: (change) =>
      work.changed(change.was === undefined ? change : { ...change, was: { ...(change.was as Contact), ...none } }),
  };
  if (!apply) return { ...(await changeContact(noting, found, body)), ...none };
  const { tx, org } = work;
  requireOwn(work, found);
  // Every event's clock before the organization's: the lock order of all.
  const books = new Map<Id, Book>();
  for (const event of eventsIn(await openRegistrations(work, found.id)))
    books.set(event, await Book.open(tx, org, event, null));
  await stampOrganization(tx, org);
  const before = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  // Nobody finds the contact from here on. Somebody may have while we waited, in an event whose clock we do not hold.
  const open = await openRegistrations(work, found.id);
  if (eventsIn(open).some((event) => !books.has(event))) throw new Again('the contact was found in another event');
  const shape = await changeContact(noting, found, body);
  const after = (await aContact.find(work, toUlid(found.id), {})) ?? refuse('not_found');
  const only = await reachedGroups(work);
  let applied = 0;
  for (const [event, book] of books) {
    const ids = open.filter((one) => one.event_id === event).map((one) => one.id);
    const changed = new Map<RegistrationState, AuditFacts>();
    for (const registration of await book.load(sql`id = any(${ids})`)) {
      const was = beforeOf(book, registration);
      if (await applyTo(book, registration, { before, after, body, only })) changed.set(registration, was);
    }
    const { occurred } = await book.close({ mails: false });
    for (const [registration, was] of changed) {
      raiseAll(work, event, occurred.get(registration)!);
      const group = commonGroup(book.world.event, registration, 'registration', registration.id);
      const told = auditChange(book, registration, was, group);
      work.changed({ kind: 'registration', id: registration.id, event, group, ...told });
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

/** Registrations of the contact that go on, in events that do. One more than can be changed is refused, not left out. */
async function openRegistrations({ tx, org }: Work, contact: Id): Promise<OpenRegistration[]> {
  const goesOn: Sql = sql`r.status not in ('declined', 'cancelled', 'expired') and exists (
    select from events e where e.org_id = r.org_id and e.id = r.event_id and e.status <> 'archived' offset 0)`;
  const open = await tx.all<OpenRegistration>(sql`
    select r.id, r.event_id from registrations r where r.org_id = ${org} and r.contact_id = ${contact} and ${goesOn}
    union
    select r.id, r.event_id from attendees a join registrations r on r.org_id = a.org_id and r.id = a.registration_id
    where a.org_id = ${org} and a.contact_id = ${contact} and ${goesOn}
    limit ${MOST_APPLIED + 1}`);
  if (open.length > MOST_APPLIED) {
    refuse('invalid_state', {
      message: `The contact has more than ${MOST_APPLIED} open registrations, and that many cannot be changed at once. Leave out apply_to_registrations, and change those that need it one by one.`,
    });
  }
  return open;
}

interface Applying {
  before: ContactRow;
  after: ContactRow;
  body: ContactFields;
  only: ReadonlySet<Id> | undefined;
}
const REGISTRANT = ['first_name', 'last_name', 'email', 'phone'] as const;
const PERSON = [...REGISTRANT, 'date_of_birth', 'external_id'] as const;
type Field = (typeof PERSON)[number];

/** The changed values, where the old ones stood. A name is not taken away from somebody who must have one. */
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
      !(after[field] === null && (field === 'first_name' || field === 'last_name')),
  );
  return Object.fromEntries(given.map((field) => [field, after[field] as string]));
}

/** Whoever is limited to a group changes its own people, and the registrant only where it reaches everybody. */
async function applyTo(book: Book, registration: RegistrationState, applying: Applying): Promise<boolean> {
  const { before: contact, only } = applying;
  const reaches = (person: AttendeeState): boolean => {
    const group = attendeeGroup(book.world.event, registration, person);
    return only === undefined || (group !== null && only.has(group));
  };
  let changed = false;
  if (registration.contact.id === contact.id && registration.attendees.every(reaches)) {
    const values = valuesFor(registration.contact, REGISTRANT, applying);
    if (Object.keys(values).length > 0) {
      Object.assign(registration.contact, values);
      changed = true;
    }
  }
  for (const person of registration.attendees) {
    if (person.contact_id !== contact.id || person.cancelled || !reaches(person)) continue;
    const values = valuesFor(person, PERSON, applying);
    if (Object.keys(values).length === 0) continue;
    await requireFree(book, registration, person, values.email);
    Object.assign(person, values, { touched: true });
    for (const ticket of registration.tickets) if (ticket.attendee_ids.includes(person.id)) ticket.touched = true;
    changed = true;
  }
  if (changed) touch(registration);
  return changed;
}

/** Where an event takes each address once. */
async function requireFree(
  book: Book,
  registration: RegistrationState,
  person: AttendeeState,
  email: string | null | undefined,
): Promise<void> {
  if (email == null || !book.world.event.registration.unique_email) return;
  if (emailKey(email) === emailKey(person.email)) return;
  const taken = await takenEmail(book, [email], registration.test, person.id);
  if (taken !== null) {
    refuse('duplicate_email', {
      message: `${taken} is registered for the event ${book.world.event.code} already. Nothing was changed.`,
    });
  }
}
