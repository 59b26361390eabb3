import type { RegistrationChange } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { refuse } from '../../common/refusal.ts';
import { requireNotErased } from './attendees.ts';
import type { Book } from './book.ts';
import { shownRegistration } from './reach.ts';
import { type RegistrationState, touch } from './state.ts';
import { REGISTRANT_TEXTS, registrantTexts } from './texts.ts';

type Contact = RegistrationState['contact'];

/** Changes what belongs to the registration as a whole: its registrant, and whether mails are sent about it. */
export async function applyRegistrationChange(
  book: Book,
  registration: RegistrationState,
  { contact, send_emails }: RegistrationChange,
  reached: ReadonlySet<Id> | undefined,
): Promise<void> {
  if (contact !== undefined) await changeRegistrant(book, registration, contact, reached);
  if (send_emails !== undefined && send_emails !== registration.send_emails) {
    registration.send_emails = send_emails;
    touch(registration);
  }
}

async function changeRegistrant(
  book: Book,
  registration: RegistrationState,
  sent: NonNullable<RegistrationChange['contact']>,
  reached: ReadonlySet<Id> | undefined,
): Promise<void> {
  const was = registration.contact;
  requireSeen(book, registration, reached);
  await requireNotErased(book, registration, was.id, 'Cancel the registration and create a new one.');
  const is: Contact = {
    ...was,
    ...registrantTexts(sent, was),
    ...(sent.language !== undefined && { language: sent.language }),
  };
  const differs = (field: keyof Contact) => is[field] !== was[field];
  const known = REGISTRANT_TEXTS.some(differs);
  if (!known && !differs('language')) return;
  registration.contact = is;
  // The contact is looked up again by the rules of the address book: the new details may name another person.
  if (known) registration.relink = true;
  touch(registration);
}

/**
 * A caller who reaches all attendees may still not reach the registrant, who may belong to another group. Details that the caller is
 * not shown cannot be changed by it.
 */
function requireSeen(book: Book, registration: RegistrationState, reached: ReadonlySet<Id> | undefined): void {
  if (reached === undefined) return;
  const shown = shownRegistration({ world: book.world, groups: new Map(), reached }, registration);
  const { contact } = registration;
  if (REGISTRANT_TEXTS.some((field) => shown.contact[field] !== contact[field])) {
    refuse('mixed_groups', {
      message: 'The registrant belongs to a group that you can’t see. Ask someone who isn’t limited to a group.',
    });
  }
}
