import type { Logger } from 'pino';
import { type Clock, HOUR, MINUTE } from '../clock.ts';
import type { MailTransport } from '../outside/mail.ts';
import type { QueuedMail, RenderMail } from '../road/mail.ts';
import { toUlid } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';

/** After the n-th failure; then the mail is `failed` and its last error stays in the log. */
export const MAIL_RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
/** A claimed mail is due again after this, should its worker die. */
const LEASE = 5 * MINUTE;

interface MailRow extends QueuedMail {
  subject: string;
  text: string | null;
  html: string | null;
  attachments: { filename: string; contentType: string; base64: string }[];
  attempts: number;
}

const nobodyRenders: RenderMail = async (_tx, mail) => {
  throw new Error(`nobody writes mails of the kind ${mail.kind}`);
};

/** Claims due mails under a lease, sends without a transaction open, records each one's fate. */
export const mailStep =
  (pool: Pool, clock: Clock, transport: MailTransport, log: Logger, batch = 20, render: RenderMail = nobodyRenders) =>
  async () => {
    const now = clock.now();
    const claimed = await transaction(pool, clock, { role: 'system' }, (tx) =>
      tx.all<MailRow>(sql`
      update mails set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + LEASE)}
      where (org_id, id) in (
        select org_id, id from mails where status = 'queued' and next_attempt_at <= ${now}
        order by next_attempt_at, id limit ${batch} for update skip locked)
      returning org_id, id, kind, recipient, recipient_name, event_id, subject, text, html, attachments, data, attempts`),
    );
    await Promise.all(
      claimed.map(async (mail) => {
        const id = toUlid(mail.id);
        let failure: string | null = null;
        try {
          const words =
            mail.data === null
              ? { subject: mail.subject, text: mail.text ?? '', html: mail.html, attachments: mail.attachments }
              : await transaction(pool, clock, { role: 'app', org: mail.org_id }, (tx) => render(tx, mail), {
                  readOnly: true,
                });
          await transport.send({ ...words, id, to: mail.recipient, toName: mail.recipient_name });
        } catch (error) {
          failure = (error as Error).message.slice(0, 500);
          log.warn({ mail: id, attempt: mail.attempts, why: failure }, 'mail not sent');
        }
        const retry = MAIL_RETRIES[mail.attempts - 1];
        const at = clock.now();
        // Only while the claim is ours: whoever took it over after the lease has the say.
        const mine = sql`org_id = ${mail.org_id} and id = ${mail.id} and attempts = ${mail.attempts} and status = 'queued'`;
        await transaction(pool, clock, { role: 'system' }, (tx) =>
          failure === null
            ? tx.run(sql`
              update mails set status = 'sent', sent_at = ${at}, last_error = null where ${mine}`)
            : tx.run(sql`
              update mails set last_error = ${failure}, status = ${retry === undefined ? 'failed' : 'queued'},
                next_attempt_at = ${new Date(at.getTime() + (retry ?? 0))}
              where ${mine}`),
        );
      }),
    );
    return claimed.length;
  };
