import type { Id } from '../../common/ids.ts';
import { stampOrganization } from '../../store/clocks.ts';
import type { Tx } from '../../store/tx.ts';
import { type LinkedPerson, linkContacts } from '../contacts/index.ts';
import type { EventRow } from '../events/index.ts';
import { attendeeGroup, registrantGroup } from './reach.ts';
import type { AttendeeState, RegistrationState } from './state.ts';
import { NO_TEXTS, REGISTRANT_TEXTS } from './texts.ts';

interface Link {
  person: LinkedPerson;
  set: (contact: Id) => void;
}

/** Finds or creates the contact of every attendee who has none yet, and of every new or changed registrant. */
export async function linkAttendees(
  tx: Tx,
  org: Id,
  event: EventRow,
  registrations: readonly RegistrationState[],
): Promise<void> {
  const registrants: { contact: RegistrationState['contact']; self: AttendeeState }[] = [];
  const links: Link[] = [];
  for (const registration of registrations) {
    const { test, contact } = registration;
    for (const attendee of registration.attendees) {
      if (attendee.contact_id !== null) continue;
      const group_id = attendeeGroup(event, registration, attendee);
      links.push({ person: { ...attendee, group_id, test }, set: (id) => (attendee.contact_id = id) });
    }
    if (registration.relink !== true && (contact.id !== null || !registration.fresh)) continue;
    const self = registration.attendees.find((attendee) => isSamePerson(contact, attendee));
    if (self !== undefined) {
      registrants.push({ contact, self });
      continue;
    }
    const group_id = registrantGroup(event, registration);
    links.push({
      person: { ...NO_TEXTS, ...contact, group_id, test },
      set: (id) => (contact.id = id),
    });
  }
  if (links.length > 0) {
    const stamp = stampOrganization(tx, org);
    const people = links.map((link) => link.person);
    const ids = await linkContacts(tx, org, stamp, people);
    for (const [i, link] of links.entries()) link.set(ids[i]!);
  }
  for (const { contact, self } of registrants) contact.id = self.contact_id;
}

const isSamePerson = (contact: RegistrationState['contact'], attendee: AttendeeState): boolean =>
  REGISTRANT_TEXTS.every((field) => contact[field] === attendee[field]);
