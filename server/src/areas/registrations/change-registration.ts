import type { RegistrationChange } from '@turnout/contract';
import { refuse } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import { present } from '../contacts/index.ts';
import { requireNotErased } from './attendees.ts';
import type { Book } from './book.ts';
import { shownRegistration } from './reach.ts';
import { type RegistrationState, touch } from './state.ts';

type Contact = RegistrationState['contact'];

/** What is of the registration as a whole: its registrant, and whether mails go out about it. */
export async function applyRegistrationChange(
  book: Book,
  registration: RegistrationState,
  { contact, send_emails }: RegistrationChange,
  only: ReadonlySet<Id> | undefined,
): Promise<void> {
  if (contact !== undefined) await changeRegistrant(book, registration, contact, only);
  if (send_emails !== undefined && send_emails !== registration.send_emails) {
    registration.send_emails = send_emails;
    touch(registration);
  }
}

async function changeRegistrant(
  book: Book,
  registration: RegistrationState,
  { first_name, last_name, ...sent }: NonNullable<RegistrationChange['contact']>,
  only: ReadonlySet<Id> | undefined,
): Promise<void> {
  const was = registration.contact;
  requireSeen(book, registration, only);
  await requireNotErased(book, was.id, 'Cancel the registration and make another one.');
  const is: Contact = {
    ...was,
    ...(first_name !== undefined && { first_name: first_name.trim() }),
    ...(last_name !== undefined && { last_name: last_name.trim() }),
    ...(sent.email !== undefined && { email: present(sent.email) }),
    ...(sent.phone !== undefined && { phone: present(sent.phone) }),
    ...(sent.language !== undefined && { language: sent.language }),
  };
  const differs = (field: keyof Contact) => is[field] !== was[field];
  const known = (['first_name', 'last_name', 'email', 'phone'] as const).some(differs);
  if (!known && !differs('language')) return;
  registration.contact = is;
  // Found again by the rules of the address book: whoever is named now may be somebody else.
  if (known) registration.relink = true;
  touch(registration);
}

/** Whoever reaches all people of it need not reach the registrant, who may be of another group: what isn't shown isn't changed. */
function requireSeen(book: Book, registration: RegistrationState, only: ReadonlySet<Id> | undefined): void {
  if (only === undefined) return;
  const shown = shownRegistration({ world: book.world, groups: new Map(), reached: only }, registration);
  const { contact } = registration;
  if (
    (['first_name', 'last_name', 'email', 'phone'] as const).some((field) => shown.contact[field] !== contact[field])
  ) {
    refuse('mixed_groups', {
      message: 'The registrant is of another group, out of your reach. Ask somebody who is not limited to a group.',
    });
  }
}
