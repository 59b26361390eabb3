import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Receiver } from '../../../../test/support/mail-receiver.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { HOUR, MINUTE } from '../../clock.ts';
import { toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import { MAIL_RETRIES } from '../../work/mails.ts';
import { Fair, htmlOf, subjects, textOf } from './communications.support.ts';
import { crons } from './jobs.ts';

let receiver: Receiver;
let t: TestTurnout;
let key: string;
let testKey: string;
let north: string;
let fair: Fair;
/** Ada and her child Byron, who has no address; Cleo of the group north; Dan, who comes on Saturday and is not confirmed. */
let ada: { id: string; code: string; attendees: { id: string; tickets: { code: string }[] }[] };

beforeAll(async () => {
  receiver = await new Receiver().start();
  t = await startTest({ env: { SMTP_URL: receiver.url, PUBLIC_URL: 'https://tickets.example' } });
  await t.org('acme');
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const code of ['north', 'south']) await t.call('POST', '/v1/groups', { key, body: { code, name: code } });
  north = (await t.key('acme', { group: 'north' })).secret;
  fair = await Fair.open(t, key, 'fair', { name: 'Lakeside <Fair>' });
  ada = await fair.register([
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.org', days: ['fri', 'sat'] },
    { first_name: 'Byron', attendee_type: 'child', days: ['sat'] },
  ]);
  await fair.register([{ first_name: 'Cleo', email: 'cleo@example.org' }], { group: 'north' });
  const dan = await fair.register([{ first_name: 'Dan', email: 'dan@example.org', days: ['sat'] }]);
  await fair.call('POST', `/registrations/${dan.id}/cancel`, {});
});
afterAll(async () => {
  t.mail.close();
  await t.stop();
  await receiver.stop();
});
beforeEach(async () => {
  await t.step.jobs(); // what the test before has left
  await t.system((tx) => tx.run(sql`delete from mails`));
  receiver.clear();
});

const cron = () => crons[0]!.run({ pool: t.pool, clock: t.clock, log: t.app.log as never, outside: t.outside });

describe('whom it reaches', () => {
  test('confirmed attendees: each at their own address, else at the registrant’s', async () => {
    const id = await fair.send({});
    expect(subjects(receiver)).toEqual([
      'ada@example.org: Hello Ada',
      'ada@example.org: Hello Byron',
      'cleo@example.org: Hello Cleo',
    ]);
    expect(receiver.received.map(({ mail }) => mail.headers.get('to')).sort()).toEqual([
      'Ada Lovelace <ada@example.org>',
      'Ada Lovelace <ada@example.org>',
      'Cleo Guest <cleo@example.org>',
    ]);
    expect(await fair.get(id)).toMatchObject({
      status: 'sent',
      counts: { recipients: 3, queued: 0, sent: 3, failed: 0, skipped: 0 },
      progress: { done: 3, total: 3 },
    });
    expect(await fair.fates(id)).toEqual(['Ada: sent', 'Byron: sent', 'Cleo: sent']);
  });

  test('the same text goes to the same address once', async () => {
    const id = await fair.send({ subject: 'Doors open', text: 'At nine. Your reference: {{registration}}' });
    expect(subjects(receiver)).toEqual(['ada@example.org: Doors open', 'cleo@example.org: Doors open']);
    expect(await fair.fates(id)).toEqual(['Ada: sent', 'Byron: skipped, repeated', 'Cleo: sent']);
  });

  test.each([
    [{ attendee_types: ['child'] }, ['Byron']],
    [{ days: ['sat'] }, ['Ada', 'Byron']],
    [{ days: ['fri', 'sat'], attendee_types: ['adult'] }, ['Ada', 'Cleo']],
    [{ groups: ['north'] }, ['Cleo']],
    [{ statuses: ['cancelled'] }, ['Dan']],
    [{ statuses: ['confirmed', 'cancelled'], days: ['sat'] }, ['Ada', 'Byron', 'Dan']],
    [{ checked_in: false }, ['Ada', 'Byron', 'Cleo']],
    [{ checked_in: true }, []],
  ])('%j: %j', async (audience, names) => {
    const id = await fair.send({ audience });
    expect(await fair.fates(id)).toEqual(names.map((name) => `${name}: sent`));
    expect((await fair.get(id)).status).toBe('sent');
    expect(receiver.received).toHaveLength(names.length);
  });

  test('attendees who have checked in', async () => {
    const gate = await Fair.open(t, key, 'gate');
    const point = await gate.call('POST', '/check-in-points', { name: 'Gate', kind: 'entry' });
    const [eve] = (await gate.register([{ first_name: 'Eve', email: 'eve@example.org' }])).attendees;
    await gate.register([{ first_name: 'Fay', email: 'fay@example.org' }]);
    const scan = await gate.call('POST', '/scan', {
      code: eve.tickets[0].code,
      check_in_point: point.body.code,
      client_uuid: crypto.randomUUID(),
      scanned_at: '2099-05-01T12:00:00Z',
    });
    expect(scan.body.result).toBe('accepted');
    await gate.send({ subject: 'in', audience: { checked_in: true } });
    await gate.send({ subject: 'out', audience: { checked_in: false } });
    expect(subjects(receiver)).toEqual(['eve@example.org: in', 'fay@example.org: out']);
  });

  test('recipients are fixed when sending begins', async () => {
    const late = await Fair.open(t, key, 'late');
    await late.register([{ first_name: 'Early', email: 'early@example.org' }]);
    const id = await late.send({});
    await late.register([{ first_name: 'Late', email: 'late@example.org' }]);
    await late.background();
    expect(await late.fates(id)).toEqual(['Early: sent']);
  });

  test('attendees without any address are skipped', async () => {
    const quiet = await Fair.open(t, key, 'quiet');
    await quiet.register([{ first_name: 'Nobody' }]);
    const id = await quiet.send({});
    expect(await quiet.fates(id)).toEqual(['Nobody: skipped, no_address']);
    expect(receiver.received).toEqual([]);
  });

  test('a communication without recipients is sent, to nobody', async () => {
    const empty = await Fair.open(t, key, 'empty');
    const id = await empty.send({});
    expect(await empty.get(id)).toMatchObject({
      status: 'sent',
      counts: { recipients: 0 },
      progress: { done: 0, total: 0 },
    });
    const preview = await empty.act(id, 'preview');
    expect(preview.body).toMatchObject({ subject: 'Hello Ada', attendee_id: null, recipients: 0, skipped: [] });
  });
});

describe('its text', () => {
  test('is filled in and escaped for each recipient, with the event below', async () => {
    const escaped = await Fair.open(t, key, 'escaped', { name: 'Lakeside <Fair>' });
    const made = await escaped.register([{ first_name: 'Ada', email: 'ada2@example.org', days: ['fri', 'sat'] }]);
    await escaped.register([
      { first_name: 'Eve</p>\r\nBcc: spy@example.org', email: 'eve2@example.org', days: ['sat'] },
    ]);
    await escaped.send({
      subject: 'For {{first_name}}\r\nBcc: spy@example.org',
      text: 'Dear {{first_name|guest}} ({{attendee_type}}),\n\ncome to **{{event}}** on {{days}} with {{ticket_codes}}.',
    });
    expect(receiver.received.flatMap(({ to }) => to)).not.toContain('spy@example.org');
    const eve = receiver.received.find(({ to }) => to[0] === 'eve2@example.org')!;
    expect(eve.mail.headers.has('bcc')).toBe(false);
    expect(eve.mail.headers.get('subject')).toContain('For Eve</p> Bcc: spy@');
    expect(htmlOf(eve)).not.toContain('Eve</p>');
    const own = receiver.received.find((one) => textOf(one).startsWith('Dear Ada (adult),'))!;
    expect(textOf(own)).toContain(
      `come to Lakeside <Fair> on The fri, The sat with ${made.attendees[0]!.tickets[0]!.code}.`,
    );
    expect(htmlOf(own)).toContain('<b>Lakeside &lt;Fair&gt;</b> on The fri, The sat');
    expect(htmlOf(own)).toContain('acme events');
    expect(own.mail.headers.has('list-unsubscribe')).toBe(false);
  });

  test('ends with the link of its recipient: the registrant’s, or the own place of somebody whom others registered', async () => {
    const pair = await Fair.open(t, key, 'pair');
    await pair.register([
      { first_name: 'Eva', email: 'eva@example.org' },
      { first_name: 'Finn', email: 'finn@example.org' },
    ]);
    await pair.send({ subject: 'Where', text: 'Here' });
    const pageOf = async (to: string) => {
      const mail = receiver.received.find((one) => one.to[0] === to)!;
      const link = /^My registration: https:\/\/tickets\.example(\/o\/acme\/my\/[\w-]+)$/m.exec(textOf(mail))![1]!;
      expect(htmlOf(mail)).toContain(`href="https://tickets.example${link}"`);
      return (await fetch(t.url + link)).text();
    };
    const [eva, finn] = [await pageOf('eva@example.org'), await pageOf('finn@example.org')];
    expect([eva.includes('Eva Guest'), eva.includes('Finn Guest')]).toEqual([true, true]);
    expect([finn.includes('Eva Guest'), finn.includes('Finn Guest')]).toEqual([false, true]);
  });

  test('an unknown placeholder is refused with its position, in all fields at once', async () => {
    const reply = await fair.call('POST', '/communications', {
      subject: '{{name}}',
      text: 'Dear {{first_name}},\n{{oops',
      send_at: '2001-01-01T00:00:00Z',
    });
    expect(reply.status).toBe(400);
    expect(reply.body.error.details).toEqual([
      { path: 'subject', message: expect.stringContaining('{{name}} at line 1, character 1 is not a placeholder') },
      { path: 'text', message: 'has a placeholder at line 2, character 1 that does not end with }}' },
      { path: 'send_at', message: 'must be in the future', rule: 'not_in_future' },
    ]);
  });

  test('a preview is what that recipient would get, with the number of recipients', async () => {
    const id = await fair.draft({ text: 'Dear {{first_name}}', audience: { days: ['sat'] } });
    const byron = ada.attendees[1]!.id;
    const preview = await fair.act(id, 'preview', { attendee: byron });
    expect(preview.body).toMatchObject({ subject: 'Hello Byron', attendee_id: byron, recipients: 2, skipped: [] });
    expect(preview.body.text).toMatch(/^Dear Byron\n/);
    expect(preview.body.html).toContain('Dear Byron');
    expect((await fair.act(id, 'preview')).body.attendee_id).toBe(ada.attendees[0]!.id);
    await t.step.mails();
    expect(receiver.received).toEqual([]);
  });
});

describe('a test', () => {
  test('goes to the named addresses, marked as a test, with the values of a made-up attendee', async () => {
    const id = await fair.draft({ subject: 'News', text: 'Dear {{first_name}} {{ticket_codes}}', kind: 'news' });
    const reply = await fair.act(id, 'test', { to: ['me@example.org', 'you@example.org'] });
    expect(reply.body.recipients).toEqual([
      { email: 'me@example.org', status: 'queued', reason: null },
      { email: 'you@example.org', status: 'queued', reason: null },
    ]);
    // A later change does not change the test that was sent.
    await fair.call('PATCH', `/communications/${id}`, { text: 'changed' });
    await t.step.mails();
    expect(subjects(receiver)).toEqual(['me@example.org: [Test] News', 'you@example.org: [Test] News']);
    expect(textOf(receiver.received[0]!)).toMatch(/^This is a test\..*\n\nDear Ada 7K2M9QX4R8TB3W6Y1Z5V0D4C8H2N\n/);
    expect(await fair.get(id)).toMatchObject({ status: 'draft', counts: { recipients: 0 } });
  });

  test('can have a real attendee’s values', async () => {
    const id = await fair.draft({ text: '{{registration}}' });
    await fair.act(id, 'test', { to: ['me@example.org'], attendee: ada.attendees[0]!.id });
    await t.step.mails();
    expect(textOf(receiver.received[0]!)).toContain(`\n\n${ada.code}\n`);
  });

  test('goes to five addresses at most', async () => {
    const to = Array.from({ length: 6 }, (_, i) => `t${i}@example.org`);
    const reply = await fair.act(await fair.draft({}), 'test', { to });
    expect(reply.body.error.details[0].path).toBe('to');
  });
});

describe('live and test mode', () => {
  test('a test key writes only to test attendees, and no mail goes out', async () => {
    await fair.register([{ first_name: 'Tess', email: 'tess@example.org' }], {}, testKey);
    const id = await fair.send({}, testKey);
    expect(await fair.get(id, testKey)).toMatchObject({
      status: 'sent',
      test: true,
      counts: { recipients: 1, skipped: 1 },
    });
    expect(await fair.fates(id, testKey)).toEqual(['Tess: skipped, test']);
    const tested = await fair.act(id, 'test', { to: ['me@example.org'] }, testKey);
    expect(tested.body.recipients).toEqual([{ email: 'me@example.org', status: 'skipped', reason: 'test' }]);
    await fair.send({ subject: 'live' });
    expect(subjects(receiver).join()).not.toMatch(/tess|me@/);
    expect((await fair.call('GET', `/communications/${id}`)).status).toBe(404);
    const preview = await fair.act(id, 'preview', { attendee: ada.attendees[0]!.id }, testKey);
    expect(preview.body.error.details[0].path).toBe('attendee');
  });

  test('no mail goes out in a test event, with any key', async () => {
    const trial = await Fair.open(t, key, 'trial', { test: true });
    await trial.register([{ first_name: 'Live', email: 'live@example.org' }]);
    expect(await trial.fates(await trial.send({}))).toEqual(['Live: skipped, test']);
    expect(receiver.received).toEqual([]);
  });
});

describe('a key limited to a group', () => {
  test('writes to the attendees of its group in an event of the whole organization, and sees no other communication', async () => {
    const all = await fair.draft({});
    const south = await fair.draft({ group: 'south' });
    const mine = await fair.send({ audience: {} }, north);
    expect(await fair.get(mine, north)).toMatchObject({ group: 'north', counts: { recipients: 1, sent: 1 } });
    expect(subjects(receiver)).toEqual(['cleo@example.org: Hello Cleo']);
    for (const id of [all, south]) {
      expect((await fair.call('GET', `/communications/${id}`, undefined, north)).status).toBe(404);
      expect((await fair.act(id, 'send', {}, north)).status).toBe(404);
    }
    const wider = await fair.call('POST', '/communications', { subject: 's', text: 't', group: null }, north);
    expect(wider.body.error.details[0].path).toBe('group');
    const other = await fair.act(mine, 'preview', { attendee: ada.attendees[0]!.id }, north);
    expect(other.body.error.details[0].path).toBe('attendee');
  });

  test('cannot reach others by changing the audience of a communication of its group', async () => {
    const id = await fair.draft({}, north);
    const change = { audience: { statuses: ['confirmed', 'cancelled'] } };
    expect((await fair.call('PATCH', `/communications/${id}`, change, north)).status).toBe(200);
    await fair.act(id, 'send', {}, north);
    await fair.background();
    expect(await fair.fates(id, north)).toEqual(['Cleo: sent']);
    const foreign = { audience: { groups: ['south'] } };
    const refused = await fair.call('PATCH', `/communications/${await fair.draft({}, north)}`, foreign, north);
    expect(refused.body.error.details[0].path).toBe('audience/groups/0');
  });
});

test('its updated_at moves with its state and its counts, and with nothing else', async () => {
  const states: { status: string; counts: object; updated_at: string }[] = [];
  const look = async (id: string) => {
    t.clock.advance(1000);
    const { status, counts, updated_at } = await fair.get(id);
    states.push({ status, counts, updated_at });
  };
  const id = await fair.draft({});
  await look(id);
  await fair.act(id, 'send');
  await look(id);
  await t.step.jobs();
  await look(id);
  while ((await t.step.mails()) > 0);
  await look(id);
  expect(states.map((one) => one.status)).toEqual(['draft', 'sending', 'sending', 'sent']);
  const times = states.map((one) => one.updated_at);
  expect(new Set(times).size, times.join()).toBe(4);
  expect(times.toSorted()).toEqual(times);
  // The schedule stores what was already shown.
  await cron();
  await look(id);
  expect(states[4]).toEqual(states[3]);
  const kept = await t.system((tx) =>
    tx.one<{ status: string }>(sql`select status from communications where id = ${toUuid(id)}`),
  );
  expect(kept.status).toBe('sent');
});

describe('scheduled', () => {
  test('it goes out once, when its time comes', async () => {
    const at = new Date(t.clock.now().getTime() + HOUR).toISOString();
    const id = await fair.draft({ subject: 'later', text: 'x', send_at: at });
    await cron();
    expect((await fair.get(id)).status).toBe('draft');
    const sent = await fair.act(id, 'send');
    expect([sent.status, sent.body.status]).toEqual([200, 'scheduled']);
    await cron();
    await fair.background();
    expect(receiver.received).toEqual([]);
    t.clock.advance(HOUR);
    await Promise.all([cron(), cron()]);
    expect((await fair.get(id)).status).toBe('sending');
    await fair.background();
    expect(await fair.get(id)).toMatchObject({ status: 'sent', send_at: at });
    expect(receiver.received.length).toBeGreaterThan(0);
    const before = receiver.received.length;
    await cron();
    await fair.background();
    expect(receiver.received).toHaveLength(before);
    const log = await t.call('GET', `/v1/audit-log?limit=200`, { key });
    const actions = log.body.data
      .filter((row: { object: { id: string } }) => row.object.id === id)
      .map((row: { action: string; actor: { kind: string } }) => `${row.action} ${row.actor.kind}`);
    expect(actions.reverse()).toEqual([
      'communication.created key',
      'communication.released key',
      'communication.started system',
      'communication.sent system',
    ]);
  });

  test('it can be changed, sent at once, made a draft again and deleted, or cancelled', async () => {
    const send_at = '2099-01-01T00:00:00Z';
    const id = await fair.draft({ subject: 'first' });
    await fair.act(id, 'send', { send_at });
    const changed = await fair.call('PATCH', `/communications/${id}`, { subject: 'second' });
    expect(changed.body).toMatchObject({ status: 'scheduled', subject: 'second', send_at });
    expect((await fair.call('DELETE', `/communications/${id}`)).status).toBe(409);
    expect((await fair.act(id, 'send', { send_at: null })).body).toMatchObject({ status: 'sending', send_at: null });
    await fair.background();
    expect(subjects(receiver)).toContain('cleo@example.org: second');

    const other = await fair.draft({ send_at });
    await fair.act(other, 'send');
    expect((await fair.call('PATCH', `/communications/${other}`, { send_at: null })).body.status).toBe('draft');
    expect((await fair.call('DELETE', `/communications/${other}`)).status).toBe(204);

    const third = await fair.draft({ send_at });
    await fair.act(third, 'send');
    expect((await fair.act(third, 'cancel')).body.status).toBe('cancelled');
    for (const action of ['send', 'cancel'])
      expect((await fair.act(third, action)).body.error.code).toBe('invalid_state');
  });

  test('a draft whose time has passed is not sent by mistake', async () => {
    const id = await fair.draft({ send_at: new Date(t.clock.now().getTime() + MINUTE).toISOString() });
    t.clock.advance(MINUTE);
    expect((await fair.act(id, 'send')).body.error.code).toBe('invalid_state');
    expect((await fair.act(id, 'send', { send_at: null })).status).toBe(202);
  });
});

test('a ticket does not wait behind a communication to many', async () => {
  const crowd = await Fair.open(t, key, 'crowd');
  await crowd.register(Array.from({ length: 40 }, (_, i) => ({ first_name: `C${i}`, email: `c${i}@example.org` })));
  await crowd.act(await crowd.draft({}), 'send');
  await t.step.jobs();
  await crowd.register([{ first_name: 'Zoe', email: 'zoe@example.org' }], { send_emails: true });
  expect(await t.step.mails()).toBe(1);
  expect(subjects(receiver)).toContain('zoe@example.org: Confirmed: Fair crowd');
});

describe('a sent communication', () => {
  test('cannot be changed, sent again or deleted', async () => {
    const id = await fair.send({});
    const change = await fair.call('PATCH', `/communications/${id}`, { text: 'other' });
    expect([change.status, change.body.error.code]).toEqual([409, 'invalid_state']);
    for (const action of ['send', 'cancel']) expect((await fair.act(id, action)).status).toBe(409);
    expect((await fair.call('DELETE', `/communications/${id}`)).status).toBe(409);
  });

  test('shows the cause of a mail that failed', async () => {
    const id = await fair.draft({ audience: { groups: ['north'] } });
    receiver.refuse = 'mailbox unknown';
    await fair.act(id, 'send');
    await t.step.jobs();
    for (const wait of [0, ...MAIL_RETRIES]) {
      t.clock.advance(wait);
      expect(await t.step.mails()).toBe(1);
    }
    expect(await fair.get(id)).toMatchObject({ status: 'sent', counts: { recipients: 1, queued: 0, failed: 1 } });
    const { body } = await fair.call('GET', `/communications/${id}/recipients?status=failed`);
    expect(body.data).toMatchObject([{ email: 'cleo@example.org', error: expect.stringContaining('mailbox unknown') }]);
  });
});

describe('cancelled midway', () => {
  test('mails that a mail server has accepted stay sent; all others do not go out', async () => {
    const many = await Fair.open(t, key, 'many');
    const guests = Array.from({ length: 30 }, (_, i) => ({ first_name: `G${i}`, email: `g${i}@example.org` }));
    await many.register(guests);
    const id = await many.draft({});
    await many.act(id, 'send');
    await t.step.jobs();
    expect(await t.step.mails()).toBe(6); // as many as one organization may send at once
    const cancelled = await many.act(id, 'cancel');
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      counts: { recipients: 30, sent: 6, skipped: 24, queued: 0 },
    });
    await many.background();
    expect(receiver.received).toHaveLength(6);
    expect((await many.get(id)).counts).toMatchObject({ sent: 6, skipped: 24 });
    const mails = await t.system((tx) =>
      tx.all<{ status: string; n: number }>(sql`select status, count(*)::int as n from mails group by 1 order by 1`),
    );
    expect(mails).toEqual([
      { status: 'sent', n: 6 },
      { status: 'withdrawn', n: 24 },
    ]);
  });

  test('a mail that is being sent at that moment is recorded as sent', async () => {
    const id = await fair.draft({ audience: { groups: ['north'] } });
    let open = () => {};
    receiver.hold = new Promise((resolve) => {
      open = resolve;
    });
    await fair.act(id, 'send');
    await t.step.jobs();
    const onTheWire = t.step.mails();
    await expect.poll(() => receiver.arrived, { timeout: 10_000 }).toBe(1);
    expect((await fair.act(id, 'cancel')).body.counts).toMatchObject({ skipped: 1, sent: 0 });
    open();
    await onTheWire;
    expect(await fair.fates(id)).toEqual(['Cleo: sent']);
  });

  test('before its job runs: the job ends and sends nothing', async () => {
    const id = await fair.draft({});
    await fair.act(id, 'send');
    expect((await fair.act(id, 'cancel')).body.status).toBe('cancelled');
    await fair.background();
    expect(receiver.received).toEqual([]);
    const { job_id } = await fair.get(id);
    const job = await t.call('GET', `/v1/jobs/${job_id}`, { key });
    expect(job.body).toMatchObject({ status: 'failed', error: 'The communication was cancelled.' });
  });

  test('by cancelling its job: the communication is cancelled as well', async () => {
    const id = await fair.draft({});
    const { job_id } = (await fair.act(id, 'send')).body;
    expect((await t.call('POST', `/v1/jobs/${job_id}/cancel`, { key })).status).toBe(200);
    await cron();
    expect((await fair.get(id)).status).toBe('cancelled');
  });
});

describe('an erased person', () => {
  test('is removed from all recipients and gets no further mail', async () => {
    const gone = await Fair.open(t, key, 'gone');
    const made = await gone.register([{ first_name: 'Gone', email: 'gone@example.org' }, { first_name: 'Kid' }]);
    const sent = await gone.send({ subject: 'before' });
    const queued = await gone.draft({ subject: 'after' });
    await gone.act(queued, 'send');
    await t.step.jobs();
    expect((await t.call('POST', `/v1/contacts/${made.contact.id}/erase`, { key })).status).toBe(200);
    await gone.background();
    expect(subjects(receiver).every((one) => one.endsWith('before'))).toBe(true);
    expect(receiver.received).toHaveLength(2);
    expect(await gone.fates(queued)).toEqual(['Erased: skipped, erased', 'Kid: skipped, erased']);
    expect(await gone.fates(sent)).toEqual(['Erased: sent', 'Kid: sent']);
    for (const id of [sent, queued]) {
      expect((await gone.call('GET', `/communications/${id}/recipients`)).text).not.toMatch(/gone@|Gone/);
    }
    const later = await gone.send({ subject: 'later' });
    expect(await gone.fates(later)).toEqual(['Erased: skipped, erased', 'Kid: skipped, no_address']);
  });

  test('does not keep others with the same address from getting theirs', async () => {
    const home = await Fair.open(t, key, 'home');
    const made = await home.register([{ first_name: 'Her', email: 'home@example.org' }]);
    await home.register([{ first_name: 'Him', email: 'home@example.org' }]);
    const id = await home.draft({});
    await home.act(id, 'send');
    await t.step.jobs();
    await t.call('POST', `/v1/contacts/${made.contact.id}/erase`, { key });
    await home.background();
    expect(await home.fates(id)).toEqual(['Erased: skipped, erased', 'Him: sent']);
    expect((await home.get(id)).status).toBe('sent');
    expect(subjects(receiver)).toEqual(['home@example.org: Hello Him']);
  });

  test('whose mail also counted for others with the same address: the next of them gets it', async () => {
    const flat = await Fair.open(t, key, 'flat');
    const made = await flat.register([{ first_name: 'Her', email: 'flat@example.org' }]);
    await flat.register([{ first_name: 'Him', email: 'flat@example.org' }]);
    const id = await flat.draft({ subject: 'The same', text: 'to all' });
    await flat.act(id, 'send');
    await t.step.jobs();
    expect(await flat.fates(id)).toEqual(['Her: queued', 'Him: skipped, repeated']);
    await t.call('POST', `/v1/contacts/${made.contact.id}/erase`, { key });
    await flat.background();
    expect(await flat.fates(id)).toEqual(['Erased: skipped, erased', 'Him: sent']);
    expect(subjects(receiver)).toEqual(['flat@example.org: The same']);
  });
});
