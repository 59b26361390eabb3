import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../test/support/dns-server.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { readConfig } from '../config.ts';
import type { OptionValues } from './command.ts';
import { hostCommands } from './hosts.ts';

let dns: DnsServer;
let t: TestTurnout;
const keys: Record<string, string> = {};
beforeAll(async () => {
  dns = await startDnsServer();
  t = await startTest({ env: { DNS_SERVERS: dns.address } });
  for (const org of ['acme', 'rival', 'third']) {
    await t.org(org);
    keys[org] = (await t.key(org)).secret;
  }
});
afterAll(async () => {
  await t.stop();
  await dns.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
const run = (words: string, given: OptionValues, host?: string): Promise<any> => {
  const env = { DATABASE_URL: t.database.url, DATA_DIR: t.dataDir, PUBLIC_URL: 'https://turnout.example' };
  return hostCommands.find((one) => one.words === words)!.run(readConfig(env), given, host);
};
const hosts = async (org: string) => (await t.call('GET', '/v1/organization/hosts', { key: keys[org]! })).body.data;
const audited = async (org: string) =>
  (await t.call('GET', '/v1/audit-log', { key: keys[org]! })).body.data
    .filter(({ object }: { object: { kind: string } }) => object.kind === 'tenant_host')
    .map(({ action, source }: { action: string; source: string }) => `${action} ${source}`);

test('the operator says whose a host is, takes it from another organization, and drops it', async () => {
  const given = await run('host prove', { org: 'acme' }, 'Tickets.Example.org');
  expect(given).toMatchObject({ org: 'acme', host: 'tickets.example.org', state: 'proved', proved_by: 'operator' });
  expect(await hosts('acme')).toMatchObject([{ state: 'proved', primary: true }]);

  // The other organization proves it, too. Nothing is decided by that.
  const { body } = await t.call('POST', '/v1/organization/hosts', {
    key: keys.rival!,
    body: { host: 'tickets.example.org' },
  });
  dns.zone.set(body.record.name, [body.record.value]);
  await t.call('POST', `/v1/organization/hosts/${body.id}/check`, { key: keys.rival! });
  expect(await hosts('rival')).toMatchObject([{ state: 'contested' }]);
  const { data } = await run('host list', {});
  expect(data.filter(({ org }: { org: string }) => org !== 'third')).toMatchObject([
    { org: 'rival', state: 'contested' },
    { org: 'acme', state: 'proved' },
  ]);

  // By mistake nobody loses a host.
  await expect(run('host prove', { org: 'rival' }, 'tickets.example.org')).rejects.toThrow(/add --instead-of acme\.$/);
  await expect(run('host prove', { org: 'rival', 'instead-of': 'rival' }, 'tickets.example.org')).rejects.toThrow();
  expect(await hosts('acme')).toMatchObject([{ state: 'proved' }]);

  await run('host prove', { org: 'rival', 'instead-of': 'acme' }, 'tickets.example.org');
  expect(await hosts('rival')).toMatchObject([{ state: 'proved', proved_by: 'operator', primary: true }]);
  expect(await hosts('acme')).toMatchObject([{ state: 'contested', primary: false }]);
  expect(await audited('acme')).toEqual(['tenant_host.dropped cli', 'tenant_host.proved cli']);
  expect((await audited('rival'))[0]).toBe('tenant_host.proved cli');

  await expect(run('host drop', { org: 'acme' }, 'nobody.example')).rejects.toThrow('is not a host of acme');
  expect(await run('host drop', { org: 'rival' }, 'tickets.example.org')).toMatchObject({ removed: true });
  expect(await hosts('rival')).toEqual([]);
  expect((await run('host list', { org: 'acme' })).data).toMatchObject([{ state: 'contested' }]);
});

test('what the operator proved needs no record', async () => {
  await run('host prove', { org: 'third' }, 'by-word.example');
  const [host] = await hosts('third');
  const checked = await t.call('POST', `/v1/organization/hosts/${host.id}/check`, { key: keys.third! });
  expect(checked.body).toMatchObject({ state: 'proved', check: 'none', missing_since: null });
});

test.each([['turnout.example'], ['192.0.2.1'], ['https://a.example']])('%s cannot be proved', async (host) => {
  await expect(run('host prove', { org: 'acme' }, host)).rejects.toThrow(/installation itself|not the name of a host/);
});
