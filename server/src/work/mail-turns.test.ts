import pg from 'pg';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { type Id, newId } from '../common/ids.ts';
import type { OutgoingMail } from '../outside/mail.ts';
import { sql } from '../store/sql.ts';
import { Mailer } from './mails.ts';

/** Organizations share the mail server. However many mails one of them has waiting, another does not wait for them. */
let t: TestTurnout;
const sent: OutgoingMail[] = [];
const orgs = new Map<string, Id>();
beforeAll(async () => {
  t = await startTest({
    mail: {
      describe: 'kept',
      close: () => {},
      send: async (mail) => void sent.push(mail),
    },
  });
  for (const code of ['large', 'middle', 'small', 'tiny']) orgs.set(code, await t.org(code));
});
afterAll(() => t.stop());
beforeEach(async () => {
  await t.system((tx) => tx.run(sql`delete from mails`));
  sent.length = 0;
});

/** Queues mails of an organization as if they had waited longer than all that come later. */
const queue = (code: string, count: number, { bulk = false, ago = 60_000 } = {}): Promise<unknown> =>
  t.system((tx) => {
    const now = tx.clock.now();
    const first = newId(new Date(now.getTime() - ago));
    return tx.run(sql`
      insert into mails (org_id, id, kind, recipient, subject, text, bulk, next_attempt_at, created_at)
      select ${orgs.get(code)!}, (left(${first}::text, 24) || lpad(to_hex(n + ${bulk ? 1_000_000 : 0}), 12, '0'))::uuid, 'note', ${code} || n || '@example.org', 'Hello', 'Hello',
        ${bulk}, ${new Date(now.getTime() - ago)}::timestamptz, ${now} from generate_series(1, ${count}) n`);
  });
const sentTo = (code: string): number => sent.filter((mail) => mail.to.startsWith(code)).length;

describe('turns', () => {
  test('thousands of mails of one organization delay a mail of another by no more than one batch', async () => {
    await queue('large', 5000);
    await queue('large', 100, { bulk: true });
    await queue('small', 1, { ago: 0 });
    await t.step.mails();
    expect(sentTo('small')).toBe(1);
  });

  test('bulk mails of many other organizations do not delay it more either', async () => {
    for (const code of ['large', 'middle', 'tiny']) await queue(code, 1000, { bulk: true });
    await queue('small', 1, { ago: 0 });
    await t.step.mails();
    expect(sentTo('small')).toBe(1);
  });

  test('an organization’s bulk mails come after its single mails', async () => {
    await queue('large', 50, { bulk: true });
    await queue('large', 3, { ago: 0 });
    await t.step.mails();
    expect(sent).toHaveLength(3);
    while ((await t.step.mails()) > 0);
    expect(sent).toHaveLength(53);
  });

  test('tickets for bulk mails are printed one after the other, and hold up no mail that somebody waits for', async () => {
    await queue('large', 3, { bulk: true });
    await queue('small', 1, { ago: 0 });
    await t.system((tx) => tx.run(sql`update mails set data = '{}'`));
    const paper = Promise.withResolvers<void>();
    const printing = { now: 0, most: 0 };
    const print = async (to: string) => {
      if (to.startsWith('large')) {
        printing.now += 1;
        printing.most = Math.max(printing.most, printing.now);
        await paper.promise;
        printing.now -= 1;
      }
      return { subject: 'Your ticket', text: 'Here it is', html: '', attachments: [] };
    };
    const mailer = new Mailer({
      pool: t.pool,
      clock: t.clock,
      transport: t.mail,
      log: pino({ level: 'silent' }),
      render: async (_tx, mail) => () => print(mail.recipient),
    });
    const sending = mailer.step();
    await vi.waitUntil(() => sentTo('small') === 1 && printing.now === 1);
    expect(sentTo('large')).toBe(0);
    paper.resolve();
    expect(await sending).toBe(4);
    expect(sentTo('large')).toBe(3);
    expect(printing.most).toBe(1);
  });

  test('the many single mails of one organization do not stop the bulk mails of another', async () => {
    await queue('large', 2000);
    await queue('middle', 40, { bulk: true, ago: 0 });
    for (let batch = 0; batch < 30; batch += 1) await t.step.mails();
    expect(sentTo('middle')).toBe(40);
    expect(sentTo('large')).toBeGreaterThan(60);
  });

  test('every organization that waits gets its turn, whoever came before', async () => {
    for (const code of orgs.keys()) await queue(code, 30);
    for (let batch = 0; batch < 5; batch += 1) await t.step.mails();
    for (const code of orgs.keys()) expect(sentTo(code)).toBeGreaterThanOrEqual(10);
  });
});

test('a mail server that hangs holds up only the organization that writes to it', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let stuck = 0;
  const send = async (mail: OutgoingMail) => {
    if (mail.to.startsWith('large')) {
      stuck += 1;
      await released;
    }
    sent.push(mail);
  };
  await queue('large', 100);
  const worker = await startTest({
    database: t.database,
    clock: t.clock,
    env: { ROLES: 'worker' },
    mail: { describe: 'kept', close: () => {}, send },
  });
  try {
    await expect.poll(() => stuck, { timeout: 10_000 }).toBeGreaterThan(0);
    await queue('small', 20, { ago: 0 });
    await expect.poll(() => sentTo('small'), { timeout: 10_000 }).toBe(20);
    expect(sentTo('large')).toBe(0);
  } finally {
    release();
    await worker.stop();
  }
});

test('mails to imported attendees are bulk mails', async () => {
  await t.plan('middle', 'scale');
  const { secret: key } = await t.key('middle');
  const post = (path: string, body: object) => t.call('POST', `/v1${path}`, { key, body });
  await post('/events', { code: 'fair', name: 'Fair' });
  await post('/events/fair/days', { code: 'd1', name: 'Day', date: '2036-12-01' });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/publish', {});
  const csv = 'first name,last name,email\nAda,Guest,ada@example.org\nBob,Guest,bob@example.org\n';
  const made = await post('/events/fair/imports', { csv, send_ticket_emails: true });
  expect(made.body.counts).toMatchObject({ created: 2 });
  await post('/events/fair/registrations', {
    attendees: [{ attendee_type: 'adult', first_name: 'Cleo', last_name: 'Guest', email: 'cleo@example.org' }],
  });
  const mails = await t.system((tx) => tx.all(sql`select recipient, bulk from mails order by recipient`));
  expect(mails).toEqual([
    { recipient: 'ada@example.org', bulk: true },
    { recipient: 'bob@example.org', bulk: true },
    { recipient: 'cleo@example.org', bulk: false },
  ]);
});

describe('claiming with many mails waiting', () => {
  interface Plan {
    'Node Type': string;
    'Relation Name'?: string;
    'Actual Rows'?: number;
    'Actual Loops'?: number;
    'Rows Removed by Filter'?: number;
    Plans?: Plan[];
  }
  const all = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(all)];

  test('reads no whole table, and only as many rows as it claims organizations and mails', async () => {
    const others = await Promise.all(Array.from({ length: 40 }, (_, n) => t.org(`org${n}`)));
    for (const [n, id] of others.entries()) orgs.set(`org${n}`, id);
    for (const code of orgs.keys()) for (const bulk of [false, true]) await queue(code, 500, { bulk });
    for (const n of others.keys()) orgs.delete(`org${n}`); // the other tests know only their four
    const admin = new pg.Client({ connectionString: t.database.adminUrl });
    await admin.connect();
    await admin.query('analyze mails');
    const recorded: { text: string; values: unknown[] }[] = [];
    const { query } = pg.Client.prototype;
    pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
      const [config] = given as [{ text?: string; values?: unknown[] }];
      if (config?.text?.includes('mails')) recorded.push({ text: config.text, values: config.values ?? [] });
      return (query as (...more: unknown[]) => unknown).apply(this, given);
    } as typeof query;
    try {
      await t.step.mails();
    } finally {
      pg.Client.prototype.query = query;
    }
    const claims = recorded.filter(({ text }) => text.includes("m.status = 'queued'"));
    expect(claims.length).toBeGreaterThanOrEqual(3);
    for (const { text, values } of claims) {
      await admin.query('begin');
      await admin.query('set local role turnout_system');
      const { rows } = await admin.query(`explain (analyze, format json) ${text}`, values as unknown[]);
      await admin.query('rollback');
      for (const node of all(rows[0]['QUERY PLAN'][0].Plan)) {
        const met = ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 1);
        if (node['Node Type'] === 'Seq Scan') expect(met, JSON.stringify(node)).toBeLessThan(10);
        expect(met, JSON.stringify(node)).toBeLessThan(500);
      }
    }
    await admin.end();
  });
});
