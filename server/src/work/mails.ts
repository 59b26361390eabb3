import type { Logger } from 'pino';
import { type Clock, HOUR, MINUTE } from '../clock.ts';
import { type Id, newId, toUlid } from '../common/ids.ts';
import { tracing } from '../common/tracing.ts';
import type { MailTransport } from '../outside/mail.ts';
import type { Fate, QueuedMail, RenderMail, SettleMail } from '../road/for-areas/mail.ts';
import type { Measures } from '../road/measures.ts';
import type { Pool } from '../store/pool.ts';
import { sql } from '../store/sql.ts';
import { jobTransaction, type Tx } from '../store/tx.ts';
import { GiveWay, type Served, servedBy } from './give-way.ts';
import { Turns } from './mail-turns.ts';

/** How long to wait after the first failure, the second, and so on. After one more failure the mail is `failed`. */
export const MAIL_RETRIES = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
/** A claimed mail is due again after this time, in case its worker dies. */
const LEASE = 5 * MINUTE;

/**
 * How many mails are sent at once, and how many of them for one organization. Each needs a slot while it is being sent, and a mail
 * server that hangs must not hold up the mails of others.
 */
const SLOTS = { all: 12, organization: 6 };
/** More mails are claimed once this many slots are free. One transaction for each mail would be half of the work. */
const WORTH_CLAIMING = 3;

interface MailRow extends QueuedMail {
  subject: string;
  text: string | null;
  html: string | null;
  attachments: { filename: string; contentType: string; base64: string }[];
  attempts: number;
  /** One of many, which nobody waits for. */
  bulk: boolean;
  content_id: Id | null;
  sandbox: boolean;
  /** The organization in whose name it goes to registered people. Null: the installation writes to its members. */
  sender: string | null;
}

interface Parts {
  pool: Pool;
  clock: Clock;
  transport: MailTransport;
  log: Logger;
  render?: RenderMail;
  settle?: SettleMail;
  measures?: Measures;
  /** How much of the time callers are being served. */
  served?: Served;
}

const noRenderer: RenderMail = async (_tx, mail) => {
  throw new Error(`mails of the kind ${mail.kind} cannot be rendered: no renderer was passed to the mailer`);
};

/**
 * Sends due mails. It claims them under a lease, organizations taking turns (mail-turns.ts), sends them while no transaction is open,
 * and records what became of each. Tickets for bulk mails are printed one after the other, with rests while callers are being served:
 * printing takes most of the processor time of such a mail.
 */
export class Mailer {
  readonly #parts: Required<Omit<Parts, 'measures' | 'served'>> & Pick<Parts, 'measures'>;
  readonly #turns = new Turns();
  readonly #sending = new Set<Promise<void>>();
  /** How many mails of each organization are being sent. */
  readonly #ofOrg = new Map<Id, number>();
  readonly #stopping = new AbortController();
  readonly #way: GiveWay;
  /** Called when more mails can be claimed. */
  onRoom: () => void = () => {};

  constructor({ served, ...parts }: Parts) {
    this.#parts = { render: noRenderer, settle: async () => {}, ...parts };
    this.#way = new GiveWay(served ?? servedBy(parts.pool), this.#stopping.signal);
  }

  /** Starts as many mails as there is room for, and answers how many. */
  async fill(): Promise<number> {
    return (await this.#fill()).length;
  }

  /** Does the same, and waits until it is recorded what became of each. */
  async step(): Promise<number> {
    const started = await this.#fill();
    await Promise.all(started);
    return started.length;
  }

  async #fill(): Promise<Promise<void>[]> {
    const free = SLOTS.all - this.#sending.size;
    return free < WORTH_CLAIMING ? [] : (await this.#claim(free)).map((mail) => this.#start(mail));
  }

  /** Waits until it is recorded what became of each, without further rests. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#sending);
  }

  async #claim(free: number): Promise<MailRow[]> {
    const { pool, clock } = this.#parts;
    const now = clock.now();
    const slotsOf = (org: Id) => SLOTS.organization - (this.#ofOrg.get(org) ?? 0);
    const full = [...this.#ofOrg.keys()].filter((org) => slotsOf(org) <= 0);
    return jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
      const turns = await this.#turns.next(tx, now, free, slotsOf, full);
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
        returning org_id, id, kind, recipient, recipient_name, event_id, object_id, subject, text, html, attachments, data, content_id, attempts, bulk,
          (select o.sandbox from organizations o where o.id = mails.org_id) as sandbox,
          case when event_id is not null or kind = 'registration_links'
            then (select o.name from organizations o where o.id = mails.org_id) end as sender`);
      return this.#withContents(tx, mails);
    });
  }

  /** Adds to each mail the contents that it shares with others. They are read once for all of them. */
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
    const sending = this.#begin(mail)
      // When its lease is over, it is sent again.
      .catch((error) =>
        this.#parts.log.warn({ mail: toUlid(mail.id), err: error }, 'it could not be recorded what became of a mail'),
      )
      .finally(() => {
        add(-1);
        this.#sending.delete(sending);
        if (SLOTS.all - this.#sending.size >= WORTH_CLAIMING) this.onRoom();
      });
    this.#sending.add(sending);
    return sending;
  }

  #begin(mail: MailRow): Promise<void> {
    if (tracing === null) return this.#deliver(mail);
    const told = { 'turnout.mail': toUlid(mail.id), 'turnout.mail.kind': mail.kind, 'turnout.attempt': mail.attempts };
    const span = tracing.begin(`mail ${mail.kind}`, { parent: null, kind: 'consumer', told });
    return tracing.during(span, () => this.#deliver(mail));
  }

  async #deliver(mail: MailRow): Promise<void> {
    const { pool, clock, transport, log, settle, measures } = this.#parts;
    const fate = await this.#send(mail).catch((error: Error): Fate => {
      tracing?.current?.fail('not_sent');
      const why = error.message.slice(0, 500);
      log.warn({ mail: toUlid(mail.id), attempt: mail.attempts, why }, 'mail not sent');
      return { status: 'failed', error: why };
    });
    const retry = fate.status === 'failed' ? MAIL_RETRIES[mail.attempts - 1] : undefined;
    const at = clock.now();
    const recorded = await jobTransaction(pool, clock, { role: 'system' }, async (tx) => {
      // This is written only while the claim is ours. If another worker took the mail over after the lease, its result counts.
      const recorded = await tx.run(sql`
        update mails set status = ${retry === undefined ? fate.status : 'queued'},
          sent_at = ${fate.status === 'sent' ? at : null}, last_error = ${fate.status === 'failed' ? fate.error : null},
          next_attempt_at = ${new Date(at.getTime() + (retry ?? 0))}
        where org_id = ${mail.org_id} and id = ${mail.id} and attempts = ${mail.attempts} and status = 'queued'`);
      if (recorded > 0 && retry === undefined) await settle(tx, mail, fate);
      // Somebody in this mail was erased while it was being sent, so what the transport has kept of this attempt is removed.
      if (transport.forget !== undefined) {
        await tx.run(sql`
          insert into files_to_remove (org_id, id, kept_by, key)
          select org_id, ${newId(at)}, 'mails', ${toUlid(mail.id)} from mails
          where org_id = ${mail.org_id} and id = ${mail.id} and erased_attempts >= ${mail.attempts}`);
      }
      return recorded;
    });
    if (recorded > 0) measures?.mail(retry === undefined ? fate.status : 'retried');
  }

  async #send(mail: MailRow): Promise<Fate> {
    // Anybody may use the sandbox, under any name and address.
    if (mail.sandbox) return { status: 'withdrawn', reason: 'The sandbox sends no mail.' };
    const { pool, clock, transport, render } = this.#parts;
    const rendered =
      mail.data === null
        ? { subject: mail.subject, text: mail.text ?? '', html: mail.html, attachments: mail.attachments }
        : await jobTransaction(pool, clock, { role: 'app', org: mail.org_id }, (tx) => render(tx, mail), {
            readOnly: true,
          });
    if ('withdrawn' in rendered) return { status: 'withdrawn', reason: rendered.withdrawn };
    const letter = {
      ...(typeof rendered === 'function' ? await (mail.bulk ? this.#way.inTurn(rendered) : rendered()) : rendered),
      id: toUlid(mail.id),
      to: mail.recipient,
      toName: mail.recipient_name,
      fromName: mail.sender,
    };
    await (tracing === null ? transport.send(letter) : tracing.step('send', () => transport.send(letter)));
    return { status: 'sent' };
  }
}
