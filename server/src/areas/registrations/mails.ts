import { newId, toUlid } from '../../common/ids.ts';
import { insertMails, type MailRow } from '../../road/for-areas/mail-rows.ts';
import { insertAll } from '../../store/bulk.ts';
import { dropUntold, withdrawHeld } from './held-mails.ts';
import { keptUntil } from './holds.ts';
import { type Letter, lettersOf, type MailQueue } from './letters-to-send.ts';
import { registrationShape, type Shaping, ticketShape } from './shapes.ts';
import { type Snapshot, snapshotOf } from './snapshot.ts';
import { isHandedOn, type RegistrationState } from './state.ts';
import { causedByStranger, heldUntil } from './stranger-mails.ts';

const CONTENT = { org_id: 'uuid', id: 'uuid', registration_id: 'uuid', data: 'jsonb' } as const;

/**
 * Queues the mails about what happened, in the transaction in which it happened; they are rendered when they are sent. Nothing is
 * sent about test registrations. What strangers cause beyond the budget of its recipient is held (stranger-mails.ts). Returns the
 * registrations about which somebody gets a mail.
 */
export async function queueMails(
  queue: MailQueue,
  shaping: Shaping,
  registrations: readonly RegistrationState[],
  { bulk }: { bulk: boolean },
): Promise<Set<RegistrationState>> {
  const { tx, org, now } = queue;
  const { event } = queue.world;
  const happened = registrations
    .filter((one) => !one.test && (one.sendMails ?? one.send_emails) && (one.fresh || one.touched))
    .flatMap((about) => lettersOf(about).map((letter): Letter => ({ ...letter, about })));
  const letters = await dropUntold(queue, happened);
  const held = await heldUntil(queue, letters.filter(causedByStranger));
  withdrawHeld(queue, letters);
  const contents: object[] = [];
  const mails: MailRow[] = [];
  for (const [registration, all] of Map.groupBy(letters, ({ about }) => about)) {
    const snapshot = takeSnapshot(shaping, registration);
    // If only the registrant gets a mail, it carries its own content. Otherwise the content is stored once and the mails share it.
    const shared = all.some((letter) => letter.attendees !== undefined);
    const content_id = shared ? newId(now) : null;
    if (shared) contents.push({ org_id: org, id: content_id, registration_id: registration.id, data: snapshot });
    for (const letter of all) {
      const { kind, recipient, name, attendees } = letter;
      const until = held.get(letter);
      mails.push({
        org_id: org,
        id: newId(now),
        kind,
        recipient,
        recipient_name: name,
        subject: event.name,
        // Earlier builds read `attendee` alone, and then show the first of several people.
        data: shared ? { attendee: attendees?.[0], ...((attendees?.length ?? 0) > 1 && { attendees }) } : snapshot,
        content_id,
        event_id: event.id,
        object_id: attendees?.[0] ?? registration.id,
        bulk,
        status: until === undefined ? 'queued' : 'held',
        next_attempt_at: until ?? now,
        created_at: now,
      });
    }
  }
  insertAll(tx, 'mail_contents', CONTENT, contents);
  insertMails(tx, mails);
  return new Set(letters.map(({ about }) => about));
}

const takeSnapshot = (shaping: Shaping, registration: RegistrationState): Snapshot =>
  snapshotOf(
    registrationShape(shaping, registration),
    registration.tickets
      .filter((ticket) => ticket.status === 'valid')
      .map((ticket) => ticketShape(shaping, registration, ticket)),
    registration.reason,
    new Set(registration.attendees.flatMap((one) => (isHandedOn(registration, one) ? [toUlid(one.id)] : []))),
    keptUntil(shaping.world.event, registration),
  );
