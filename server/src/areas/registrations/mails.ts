import type { MailKind } from '../../outside/mail-templates/index.ts';
import { insertMails, type MailRow } from '../../road/mail-rows.ts';
import { insertAll } from '../../store/bulk.ts';
import { type Id, newId } from '../../store/ids.ts';
import type { Tx } from '../../store/tx.ts';
import { keptUntil } from './holds.ts';
import { registrationShape, type Shaping, ticketShape } from './shapes.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { activeAttendees, type Happening, type RegistrationState } from './state.ts';
import type { EventWorld } from './world.ts';

const CONTENT = { org_id: 'uuid', id: 'uuid', registration_id: 'uuid', data: 'jsonb' } as const;

/** Where mails are queued: the book satisfies it. */
interface MailQueue {
  tx: Tx;
  org: Id;
  now: Date;
  world: Pick<EventWorld, 'event'>;
}

/**
 * Queues the mails about what happened, in the transaction in which it happened; they are rendered when they are sent. Nothing is
 * sent about test registrations. Returns the registrations about which somebody gets a mail.
 */
export function queueMails(
  { tx, org, now, world: { event } }: MailQueue,
  shaping: Shaping,
  registrations: readonly RegistrationState[],
  { bulk }: { bulk: boolean },
): Set<RegistrationState> {
  const contents: object[] = [];
  const mails: MailRow[] = [];
  const mailed = new Set<RegistrationState>();
  for (const registration of registrations) {
    if (registration.test || !(registration.sendMails ?? registration.send_emails)) continue;
    if (!registration.fresh && !registration.touched) continue;
    const letters = lettersOf(registration);
    if (letters.length === 0) continue;
    mailed.add(registration);
    const snapshot = takeSnapshot(shaping, registration);
    // If only the registrant gets a mail, it carries its own content. Otherwise the content is stored once and the mails share it.
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
  return mailed;
}

const takeSnapshot = (shaping: Shaping, registration: RegistrationState): Snapshot =>
  snapshotOf(
    registrationShape(shaping, registration),
    registration.tickets
      .filter((ticket) => ticket.status === 'valid')
      .map((ticket) => ticketShape(shaping, registration, ticket)),
    registration.reason,
    keptUntil(shaping.world.event, registration),
  );

interface ToSend {
  kind: MailKind;
  recipient: string;
  name: string;
  /** The mail is about this attendee only. If absent, it is about the whole registration. */
  attendee?: Id;
}

function lettersOf(registration: RegistrationState): ToSend[] {
  const kind = kindOf(registration);
  const letters: ToSend[] = [];
  const { contact } = registration;
  const registrant = lower(contact.email);
  const handedOn = registration.handedOn ?? [];
  const parties = new Set(handedOn.flatMap(({ attendee, from }) => [lower(attendee.email), lower(from.email)]));
  // Whoever handed a place on or got it is told so, and needs no second mail about its new ticket.
  const isTold = kind === 'ticket_reissued' && parties.has(registrant);
  if (kind !== null && contact.email !== null && !isTold) {
    const name = [contact.first_name, contact.last_name].filter(Boolean).join(' ');
    letters.push({ kind, recipient: contact.email, name });
  }
  // Attendees with an e-mail address of their own get their own tickets.
  const ticketed = new Set(
    registration.happened.flatMap((one) =>
      'ticket' in one && one.type !== 'ticket.voided' ? one.ticket.attendee_ids : [],
    ),
  );
  for (const { id, first_name, last_name, email } of activeAttendees(registration)) {
    if (!ticketed.has(id) || email === null || lower(email) === registrant) continue;
    if (handedOn.some(({ attendee }) => attendee.id === id)) continue;
    letters.push({ kind: 'attendee_ticket', recipient: email, name: `${first_name} ${last_name}`, attendee: id });
  }
  for (const one of registration.happened) {
    if (one.type !== 'registration.attendee_removed' || one.attendee.email === null) continue;
    // Cancelling the last attendee cancels the registration, and the registrant gets a mail about that already.
    if (kind === 'cancelled' && lower(one.attendee.email) === registrant) continue;
    const { id, first_name, last_name, email } = one.attendee;
    letters.push({ kind: 'attendee_cancelled', recipient: email, name: `${first_name} ${last_name}`, attendee: id });
  }
  return [...letters, ...handedOn.flatMap(lettersOfHandOn)];
}

const lower = (email: string | null): string | null => email?.toLowerCase() ?? null;

/** The mails to both people when a place went from one to the other. */
function lettersOfHandOn({ attendee, from }: NonNullable<RegistrationState['handedOn']>[number]): ToSend[] {
  const to = (kind: MailKind, { first_name, last_name, email }: typeof from): ToSend[] =>
    email === null ? [] : [{ kind, recipient: email, name: `${first_name} ${last_name}`, attendee: attendee.id }];
  const isSame = lower(from.email) === lower(attendee.email);
  return [...to('place_received', attendee), ...(isSame ? [] : to('place_handed_on', from))];
}

/** The registrant's mail about what happened: the first kind that applies, so that one click never causes three mails. */
function kindOf(registration: RegistrationState): MailKind | null {
  const has = (type: Happening['type']) => registration.happened.some((one) => one.type === type);
  if (has('registration.declined')) return 'declined';
  if (has('registration.cancelled')) return 'cancelled';
  // The expiry is told once, and not again when something else is done to the expired registration.
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
