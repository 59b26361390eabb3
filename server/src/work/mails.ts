import type { Logger } from 'pino';
import { type Clock, HOUR, MINUTE } from '../clock.ts';
import type { MailTransport } from '../outside/mail.ts';
import type { Fate, QueuedMail, RenderMail, SettleMail } from '../road/mail.ts';
import { type Id, newId, toUlid } from '../store/ids.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { type Tx, transaction } from '../store/tx.ts';
import { Turns } from './mail-turns.ts';

/** After the n-th failure; then the mail is `failed` and its last error stays in the log. */
export const MAIL_RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
/** A claimed mail is due again after this, should its worker die. */
const LEASE = 5 * MINUTE;

/** Mails on the wire at once, and how many of them may be one organization's: a receiver that hangs must not hold up others. */
const PLACES = { all: 12, organization: 6 };
/** So many places are free before more is claimed: a transaction for each mail would be half of the work. */
const WORTH_IT = 3;

interface MailRow extends QueuedMail {
  subject: string;
  text: string | null;
  html: string | null;
  attachments: { filename: string; contentType: string; base64: string }[];
  attempts: number;
  content_id: Id | null;
}

interface Parts {
  pool: Pool;
  clock: Clock;
  transport: MailTransport;
  log: Logger;
  render?: RenderMail;
  settle?: SettleMail;
}

const nobodyRenders: RenderMail = async (_tx, mail) => {
  throw new Error(`nobody writes mails of the kind ${mail.kind}`);
};

/** Claims due mails under a lease, in turns (mail-turns.ts), sends without a transaction open, records each one's fate. */
export class Mailer {
  readonly #parts: Required<Parts>;
  readonly #turns = new Turns();
  readonly #sending = new Set<Promise<void>>();
  /** Mails of each organization on the wire. */
  readonly #ofOrg = new Map<Id, number>();
  /** Told when there is room for more. */
  onRoom: () => void = () => {};

  constructor(parts: Parts) {
    this.#parts = { render: nobodyRenders, settle: async () => {}, ...parts };
  }

  /** Starts what there is room for; answers how many. */
  async fill(): Promise<number> {
    return (await this.#fill()).length;
  }

  /** The same, and waits until each has its fate. */
  async step(): Promise<number> {
    const started = await this.#fill();
    await Promise.all(started);
    return started.length;
  }

  async #fill(): Promise<Promise<void>[]> {
    const free = PLACES.all - this.#sending.size;
    return free < WORTH_IT ? [] : (await this.#claim(free)).map((mail) => this.#start(mail));
  }

  async idle(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #claim(free: number): Promise<MailRow[]> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const placesOf = (org: Id) => PLACES.organization - (this.#ofOrg.get(org) ?? 0);
    const full = [...this.#ofOrg.keys()].filter((org) => placesOf(org) <= 0);
    return transaction(pool, clock, { role: 'system' }, async (tx) => {
      const turns = await this.#turns.next(tx, now, free, placesOf, full);
      if (turns.length === 0) return [];
      const mails = await tx.all<MailRow>(sql`
        update mails set attempts = attempts + 1, next_attempt_at = ${new Date(now.getTime() + LEASE)}
        where (org_id, id) in (
          select c.org_id, c.id
          from unnest(${turns.map((one) => one.org)}::uuid[], ${turns.map((one) => one.bulk)}::boolean[],
            ${turns.map((one) => one.mails)}::int[]) as t(org_id, bulk, mails)
          cross join lateral (
            select m.org_id, m.id from mails m
            where m.status = 'queued' and m.bulk = t.bulk and m.org_id = t.org_id and m.next_attempt_at <= ${now}
            order by m.next_attempt_at, m.id limit t.mails for update skip locked) c)
        returning org_id, id, kind, recipient, recipient_name, event_id, subject, text, html, attachments, data, content_id, attempts`);
      return this.#withContents(tx, mails);
    });
  }

  /** What several mails share is read once for all of them. */
  async #withContents(tx: Tx, mails: MailRow[]): Promise<MailRow[]> {
    const shared = mails.filter((mail) => mail.content_id !== null);
    if (shared.length === 0) return mails;
    const contents = await tx.all<{ id: Id; data: object }>(sql`
      select c.id, c.data from mail_contents c
      where (c.org_id, c.id) in (
        select * from unnest(${shared.map((mail) => mail.org_id)}::uuid[], ${shared.map((mail) => mail.content_id)}::uuid[]))`);
    const dataOf = new Map(contents.map(({ id, data }) => [id, data]));
    return mails.map((mail) =>
      mail.content_id === null
        ? mail
        : { ...mail, data: { ...dataOf.get(mail.content_id), ...(mail.data as object | null) } },
    );
  }

  #start(mail: MailRow): Promise<void> {
    const add = (by: 1 | -1) => {
      const count = (this.#ofOrg.get(mail.org_id) ?? 0) + by;
      if (count === 0) this.#ofOrg.delete(mail.org_id);
      else this.#ofOrg.set(mail.org_id, count);
    };
    add(1);
    const sending = this.#deliver(mail)
      // Its lease brings it back.
      .catch((error) =>
        this.#parts.log.warn({ mail: toUlid(mail.id), err: error }, 'the fate of a mail was not recorded'),
      )
      .finally(() => {
        add(-1);
        this.#sending.delete(sending);
        if (PLACES.all - this.#sending.size >= WORTH_IT) this.onRoom();
      });
    this.#sending.add(sending);
    return sending;
  }

  async #deliver(mail: MailRow): Promise<void> {
    const { pool, clock, transport, log, settle } = this.#parts;
    const fate = await this.#send(mail).catch((error: Error): Fate => {
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
  }

  async #send(mail: MailRow): Promise<Fate> {
    const { pool, clock, transport, render } = this.#parts;
    const words =
      mail.data === null
        ? { subject: mail.subject, text: mail.text ?? '', html: mail.html, attachments: mail.attachments }
        : await transaction(pool, clock, { role: 'app', org: mail.org_id }, (tx) => render(tx, mail), {
            readOnly: true,
          });
    if ('withdrawn' in words) return { status: 'withdrawn', reason: words.withdrawn };
    const attachments = typeof words.attachments === 'function' ? await words.attachments() : words.attachments;
    await transport.send({
      ...words,
      attachments,
      id: toUlid(mail.id),
      to: mail.recipient,
      toName: mail.recipient_name,
    });
    return { status: 'sent' };
  }
}
