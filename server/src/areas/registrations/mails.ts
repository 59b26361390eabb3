import type { MailKind } from '../../outside/mail-templates/index.ts';
import { insertAll } from '../../store/bulk.ts';
import { newId } from '../../store/ids.ts';
import type { Book } from './book.ts';
import { registrationShape, type Shaping, ticketShape } from './shapes.ts';
import { active, type Happening, type RegistrationState } from './state.ts';

const COLUMNS = {
  org_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  recipient: 'text',
  recipient_name: 'text',
  subject: 'text',
  data: 'jsonb',
  event_id: 'uuid',
  object_id: 'uuid',
  next_attempt_at: 'timestamptz',
  created_at: 'timestamptz',
} as const;

/** Queued in the transaction of the work, rendered when sent. Test people get none. */
export function queueMails(book: Book, shaping: Shaping, registrations: readonly RegistrationState[]): void {
  const rows: object[] = [];
  for (const registration of registrations) {
    if (registration.test || !registration.send_emails) continue;
    if (!registration.fresh && !registration.touched) continue;
    rows.push(...mailsOf(book, shaping, registration));
  }
  insertAll(book.tx, 'mails', COLUMNS, rows);
}

function mailsOf(book: Book, shaping: Shaping, registration: RegistrationState): object[] {
  const kind = kindOf(registration);
  const rows: object[] = [];
  const snapshot = () => ({
    registration: registrationShape(shaping, registration),
    tickets: registration.tickets
      .filter((ticket) => ticket.status === 'valid')
      .map((ticket) => ticketShape(shaping, registration, ticket)),
    reason: registration.reason ?? null,
  });
  const row = (of: MailKind, recipient: string, name: string, object: string, data: object) => ({
    org_id: book.org,
    id: newId(book.now),
    kind: of,
    recipient,
    recipient_name: name,
    subject: book.world.event.name,
    data,
    event_id: book.world.event.id,
    object_id: object,
    next_attempt_at: book.now,
    created_at: book.now,
  });
  const { contact } = registration;
  const registrant = contact.email?.toLowerCase() ?? null;
  if (kind !== null && contact.email !== null) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
    rows.push(row(kind, contact.email, name, registration.id, snapshot()));
  }
  // People with an address of their own get their own tickets.
  const told = new Set(
    registration.happened.flatMap((one) => ('ticket' in one && one.type !== 'ticket.voided' ? one.ticket.people : [])),
  );
  for (const person of active(registration)) {
    if (!told.has(person.id) || person.email === null || person.email.toLowerCase() === registrant) continue;
    const name = `${person.first_name} ${person.last_name}`;
    rows.push(row('attendee_ticket', person.email, name, person.id, { ...snapshot(), attendee: person.id }));
  }
  return rows;
}

const aboutMoney = (happening: Happening): boolean => 'payment' in happening;

/** Which mail tells of what: the first that applies, so that nobody gets three mails about one click. */
function kindOf(registration: RegistrationState): MailKind | null {
  const has = (type: Happening['type']) => registration.happened.some((one) => one.type === type);
  if (has('registration.declined')) return 'declined';
  if (has('registration.cancelled')) return 'cancelled';
  // Told once: money that comes, or goes back, after its end is no second end.
  if (registration.status === 'expired') return registration.happened.some(aboutMoney) ? null : 'registration_expired';
  if (has('registration.confirmed')) return 'confirmation';
  if (has('registration.waitlisted')) return 'waitlisted';
  if (registration.status === 'pending_payment') {
    if (has('registration.promoted')) return 'promoted';
    if (has('registration.approved')) return 'approved';
    if (has('registration.created') || has('payment.refunded')) return 'payment_due';
  }
  if (has('registration.promoted')) return 'promoted';
  if (has('registration.created')) return 'approval_pending';
  if (has('ticket.reissued')) return 'ticket_reissued';
  return has('ticket.issued') ? 'confirmation' : null;
}
