import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, monthOf } from '../../clock.ts';
import { type Id, newId, toUuid } from '../../store/ids.ts';
import { sql } from '../../store/sql.ts';
import { addMember } from '../access/index.ts';
import { mailOwnersOfHost } from '../hosts/mails.ts';
import { warnOfUsage } from '../plans/index.ts';
import { pauseLongFailing } from '../webhooks/health.ts';

let t: TestTurnout;
let org: Id;
const groups = new Map<string, Id>();

/** An organization with the groups north (and harbour below it) and south, and an owner for the whole and for each of them. */
beforeAll(async () => {
  t = await startTest();
  org = await t.org('acme');
  const key = (await t.key('acme')).secret;
  for (const [code, parent] of [['north'], ['harbour', 'north'], ['south']]) {
    const made = await t.call('POST', '/v1/groups', { key, body: { code, name: code, ...(parent && { parent }) } });
    expect(made.status, made.text).toBe(201);
  }
  await t.system(async (tx) => {
    for (const { code, id } of await tx.all<{ code: string; id: Id }>(sql`select code, id from groups`))
      groups.set(code, id);
    for (const name of ['whole', 'north', 'harbour', 'south']) {
      const { id } = await addMember(tx, org, { email: `${name}@example.org`, role: 'owner' });
      await tx.run(
        sql`update members set group_id = ${groups.get(name) ?? null} where org_id = ${org} and id = ${toUuid(id)}`,
      );
    }
    const admin = await addMember(tx, org, { email: 'admin@example.org', role: 'admin' });
    await tx.run(sql`update members set group_id = ${groups.get('north')!} where id = ${toUuid(admin.id)}`);
  });
});
afterAll(() => t.stop());
beforeEach(() => t.system((tx) => tx.run(sql`delete from mails`)));

/** The names of those who were mailed since the test began. */
const told = (): Promise<string[]> =>
  t.system(async (tx) => {
    const rows = await tx.all<{ recipient: string }>(sql`select recipient from mails order by recipient`);
    return rows.map(({ recipient }) => recipient.split('@')[0]!);
  });

const EXPECTED: [string | null, string[]][] = [
  [null, ['whole']],
  ['north', ['north', 'whole']],
  ['harbour', ['harbour', 'north', 'whole']],
  ['south', ['south', 'whole']],
];

test.each(EXPECTED)('a new key of the group %s is told to %j', async (group, names) => {
  const cookie = `turnout_session=${await t.session('acme', 'developer')}`;
  const body = { name: 'Sync', mode: 'live', scopes: ['admin'], group };
  const made = await t.call('POST', '/app/api/keys', { headers: { cookie }, body });
  expect(made.status, made.text).toBe(201);
  expect(await told()).toEqual(names);
});

test.each(EXPECTED)('a failing endpoint of the group %s is told to %j', async (group, names) => {
  await t.system(async (tx) => {
    const since = new Date(t.clock.now().getTime() - 8 * DAY);
    await tx.run(sql`
      insert into webhook_endpoints (org_id, id, group_id, url, events, status, failing_since, secret, secret_last4, since, created_at, updated_at)
      values (${org}, ${newId(since)}, ${groups.get(group ?? '') ?? null}, 'https://x.example', '{*}', 'failing', ${since}, '', '', ${since},
        ${since}, ${since})`);
    expect(await pauseLongFailing(tx)).toBe(1);
  });
  expect(await told()).toEqual(names);
});

test('what concerns the whole organization is told to those who are limited to no group', async () => {
  const month = monthOf(t.clock.now());
  await t.plan('acme', 'growth');
  await t.system((tx) =>
    tx.run(sql`
      insert into api_usage as u (org_id, month, calls) values (${org}, ${month}, 90000)
      on conflict (org_id, month) do update set calls = 90000`),
  );
  expect(await warnOfUsage(t.pool, t.clock, [org])).toBe(1);
  expect(await told()).toEqual(['whole']);
  const host = { org_id: org, id: newId(t.clock.now()), host: 'tickets.example.org', token: 'x' };
  await t.system((tx) => mailOwnersOfHost(tx, host as Parameters<typeof mailOwnersOfHost>[1], 'missing'));
  expect(await told()).toEqual(['whole', 'whole']);
});

test('nobody else decides which members a mail about the organization goes to', () => {
  const files = globSync('server/src/{areas,road,work}/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const others = files.filter((file) => {
    const text = readFileSync(file, 'utf8');
    return text.includes('queueMail(') && /\bmembers m?\b[^`]*role/.test(text);
  });
  expect(files.length).toBeGreaterThan(100);
  expect(others).toEqual([]);
});
