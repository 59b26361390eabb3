import type { Logger } from 'pino';
import { type Clock, HOUR, MINUTE } from '../clock.ts';
import type { MailTransport } from '../outside/mail.ts';
import type { Fate, QueuedMail, RenderMail, SettleMail } from '../road/mail.ts';
import { newId, toUlid } from '../store/ids.ts';
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
  (
    pool: Pool,
    clock: Clock,
    transport: MailTransport,
    log: Logger,
    batch = 20,
    render: RenderMail = nobodyRenders,
    settle: SettleMail = async () => {},
  ) =>
  async () => {
    const now = clock.now();
    const claimed = await transaction(pool, clock, { role: 'system' }, (tx) =>
      tx.all<MailRow>(sql`
      update mails set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + LEASE)}
      where (org_id, id) in (
        select org_id, id from mails where status = 'queued' and next_attempt_at <= ${now}
        order by bulk, next_attempt_at, id limit ${batch} for update skip locked)
      returning org_id, id, kind, recipient, recipient_name, event_id, subject, text, html, attachments, data, attempts`),
    );
    const send = async (mail: MailRow): Promise<Fate> => {
      const words =
        mail.data === null
          ? { subject: mail.subject, text: mail.text ?? '', html: mail.html, attachments: mail.attachments }
          : await transaction(pool, clock, { role: 'app', org: mail.org_id }, (tx) => render(tx, mail), {
              readOnly: true,
            });
      if ('withdrawn' in words) return { status: 'withdrawn', reason: words.withdrawn };
      await transport.send({ ...words, id: toUlid(mail.id), to: mail.recipient, toName: mail.recipient_name });
      return { status: 'sent' };
    };
    await Promise.all(
      claimed.map(async (mail) => {
        const fate = await send(mail).catch((error: Error): Fate => {
          const why = error.message.slice(0, 500);
          log.warn({ mail: toUlid(mail.id), attempt: mail.attempts, why }, 'mail not sent');
          return { status: 'failed', error: why };
        });
        const retry = fate.status === 'failed' ? MAIL_RETRIES[mail.attempts - 1] : undefined;
        const at = clock.now();
        await transaction(pool, clock, { role: 'system' }, async (tx) => {
          // Only while the claim is ours: whoever took it over after the lease has the say.
          const recorded = await tx.run(sql`
            update mails set status = ${retry === undefined ? fate.status : 'queued'},
              sent_at = ${fate.status === 'sent' ? at : null}, last_error = ${fate.status === 'failed' ? fate.error : null},
              next_attempt_at = ${new Date(at.getTime() + (retry ?? 0))}
            where org_id = ${mail.org_id} and id = ${mail.id} and attempts = ${mail.attempts} and status = 'queued'`);
          if (recorded > 0 && retry === undefined) await settle(tx, mail, fate);
          // Somebody in it was erased while it was sent: what the transport has kept of this attempt goes.
          if (transport.forget !== undefined) {
            await tx.run(sql`
              insert into files_to_remove (org_id, id, kept_by, key)
              select org_id, ${newId(at)}, 'mails', ${toUlid(mail.id)} from mails
              where org_id = ${mail.org_id} and id = ${mail.id} and erased_attempts >= ${mail.attempts}`);
          }
        });
      }),
    );
    return claimed.length;
  };
