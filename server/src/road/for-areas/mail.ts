import { type Id, newId } from '../../common/ids.ts';
import { insertRow } from '../../store/rows.ts';
import type { Tx } from '../../store/tx.ts';

export interface Attachment {
  filename: string;
  contentType: string;
  base64: string;
  cid?: string;
}

/** A mail to one recipient. It is queued in the transaction of the work and sent by the worker; its row stays in the log. */
export interface Mail {
  kind: string;
  to: string;
  toName?: string | null;
  subject: string;
  text: string;
  html?: string;
  attachments?: Attachment[];
  event?: Id;
  object?: Id;
}

export async function queueMail(tx: Tx, org: Id, mail: Mail): Promise<Id> {
  const now = tx.clock.now();
  const id = newId(now);
  await insertRow(tx, 'mails', {
    org_id: org,
    id,
    kind: mail.kind,
    recipient: mail.to,
    recipient_name: mail.toName ?? null,
    subject: mail.subject,
    html: mail.html ?? null,
    text: mail.text,
    attachments: JSON.stringify(mail.attachments ?? []),
    event_id: mail.event ?? null,
    object_id: mail.object ?? null,
    next_attempt_at: now,
    created_at: now,
  });
  return id;
}

/** Queues a mail whose text is made from `data` when it is sent: it would be too large to keep, or contains a secret. */
export async function queueToRender(
  tx: Tx,
  org: Id,
  mail: Pick<Mail, 'kind' | 'to' | 'subject' | 'object'> & { data: object },
): Promise<void> {
  const now = tx.clock.now();
  await insertRow(tx, 'mails', {
    org_id: org,
    id: newId(now),
    kind: mail.kind,
    recipient: mail.to,
    subject: mail.subject,
    data: JSON.stringify(mail.data),
    object_id: mail.object ?? null,
    next_attempt_at: now,
    created_at: now,
  });
}

/** A queued mail whose text is made when it is sent. */
export interface QueuedMail {
  org_id: Id;
  id: Id;
  kind: string;
  recipient: string;
  recipient_name: string | null;
  event_id: Id | null;
  /** What the mail is about: a registration, an attendee or something else. */
  object_id: Id | null;
  data: unknown;
}
export interface Rendered {
  subject: string;
  text: string;
  html: string;
  attachments: Attachment[];
  headers?: Record<string, string>;
}
/** The mail is not to be sent any more, for this reason. */
export interface Withdrawn {
  withdrawn: string;
}
/** A function is for mails whose attachments take long to make. It runs after the transaction, so that it holds no connection. */
export type RenderMail = (tx: Tx, mail: QueuedMail) => Promise<Rendered | Withdrawn | (() => Promise<Rendered>)>;

/** What became of a mail: a mail server has accepted it, we gave up, or it was not to be sent any more. */
export type Fate = { status: 'sent' } | { status: 'failed'; error: string } | { status: 'withdrawn'; reason: string };
/** Called in the transaction that records what became of a mail. */
export type SettleMail = (tx: Tx, mail: QueuedMail, fate: Fate) => Promise<void>;
