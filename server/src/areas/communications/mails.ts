import type { CommunicationKind } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import type { Links } from '../../road/for-areas/links.ts';
import type { QueuedMail, RenderMail, SettleMail } from '../../road/for-areas/mail.ts';
import { insertMails } from '../../road/for-areas/mail-rows.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { type Message, renderMessage } from './letter.ts';
import { hashOf, headersOf, linkOf } from './unsubscribe.ts';
import { loadRecipients, sampleRecipient, settingOf, valuesOf } from './values.ts';

/** A communication's mail to one recipient. The text is read from the communication, which can no longer be changed. */
export interface CopyData {
  communication: Id;
  attendee: Id;
}
/** A test mail. It keeps the text it was sent with. If `attendee` is null, sample values fill the placeholders. */
export interface TestData extends Message {
  communication: Id;
  attendee: Id | null;
  /** The group that the caller who sent the test is limited to. */
  group?: Id | null;
}

export const COPY = 'communication';
export const TEST = 'communication_test';
export const isMessage = ({ kind }: QueuedMail): boolean => kind === COPY || kind === TEST;

interface ToSend {
  kind: typeof COPY | typeof TEST;
  to: string;
  toName: string | null;
  data: CopyData | TestData;
}

/** Queues mails in the current transaction. Their text is written when they are sent. */
export function queueMessages(
  tx: Tx,
  org: Id,
  { event_id, subject }: { event_id: Id; subject: string },
  mails: readonly ToSend[],
): void {
  const now = tx.clock.now();
  const rows = mails.map(({ kind, to, toName, data }) => ({
    org_id: org,
    id: newId(now),
    kind,
    recipient: to,
    recipient_name: toName,
    subject,
    data,
    content_id: null,
    event_id,
    object_id: data.attendee ?? data.communication,
    bulk: kind === COPY,
    status: 'queued' as const,
    next_attempt_at: now,
    created_at: now,
  }));
  insertMails(tx, rows);
}

/**
 * The link with which a recipient manages their registration or place. The area `registrations` makes it, which is built on this one;
 * so that no circle of imports arises, server/src/start/background.ts hands its function in.
 */
type ManageLink = (tx: Tx, org: Id, attendee: Id, recipient: string) => Promise<string | null>;

/** Writes an organizer's message to one recipient, or withdraws it if the recipient must not get it any more. */
export const messageRenderer =
  (links: Links, manageLink: ManageLink): RenderMail =>
  async (tx, mail) => {
    const { org_id: org, event_id } = mail;
    const { communication, attendee } = mail.data as CopyData | TestData;
    const group = mail.kind === TEST ? ((mail.data as TestData).group ?? null) : null;
    const address = await addressOf(tx, mail);
    const message = mail.kind === TEST ? (mail.data as TestData) : await stillWanted(tx, org, mail.data as CopyData);
    const setting = await settingOf(tx, org, event_id!);
    if (message === null || setting === null) return { withdrawn: 'cancelled' };
    if (mail.kind === COPY && message.kind === 'news' && address.unsubscribed) return { withdrawn: 'unsubscribed' };
    const recipient = attendee === null ? undefined : (await loadRecipients(tx, org, [attendee], group)).get(attendee);
    const link =
      message.kind === 'service'
        ? null
        : linkOf(links, tx.clock.now(), { org, communication, event: event_id!, address: address.hash });
    const words = renderMessage(message, setting, {
      values: valuesOf(recipient ?? (await sampleRecipient(tx, org, event_id!)), setting),
      unsubscribe: link,
      manage: mail.kind === COPY && attendee !== null ? await manageLink(tx, org, attendee, mail.recipient) : null,
      test: mail.kind === TEST,
    });
    return { ...words, attachments: [], ...(link !== null && { headers: headersOf(link) }) };
  };

const addressOf = (tx: Tx, { org_id, recipient }: QueuedMail): Promise<{ hash: Buffer; unsubscribed: boolean }> =>
  tx.one(sql`
    select h.hash, exists (select from unsubscribed u where u.org_id = ${org_id} and u.address = h.hash) as unsubscribed
    from (select ${hashOf(org_id, recipient)} as hash) h`);

/** The message, if the recipient's row is still `queued`: cancelling and erasing change that row. */
const stillWanted = (tx: Tx, org: Id, { communication, attendee }: CopyData): Promise<Message | null> =>
  tx.maybe<{ kind: CommunicationKind; subject: string; text: string }>(sql`
    select c.kind, c.subject, c.text from communication_recipients p
    join communications c on c.org_id = p.org_id and c.id = p.communication_id
    where p.org_id = ${org} and p.communication_id = ${communication} and p.attendee_id = ${attendee} and p.status = 'queued'`);

/**
 * A mail that was delivered while the communication was being cancelled is recorded as `sent`. Any other outcome does not
 * overwrite what cancelling or erasing wrote into the recipient's row.
 */
export const settleMessage: SettleMail = async (tx, mail, fate) => {
  if (mail.kind !== COPY) return;
  const { communication, attendee } = mail.data as CopyData;
  const status = fate.status === 'withdrawn' ? 'skipped' : fate.status;
  await tx.run(sql`
    update communication_recipients set status = ${status}, settled_at = ${tx.clock.now()},
      reason = ${fate.status === 'withdrawn' ? fate.reason : null}, error = ${fate.status === 'failed' ? fate.error : null}
    where org_id = ${mail.org_id} and communication_id = ${communication} and attendee_id = ${attendee}
      and (status = 'queued' or ${fate.status === 'sent'}::boolean)`);
};
