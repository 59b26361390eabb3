import type { RegistrationChange } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import type { Reach } from '../../road/request/reference.ts';
import { moveNeeds, requireNotErased } from './attendees.ts';
import type { Book } from './book.ts';
import { coverageOf, discounted } from './discount.ts';
import { Findings, formRules } from './findings.ts';
import { bookingFaults, isNewLine, mergedLines, readLines, takenAwayRefusal } from './lines.ts';
import { needsOf } from './needs.ts';
import { confirmIfPaid } from './payments.ts';
import { shownRegistration } from './reach.ts';
import { activeAttendees, holdsPlaces, type RegistrationState, touch } from './state.ts';
import { requireStatus, totalCost, updateTotal } from './statuses.ts';
import { REGISTRANT_TEXTS, registrantTexts } from './texts.ts';

type Contact = RegistrationState['contact'];

/** Changes what belongs to the registration as a whole: its registrant, and whether mails are sent about it. */
export async function applyRegistrationChange(
  book: Book,
  registration: RegistrationState,
  { contact, products, send_emails }: RegistrationChange,
  reach: Reach,
  reached: ReadonlySet<Id> | undefined,
): Promise<void> {
  if (products !== undefined) changeProducts(book, registration, products, reach);
  if (contact !== undefined) await changeRegistrant(book, registration, contact, reached);
  if (send_emails !== undefined && send_emails !== registration.send_emails) {
    registration.send_emails = send_emails;
    touch(registration);
  }
}

/** Changes what is booked for the registration as a whole. */
export function changeProducts(
  book: Book,
  registration: RegistrationState,
  choices: NonNullable<RegistrationChange['products']>,
  reach: Reach,
): void {
  requireStatus(registration, 'change');
  const { world, places } = book;
  const had = registration.products;
  const people = activeAttendees(registration);
  const coverage = coverageOf(book.discountOf(registration), places, registration, book.now);
  const findings = new Findings();
  const rules = formRules(book.now, {}, reach.caller);
  const read = readLines(world, { per: 'registration', people }, choices, had, 'products', rules, findings);
  // What is taken for all together needs no use of its own; but somebody has to be covered.
  const isCovered = coverage !== null && people.some((one) => one.discount_id !== null);
  const is = mergedLines(isCovered ? discounted(coverage.discount, read, isNewLine) : read);
  findings.faults.push(...bookingFaults(people, is, totalCost(people, is), 'products'));
  const refused = findings.verdict() ?? takenAwayRefusal(world, had, is);
  if (refused !== null) throw refused;
  const full = holdsPlaces(registration)
    ? moveNeeds(places, needsOf(world, [], had), needsOf(world, [], is), registration.test)
    : null;
  if (full !== null) throw new Refusal(full.code, { message: full.message });
  registration.products = is;
  updateTotal(registration);
  touch(registration);
  confirmIfPaid(book, registration);
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
