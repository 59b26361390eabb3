import { type Id, newId } from '../store/ids.ts';
import { insertRow } from '../store/rows.ts';
import type { Tx } from '../store/tx.ts';

export interface Attachment {
  filename: string;
  contentType: string;
  base64: string;
  cid?: string;
}

/** A mail to one person. Queued in the transaction of the work, sent by the worker, kept in the log with its fate. */
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

/** A queued mail whose words are made when it is sent. */
export interface QueuedMail {
  org_id: Id;
  id: Id;
  kind: string;
  recipient: string;
  recipient_name: string | null;
  event_id: Id | null;
  data: unknown;
}
export interface Rendered {
  subject: string;
  text: string;
  html: string;
  /** What takes long to make is made when the transaction is over: it must not hold a connection. */
  attachments: Attachment[] | (() => Promise<Attachment[]>);
  headers?: Record<string, string>;
}
/** Nobody is to get it any more. */
export interface Withdrawn {
  withdrawn: string;
}
export type RenderMail = (tx: Tx, mail: QueuedMail) => Promise<Rendered | Withdrawn>;

/** What became of a mail: it was taken by a mail server, given up, or not to go out any more. */
export type Fate = { status: 'sent' } | { status: 'failed'; error: string } | { status: 'withdrawn'; reason: string };
/** Told in the transaction that records the fate. */
export type SettleMail = (tx: Tx, mail: QueuedMail, fate: Fate) => Promise<void>;
