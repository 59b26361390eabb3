import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { DAY, monthOf } from '../../clock.ts';
import { type Id, newId, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';
import type { Tx } from '../../store/tx.ts';
import { addMember } from '../access/index.ts';
import { mailOwnersOfHost } from '../hosts/mails.ts';
import { warnOfUsage } from '../plans/index.ts';
import { countAttempts, FAILURES_TO_FAILING, pauseLongFailing } from '../webhooks/health.ts';

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

/** The names of those who got a mail of the kind since the test began, or since the last call. Nobody got another one. */
const recipientsOf = (kind: string): Promise<string[]> =>
  t.system(async (tx) => {
    const rows = await tx.all<{ recipient: string; kind: string }>(
      sql`with taken as (delete from mails returning recipient, kind) select recipient, kind from taken order by recipient`,
    );
    expect(new Set(rows.map((row) => row.kind))).toEqual(new Set([kind]));
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
  expect(await recipientsOf('api_key_created')).toEqual(names);
});

/** An endpoint of the group. Answers its id. */
async function endpoint(tx: Tx, group: string | null, status: 'healthy' | 'failing', since: Date): Promise<Id> {
  const id = newId(since);
  const failing = status === 'failing' ? since : null;
  await tx.run(sql`
    insert into webhook_endpoints (org_id, id, group_id, url, events, status, failing_since, secret, secret_last4, since, created_at, updated_at)
    values (${org}, ${id}, ${groups.get(group ?? '') ?? null}, 'https://x.example', '{*}', ${status}, ${failing}, '', '', ${since},
      ${since}, ${since})`);
  return id;
}

test.each(EXPECTED)('an endpoint of the group %s that begins to fail is told to %j', async (group, names) => {
  await t.system(async (tx) => {
    const at = t.clock.now();
    const attempt = { org_id: org, endpoint_id: await endpoint(tx, group, 'healthy', at), succeeded: false, at };
    await countAttempts(tx, Array(FAILURES_TO_FAILING).fill(attempt));
  });
  expect(await recipientsOf('webhook_failing')).toEqual(names);
});

test.each(EXPECTED)('an endpoint of the group %s that is paused is told to %j', async (group, names) => {
  await t.system(async (tx) => {
    await endpoint(tx, group, 'failing', new Date(t.clock.now().getTime() - 8 * DAY));
    expect(await pauseLongFailing(tx)).toBe(1);
  });
  expect(await recipientsOf('webhook_paused')).toEqual(names);
});

describe('what concerns the whole organization is told to those who are limited to no group', () => {
  test('90,000 and then 100,000 calls in a month: api_calls_80, api_calls_100', async () => {
    await t.plan('acme', 'growth');
    for (const [calls, kind] of [
      [90_000, 'api_calls_80'],
      [100_000, 'api_calls_100'],
    ] as const) {
      await t.system((tx) =>
        tx.run(sql`
          insert into api_usage as u (org_id, month, calls) values (${org}, ${monthOf(t.clock.now())}, ${calls})
          on conflict (org_id, month) do update set calls = ${calls}`),
      );
      expect(await warnOfUsage(t.pool, t.clock, [org])).toBe(1);
      expect(await recipientsOf(kind)).toEqual(['whole']);
    }
  });

  test.each(['missing', 'dropped'] as const)(
    'a host whose record is missing, or that was dropped: %s',
    async (what) => {
      const host = { org_id: org, id: newId(t.clock.now()), host: 'tickets.example.org', token: 'x' };
      await t.system((tx) => mailOwnersOfHost(tx, host as Parameters<typeof mailOwnersOfHost>[1], what));
      expect(await recipientsOf(`tenant_host_${what}`)).toEqual(['whole']);
    },
  );
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
