import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Hooks, startHooks } from '../server/src/areas/webhooks/hooks.support.ts';
import { doctor } from '../server/src/cli/doctor/data.ts';
import { toUuid } from '../server/src/common/ids.ts';
import { migrations } from '../server/src/store/migrate.ts';
import { sql } from '../server/src/store/sql.ts';
import { runSql } from './support/database.ts';
import type { Reply } from './support/turnout.ts';

/**
 * The wall between groups: a caller limited to a group sees and changes exactly the people of its subtree and what belongs to them.
 * These tests have people of several groups in one registration and on one ticket; the access matrix tests every operation and list.
 */

/** Everything by which a person can be recognized. The group `deep` is below `alpha`; `beta` is separate. */
interface Known {
  id: string;
  tickets: { id: string; code: string }[];
  words: string[];
}
interface Mixed {
  id: string;
  code: string;
  anna: Known;
  bert: Known;
}

let hooks: Hooks;
let alpha: string;
let beta: string;
beforeAll(async () => {
  hooks = await startHooks();
  await made('/groups', { code: 'alpha', name: 'Alpha' });
  await made('/groups', { code: 'deep', name: 'Deep', parent: 'alpha' });
  await made('/groups', { code: 'beta', name: 'Beta' });
  await event('fair');
  await event('shared', { ticketing: 'shared' });
  await event('unique', { registration: { unique_email: true } });
  await event('owned', { group: 'alpha' });
  alpha = (await hooks.t.key('acme', { group: 'alpha' })).secret;
  beta = (await hooks.t.key('acme', { group: 'beta' })).secret;
});
afterAll(() => hooks?.stop());
beforeEach(async () => {
  hooks.receiver.got.length = 0;
  while ((await hooks.t.step.relay()) > 0);
  await hooks.t.system(async (tx) => {
    await tx.run(sql`delete from webhook_queue`);
    await tx.run(sql`update webhook_endpoints set deleted_at = ${hooks.clock.now()} where deleted_at is null`);
  });
});

async function made(path: string, body?: unknown, as?: string): Promise<Reply['body']> {
  const reply = await hooks.post(path, body, as);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body;
}
async function event(code: string, more: object = {}): Promise<void> {
  await made('/events', { code, name: code, ...more });
  await made(`/events/${code}/days`, { code: 'd1', date: '2027-03-02' });
  await made(`/events/${code}/attendee-types`, { code: 'adult', name: 'Adult', price_minor: 0 });
  await made(`/events/${code}/check-in-points`, { code: 'gate', name: 'Gate', kind: 'entry' });
  await made(`/events/${code}/publish`);
}

let serial = 0;
/** The texts of a person, none of which occurs anywhere else. */
const wordsOf = (group: string | null) => {
  const n = ++serial;
  const who = `${group ?? 'none'}x${n}`;
  return {
    first_name: `First${who}`,
    last_name: `Last${who}`,
    email: `mail-${who}@example.org`,
    phone: `+49 ${7_000_000 + n}`,
    external_id: `id-${who}`,
    attendee_type: 'adult',
    ...(group !== null && { group }),
  };
};
const secretsOf = (input: ReturnType<typeof wordsOf>) => [
  input.first_name,
  input.last_name,
  input.email,
  input.phone,
  input.external_id,
];

/** A registration without a group, with one attendee of alpha and one of beta. The registrant is one of the two. */
async function mixed(of = 'fair', more: object = {}, order: string[] = ['alpha', 'beta']): Promise<Mixed> {
  const input = order.map(wordsOf);
  const body = await made(`/events/${of}/registrations`, { attendees: input, ...more });
  const told = (group: string): Known => {
    const i = order.indexOf(group);
    const { id, tickets } = body.attendees[i];
    return { id, tickets, words: [id, ...secretsOf(input[i]!)] };
  };
  return { id: body.id, code: body.code, anna: told('alpha'), bert: told('beta') };
}

const hides = (reply: { text: string }, person: Known, codes = true) => {
  const secrets = [...person.words, ...(codes ? person.tickets.map((ticket) => ticket.code) : [])];
  expect(secrets.filter((word) => reply.text.includes(word))).toEqual([]);
};
const shows = (reply: { text: string }, person: Known) => {
  expect(person.words.filter((word) => !reply.text.includes(word))).toEqual([]);
};
/** Links contain the public address of the server, so only their path is used. */
const here = (link: string) => hooks.t.url + new URL(link).pathname;
const get = (path: string, as?: string) => hooks.get(path, as);
const refusal = (reply: Reply) => [reply.status, reply.body?.error?.code];
const MIXED = [409, 'mixed_groups'];
const GONE = [404, 'not_found'];

describe('a registration with people of several groups', () => {
  test('is shown with only the people within reach, by id, by code and in the list', async () => {
    const { id, code, anna, bert } = await mixed();
    for (const path of [id, code, `?limit=200&code=${code}`]) {
      const url = `/events/fair/registrations${path.startsWith('?') ? path : `/${path}`}`;
      const mine = await get(url, alpha);
      expect(mine.status).toBe(200);
      shows(mine, anna);
      hides(mine, bert);
      const theirs = await get(url, beta);
      shows(theirs, bert);
      hides(theirs, anna);
      shows(await get(url), bert);
    }
  });

  test('is counted in the overview with the people within reach', async () => {
    const taken = async () => {
      const counts = await Promise.all([alpha, beta, undefined].map((as) => get('/overview', as)));
      return counts.map((reply) => reply.body.events.find((one: { code: string }) => one.code === 'fair').taken);
    };
    const before = await taken();
    const { anna, bert } = await mixed();
    expect((await taken()).map((count, i) => count - before[i])).toEqual([1, 1, 2]);
    for (const as of [alpha, beta, undefined]) {
      const reply = await get('/overview', as);
      hides(reply, anna);
      hides(reply, bert);
    }
  });

  test('is shown without totals, and with the registrant only if that person is within reach', async () => {
    const { id } = await mixed();
    const mine = (await get(`/events/fair/registrations/${id}`, alpha)).body;
    expect(mine).toMatchObject({
      total_minor: null,
      paid_minor: null,
      contact: { first_name: expect.stringMatching(/^First/) },
    });
    const theirs = (await get(`/events/fair/registrations/${id}`, beta)).body;
    expect(theirs).toMatchObject({ total_minor: null, paid_minor: null });
    expect(theirs.contact).toEqual({
      id: null,
      first_name: null,
      last_name: null,
      email: null,
      phone: null,
      language: null,
    });
    expect((await get(`/events/fair/registrations/${id}`)).body).toMatchObject({ total_minor: 0, paid_minor: 0 });
  });

  test('does not show the registrant to another group, even if the registration belongs to that group', async () => {
    const { id, anna } = await mixed('fair', { group: 'beta' });
    const theirs = await get(`/events/fair/registrations/${id}`, beta);
    hides(theirs, anna);
    expect(theirs.body.group).toBe('beta');
    const mine = await get(`/events/fair/registrations/${id}`, alpha);
    shows(mine, anna);
    expect(mine.body.group).toBeNull();
  });

  test('is not found by the address of a registrant who is out of reach', async () => {
    const { id, anna } = await mixed();
    const [, , , email] = anna.words;
    const found = async (as: string) => {
      const reply = await get(`/events/fair/registrations?email=${encodeURIComponent(email!)}`, as);
      return reply.body.data.map((one: { id: string }) => one.id);
    };
    expect(await found(alpha)).toEqual([id]);
    expect(await found(beta)).toEqual([]);
  });

  test('cannot be changed as a whole, and the answer says why', async () => {
    const { id } = await mixed();
    const at = `/events/fair/registrations/${id}`;
    const calls: [string, unknown][] = [
      [`${at}/approve`, undefined],
      [`${at}/decline`, {}],
      [`${at}/cancel`, {}],
      [`${at}/promote`, undefined],
      [`${at}/payments`, { amount_minor: 100, method: 'cash' }],
      [`${at}/attendees`, wordsOf(null)],
      [`${at}/checkout`, { success_url: 'https://example.org/a', cancel_url: 'https://example.org/b' }],
    ];
    for (const [path, body] of calls) {
      const reply = await hooks.post(path, body, alpha);
      expect(refusal(reply), path).toEqual(MIXED);
      expect(reply.body.error.message).toMatch(/other groups/);
    }
    expect(refusal(await get(`${at}/payments`, alpha))).toEqual(MIXED);
    expect((await get(at)).body).toMatchObject({ status: 'confirmed', paid_minor: 0 });
    expect((await hooks.post(`${at}/cancel`, {})).status).toBe(200);
  });

  test('is checked again under the lock: a person who moves to another group while the call waits is not changed', async () => {
    const { id, attendees } = await made('/events/fair/registrations', {
      attendees: [wordsOf('alpha'), wordsOf('alpha')],
    });
    const waiting = async () => {
      const [row] = await runSql(
        hooks.t.database.adminUrl,
        `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row!.n as number;
    };
    const call = await hooks.t.system(async (tx) => {
      await tx.run(sql`
        select from event_clocks c join events e on e.org_id = c.org_id and e.id = c.event_id where e.code = 'fair' for update of c`);
      const pending = hooks.post(`/events/fair/registrations/${id}/cancel`, {}, alpha);
      await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
      await tx.run(sql`
        update attendees set group_id = (select id from groups where code = 'beta') where id = ${toUuid(attendees[1].id)}`);
      return { pending };
    });
    expect(refusal(await call.pending)).toEqual(MIXED);
  });

  test('shows its payments only to callers who reach all of it', async () => {
    const { id } = await mixed();
    const payment = await made(`/events/fair/registrations/${id}/payments`, { amount_minor: 100, method: 'cash' });
    expect(refusal(await hooks.post(`/payments/${payment.id}/refund`, {}, alpha))).toEqual(GONE);
    expect((await hooks.post(`/payments/${payment.id}/refund`, {})).status).toBe(200);
  });

  test('is not found if nobody in it is within reach', async () => {
    const body = await made('/events/fair/registrations', { attendees: [wordsOf('beta')], group: 'alpha' });
    expect(refusal(await get(`/events/fair/registrations/${body.id}`, alpha))).toEqual(GONE);
    expect((await get(`/events/fair/registrations/${body.id}`, beta)).status).toBe(200);
  });

  test('each group changes and cancels its own person in it', async () => {
    const { id, anna, bert } = await mixed();
    const change = await hooks.t.call('PATCH', `/v1/events/fair/attendees/${anna.id}`, {
      key: alpha,
      body: { phone: '1234' },
    });
    expect(change.body).toMatchObject({ phone: '1234' });
    expect(refusal(await hooks.post(`/events/fair/attendees/${bert.id}/cancel`, undefined, alpha))).toEqual(GONE);
    expect((await hooks.post(`/events/fair/attendees/${anna.id}/cancel`, undefined, alpha)).status).toBe(200);
    const { attendees } = (await get(`/events/fair/registrations/${id}`)).body;
    expect(attendees.map((one: { status: string }) => one.status)).toEqual(['cancelled', 'confirmed']);
  });
});

describe('tickets', () => {
  test('of another group’s people are not listed, changed or reissued, and no new code is shown', async () => {
    const { anna, bert, id } = await mixed('fair', { group: 'beta' });
    const [ticket] = anna.tickets;
    for (const query of ['', `&registration=${id}`]) {
      const list = await get(`/events/fair/tickets?limit=200${query}`, beta);
      expect(list.text).toContain(bert.tickets[0]!.id);
      expect(list.text).not.toContain(ticket!.id);
      hides(list, anna);
    }
    expect(refusal(await get(`/tickets/${ticket!.id}`, beta))).toEqual(GONE);
    expect(refusal(await get(`/tickets/${ticket!.id}/pdf`, beta))).toEqual(GONE);
    for (const act of ['void', 'reissue', 'send']) {
      expect(refusal(await hooks.post(`/tickets/${ticket!.id}/${act}`, act === 'void' ? {} : undefined, beta))).toEqual(
        GONE,
      );
    }
    expect((await get(`/tickets/${ticket!.id}`)).body.status).toBe('valid');
  });

  test('of a person of the group are within reach, whatever group the registration has', async () => {
    for (const group of [undefined, 'beta']) {
      const { anna } = await mixed('fair', group === undefined ? {} : { group });
      const [ticket] = anna.tickets;
      const shown = await get(`/tickets/${ticket!.id}`, alpha);
      expect([shown.status, shown.body.code]).toEqual([200, ticket!.code]);
      expect((await get(`/events/fair/tickets?limit=200`, alpha)).text).toContain(ticket!.id);
      const again = await hooks.post(`/tickets/${ticket!.id}/reissue`, undefined, alpha);
      expect(again.status).toBe(201);
      expect((await hooks.post(`/tickets/${again.body.id}/send`, undefined, alpha)).status).toBe(200);
      expect((await get(`/tickets/${again.body.id}/pdf`, alpha)).status).toBe(200);
      expect((await hooks.post(`/tickets/${again.body.id}/void`, {}, alpha)).status).toBe(200);
    }
  });

  test('shared with people of other groups are shown without those people and without the code, and cannot be changed', async () => {
    const { anna, bert } = await mixed('shared');
    const [ticket] = anna.tickets;
    expect(ticket!.id).toBe(bert.tickets[0]!.id);
    for (const path of [
      `/tickets/${ticket!.id}`,
      '/events/shared/tickets?limit=200',
      `/events/shared/attendees/${anna.id}`,
    ]) {
      const shown = await get(path, alpha);
      expect(shown.text).toContain(ticket!.id);
      expect(shown.text).toContain(anna.id);
      hides(shown, bert);
    }
    for (const act of ['void', 'reissue', 'send']) {
      expect(
        refusal(await hooks.post(`/tickets/${ticket!.id}/${act}`, act === 'void' ? {} : undefined, alpha)),
      ).toEqual(MIXED);
    }
    expect(refusal(await get(`/tickets/${ticket!.id}/pdf`, alpha))).toEqual(MIXED);
    expect((await get(`/tickets/${ticket!.id}`)).body).toMatchObject({ status: 'valid', code: ticket!.code });
  });

  test('a ticket is not sent to a registrant who is out of reach', async () => {
    const person = { ...wordsOf('beta'), email: null };
    const registrant = wordsOf('alpha');
    const { attendees } = await made('/events/fair/registrations', { attendees: [registrant, person] });
    const reply = await hooks.post(`/tickets/${attendees[1].tickets[0].id}/send`, undefined, beta);
    expect(refusal(reply)).toEqual([409, 'invalid_state']);
    expect(reply.text).not.toContain(registrant.email);
  });
});

describe('the contact of a registrant', () => {
  const inContacts = async (email: string, as: string) =>
    (await get(`/contacts?search=${encodeURIComponent(email)}`, as)).body.data.length;

  test('who is taken for an attendee is in the attendee’s group, also when the registrant’s name is corrected', async () => {
    const person = { ...wordsOf('alpha'), phone: `+49 30 ${Date.now()}` };
    const { id } = await made('/events/fair/registrations', { group: 'beta', attendees: [person] });
    const body = { contact: { first_name: `${person.first_name}x` } };
    const corrected = await hooks.t.call('PATCH', `/v1/events/fair/registrations/${id}`, { key: alpha, body });
    expect(corrected.status).toBe(200);
    expect(await inContacts(person.email, alpha)).toBe(2);
    expect(await inContacts(person.email, beta)).toBe(0);
  });

  test('who shares an attendee’s address from the start is in the attendee’s group', async () => {
    const person = wordsOf('alpha');
    const contact = { first_name: 'Other', last_name: 'Name', email: person.email };
    await made('/events/fair/registrations', { group: 'beta', contact, attendees: [person] });
    expect(await inContacts(person.email, alpha)).toBe(2);
    expect(await inContacts(person.email, beta)).toBe(0);
  });

  test('who is taken for attendees of several groups is shown to nobody who is limited to one of them', async () => {
    const one = wordsOf('alpha');
    const contact = { first_name: 'Other', last_name: 'Name', email: one.email };
    await made('/events/fair/registrations', { contact, attendees: [one, { ...wordsOf('beta'), email: one.email }] });
    for (const as of [alpha, beta]) expect(await inContacts(one.email, as)).toBe(1);
    expect((await get(`/contacts?search=${encodeURIComponent(one.email)}`)).body.data).toHaveLength(3);
  });

  test('who is nobody of the attendees is in the registration’s group', async () => {
    const contact = { first_name: 'Other', last_name: 'Name', email: wordsOf('beta').email };
    await made('/events/fair/registrations', { group: 'beta', contact, attendees: [wordsOf('alpha')] });
    expect(await inContacts(contact.email, alpha)).toBe(0);
    expect(await inContacts(contact.email, beta)).toBe(1);
  });
});

describe('an attendee’s group is their own, else that of the registration, else that of the event', () => {
  test('a person without a group has that of the registration, also when their own is removed', async () => {
    const { attendees, id } = await made('/events/fair/registrations', {
      attendees: [{ ...wordsOf(null), group: null }, wordsOf('beta')],
      group: 'alpha',
    });
    const mine = await get(`/events/fair/attendees/${attendees[0].id}`, alpha);
    expect(mine.status).toBe(200);
    expect((await get(`/tickets/${attendees[0].tickets[0].id}`, alpha)).status).toBe(200);
    expect((await get(`/contacts/${mine.body.contact_id}`, alpha)).status).toBe(200);
    const taken = await hooks.t.call('PATCH', `/v1/events/fair/attendees/${attendees[1].id}`, {
      key: hooks.key,
      body: { group: null },
    });
    expect(taken.status).toBe(200);
    expect((await get(`/events/fair/registrations/${id}`, alpha)).body.attendees).toHaveLength(2);
    expect(refusal(await get(`/events/fair/attendees/${attendees[1].id}`, beta))).toEqual(GONE);
  });

  test('is written by the migration in an older database, and shows as a change', async () => {
    const body = { attendees: [wordsOf(null)], group: 'alpha' };
    const { attendees } = await made('/events/fair/registrations', body);
    const id = toUuid(attendees[0].id);
    const before = attendees[0].updated_at;
    await hooks.t.system((tx) => tx.run(sql`update attendees set group_id = null where id = ${id}`));
    const check = async () =>
      (await hooks.t.system(doctor)).findings.find((one) => one.check === 'groups of attendees')!.ok;
    expect([(await get(`/events/fair/attendees/${attendees[0].id}`, alpha)).status, await check()]).toEqual([
      404,
      false,
    ]);
    const { text } = migrations().find((one) => one.name === '0018_group_wall.sql')!;
    await runSql(hooks.t.database.adminUrl, text.slice(0, text.indexOf('alter table')));
    const after = await get(`/events/fair/attendees/${attendees[0].id}`, alpha);
    expect([after.status, after.body.group, await check()]).toEqual([200, 'alpha', true]);
    expect(after.body.updated_at > before).toBe(true);
  });

  test('if neither person nor registration has a group, it is that of the event, and so is the contact’s', async () => {
    const { attendees, id } = await made('/events/owned/registrations', { attendees: [wordsOf(null)], group: null });
    expect(attendees[0].group).toBeNull();
    const mine = await get(`/events/owned/attendees/${attendees[0].id}`, alpha);
    expect(mine.status).toBe(200);
    expect((await get(`/contacts/${mine.body.contact_id}`, alpha)).status).toBe(200);
    expect((await get(`/tickets/${attendees[0].tickets[0].id}`, alpha)).status).toBe(200);
    expect((await get('/events/owned/attendees?group=alpha', alpha)).text).toContain(attendees[0].id);
    expect((await hooks.post(`/events/owned/registrations/${id}/cancel`, {}, alpha)).status).toBe(200);
  });

  test('a person who moves to another group leaves a contact in the old one and gets one in the new one', async () => {
    const { attendees } = await made('/events/fair/registrations', { attendees: [wordsOf('alpha')] });
    const before = attendees[0].contact_id;
    const body = { group: 'beta' };
    const moved = await hooks.t.call('PATCH', `/v1/events/fair/attendees/${attendees[0].id}`, { key: hooks.key, body });
    expect(moved.body.contact_id).not.toBe(before);
    expect((await get(`/contacts/${moved.body.contact_id}`, beta)).status).toBe(200);
    expect(refusal(await get(`/contacts/${before}`, beta))).toEqual(GONE);
  });
});

describe('duplicate_email', () => {
  test('shows what was sent, never what is stored', async () => {
    const stored = 'Stored.Spelling@Example.org';
    const first = await hooks.post('/events/unique/registrations', {
      attendees: [{ ...wordsOf('beta'), email: stored }],
    });
    expect(first.status).toBe(201);
    const sent = 'stored.spelling@example.ORG';
    const refused = await hooks.post(
      '/events/unique/registrations',
      { attendees: [{ ...wordsOf(null), email: sent }] },
      alpha,
    );
    expect(refusal(refused)).toEqual([422, 'duplicate_email']);
    expect(refused.text).not.toContain(stored);
    expect(refused.body.error.message).toContain(sent);
    const mine = await made('/events/unique/registrations', { attendees: [wordsOf(null)] }, alpha);
    const changed = await hooks.t.call('PATCH', `/v1/events/unique/attendees/${mine.attendees[0].id}`, {
      key: alpha,
      body: { email: sent },
    });
    expect(refusal(changed)).toEqual([422, 'duplicate_email']);
    expect(changed.text).not.toContain(stored);
    const joins = await hooks.post(
      `/events/unique/registrations/${mine.id}/attendees`,
      { ...wordsOf(null), email: sent },
      alpha,
    );
    expect(refusal(joins)).toEqual([422, 'duplicate_email']);
    expect(joins.text).not.toContain(stored);
  });
});

describe('what is sent to a webhook endpoint of a group', () => {
  const received = async (): Promise<{ text: string; id: string; type: string; path: string }[]> => {
    while ((await hooks.t.step.relay()) > 0);
    await hooks.deliver();
    return hooks.receiver.got.splice(0).map((one) => {
      const text = one.body.toString();
      const { id, type } = JSON.parse(text);
      return { text, id, type, path: one.path };
    });
  };
  const endpoint = (name: string, group?: string) =>
    hooks.endpoint({ url: `${hooks.receiver.url}${name}`, ...(group !== undefined && { group }) });
  const to = (all: Awaited<ReturnType<typeof received>>, name: string) => all.filter((one) => one.path.endsWith(name));

  test('contains only the people within reach, under the same id', async () => {
    for (const [name, group] of [['all'], ['alpha', 'alpha'], ['beta', 'beta'], ['deep', 'deep']] as const)
      await endpoint(name, group);
    for (const [of, group] of [
      ['fair', 'alpha'],
      ['fair', null],
      ['shared', null],
    ] as const) {
      const { anna, bert, id } = await mixed(of, { group });
      const change = { key: hooks.key, body: { phone: '555' } };
      await hooks.t.call('PATCH', `/v1/events/${of}/attendees/${anna.id}`, change);
      await made(`/events/${of}/registrations/${id}/payments`, { amount_minor: 100, method: 'cash' });
      const all = await received();
      const whole = to(all, 'all');
      expect(new Set(whole.map((one) => one.type))).toContain('payment.received');
      for (const one of to(all, 'alpha')) hides(one, bert);
      for (const one of to(all, 'beta')) hides(one, anna);
      expect(to(all, 'deep')).toEqual([]);
      const ids = (name: string, type: string) =>
        to(all, name)
          .filter((one) => one.type === type)
          .map((one) => one.id);
      for (const type of ['registration.created', 'registration.confirmed', 'registration.updated']) {
        expect(ids('alpha', type).length, type).toBeGreaterThan(0);
        expect(ids('alpha', type)).toEqual(ids('all', type));
        expect(ids('beta', type)).toEqual(ids('all', type));
      }
      expect(ids('alpha', 'payment.received')).toEqual([]);
      expect(ids('all', 'ticket.issued')).toHaveLength(of === 'shared' ? 1 : 2);
      expect(ids('alpha', 'ticket.issued')).toHaveLength(1);
      const created = JSON.parse(to(all, 'alpha').find((one) => one.type === 'registration.created')!.text).data;
      const read = (await get(`/events/${of}/registrations/${id}`, alpha)).body;
      expect(Object.keys(created)).toEqual(Object.keys(read));
      expect(created).toMatchObject({ total_minor: null, paid_minor: null, attendees: [{ id: anna.id }] });
    }
  });

  test('is complete, however many people there are', async () => {
    await endpoint('alpha', 'alpha');
    await Promise.all(Array.from({ length: 25 }, () => mixed('fair')));
    const created = (await received()).filter((one) => one.type === 'registration.created');
    expect(new Set(created.map((one) => one.id)).size).toBe(25);
  });

  test('about a person who is added, removed or admitted goes to that person’s group only', async () => {
    await endpoint('alpha', 'alpha');
    await endpoint('beta', 'beta');
    const { id, bert } = await mixed('shared');
    await received();
    const added = await made(`/events/shared/registrations/${id}/attendees`, wordsOf('beta'));
    const joined = await received();
    expect(to(joined, 'beta').map((one) => one.type)).toContain('registration.attendee_added');
    expect(to(joined, 'alpha').map((one) => one.type)).not.toContain('registration.attendee_added');
    hides(
      {
        text: to(joined, 'alpha')
          .map((one) => one.text)
          .join(),
      },
      { ...bert, words: [added.id, added.email, ...bert.words] },
    );
    await made('/events/shared/scan', {
      code: bert.tickets[0]!.code,
      check_in_point: 'gate',
      client_uuid: randomUUID(),
      scanned_at: '2027-03-02T12:00:00Z',
    });
    const scanned = (await received()).filter((one) => one.type === 'checkin.recorded');
    expect(to(scanned, 'alpha')).toHaveLength(1);
    expect(to(scanned, 'beta')).toHaveLength(2);
  });

  test('is shown and replayed as it was sent there; no group sees the complete envelope', async () => {
    const { id } = await endpoint('alpha', 'alpha');
    const { bert } = await mixed('fair');
    const sent = (await received()).find((one) => one.type === 'registration.created')!;
    const [delivery] = (await get(`/webhooks/${id}/deliveries?event=registration.created`, alpha)).body.data;
    expect(delivery.envelope_id).toBe(sent.id);
    const details = await get(`/webhooks/deliveries/${delivery.id}`, alpha);
    expect(details.body.envelope).toBe(sent.text);
    hides(details, bert);
    expect((await hooks.post(`/webhooks/deliveries/${delivery.id}/replay`, undefined, alpha)).status).toBe(201);
    expect((await received()).map((one) => one.text)).toEqual([sent.text]);
  });

  test('is also emptied when a person in it is erased', async () => {
    const { id: endpointId } = await endpoint('alpha', 'alpha');
    await endpoint('beta', 'beta');
    const { id, anna } = await mixed('fair');
    await received();
    const holding = () =>
      hooks.t.system(async (tx) => {
        const bodies = await tx.all<{ body: string }>(
          sql`select convert_from(body, 'UTF8') as body from webhook_envelopes where body is not null`,
        );
        return bodies.filter(({ body }) => anna.words.slice(1).some((word) => body.includes(word))).length;
      });
    expect(await holding()).toBeGreaterThan(0);
    const { attendees } = (await get(`/events/fair/registrations/${id}`)).body;
    await made(`/contacts/${attendees[0].contact_id}/erase`);
    expect(await holding()).toBe(0);
    const [delivery] = (await get(`/webhooks/${endpointId}/deliveries?event=registration.created`)).body.data;
    expect((await get(`/webhooks/deliveries/${delivery.id}`)).body.envelope).toBeNull();
  });

  test('when the group of an endpoint changes, waiting deliveries that are not of the new group are not sent', async () => {
    const { id } = await endpoint('moved');
    await made(`/webhooks/${id}/pause`);
    await mixed('fair');
    await made('/events/fair/registrations', { attendees: [wordsOf('beta')] });
    while ((await hooks.t.step.relay()) > 0);
    await hooks.t.call('PATCH', `/v1/webhooks/${id}`, { key: hooks.key, body: { group: 'beta' } });
    await made(`/webhooks/${id}/enable`);
    const sent = await received();
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((one) => one.text.includes('alphax'))).toEqual([]);
    const [dead] = (await get(`/webhooks/${id}/deliveries?status=dead&event=registration.created`)).body.data;
    const again = await hooks.post(`/webhooks/deliveries/${dead.id}/replay`);
    expect(refusal(again)).toEqual([409, 'invalid_state']);
  });
});

describe('exports, rosters, check-ins and communications', () => {
  const rows = async (what: string, of: string, as: string) => {
    const job = await made('/exports', { what, format: 'csv', event: of }, as);
    return { text: await (await fetch(here(job.result_url))).text() };
  };
  test('exports contain the people within reach and no total, registrant or code of anybody else', async () => {
    for (const of of ['fair', 'shared']) {
      const { anna, bert, id, code } = await mixed(of, { group: 'beta' });
      expect(id).not.toBe('');
      for (const what of ['registrations', 'people', 'tickets']) {
        const mine = await rows(what, of, alpha);
        hides(mine, bert);
        expect(mine.text, what).toContain(code);
        const theirs = await rows(what, of, beta);
        hides(theirs, anna);
        expect(theirs.text, what).toContain(code);
      }
      const scan = { check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: '2027-03-02T12:00:00Z' };
      await made(`/events/${of}/scan`, { ...scan, code: bert.tickets[0]!.code });
      hides(await rows('checkins', of, alpha), bert);
      const theirs = await rows('checkins', of, beta);
      hides(theirs, anna, false);
      expect(theirs.text).toContain(bert.words[1]);
      if (of === 'shared') expect(theirs.text).not.toContain(bert.tickets[0]!.code);
    }
  });

  test('a roster contains the tickets of people within reach, with only those people', async () => {
    const { anna, bert } = await mixed('shared');
    const { attendees } = await made('/events/owned/registrations', { attendees: [wordsOf(null)], group: null });
    const roster = async (of: string, as: string) => {
      const manifest = (await hooks.t.call('GET', `/api/v1/events/${of}/scan/manifest`, { key: as })).body;
      const whole = await fetch(here(manifest.roster.url));
      const text = await whole.text();
      expect(JSON.parse(text).data).toHaveLength(manifest.roster.count);
      const since = await hooks.t.call('GET', `/api/v1/events/${of}/scan/roster?since=2020-01-01T00:00:00Z`, {
        key: as,
      });
      return { text: text + since.text };
    };
    const mine = await roster('shared', alpha);
    expect(mine.text).toContain(anna.id);
    hides(mine, bert);
    expect((await roster('owned', alpha)).text).toContain(attendees[0].id);
  });

  test('check-ins follow the person', async () => {
    const { attendees } = await made('/events/fair/registrations', { attendees: [wordsOf('alpha')] });
    const scan = { check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: '2027-03-02T12:00:00Z' };
    await made('/events/fair/scan', { ...scan, code: attendees[0].tickets[0].code });
    const list = async (as: string) =>
      (await hooks.t.call('GET', '/api/v1/events/fair/checkins?limit=200', { key: as })).text.includes(attendees[0].id);
    expect([await list(alpha), await list(beta)]).toEqual([true, false]);
    await hooks.t.call('PATCH', `/v1/events/fair/attendees/${attendees[0].id}`, {
      key: hooks.key,
      body: { group: 'beta' },
    });
    expect([await list(alpha), await list(beta)]).toEqual([false, true]);
  });

  test('a communication of a group goes to no registrant of another group and contains no code of a ticket that is shared with one', async () => {
    const person = { ...wordsOf('beta'), email: null };
    const registrant = wordsOf('alpha');
    const { attendees } = await made('/events/shared/registrations', { attendees: [registrant, person] });
    const draft = { subject: 'Hello', text: 'Your codes: {{ticket_codes}}' };
    const { id } = await made('/events/shared/communications', draft, beta);
    const preview = await hooks.post(
      `/events/shared/communications/${id}/preview`,
      { attendee: attendees[1].id },
      beta,
    );
    expect(preview.status).toBe(200);
    expect(preview.text).not.toContain(attendees[1].tickets[0].code);
    await made(`/events/shared/communications/${id}/send`, {}, beta);
    while ((await hooks.t.step.jobs()) > 0);
    const recipients = await get(`/events/shared/communications/${id}/recipients?limit=200`, beta);
    expect(recipients.text).not.toContain(registrant.email);
  });

  test('an import neither finds nor changes people of another group, and treats them as new', async () => {
    const { bert } = await mixed('fair');
    const [, first, last, email] = bert.words;
    const csv = `first name,last name,email,type\n${first},${last},${email},adult\n`;
    const job = await made('/events/fair/imports', { csv, preview: true }, alpha);
    expect(job.counts).toMatchObject({ created: 1, updated: 0, unchanged: 0 });
  });
});

test('the audit log shows a group what was done to its own people only', async () => {
  const { anna, bert, id } = await mixed('fair');
  await hooks.post(`/events/fair/attendees/${anna.id}/cancel`, undefined, alpha);
  const { code } = anna.tickets[0]!;
  const both = await mixed('shared');
  const scan = { check_in_point: 'gate', client_uuid: randomUUID(), scanned_at: '2027-03-02T12:00:00Z' };
  const { checkins } = await made('/events/shared/scan', { ...scan, code: both.anna.tickets[0]!.code });
  for (const as of [alpha, beta]) {
    expect((await get(`/audit-log?object=${checkins[0].id}`, as)).body.data).toEqual([]);
    expect((await get('/audit-log?limit=200', as)).text).not.toContain(code);
  }
  const admin = async (as: string) => (await get(`/audit-log?object=${id}&limit=200`, as)).body.data;
  expect((await admin(alpha)).map((one: { action: string }) => one.action)).toEqual(['attendee.cancelled']);
  expect(await admin(beta)).toEqual([]);
  expect((await admin(hooks.key)).length).toBe(2);
  expect(bert.id).not.toBe(toUuid(anna.id));
});
