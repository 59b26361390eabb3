import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DnsServer, startDnsServer } from '../../../../test/support/dns-server.ts';
import { startTest, type TestTurnout } from '../../../../test/support/turnout.ts';
import { toUlid } from '../../common/ids.ts';

const HOST = 'tickets.example.org';
let dns: DnsServer;
let t: TestTurnout;
let acme: string;
beforeAll(async () => {
  dns = await startDnsServer();
  t = await startTest({ env: { DNS_SERVERS: dns.address, PUBLIC_URL: 'http://turnout.example' } });
  for (const org of ['acme', 'rival']) {
    const id = await t.org(org);
    if (org === 'acme') acme = toUlid(id);
    const { secret: key } = await t.key(org);
    const done = async (path: string, body: object = {}) => {
      const reply = await t.call('POST', `/v1${path}`, { key, body });
      expect([path, reply.status, reply.text]).toEqual([path, expect.toSatisfy((status) => status < 300), reply.text]);
      return reply.body;
    };
    const event = `${org}-fair`;
    await done('/events', { code: event, name: `The fair of ${org}` });
    await done(`/events/${event}/days`, { date: '2099-05-01' });
    await done(`/events/${event}/attendee-types`, { name: 'Adult' });
    await done(`/events/${event}/publish`);
    if (org !== 'acme') continue;
    const host = await done('/organization/hosts', { host: HOST });
    dns.zone.set(host.record.name, [host.record.value]);
    expect(await done(`/organization/hosts/${host.id}/check`)).toMatchObject({ state: 'proved' });
  }
});
afterAll(async () => {
  await t.stop();
  await dns.stop();
});

const get = (host: string, path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const asked = request(t.url + path, { headers: { host } }, (reply) => {
      let text = '';
      reply.setEncoding('utf8');
      reply.on('data', (chunk) => {
        text += chunk;
      });
      reply.on('end', () => resolve({ status: reply.statusCode!, text }));
    });
    asked.on('error', reject).end();
  });
/** The addresses on a page that lead to the same site. */
const linksOf = (page: string): string[] =>
  [...page.matchAll(/(?:href|src|action)="(\/[^"]*)"/g)].map(([, path]) => path!);

test('the pages of the organization are at the root of its host, and their links stay there', async () => {
  const list = await get(HOST, '/');
  expect([list.status, list.text]).toEqual([200, expect.stringContaining('The fair of acme')]);
  expect(linksOf(list.text)).toContain('/acme-fair');
  const page = await get(HOST, '/acme-fair');
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('The fair of acme')]);
  const form = await get(HOST, '/acme-fair/register');
  expect(form.status).toBe(200);
  for (const { text } of [list, page, form]) expect(linksOf(text).filter((path) => path.startsWith('/o/'))).toEqual([]);
  // Each of them answers as it does below /o/{org} of the installation.
  for (const path of new Set(linksOf(list.text + page.text).map((one) => one.replaceAll('&amp;', '&')))) {
    const { status } = await get('turnout.example', `/o/acme${path}`);
    expect([path, (await get(HOST, path)).status]).toEqual([path, status]);
  }
});

test('so is the public JSON, with addresses of the host', async () => {
  const { events } = JSON.parse((await get(HOST, '/events.json')).text);
  expect(events).toMatchObject([{ code: 'acme-fair', url: `http://${HOST}/acme-fair` }]);
  expect((await get(HOST, '/acme-fair.json')).status).toBe(200);
});

test('nothing of another organization is there', async () => {
  for (const path of ['/rival-fair', '/rival-fair.json', '/rival-fair/register', '/o/rival', '/o/rival/rival-fair'])
    expect([path, (await get(HOST, path)).status]).toEqual([path, 404]);
});

test('the pages stay at the installation, too; what is kept of one is not shown on the other', async () => {
  for (const org of ['acme', acme, acme.toLowerCase()]) {
    const list = await get('turnout.example', `/o/${org}`);
    expect(list.status).toBe(200);
    expect(linksOf(list.text)).toContain(`/o/${org}/acme-fair`);
  }
  expect(linksOf((await get(HOST, '/')).text)).toContain('/acme-fair');
});
