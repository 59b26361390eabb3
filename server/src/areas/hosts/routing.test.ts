import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../../test/support/dns-server.ts';
import { exchange } from '../../../../test/support/raw.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { toUlid, toUuid } from '../../common/ids.ts';
import { sql } from '../../store/sql.ts';

/** Every answer says which address its request was led to. */
const tell = (app: FastifyInstance): void => {
  app.addHook('onSend', (request, reply, payload, done) => {
    reply.header('x-led-to', request.url);
    done(null, payload);
  });
};

let dns: DnsServer;
let t: TestTurnout;
let acme: string;
let rival: string;
let key: string;
beforeAll(async () => {
  dns = await startDnsServer();
  t = await startTest({ routes: tell, env: { DNS_SERVERS: dns.address, PUBLIC_URL: 'http://turnout.example' } });
  [acme, rival] = [toUlid(await t.org('acme')), toUlid(await t.org('rival'))];
  key = (await t.key('acme')).secret;
  await prove('tickets.example.org', key);
  await prove('karten.example', (await t.key('rival')).secret);
});
afterAll(async () => {
  await t.stop();
  await dns.stop();
});

async function prove(host: string, by: string): Promise<string> {
  const { body } = await t.call('POST', '/v1/organization/hosts', { key: by, body: { host } });
  dns.zone.set(body.record.name, [body.record.value]);
  const checked = await t.call('POST', `/v1/organization/hosts/${body.id}/check`, { key: by });
  expect(checked.body.state).toBe('proved');
  return body.id;
}

/** One request with exactly this target and these headers. */
async function ask(target: string, headers: string[], method = 'GET', at: TestTurnout = t) {
  const head = [
    `${method} ${target} HTTP/1.1`,
    ...headers,
    'Connection: close',
    ...(method === 'POST' ? ['Content-Length: 0'] : []),
  ];
  const [reply] = await exchange(at.url, `${head.join('\r\n')}\r\n\r\n`);
  return reply!;
}
const led = async (target: string, headers: string[], at: TestTurnout = t): Promise<string | null> =>
  (await ask(target, headers, 'GET', at)).headers.get('x-led-to');
const on = (host: string, target: string, method?: string) => ask(target, [`Host: ${host}`], method);

describe('on the host of an organization', () => {
  test.each([
    ['/', ''],
    ['/?a=1&b=/v1/me', '?a=1&b=/v1/me'],
    ['/fair', '/fair'],
    ['/fair?x=1', '/fair?x=1'],
    ['/fair/', '/fair/'],
    ['/assets/a%2Fb.png', '/assets/a%2Fb.png'],
  ])('%s is the address %s below the pages of this organization', async (target, below) => {
    expect(await led(target, ['Host: tickets.example.org'])).toBe(`/o/${acme}${below}`);
    expect(await led(target, ['Host: karten.example'])).toBe(`/o/${rival}${below}`);
  });

  test.each([
    ['in capital letters', 'Host: TICKETS.Example.Org'],
    ['with a port', 'Host: tickets.example.org:8443'],
    ['with a dot at the end', 'Host: tickets.example.org.'],
    ['with a dot and a port', 'Host: tickets.example.org.:443'],
  ])('the header may be %s', async (_how, header) => {
    expect(await led('/fair', [header])).toBe(`/o/${acme}/fair`);
  });

  test.each([
    ['GET', '/v1/me'],
    ['GET', '/v1/openapi.json'],
    ['POST', '/v1/events'],
    ['GET', '/api/v1/events/x/manifest'],
    ['GET', '/app'],
    ['GET', '/app/acme'],
    ['GET', '/app/api/acme/organization'],
    ['GET', '/app/api/-/account'],
    ['GET', '/scan'],
    ['GET', '/links/roster/x.y'],
    ['GET', '/provider/stripe/webhook'],
    ['GET', '/tenant-hosts/check?domain=tickets.example.org'],
    ['GET', '/healthz'],
    ['GET', '/readyz'],
    ['GET', '/metrics'],
    ['GET', '/docs'],
    ['GET', '/o/rival/fair'],
    ['GET', '/o/acme/fair'],
    ['GET', '/../v1/me'],
    ['GET', '/%2e%2e/v1/me'],
    ['GET', '//v1/me'],
    ['GET', '/o/../../v1/me'],
  ])('%s %s is 404', async (method, target) => {
    const reply = await ask(target, ['Host: tickets.example.org', `Authorization: Bearer ${key}`], method);
    expect([reply.status, reply.headers.get('x-led-to')]).toEqual([404, `/o/${acme}${target}`]);
    // Neither the key nor its rate was looked at.
    expect(reply.headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('the control: on the host of the installation all of that is there', async () => {
    expect((await ask('/v1/me', ['Host: turnout.example', `Authorization: Bearer ${key}`])).status).toBe(200);
    expect((await on('turnout.example', '/healthz')).body).toEqual({ status: 'ok' });
    expect((await on('turnout.example', '/v1/openapi.json')).status).toBe(200);
  });

  test('nothing that is no path leads anywhere else', async () => {
    for (const target of ['*', 'x://turnout.example/healthz', 'v1/me', '?/healthz']) {
      const { headers } = await ask(target, ['Host: tickets.example.org'], 'OPTIONS');
      expect(headers.get('x-led-to') ?? `/o/${acme}`, target).toMatch(new RegExp(`^/o/${acme}(/|[?]|$)`));
    }
  });
});

describe('which host counts', () => {
  test('in an address with a host, that host (RFC 9112)', async () => {
    expect(await led('http://tickets.example.org/fair', ['Host: turnout.example'])).toBe(`/o/${acme}/fair`);
    expect(await led('HTTPS://Tickets.example.org:443', ['Host: karten.example'])).toBe(`/o/${acme}`);
    expect(await led('http://tickets.example.org?a=1', ['Host: x'])).toBe(`/o/${acme}?a=1`);
    expect((await ask('http://turnout.example/healthz', ['Host: tickets.example.org'])).body).toEqual({ status: 'ok' });
  });

  test('two of them are refused, because a proxy may have read the other one', async () => {
    for (const hosts of [
      ['Host: turnout.example', 'Host: turnout.example'],
      ['Host: turnout.example', 'hOST: tickets.example.org'],
    ]) {
      const reply = await ask('/healthz', hosts);
      expect([reply.status, reply.body.error.code]).toEqual([400, 'bad_request']);
    }
  });

  test('X-Forwarded-Host does not, also not from a trusted proxy', async () => {
    const trusting = await startTest({
      routes: tell,
      database: t.database,
      env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://turnout.example' },
    });
    try {
      const forwarded = ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Host: tickets.example.org'];
      for (const at of [t, trusting])
        expect((await ask('/healthz', ['Host: turnout.example', ...forwarded], 'GET', at)).body).toEqual({
          status: 'ok',
        });
      const other = ['X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Host: turnout.example'];
      expect(await led('/fair', ['Host: tickets.example.org', ...other], trusting)).toBe(`/o/${acme}/fair`);
    } finally {
      await trusting.stop();
    }
  });

  test.each([
    'nobody.example',
    'sub.tickets.example.org',
    'xtickets.example.org',
    'tickets.example.org:x',
    'example.org',
    '[::1]',
    '',
  ])('on %j, which nobody has proved, everything is as on the installation', async (host) => {
    expect((await on(host, '/healthz')).body).toEqual({ status: 'ok' });
    expect(await led('/o/acme/fair', [`Host: ${host}`])).toBe('/o/acme/fair');
  });

  test('a claim without a proof leads nowhere', async () => {
    await t.call('POST', '/v1/organization/hosts', { key, body: { host: 'claimed.example' } });
    expect((await on('claimed.example', '/healthz')).body).toEqual({ status: 'ok' });
  });

  test('a host that has become the installation’s own is the installation’s', async () => {
    const moved = await startTest({
      routes: tell,
      database: t.database,
      env: { PUBLIC_URL: 'https://karten.example' },
    });
    try {
      expect((await ask('/healthz', ['Host: karten.example'], 'GET', moved)).body).toEqual({ status: 'ok' });
      expect(await led('/fair', ['Host: tickets.example.org'], moved)).toBe(`/o/${acme}/fair`);
    } finally {
      await moved.stop();
    }
  });
});

test('a host is there as soon as it is proved, and gone as soon as it is removed; other processes follow', async () => {
  const second = await startTest({ routes: tell, database: t.database, env: { PUBLIC_URL: 'http://turnout.example' } });
  const shows = async (at: TestTurnout) => (await led('/fair', ['Host: quick.example'], at)) === `/o/${acme}/fair`;
  try {
    const id = await prove('quick.example', key);
    expect(await shows(t)).toBe(true);
    await expect.poll(() => shows(second), { timeout: 10_000 }).toBe(true);
    await t.call('DELETE', `/v1/organization/hosts/${id}`, { key });
    expect(await shows(t)).toBe(false);
    await expect.poll(() => shows(second), { timeout: 10_000 }).toBe(false);
  } finally {
    await second.stop();
  }
});

describe('GET /tenant-hosts/check', () => {
  const checked = async (domain: string, headers: string[] = ['Host: 127.0.0.1:3000'], at: TestTurnout = t) =>
    (await ask(`/tenant-hosts/check${domain}`, headers, 'GET', at)).status;

  test('tells a proxy on this machine whether a host is proved', async () => {
    expect(await checked('?domain=tickets.example.org')).toBe(200);
    expect(await checked('?domain=Tickets.Example.org.')).toBe(200);
    for (const no of [
      '?domain=nobody.example',
      '?domain=',
      '',
      '?domain=turnout.example',
      '?domain=claimed.example',
      '?domain=a&domain=tickets.example.org',
      '?domain[x]=1',
    ])
      expect(await checked(no), no).toBe(404);
  });

  test('for everybody else there is nothing at this address', async () => {
    const proxied = await startTest({
      database: t.database,
      env: { TRUSTED_PROXIES: '127.0.0.1, 10.7.0.0/16', PUBLIC_URL: 'http://turnout.example' },
    });
    const host = 'Host: turnout.example';
    try {
      // Through a proxy that is not trusted, whoever asks is not known.
      expect(await checked('?domain=tickets.example.org', [host, 'X-Forwarded-For: 127.0.0.1'])).toBe(404);
      expect(await checked('?domain=tickets.example.org', [host])).toBe(404);
      const through = (from: string) =>
        checked('?domain=tickets.example.org', [host, `X-Forwarded-For: ${from}`], proxied);
      expect(await through('203.0.113.9')).toBe(404);
      expect(await through('127.0.0.1, 203.0.113.9')).toBe(404);
      expect(await through('10.7.3.4')).toBe(200);
      expect(await checked('?domain=tickets.example.org', ['Host: 127.0.0.1:3000'], proxied)).toBe(200);
      const strip = ({ body }: { body: { error: { request_id: string } } }) => ({ ...body.error, request_id: '' });
      const from = [host, 'X-Forwarded-For: 203.0.113.9'];
      expect(strip(await ask('/tenant-hosts/check?domain=tickets.example.org', from, 'GET', proxied))).toEqual(
        strip(await ask('/tenant-hosts/nothing', from, 'GET', proxied)),
      );
    } finally {
      await proxied.stop();
    }
  });
});

test('the version is another one whenever the proved hosts are, and only then', async () => {
  const version = () =>
    t.system(
      async (tx) =>
        (await tx.one<{ version: string }>(sql`select directory.tenant_hosts_version() as version`)).version,
    );
  const before = await version();
  const { body } = await t.call('POST', '/v1/organization/hosts', { key, body: { host: 'quiet.example' } });
  await t.call('POST', `/v1/organization/hosts/${body.id}/check`, { key });
  expect(await version()).toBe(before);
  await t.call('DELETE', `/v1/organization/hosts/${body.id}`, { key });
  const id = await prove('moves.example', key);
  const proved = await version();
  expect(proved).not.toBe(before);
  // As many as before, but one of them is somebody else's.
  await t.system((tx) =>
    tx.run(sql`
      update tenant_hosts set org_id = (select id from organizations where code = 'rival') where host = 'moves.example'`),
  );
  expect([before, proved]).not.toContain(await version());
  await t.system((tx) => tx.run(sql`delete from tenant_hosts where id = ${toUuid(id)}`));
  expect(await version()).toBe(before);
});
