import type { AccountLanguage } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import type { Secrets } from '../../common/secrets.ts';
import { renderNotice } from '../../outside/mail-templates/notice.ts';
import type { QueuedMail, Rendered, Withdrawn } from '../../road/for-areas/mail.ts';
import { insertRow } from '../../store/rows.ts';
import type { Tx } from '../../store/tx.ts';
import { type AccountMailKind, accountWords } from './words.ts';

/**
 * Mails to accounts belong to no organization. They wait in the same queue as all others, below this id, which no organization can
 * have: ids begin with the time at which they are made.
 */
export const NO_ORGANIZATION: Id = '00000000-0000-0000-0000-00000000acc7';

interface MailContent {
  /** Below `/app/-`, with the token: `/link#…`. Null: the mail only tells something. */
  path: string | null;
  /** Another address that the mail speaks of. */
  email?: string;
}
interface Data {
  language: AccountLanguage;
  /** What the mail tells, encrypted: the queue keeps its rows, and whoever reads them must not get the link. */
  sealed: string;
  /** Until when the mail is worth sending. */
  until: string | null;
  /** Nobody has the address, so nothing is sent. */
  toNobody: boolean;
}

export interface AccountMail extends MailContent {
  kind: AccountMailKind;
  to: string;
  toName: string | null;
  language: AccountLanguage;
  until: Date | null;
  /**
   * The address belongs to no account. The mail is queued all the same, so that the answer takes as long as for one that does, and
   * is dropped by the worker.
   */
  toNobody?: boolean;
}

/** Queues a mail in the current transaction. The worker writes its text when it sends it. */
export async function queueAccountMail(tx: Tx, secrets: Secrets, mail: AccountMail): Promise<void> {
  const now = tx.clock.now();
  const content: MailContent = { path: mail.path, ...(mail.email !== undefined && { email: mail.email }) };
  const data: Data = {
    language: mail.language,
    sealed: secrets.encrypt(Buffer.from(JSON.stringify(content))).toString('base64'),
    until: mail.until?.toISOString() ?? null,
    toNobody: mail.toNobody ?? false,
  };
  await insertRow(tx, 'mails', {
    org_id: NO_ORGANIZATION,
    id: newId(now),
    kind: `account_${mail.kind}`,
    recipient: mail.to,
    recipient_name: mail.toName,
    subject: `account_${mail.kind}`,
    data: JSON.stringify(data),
    next_attempt_at: now,
    created_at: now,
  });
}

export const isAccountMail = ({ org_id }: QueuedMail): boolean => org_id === NO_ORGANIZATION;

/** Writes the text of a mail to an account. */
export function accountMailRenderer(secrets: Secrets, publicUrl: string) {
  return async (tx: Tx, mail: QueuedMail): Promise<Rendered | Withdrawn> => {
    const { language, sealed, until, toNobody } = mail.data as Data;
    if (toNobody) return { withdrawn: 'no account has this address' };
    if (until !== null && Date.parse(until) <= tx.clock.now().getTime()) return { withdrawn: 'its link has expired' };
    const { path, email } = JSON.parse(secrets.decrypt(Buffer.from(sealed, 'base64')).toString()) as MailContent;
    const kind = mail.kind.replace(/^account_/, '') as AccountMailKind;
    const words = accountWords(kind, language, { to: mail.recipient, email: email ?? '' });
    const notice = renderNotice({
      language,
      from: 'Turnout',
      ...words,
      action: path === null || words.button === null ? null : { label: words.button, url: `${publicUrl}/app/-${path}` },
    });
    return { ...notice, attachments: [] };
  };
}
