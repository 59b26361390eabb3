import type { Id } from '../../common/ids.ts';
import { insertAll } from '../../store/bulk.ts';
import type { Tx } from '../../store/tx.ts';

/** A mail whose text is written only when it is sent, as areas queue many of them at once. */
export interface MailRow {
  org_id: Id;
  id: Id;
  kind: string;
  recipient: string;
  recipient_name: string | null;
  subject: string;
  data: unknown;
  /** The row of `mail_contents` that holds what several mails share. */
  content_id: Id | null;
  event_id: Id;
  object_id: Id;
  /** Mails to many wait behind the organization's other mails. */
  bulk: boolean;
  /** `held`: it waits for room in the budget of its recipient (areas/registrations/stranger-mails.ts). */
  status: 'queued' | 'held';
  next_attempt_at: Date;
  created_at: Date;
}

const COLUMNS: Record<keyof MailRow, string> = {
  org_id: 'uuid',
  id: 'uuid',
  kind: 'text',
  recipient: 'text',
  recipient_name: 'text',
  subject: 'text',
  data: 'jsonb',
  content_id: 'uuid',
  event_id: 'uuid',
  object_id: 'uuid',
  bulk: 'boolean',
  status: 'text',
  next_attempt_at: 'timestamptz',
  created_at: 'timestamptz',
};

/** Queues mails in the transaction that causes them. The worker sends them after the commit. */
export const insertMails = (tx: Tx, mails: readonly MailRow[]): void => insertAll(tx, 'mails', COLUMNS, mails);
