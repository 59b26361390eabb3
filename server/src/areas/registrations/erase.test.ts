import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Reply, startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { untilWaitingForLock } from '../../../../test/support/waiting.ts';
import { type Id, toUuid } from '../../common/ids.ts';
import { type Sql, sql } from '../../store/sql.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { crons } from '../index.ts';

let t: TestTurnout;
let org: Id;
let key: string;
let testKey: string;
let north: string;
let south: string;
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  await t.plan('acme', 'scale', [['api_rate_per_min', '1000000']]);
  key = (await t.key('acme')).secret;
  testKey = (await t.key('acme', { mode: 'test' })).secret;
  for (const code of ['north', 'south']) await post('/groups', { code, name: code });
  north = (await t.key('acme', { group: 'north' })).secret;
  south = (await t.key('acme', { group: 'south' })).secret;
});
afterAll(() => t.stop());
afterEach(() => vi.restoreAllMocks());

const post = (path: string, body?: unknown, as = key): Promise<Reply> =>
  t.call('POST', `/v1${path}`, { key: as, body });
const get = async (path: string, as = key) => (await t.call('GET', `/v1${path}`, { key: as })).body;
async function made(path: string, body?: unknown, as = key) {
  const reply = await post(path, body, as);
  expect(reply.status, reply.text).toBeLessThan(300);
  return reply.body;
}

let serial = 0;
async function event(more: object = {}): Promise<string> {
  const code = `fair${++serial}`;
  await made('/events', { code, name: `Fair ${code}`, ...more });
  await made(`/events/${code}/days`, { code: 'd1', date: '2099-05-01' });
  await made(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult' });
  await made(`/events/${code}/publish`);
  return code;
}
const ada = { attendee_type: 'adult', first_name: 'Ada', last_name: 'Lovelace', email: 'home@example.org' };
const byron = { ...ada, first_name: 'Byron' };
const register = async (code: string, people: object[], as = key, more: object = {}) =>
  made(`/events/${code}/registrations`, { attendees: people, ...more }, as);
const exported = async (code: string, as = key): Promise<string> =>
  new URL((await made('/exports', { what: 'people', format: 'csv', event: code }, as)).result_url).pathname;
const download = async (path: string): Promise<number> => (await t.call('GET', path)).status;
const erase = (contact: string, as = key): Promise<Reply> => post(`/contacts/${contact}/erase`, undefined, as);

interface MailRow {
  recipient: string;
  status: string;
  text: string;
}
const mailsOf = (code: string): Promise<MailRow[]> =>
  t.system((tx) =>
    tx.all<MailRow>(sql`
      select m.recipient, m.status, m::text as text from mails m join events e on e.org_id = m.org_id and e.id = m.event_id
      where e.code = ${code} order by m.id`),
  );
const recipients = async (code: string): Promise<string[]> => (await mailsOf(code)).map((mail) => mail.recipient);
async function mailAll(): Promise<void> {
  while ((await t.step.mails()) > 0);
}
const cron = (name: string) =>
  crons
    .find((one) => one.name === name)!
    .run({ pool: t.pool, clock: t.clock, log: { info: () => {} } as never, outside: t.outside });

describe('erasing reaches exactly the contact’s own records', () => {
  test('erasing a test contact leaves live mails and files with the same address alone', async () => {
    const code = await event();
    await register(code, [ada]);
    await mailAll();
    await register(code, [{ ...ada, last_name: 'Waits' }]);
    const tested = (await register(code, [ada], testKey)).attendees[0];
    const [live, trial] = [await exported(code), await exported(code, testKey)];
    expect((await erase(tested.contact_id, testKey)).status).toBe(200);
    expect(await recipients(code)).toEqual(['home@example.org', 'home@example.org']);
    expect([await download(live), await download(trial)]).toEqual([200, 404]);
    await mailAll();
    expect((await mailsOf(code)).map((mail) => mail.status)).toEqual(['sent', 'sent']);
    const { data } = await get(`/events/${code}/attendees`);
    expect(data.map((one: { first_name: string }) => one.first_name)).toEqual(['Ada', 'Ada']);
  });

  test('a key of one group changes nothing of another group’s', async () => {
    const code = await event();
    const here = (await register(code, [ada], north)).attendees[0];
    const there = (await register(code, [ada], south)).attendees[0];
    const files = [await exported(code, north), await exported(code, south), await exported(code)];
    const elsewhere = await event();
    await register(elsewhere, [byron]);
    const other = await exported(elsewhere);
    expect((await erase(here.contact_id, north)).status).toBe(200);
    expect(await recipients(code)).toEqual(['erased', 'home@example.org']);
    expect(await Promise.all(files.map(download))).toEqual([404, 200, 404]);
    expect(await download(other)).toBe(200);
    expect(await get(`/contacts/${there.contact_id}`)).toMatchObject({ email: 'home@example.org', erased_at: null });
    await mailAll();
    expect((await mailsOf(code)).map((mail) => mail.status)).toEqual(['failed', 'sent']);
  });

  test('others who share a family’s address keep their mails and messages, even in the same registration', async () => {
    const code = await event();
    const family = await register(code, [ada, byron, { ...ada, first_name: 'Kit', email: 'kit@example.org' }], key, {
      contact: { first_name: 'Byron', last_name: 'Lovelace', email: 'home@example.org' },
    });
    const [her, him, kit] = family.attendees;
    expect(new Set([her.contact_id, him.contact_id, kit.contact_id]).size).toBe(3);
    const message = await made(`/events/${code}/communications`, { subject: 'Dear {{first_name}}', text: 'Hello' });
    await made(`/events/${code}/communications/${message.id}/send`, {});
    await t.step.jobs();
    expect((await erase(her.contact_id)).status).toBe(200);
    const mails = await mailsOf(code);
    expect(mails.map((mail) => mail.recipient).sort()).toEqual([
      'erased',
      'home@example.org',
      'home@example.org',
      'kit@example.org',
      'kit@example.org',
    ]);
    for (const { text } of mails) expect(text).not.toContain('"Ada');
    await mailAll();
    expect((await mailsOf(code)).filter((mail) => mail.status === 'sent')).toHaveLength(4);
    const fates = (await get(`/events/${code}/communications/${message.id}/recipients`)).data;
    expect(
      fates.map((one: { first_name: string; status: string }) => `${one.first_name} ${one.status}`).sort(),
    ).toEqual(['Byron sent', 'Erased skipped', 'Kit sent']);
  });

  test('payments of others keep a reference that does not name the person', async () => {
    const code = await event();
    const whole = await register(code, [byron, ada]);
    const pay = (reference: string) =>
      made(`/events/${code}/registrations/${whole.id}/payments`, { amount_minor: 1, method: 'cash', reference });
    const [plain, naming] = [await pay('Byron, till 3'), await pay('ada and her brother')];
    await erase(whole.attendees[1].contact_id);
    const { data } = await get(`/events/${code}/registrations/${whole.id}/payments`);
    const references = new Map(data.map((one: { id: string; reference: string }) => [one.id, one.reference]));
    expect([references.get(plain.id), references.get(naming.id)]).toEqual(['Byron, till 3', null]);
  });

  test('a key limited to a group is refused if the contact has attendees elsewhere; export files of a group that was left are removed', async () => {
    const code = await event();
    const [person] = (await register(code, [ada], north)).attendees;
    const before = await exported(code, north);
    const moved = await t.call('PATCH', `/v1/events/${code}/attendees/${person.id}`, { key, body: { group: 'south' } });
    expect(moved.status).toBe(200);
    const refused = await erase(person.contact_id, north);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'invalid_state']);
    expect(await get(`/contacts/${person.contact_id}`)).toMatchObject({ first_name: 'Ada' });
    expect(await download(before)).toBe(200);
    expect((await erase(person.contact_id)).status).toBe(200);
    expect(await download(before)).toBe(404);
  });
});

describe('an erased person', () => {
  test('cannot be changed any more, neither by a call nor by an import', async () => {
    const code = await event();
    const [person] = (await register(code, [ada])).attendees;
    await erase(person.contact_id);
    const body = { first_name: 'Ada', email: 'back@example.org' };
    const changed = await t.call('PATCH', `/v1/events/${code}/attendees/${person.id}`, { key, body });
    expect([changed.status, changed.body.error.code]).toEqual([409, 'invalid_state']);
    const csv = `id,first name,last name,email\n${person.id},Ada,Back,back@example.org`;
    expect((await made(`/events/${code}/imports`, { csv })).counts).toMatchObject({ created: 1, updated: 0 });
    expect(await get(`/events/${code}/attendees/${person.id}`)).toMatchObject({ first_name: 'Erased', email: null });
  });
});

/** Holds a lock while `meanwhile` runs, without a place that `meanwhile` may need. */
async function holding(lock: Sql, meanwhile: () => Promise<unknown>): Promise<void> {
  const work = async (tx: Tx) => {
    await tx.run(lock);
    await meanwhile();
  };
  await transaction(t.pool, t.clock, { role: 'app', org }, work, { kind: 'lookup' });
}
const untilWaiting = (count: number) => untilWaitingForLock(t.database, count);
/** Locks the row without changing it, so that those who wait for it get it in the order in which they came. */
const orgClock = () => sql`select from org_clocks where org_id = ${org} for update`;

describe('at the same moment as an erasure', () => {
  test('a mail that is being sent leaves no file behind, and other mails keep theirs', async () => {
    const code = await event();
    const mine = await register(code, [{ ...ada, email: 'flies@example.org' }]);
    await register(code, [{ ...byron, email: 'stays@example.org' }]);
    const send = t.mail.send.bind(t.mail);
    vi.spyOn(t.mail, 'send').mockImplementation(async (mail) => {
      if (mail.to === 'flies@example.org') expect((await erase(mine.contact.id)).status).toBe(200);
      await send(mail);
    });
    await mailAll();
    const files = () => {
      const folder = join(t.dataDir, 'mails');
      return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    };
    expect(files().filter((text) => text.includes('flies@'))).toHaveLength(1); // the control: the file was there
    await cron('remove-files');
    expect(files().filter((text) => text.includes('flies@'))).toHaveLength(0);
    expect(files().filter((text) => text.includes('stays@'))).toHaveLength(1);
  });

  test('an export that was read before and is stored afterwards is read again', async () => {
    const code = await event();
    const [person] = (await register(code, [{ ...ada, last_name: 'Neverexport' }])).attendees;
    const write = t.outside.files.write.bind(t.outside.files);
    const spy = vi.spyOn(t.outside.files, 'write').mockImplementationOnce(async (name, chunks) => {
      const size = await write(name, chunks);
      expect((await erase(person.contact_id)).status).toBe(200);
      return size;
    });
    const job = await made('/exports', { what: 'people', format: 'csv', event: code });
    expect(job.status).toBe('queued');
    const stale = spy.mock.calls[0]![0];
    await t.step.jobs();
    const { result_url } = await get(`/jobs/${job.id}`);
    const { status, text } = await t.call('GET', new URL(result_url).pathname);
    expect([status, text.includes('Neverexport'), text.includes('Erased')]).toEqual([200, false, true]);
    await cron('remove-files');
    expect(await t.outside.files.read(stale)).toBeNull();
  });

  test('an attendee who is linked to the contact in another event meanwhile is erased, too', async () => {
    const [one, two] = [await event(), await event()];
    const [person] = (await register(one, [{ ...ada, last_name: 'Found' }])).attendees;
    const [late] = (await register(two, [{ ...byron, last_name: 'Late' }])).attendees;
    let erasing!: Promise<Reply>;
    await holding(orgClock(), async () => {
      erasing = erase(person.contact_id);
      await untilWaiting(1);
      // This is what a registration does that held the clock first and found the contact.
      await t.system((tx) =>
        tx.run(sql`update attendees set contact_id = ${toUuid(person.contact_id)} where id = ${toUuid(late.id)}`),
      );
    });
    expect((await erasing).status).toBe(200);
    expect(await get(`/events/${two}/attendees/${late.id}`)).toMatchObject({ first_name: 'Erased', email: null });
  });

  test('a ticket that is being sent again is either erased with the rest or not sent', async () => {
    const code = await event();
    const [person] = (await register(code, [{ ...ada, last_name: 'Resent', email: 'resent@example.org' }])).attendees;
    const calls: Promise<Reply>[] = [];
    await holding(orgClock(), async () => {
      calls.push(erase(person.contact_id));
      await untilWaiting(1);
      calls.push(post(`/tickets/${person.tickets[0].id}/send`)); // it has read the address and waits before it queues the mail
      await untilWaiting(2);
    });
    expect((await Promise.all(calls)).map((reply) => reply.status)).toEqual([200, 409]);
    expect((await mailsOf(code)).map((mail) => mail.recipient)).toEqual(['erased']);
  });

  test('the control: a mail that is queued without the lock stays', async () => {
    const code = await event();
    const [person] = (await register(code, [{ ...ada, last_name: 'Unasked', email: 'unasked@example.org' }])).attendees;
    await transaction(t.pool, t.clock, { role: 'app', org }, async (tx) => {
      await tx.run(sql`
        insert into mails (org_id, id, kind, recipient, subject, text, event_id, object_id, next_attempt_at, created_at)
        select org_id, ${toUuid(person.tickets[0].id)}, 'attendee_ticket', email, 'Ticket', 'Ticket', event_id, id, now(), now()
        from attendees where org_id = ${org} and id = ${toUuid(person.id)}`);
      await erase(person.contact_id);
    });
    expect((await recipients(code)).sort()).toEqual(['erased', 'unasked@example.org']);
  });

  test('a change that waited behind the erasure is refused', async () => {
    const code = await event();
    const [person] = (await register(code, [{ ...ada, last_name: 'Races' }])).attendees;
    const calls: Promise<Reply>[] = [];
    await holding(orgClock(), async () => {
      calls.push(erase(person.contact_id));
      await untilWaiting(1);
      const body = { first_name: 'Again', email: 'again@example.org' };
      calls.push(t.call('PATCH', `/v1/contacts/${person.contact_id}`, { key, body }));
      calls.push(t.call('PATCH', `/v1/events/${code}/attendees/${person.id}`, { key, body }));
      calls.push(erase(person.contact_id));
      await untilWaiting(4);
    });
    expect((await Promise.all(calls)).map((reply) => reply.status)).toEqual([200, 409, 409, 409]);
    expect(await get(`/contacts/${person.contact_id}`)).toMatchObject({ first_name: null, email: null });
    expect(await get(`/events/${code}/attendees/${person.id}`)).toMatchObject({ first_name: 'Erased', email: null });
  });
});
