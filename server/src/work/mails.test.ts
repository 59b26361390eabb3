import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Body } from '@turnout/contract';
import pg from 'pg';
import { pino } from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { HeldClock } from '../../../test/support/clock.ts';
import { leaf, lines, parse, Receiver } from '../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { DAY, HOUR, MINUTE } from '../clock.ts';
import { type Id, toUlid } from '../common/ids.ts';
import { Refusal } from '../common/refusal.ts';
import { type MailTransport, smtpTransport } from '../outside/mail.ts';
import { type Mail, queueMail } from '../road/for-areas/mail.ts';
import { operation } from '../road/operation.ts';
import { sql } from '../store/sql.ts';
import { Mailer } from './mails.ts';

/** Queues a mail as an operation does: in the transaction of its work, and rolled back with it. */
const invite = operation({
  id: 'inviteByMail',
  method: 'POST',
  path: '/invitations',
  scope: 'write',
  entitlement: 'api_write',
  member: null,
  audit: 'invitation.sent',
  at: {},
  body: Body({ subject: Type.String(), refuse: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ id: Type.String() }),
  status: 201,
  refusals: ['invalid_state'],
  tag: 'Invitations',
  summary: 'Invite somebody',
  handle: async ({ tx, org, body }) => {
    const id = await queueMail(tx, org, { ...plain, subject: body.subject });
    if (body.refuse) throw new Refusal('invalid_state', { message: 'refused after the mail was queued' });
    return { id: toUlid(id) };
  },
});

const plain: Mail = { kind: 'note', to: 'ada@example.org', subject: 'Hello', text: 'Hello Ada' };

let receiver: Receiver;
let t: TestTurnout;
let org: Id;
const clock = new HeldClock();
beforeAll(async () => {
  receiver = await new Receiver().start();
  t = await startTest({
    clock,
    operations: [invite],
    env: { SMTP_URL: receiver.url, MAIL_FROM: 'Büro <office@example.org>' },
  });
  org = await t.org('acme');
});
afterAll(async () => {
  t.mail.close();
  await t.stop();
  await receiver.stop();
});
beforeEach(async () => {
  receiver.clear();
  await t.system((tx) => tx.run(sql`delete from mails`));
});

const queue = (mail: Partial<Mail> = {}): Promise<Id> => t.system((tx) => queueMail(tx, org, { ...plain, ...mail }));
const queueMany = (count: number): Promise<string[]> =>
  t.system(async (tx) => {
    const ids: string[] = [];
    for (let i = 0; i < count; i += 1) ids.push(toUlid(await queueMail(tx, org, { ...plain, subject: `mail ${i}` })));
    return ids;
  });
const row = (id: Id) =>
  t.system((tx) =>
    tx.one<{
      status: string;
      attempts: number;
      next_attempt_at: string;
      sent_at: string | null;
      last_error: string | null;
    }>(sql`select status, attempts, next_attempt_at, sent_at, last_error from mails where id = ${id}`),
  );
const mailer = (transport: MailTransport) =>
  new Mailer({ pool: t.pool, clock, transport, log: pino({ level: 'silent' }) });
const messageIds = () => receiver.received.map((one) => one.mail.headers.get('message-id'));
const time = (text: string | null) => new Date(text!).getTime();

describe('through SMTP', () => {
  test('subject, text, HTML, attachment and a name in any alphabet arrive as they were written', async () => {
    const pdf = Buffer.from(Array.from({ length: 2000 }, (_, i) => (i * 7) % 256));
    const subject = `Dein Ticket für „Große Gala“ — 王小明, bitte mitbringen: ${'sehr '.repeat(20)}wichtig`;
    const text = 'Grüße aus Łódź\n.\nA line with a single dot above, and = signs = here.\n👋 Bis bald';
    const id = await queue({
      to: 'zoe@example.org',
      toName: 'Zoë Müller-Łukasiewicz "王小明", B.A.',
      subject,
      text,
      html: '<p>Grüße aus <b>Łódź</b> 👋</p>',
      attachments: [{ filename: 'ticket.pdf', contentType: 'application/pdf', base64: pdf.toString('base64') }],
    });
    expect(await t.step.mails()).toBe(1);
    expect(receiver.received).toHaveLength(1);
    const { from, to, mail } = receiver.received[0]!;
    expect([from, to]).toEqual(['office@example.org', ['zoe@example.org']]);
    expect(mail.headers.get('from')).toBe('Büro <office@example.org>');
    expect(mail.headers.get('subject')).toBe(subject);
    const [, name, address] = /^(.*) <(.*)>$/.exec(mail.headers.get('to')!)!;
    expect(name!.replaceAll(/^"|"$/g, '')).toBe("Zoë Müller-Łukasiewicz '王小明', B.A.");
    expect(address).toBe('zoe@example.org');
    expect(mail.headers.get('message-id')).toBe(`<${toUlid(id)}@turnout>`);
    expect(lines(leaf(mail, 'text/plain').text)).toBe(text);
    expect(lines(leaf(mail, 'text/html').text)).toBe('<p>Grüße aus <b>Łódź</b> 👋</p>');
    const attachment = leaf(mail, 'application/pdf');
    expect(attachment.headers.get('content-disposition')).toMatch(/^attachment; filename="?ticket\.pdf"?$/);
    expect(attachment.body.equals(pdf)).toBe(true);
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 1, last_error: null });
    expect(time((await row(id)).sent_at)).toBe(clock.now().getTime());
    expect(await t.step.mails()).toBe(0);
  });

  test('a name or subject with line breaks adds no header and no recipient', async () => {
    await queue({
      toName: 'Eve\r\nBcc: spy@example.org',
      subject: 'Hello\r\nBcc: spy@example.org\r\n\r\nanother body',
    });
    await t.step.mails();
    const { to, mail } = receiver.received[0]!;
    expect(to).toEqual(['ada@example.org']);
    expect(mail.headers.has('bcc')).toBe(false);
    expect(lines(mail.text)).toBe('Hello Ada');
  });

  test('a mail without HTML and attachments is one part of plain text', async () => {
    await queue();
    await t.step.mails();
    expect(receiver.received[0]!.mail.parts).toEqual([]);
    expect(lines(receiver.received[0]!.mail.text)).toBe('Hello Ada');
  });
});

describe('without SMTP', () => {
  test('mails are written as files to DATA_DIR/mails, which mail programs can read', async () => {
    const files = await startTest();
    try {
      const other = await files.org('files');
      const id = await files.system((tx) =>
        queueMail(tx, other, { ...plain, toName: 'Łukasz', subject: 'Für später', html: '<p>Für später</p>' }),
      );
      const folder = join(files.dataDir, 'mails');
      expect(existsSync(folder)).toBe(false);
      expect(files.mail.describe).toContain('SMTP_URL');
      expect(await files.step.mails()).toBe(1);
      expect(readdirSync(folder)).toEqual([`${toUlid(id)}.eml`]);
      const mail = parse(readFileSync(join(folder, `${toUlid(id)}.eml`)));
      expect(mail.headers.get('subject')).toBe('Für später');
      expect(mail.headers.get('to')).toBe('Łukasz <ada@example.org>');
      expect(mail.headers.get('message-id')).toBe(`<${toUlid(id)}@turnout>`);
      expect(Number.isNaN(Date.parse(mail.headers.get('date')!))).toBe(false);
      expect(lines(leaf(mail, 'text/plain').text)).toBe('Hello Ada');
      expect(lines(leaf(mail, 'text/html').text)).toBe('<p>Für später</p>');
      expect(await files.step.mails()).toBe(0);
    } finally {
      await files.stop();
    }
  });
});

describe('a mail that is refused', () => {
  test('is tried again 1 m, 5 m, 30 m, 2 h and 12 h after each failure, then is failed with the last error', async () => {
    const id = await queue();
    receiver.refuse = 'come back later';
    const due = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 12 * HOUR];
    for (const [i, wait] of due.entries()) {
      expect(await t.step.mails()).toBe(1);
      const after = await row(id);
      expect(after).toMatchObject({ status: 'queued', attempts: i + 1, sent_at: null });
      expect(after.last_error).toContain('come back later');
      expect(time(after.next_attempt_at) - clock.now().getTime()).toBe(wait);
      clock.advance(wait - 1);
      expect(await t.step.mails()).toBe(0);
      clock.advance(1);
    }
    receiver.refuse = 'mailbox closed for good';
    expect(await t.step.mails()).toBe(1);
    expect(await row(id)).toMatchObject({ status: 'failed', attempts: 6, sent_at: null });
    expect((await row(id)).last_error).toContain('mailbox closed for good');
    clock.advance(365 * DAY);
    expect(await t.step.mails()).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  test('keeps its Message-ID in every attempt, and its error is cleared once it is sent', async () => {
    const id = await queue();
    let open = () => {};
    receiver.hold = new Promise((resolve) => {
      open = resolve;
    });
    // The receiver has the complete mail, but its answer does not arrive. For the sender this is a failure.
    const impatient = smtpTransport(`${receiver.url}?socketTimeout=300`, 'office@example.org');
    expect(await mailer(impatient).step()).toBe(1);
    impatient.close();
    expect(await row(id)).toMatchObject({ status: 'queued', attempts: 1 });
    expect((await row(id)).last_error).toMatch(/timeout/i);
    open();
    clock.advance(MINUTE);
    expect(await t.step.mails()).toBe(1);
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 2, last_error: null });
    await expect.poll(messageIds, { timeout: 10_000 }).toEqual([`<${toUlid(id)}@turnout>`, `<${toUlid(id)}@turnout>`]);
  });

  test('does not hold up the others of its batch', async () => {
    const down = smtpTransport(receiver.url, 'office@example.org');
    const good = await queue({ subject: 'good' });
    const bad = await queue({ subject: 'bad', to: 'not an address' });
    expect(await mailer(down).step()).toBe(2);
    down.close();
    expect((await row(good)).status).toBe('sent');
    expect(await row(bad)).toMatchObject({ status: 'queued', attempts: 1 });
  });

  test('waits for a server that is down, and goes out when it is back', async () => {
    const gone = await new Receiver().start();
    const transport = smtpTransport(gone.url, 'office@example.org');
    await gone.stop();
    const id = await queue();
    await mailer(transport).step();
    transport.close();
    expect((await row(id)).last_error).toContain('ECONNREFUSED');
    clock.advance(MINUTE);
    expect(await t.step.mails()).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });
});

describe('a worker that dies after claiming', () => {
  test('or is late: its result does not count once another worker has sent the mail', async () => {
    const id = await queue();
    let fail!: (error: Error) => void;
    let sending!: () => void;
    const began = new Promise<void>((resolve) => {
      sending = resolve;
    });
    const stuck = {
      describe: '',
      close: () => {},
      send: () =>
        new Promise<void>((_resolve, reject) => {
          fail = reject;
          sending();
        }),
    };
    const late = mailer(stuck).step();
    await began;
    clock.advance(5 * MINUTE);
    expect(await t.step.mails()).toBe(1);
    fail(new Error('timeout'));
    await late;
    expect(await row(id)).toMatchObject({ status: 'sent', last_error: null });
  });

  test('is replaced after the five minutes of its lease; the mail keeps its Message-ID', {
    timeout: 150_000,
  }, async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'turnout-worker-'));
    const queuedAt = Date.now(); // the child uses the system's clock
    clock.jump(new Date(queuedAt));
    const id = await queue();
    let open = () => {};
    receiver.hold = new Promise((resolve) => {
      open = resolve;
    });
    const child = spawn(process.execPath, [fileURLToPath(new URL('../main.ts', import.meta.url))], {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        DATABASE_URL: t.database.url,
        FILES_URL: t.database.files,
        SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
        SANDBOX: 'off',
        ROLES: 'worker',
        LOG_LEVEL: 'error',
        SMTP_URL: receiver.url,
      },
      stdio: 'ignore',
    });
    const exited = once(child, 'exit');
    try {
      await expect.poll(() => receiver.arrived, { timeout: 120_000 }).toBe(1);
    } finally {
      child.kill('SIGKILL'); // left alone, it would send the mails of the other tests
    }
    const killedAt = Date.now();
    expect((await exited)[1]).toBe('SIGKILL');
    open();
    rmSync(dataDir, { recursive: true, force: true });

    const claimed = await row(id);
    expect(claimed).toMatchObject({ status: 'queued', attempts: 1, sent_at: null });
    expect(await t.step.mails()).toBe(0);
    clock.jump(new Date(time(claimed.next_attempt_at) - 1));
    const claimedAt = time(claimed.next_attempt_at) - 5 * MINUTE;
    expect(claimedAt).toBeGreaterThanOrEqual(queuedAt);
    expect(claimedAt).toBeLessThanOrEqual(killedAt);
    expect(await t.step.mails()).toBe(0);
    clock.advance(1);
    expect(await t.step.mails()).toBe(1);
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 2 });
    await expect.poll(messageIds, { timeout: 10_000 }).toEqual([`<${toUlid(id)}@turnout>`, `<${toUlid(id)}@turnout>`]);
  });
});

describe('two workers', () => {
  test('send each of many mails once', async () => {
    const second = await startTest({ database: t.database, clock, env: { SMTP_URL: receiver.url } });
    try {
      const ids = await queueMany(120);
      const drain = async (step: () => Promise<number>) => {
        let sent = 0;
        for (let found = await step(); found > 0; found = await step()) sent += found;
        return sent;
      };
      const shares = await Promise.all([t.step.mails, second.step.mails, t.step.mails, second.step.mails].map(drain));
      expect(shares.reduce((a, b) => a + b)).toBe(120);
      expect(messageIds().sort()).toEqual(ids.map((id) => `<${id}@turnout>`).sort());
    } finally {
      second.mail.close();
      await second.stop();
    }
  });

  test('while one is sending, the other finds nothing to send', async () => {
    await queueMany(3);
    let open = () => {};
    receiver.hold = new Promise((resolve) => {
      open = resolve;
    });
    const sending = t.step.mails();
    await expect.poll(() => receiver.arrived, { timeout: 10_000 }).toBe(3);
    expect(await t.step.mails()).toBe(0);
    open();
    expect(await sending).toBe(3);
    expect(receiver.received).toHaveLength(3);
  });

  test('one skips what the other has locked, without waiting', async () => {
    const [first] = await queueMany(3);
    const locker = new pg.Client({ connectionString: t.database.adminUrl });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from mails order by id limit 1 for update');
    expect(await t.step.mails()).toBe(2);
    expect(messageIds()).not.toContain(`<${first}@turnout>`);
    await locker.query('rollback');
    await locker.end();
    expect(await t.step.mails()).toBe(1);
  });

  describe('the control', () => {
    const CLAIM = (lock: string, lease: boolean) => `
      update mails set attempts = attempts + 1 ${lease ? `, next_attempt_at = $1::timestamptz + interval '5 minutes'` : ''}
      where (org_id, id) in (
        select org_id, id from mails where status = 'queued' and next_attempt_at <= $1 order by next_attempt_at, id limit 20 ${lock})
      returning id`;
    let a: pg.Client;
    let b: pg.Client;
    beforeAll(async () => {
      [a, b] = [0, 1].map(() => new pg.Client({ connectionString: t.database.adminUrl })) as [pg.Client, pg.Client];
      await Promise.all([a.connect(), b.connect()]);
    });
    afterAll(() => Promise.all([a.end(), b.end()]));

    /** Both claim while neither has committed. Answers what each would send. */
    async function claimTogether(text: string): Promise<[string[], string[]]> {
      const now = [clock.now().toISOString()];
      await a.query('begin');
      const first = await a.query(text, now);
      const waiting = b.query(text, now);
      const { pid } = (await a.query('select pg_backend_pid() as pid')).rows[0];
      await Promise.race([
        waiting,
        expect
          .poll(
            () =>
              t.system((tx) =>
                tx.one<{ n: number }>(
                  sql`select count(*)::int as n from pg_stat_activity where ${pid}::int = any(pg_blocking_pids(pid))`,
                ),
              ),
            { timeout: 10_000 },
          )
          .toEqual({ n: 1 }),
      ]);
      await a.query('commit');
      return [first.rows.map((one) => one.id), (await waiting).rows.map((one) => one.id)];
    }

    test('without `for update skip locked` both claim the same mails', async () => {
      await queueMany(10);
      const [first, second] = await claimTogether(CLAIM('', true));
      expect(first).toHaveLength(10);
      expect(second.sort()).toEqual(first.sort());
    });

    test('with it, no mail is claimed by both', async () => {
      await queueMany(10);
      const [first, second] = await claimTogether(CLAIM('for update skip locked', true));
      expect([first.length, second.length]).toEqual([10, 0]);
    });

    test('without a lease a mail is claimed again while it is being sent', async () => {
      await queueMany(10);
      const now = [clock.now().toISOString()];
      const first = await a.query(CLAIM('for update skip locked', false), now);
      const second = await b.query(CLAIM('for update skip locked', false), now); // the first one has not recorded its result yet
      expect([first.rowCount, second.rowCount]).toEqual([10, 10]);
    });
  });
});

describe('a mail belongs to the work that queued it', () => {
  test('nothing is sent for work that was rolled back', async () => {
    const work = t.system(async (tx) => {
      await queueMail(tx, org, plain);
      throw new Error('the work failed');
    });
    await expect(work).rejects.toThrow('the work failed');
    expect(await t.step.mails()).toBe(0);
    expect(receiver.received).toEqual([]);
  });

  test('nothing is sent for an operation that was refused after it queued; a committed one is sent', async () => {
    const { secret: key } = await t.key('acme');
    const refused = await t.call('POST', '/v1/invitations', { key, body: { subject: 'refused', refuse: true } });
    expect(refused.status).toBe(409);
    expect(await t.step.mails()).toBe(0);
    const made = await t.call('POST', '/v1/invitations', { key, body: { subject: 'committed' } });
    expect(made.status).toBe(201);
    expect(await t.step.mails()).toBe(1);
    expect(messageIds()).toEqual([`<${made.body.id}@turnout>`]);
  });

  test('nothing is sent before the commit', async () => {
    let commit = () => {};
    const held = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let queued = () => {};
    const ready = new Promise<void>((resolve) => {
      queued = resolve;
    });
    const work = t.system(async (tx) => {
      await queueMail(tx, org, plain);
      queued();
      await held;
    });
    await ready;
    expect(await t.step.mails()).toBe(0);
    commit();
    await work;
    expect(await t.step.mails()).toBe(1);
  });
});
