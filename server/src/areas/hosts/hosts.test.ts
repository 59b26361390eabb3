import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../../test/support/dns-server.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, HOUR } from '../../clock.ts';
import { sql } from '../../store/sql.ts';
import { transaction } from '../../store/tx.ts';
import { checkDueHosts } from './jobs.ts';

let dns: DnsServer;
let t: TestTurnout;
let key: string;
let other: string;
beforeAll(async () => {
  dns = await startDnsServer();
  t = await startTest({
    env: {
      DNS_SERVERS: dns.address,
      PUBLIC_URL: 'https://turnout.example',
      SCANNER_URL: 'https://scan.turnout.example:8443',
    },
  });
  for (const org of ['acme', 'rival']) await t.org(org);
  key = (await t.key('acme')).secret;
  other = (await t.key('rival')).secret;
});
afterAll(async () => {
  await t.stop();
  await dns.stop();
});
beforeEach(async () => {
  dns.zone.clear();
  await t.system(async (tx) => {
    await tx.run(sql`delete from tenant_hosts`);
    await tx.run(sql`update organizations set page_host = null`);
    await tx.run(sql`delete from mails`);
  });
  t.clock.advance(HOUR);
});

interface Shown {
  id: string;
  host: string;
  state: string;
  record: { type: string; name: string; value: string };
}
const list = async (by = key): Promise<Shown[]> =>
  (await t.call('GET', '/v1/organization/hosts', { key: by })).body.data;
const add = (host: string, by = key) => t.call('POST', '/v1/organization/hosts', { key: by, body: { host } });
const added = async (host: string, by = key): Promise<Shown> => {
  const reply = await add(host, by);
  expect([reply.status, reply.text]).toEqual([200, expect.anything()]);
  return reply.body;
};
const publish = ({ record }: Shown, value = record.value) => dns.zone.set(record.name, [value]);
const act = (what: string, { id }: Shown, by = key) =>
  t.call('POST', `/v1/organization/hosts/${id}/${what}`, { key: by });
const check = async (host: Shown, by = key) => {
  t.clock.advance(10_000);
  return (await act('check', host, by)).body;
};
const proved = async (host: string, by = key): Promise<Shown> => {
  const made = await added(host, by);
  publish(made);
  expect(await check(made, by)).toMatchObject({ state: 'proved' });
  return made;
};
/** Where the pages of the organization are, as its mails and answers say. */
const pagesOf = (org: string): Promise<string | null> =>
  t.system(
    async (tx) =>
      (await tx.one<{ page_host: string | null }>(sql`select page_host from organizations where code = ${org}`))
        .page_host,
  );
const audited = (id: string) =>
  t
    .call('GET', `/v1/audit-log?object=${id}`, { key })
    .then(({ body }) =>
      body.data.map(({ action, source }: { action: string; source: string }) => `${action} ${source}`),
    );

describe('adding a host', () => {
  test('shows the record that proves it, which differs for each organization', async () => {
    const mine = await added('Tickets.Example.ORG.');
    expect(mine).toMatchObject({
      host: 'tickets.example.org',
      state: 'waiting',
      primary: false,
      record: { type: 'TXT', name: '_turnout.tickets.example.org', value: expect.stringMatching(/^turnout-\w{24}$/) },
      check: null,
    });
    const theirs = await added('tickets.example.org', other);
    expect(theirs.record.value).not.toBe(mine.record.value);
    // Each sees its own claim only.
    expect((await list()).map(({ id }) => id)).toEqual([mine.id]);
    expect((await list(other)).map(({ id }) => id)).toEqual([theirs.id]);
    // Adding it again changes nothing.
    expect(await added('tickets.example.org')).toEqual(mine);
    expect(await audited(mine.id)).toEqual(['tenant_host.added api']);
  });

  test.each([
    ['bücher.example', 'xn--bcher-kva.example'],
    ['A-1.b.co', 'a-1.b.co'],
  ])('%s is stored as DNS spells it', async (text, host) => {
    expect((await added(text)).host).toBe(host);
  });

  test.each([
    'https://tickets.example.org',
    'tickets.example.org/path',
    'tickets.example.org:443',
    'user@example.org',
    '*.example.org',
    'localhost',
    'my.localhost',
    'intranet',
    '192.0.2.1',
    '127.1',
    '0x7f.0.0.1',
    '[2001:db8::1]',
    'a b.example',
    'ex%61mple.org',
    'a..example',
    '.example.org',
    '-a.example',
    'a_b.example',
    `${'a'.repeat(64)}.example`,
    `${'abcdefgh.'.repeat(27)}org`,
    'turnout.example',
    'TURNOUT.example.',
    'scan.turnout.example',
    '\u0000.example',
    'soft\u00adhyphen.example',
    '',
  ])('%j is refused', async (host) => {
    const reply = await add(host);
    expect([reply.status, reply.body.error.code]).toEqual([400, 'validation_failed']);
    expect(reply.body.error.details[0].path).toBe('host');
    expect(await list()).toEqual([]);
  });

  test('an organization has at most ten, also if it adds them at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 14 }, (_, i) => add(`h${i}.example`)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.find(({ status }) => status !== 200)!.body.error.code).toBe('invalid_state');
    expect(await list()).toHaveLength(10);
  });

  test('a test key cannot', async () => {
    const { secret } = await t.key('acme', { mode: 'test' });
    expect((await add('tickets.example.org', secret)).body.error.code).toBe('test_key_live_object');
    const host = await added('tickets.example.org');
    publish(host);
    expect((await act('check', host, secret)).body.error.code).toBe('test_key_live_object');
    expect(await list()).toMatchObject([{ state: 'waiting' }]);
  });
});

describe('a check', () => {
  test('proves the host if one of its records has the token', async () => {
    const host = await added('tickets.example.org');
    const { value } = host.record;
    dns.zone.set(host.record.name, ['v=spf1 -all', [value.slice(0, 7), value.slice(7)], 'x'.repeat(200)]);
    expect(await check(host)).toMatchObject({ state: 'proved', proved_by: 'dns', check: 'found', primary: true });
    expect(await pagesOf('acme')).toBe('tickets.example.org');
    expect(await audited(host.id)).toEqual(['tenant_host.checked api', 'tenant_host.added api']);
    // The addresses of the pages follow.
    const event = await t.call('POST', '/v1/events', { key, body: { name: 'Fair', code: 'fair' } });
    expect(event.body.public_url).toBe('https://tickets.example.org/fair');
  });

  test.each<[string, (host: Shown) => void, string]>([
    ['no such name', () => {}, 'none'],
    ['a name without such a record', ({ record }) => dns.zone.set(record.name, []), 'none'],
    ['another value', (host) => publish(host, 'turnout-000000000000000000000000'), 'other_value'],
    ['more than the token', (host) => publish(host, `${host.record.value}0`), 'other_value'],
    ['the token in other letters', (host) => publish(host, host.record.value.toUpperCase()), 'other_value'],
    ['the record at the host itself', (host) => dns.zone.set(host.host, [host.record.value]), 'none'],
    ['a failure', ({ record }) => dns.zone.set(record.name, 'servfail'), 'no_answer'],
  ])('with %s proves nothing and says what was found', async (_what, make, found) => {
    const host = await added('tickets.example.org');
    make(host);
    expect(await check(host)).toMatchObject({ state: 'waiting', check: found });
    expect(await pagesOf('acme')).toBeNull();
  });

  test('with the token of another organization proves nothing', async () => {
    const theirs = await added('tickets.example.org', other);
    const mine = await added('tickets.example.org');
    publish(theirs);
    expect(await check(mine)).toMatchObject({ state: 'waiting', check: 'other_value' });
  });

  test('asks DNS once in five seconds', async () => {
    const host = await added('tickets.example.org');
    await check(host);
    publish(host);
    dns.asked.length = 0;
    expect((await act('check', host)).body).toMatchObject({ state: 'waiting', check: 'none' });
    expect(dns.asked).toEqual([]);
    expect(await check(host)).toMatchObject({ state: 'proved' });
  });
});

describe('the primary host', () => {
  test('is the first that is proved, until another one is chosen', async () => {
    const first = await proved('a.example');
    const second = await proved('b.example');
    expect(await list()).toMatchObject([{ primary: true }, { primary: false }]);
    expect((await act('primary', second)).body).toMatchObject({ primary: true });
    expect(await pagesOf('acme')).toBe('b.example');
    expect(await list()).toMatchObject([{ primary: false }, { primary: true }]);
    const waiting = await added('c.example');
    expect((await act('primary', waiting)).body.error.code).toBe('invalid_state');
    // If it goes, the pages move to the next proved one, and without one to the installation.
    const remove = ({ id }: Shown) => t.call('DELETE', `/v1/organization/hosts/${id}`, { key });
    expect((await remove(second)).status).toBe(204);
    expect(await pagesOf('acme')).toBe('a.example');
    await remove(first);
    expect(await pagesOf('acme')).toBeNull();
    expect((await remove(first)).status).toBe(404);
  });
});

describe('a host that two organizations prove', () => {
  test('stays with the first; the second learns of it only by its own proof', async () => {
    const theirs = await proved('tickets.example.org', other);
    const mine = await added('tickets.example.org');
    expect(mine).toMatchObject({ state: 'waiting' });
    expect(await check(mine)).toMatchObject({ state: 'waiting', check: 'other_value' });
    dns.zone.set(mine.record.name, [theirs.record.value, mine.record.value]);
    expect(await check(mine)).toMatchObject({ state: 'contested', proved_at: null, primary: false });
    expect(await pagesOf('acme')).toBeNull();
    expect(await pagesOf('rival')).toBe('tickets.example.org');
    expect((await act('primary', mine)).body.error.code).toBe('invalid_state');
    // Once the other one has gone, the next check proves it.
    await t.call('DELETE', `/v1/organization/hosts/${theirs.id}`, { key: other });
    expect(await check(mine)).toMatchObject({ state: 'proved' });
    expect(await pagesOf('acme')).toBe('tickets.example.org');
  });

  test('is no longer contested if the record of the second goes', async () => {
    await proved('tickets.example.org', other);
    const mine = await added('tickets.example.org');
    publish(mine);
    expect(await check(mine)).toMatchObject({ state: 'contested' });
    dns.zone.clear();
    expect(await check(mine)).toMatchObject({ state: 'waiting' });
  });

  test('at the same time: one has it, the other one is contested', async () => {
    for (let round = 0; round < 5; round += 1) {
      const host = `race${round}.example`;
      const claims = [await added(host), await added(host, other)] as const;
      dns.zone.set(
        claims[0].record.name,
        claims.map(({ record }) => record.value),
      );
      t.clock.advance(10_000);
      const states = (await Promise.all([act('check', claims[0]), act('check', claims[1], other)])).map(
        ({ body }) => body.state,
      );
      expect(states.toSorted()).toEqual(['contested', 'proved']);
    }
  });

  test('the control: who looks first and then writes, without the unique index, makes two owners', async () => {
    const loose = await startTest();
    try {
      const orgs = [await loose.org('a'), await loose.org('b')];
      await loose.system(async (tx) => {
        for (const org of orgs)
          await tx.run(sql`
            insert into tenant_hosts (org_id, id, host, token, state, created_at, updated_at)
            values (${org}, gen_random_uuid(), 'race.example', 'x', 'waiting', now(), now())`);
      });
      const admin = await loose.pool.connect();
      await admin.query('drop index tenant_hosts_proved');
      admin.release();
      let looked = 0;
      let go = () => {};
      const both = new Promise<void>((resolve) => {
        go = resolve;
      });
      await Promise.all(
        orgs.map((org) =>
          transaction(loose.pool, loose.clock, { role: 'system' }, async (tx) => {
            const owners = await tx.all(
              sql`select 1 from tenant_hosts where host = 'race.example' and state = 'proved'`,
            );
            looked += 1;
            if (looked === 2) go();
            await both;
            if (owners.length === 0)
              await tx.run(sql`
                update tenant_hosts set state = 'proved', proved_at = now(), proved_by = 'dns' where org_id = ${org}`);
          }),
        ),
      );
      const { owners } = await loose.system((tx) =>
        tx.one<{ owners: number }>(sql`select count(*)::int as owners from tenant_hosts where state = 'proved'`),
      );
      expect(owners).toBe(2);
    } finally {
      await loose.stop();
    }
  });
});

describe('the daily check', () => {
  const daily = () => checkDueHosts(t);
  const now = async (host: Shown) => (await list()).find(({ id }) => id === host.id);
  const mails = () =>
    t.system((tx) =>
      tx.all<{ kind: string; recipient: string; subject: string; text: string }>(
        sql`select kind, recipient, subject, text from mails where kind like 'tenant_host%' order by id`,
      ),
    );

  test('asks for each host once a day', async () => {
    await proved('tickets.example.org');
    dns.asked.length = 0;
    t.clock.advance(23 * HOUR);
    expect(await daily()).toBe(0);
    t.clock.advance(HOUR);
    expect(await daily()).toBe(1);
    expect(await daily()).toBe(0);
    expect(dns.asked).toEqual(['_turnout.tickets.example.org']);
  });

  test('a missing record is noted and mailed once; if it comes back, all is as before', async () => {
    await t.session('acme', 'owner');
    const host = await proved('tickets.example.org');
    dns.zone.clear();
    t.clock.advance(DAY);
    await daily();
    const since = await now(host);
    expect(since).toMatchObject({ state: 'proved', primary: true, missing_since: expect.any(String) });
    const owners = (await mails()).length;
    expect(owners).toBeGreaterThan(0);
    expect((await mails())[0]).toMatchObject({
      kind: 'tenant_host_missing',
      subject: 'acme events: the DNS record of tickets.example.org is missing',
      text: expect.stringContaining(host.record.value),
    });
    t.clock.advance(DAY);
    await daily();
    expect(await now(host)).toMatchObject({
      missing_since: (since as unknown as { missing_since: string }).missing_since,
    });
    expect(await mails()).toHaveLength(owners);
    publish(host);
    t.clock.advance(DAY);
    await daily();
    expect(await now(host)).toMatchObject({ state: 'proved', missing_since: null, drops_at: null });
    expect(await audited(host.id)).toEqual([
      'tenant_host.checked system',
      'tenant_host.checked system',
      'tenant_host.checked api',
      'tenant_host.added api',
    ]);
  });

  test('after seven days without its record a host is dropped, and not before', async () => {
    await t.session('acme', 'owner');
    const host = await proved('tickets.example.org');
    dns.zone.clear();
    t.clock.advance(DAY);
    await daily();
    for (let day = 1; day < 7; day += 1) {
      t.clock.advance(DAY);
      await daily();
      expect(await now(host)).toMatchObject({ state: 'proved' });
    }
    expect(await pagesOf('acme')).toBe('tickets.example.org');
    t.clock.advance(DAY);
    await daily();
    expect(await now(host)).toMatchObject({
      state: 'waiting',
      missing_since: null,
      record: host.record,
      primary: false,
    });
    expect(await pagesOf('acme')).toBeNull();
    expect((await audited(host.id))[0]).toBe('tenant_host.dropped system');
    expect((await mails()).at(-1)).toMatchObject({ kind: 'tenant_host_dropped' });
    // With the same record it is proved again.
    publish(host);
    expect(await check(host)).toMatchObject({ state: 'proved' });
  });

  test.each(['servfail', 'refused'] as const)('a resolver that answers %s for weeks drops nothing', async (failure) => {
    const host = await proved('tickets.example.org');
    dns.zone.set(host.record.name, failure);
    for (let day = 0; day < 20; day += 1) {
      t.clock.advance(DAY);
      expect(await daily()).toBe(1);
    }
    expect(await now(host)).toMatchObject({ state: 'proved', check: 'no_answer', missing_since: null });
  });

  test('looks at most at a hundred hosts at a time, those that waited longest first', async () => {
    const at = (host: number) => new Date(t.clock.now().getTime() - DAY - host * 1000);
    await t.system(async (tx) => {
      for (let i = 0; i < 103; i += 1)
        await tx.run(sql`
          insert into tenant_hosts (org_id, id, host, token, state, proved_at, proved_by, checked_at, created_at, updated_at)
          select id, gen_random_uuid(), ${`many${i}.example`}, 'x', 'proved', now(), 'dns', ${at(i)}, now(), now()
          from organizations where code = 'rival'`);
    });
    dns.asked.length = 0;
    expect(await daily()).toBe(100);
    expect(dns.asked).not.toContain('_turnout.many0.example');
    expect(dns.asked).toContain('_turnout.many102.example');
    expect(await daily()).toBe(3);
  });

  test('a contested host is proved once the owner has lost it', async () => {
    const theirs = await proved('tickets.example.org', other);
    const mine = await added('tickets.example.org');
    publish(mine);
    expect(await check(mine)).toMatchObject({ state: 'contested' });
    expect(theirs.record.value).not.toBe(mine.record.value);
    // The record of the owner is gone, and that of the other one stays.
    for (let day = 0; day < 10; day += 1) {
      t.clock.advance(DAY);
      await daily();
    }
    expect(await now(mine)).toMatchObject({ state: 'proved', primary: true });
    expect(await list(other)).toMatchObject([{ state: 'waiting' }]);
  });
});
