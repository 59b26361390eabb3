import type { MailKind } from '../../outside/mail-templates/index.ts';
import { insertMails, type MailRow } from '../../road/mail-rows.ts';
import { insertAll } from '../../store/bulk.ts';
import { type Id, newId } from '../../store/ids.ts';
import type { Book } from './book.ts';
import { registrationShape, type Shaping, ticketShape } from './shapes.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { active, type Happening, type RegistrationState } from './state.ts';

const CONTENT = { org_id: 'uuid', id: 'uuid', registration_id: 'uuid', data: 'jsonb' } as const;

/** Queued in the transaction of the work, rendered when sent. Test people get none. Answers of which registrations somebody is told. */
export function queueMails(
  book: Book,
  shaping: Shaping,
  registrations: readonly RegistrationState[],
  { bulk }: { bulk: boolean },
): Set<RegistrationState> {
  const { tx, org, now } = book;
  const { event } = book.world;
  const contents: object[] = [];
  const mails: MailRow[] = [];
  const told = new Set<RegistrationState>();
  for (const registration of registrations) {
    if (registration.test || !(registration.tell ?? registration.send_emails)) continue;
    if (!registration.fresh && !registration.touched) continue;
    const letters = lettersOf(registration);
    if (letters.length === 0) continue;
    told.add(registration);
    const snapshot = takeSnapshot(shaping, registration);
    // The registrant's mail alone keeps what it says; what several say is kept once for all of them.
    const shared = letters.some((letter) => letter.attendee !== undefined);
    const content_id = shared ? newId(now) : null;
    if (shared) contents.push({ org_id: org, id: content_id, registration_id: registration.id, data: snapshot });
    for (const { kind, recipient, name, attendee } of letters) {
      mails.push({
        org_id: org,
        id: newId(now),
        kind,
        recipient,
        recipient_name: name,
        subject: event.name,
        data: shared ? { attendee } : snapshot,
        content_id,
        event_id: event.id,
        object_id: attendee ?? registration.id,
        bulk,
        next_attempt_at: now,
        created_at: now,
      });
    }
  }
  insertAll(tx, 'mail_contents', CONTENT, contents);
  insertMails(tx, mails);
  return told;
}

const takeSnapshot = (shaping: Shaping, registration: RegistrationState): Snapshot =>
  snapshotOf(
    registrationShape(shaping, registration),
    registration.tickets
      .filter((ticket) => ticket.status === 'valid')
      .map((ticket) => ticketShape(shaping, registration, ticket)),
    registration.reason,
  );

interface ToSend {
  kind: MailKind;
  recipient: string;
  name: string;
  /** Only what is this person's; left out: all of the registration. */
  attendee?: Id;
}

function lettersOf(registration: RegistrationState): ToSend[] {
  const kind = kindOf(registration);
  const letters: ToSend[] = [];
  const { contact } = registration;
  const registrant = contact.email?.toLowerCase() ?? null;
  if (kind !== null && contact.email !== null) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
    letters.push({ kind, recipient: contact.email, name });
  }
  // People with an address of their own get their own tickets.
  const told = new Set(
    registration.happened.flatMap((one) => ('ticket' in one && one.type !== 'ticket.voided' ? one.ticket.people : [])),
  );
  for (const person of active(registration)) {
    if (!told.has(person.id) || person.email === null || person.email.toLowerCase() === registrant) continue;
    const name = `${person.first_name} ${person.last_name}`;
    letters.push({ kind: 'attendee_ticket', recipient: person.email, name, attendee: person.id });
  }
  for (const one of registration.happened) {
    if (one.type !== 'registration.attendee_removed' || one.person.email === null) continue;
    // The last one takes the registration along, of which the registrant is told.
    if (kind === 'cancelled' && one.person.email.toLowerCase() === registrant) continue;
    const { id, first_name, last_name, email } = one.person;
    letters.push({ kind: 'attendee_cancelled', recipient: email, name: `${first_name} ${last_name}`, attendee: id });
  }
  return letters;
}

/** Which mail tells of what: the first that applies, so that nobody gets three mails about one click. */
function kindOf(registration: RegistrationState): MailKind | null {
  const has = (type: Happening['type']) => registration.happened.some((one) => one.type === type);
  if (has('registration.declined')) return 'declined';
  if (has('registration.cancelled')) return 'cancelled';
  // Told once: whatever is done to it after its end is no second end.
  if (registration.status === 'expired') return registration.ended === true ? 'registration_expired' : null;
  if (has('registration.confirmed')) return 'confirmation';
  if (has('registration.waitlisted')) return 'waitlisted';
  if (registration.status === 'pending_payment') {
    if (has('registration.promoted')) return 'promoted';
    if (has('registration.approved')) return 'approved';
    if (has('registration.created') || has('payment.refunded') || registration.reopened === true) return 'payment_due';
  }
  if (has('registration.promoted')) return 'promoted';
  if (has('registration.created')) return 'approval_pending';
  if (has('ticket.reissued')) return 'ticket_reissued';
  return has('ticket.issued') ? 'confirmation' : null;
}
