import { request } from 'node:https';
import { isIP } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  Authority,
  isThisMachine,
  type Receiver,
  startReceivers,
  watchConnections,
} from '../../../test/support/receivers.ts';
import { Outbound } from './https.ts';

/**
 * Addresses that must never be reached, as hosts and behind names. Real receivers listen on loopback. Every connection that this
 * process tries is watched: a refused URL must try none, and no test may try to leave this machine.
 */
const NAME = 'hooks.example.com';
const watched = watchConnections();
let traps: Receiver[];
let port: number;
/** The addresses that the resolver answers. */
let answers: string[] = [];
const resolve = async () => answers.map((address) => ({ address, family: isIP(address) as 4 | 6 }));
/** One client as in production, and one for which loopback is allowed. */
let guarded: Outbound;
let allowing: Outbound;
let authority: Authority;

beforeAll(async () => {
  authority = await Authority.make();
  guarded = new Outbound({ ca: authority.pem, resolve });
  allowing = new Outbound({ ca: authority.pem, resolve, allowedNetworks: ['127.0.0.0/8', '::1'] });
  const credentials = await authority.issue([NAME, '127.0.0.1', '::1']);
  traps = await startReceivers(credentials, ['127.0.0.1', '::1']);
  port = traps[0]!.port;
});
beforeEach(() => {
  answers = ['127.0.0.1'];
  watched.tried.length = 0;
});
afterAll(async () => {
  watched.stop();
  await Promise.all([guarded.close(), allowing.close()]);
  await Promise.all(traps.map((trap) => trap.stop()));
});

const arrivals = () => traps.reduce((sum, trap) => sum + trap.connections, 0);
const send = (client: Outbound, url: string) => client.post(url, {}, Buffer.from('{}'));
/** Most texts are only a host; the rest of the URL is added. */
const urlOf = (text: string) =>
  (text.includes('PORT') ? text : `https://${text}:PORT/`).replaceAll('PORT', String(port));

async function expectRefused(url: string, why: RegExp, client = guarded): Promise<void> {
  const before = arrivals();
  watched.tried.length = 0;
  expect(await client.refusal(url)).toMatch(why);
  expect(await send(client, url)).toMatchObject({ status: null, answer: null, cause: expect.stringMatching(why) });
  expect(watched.tried).toEqual([]);
  expect(arrivals()).toBe(before);
}

/** The control: a client that parses the URL and connects, as most clients do. For it, every name means 127.0.0.1. */
function unguarded(text: string): Promise<unknown> {
  const url = new URL(text);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !isThisMachine(host)) throw new Error(`${host} is not this machine`);
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      agent: false,
      rejectUnauthorized: false,
      lookup: (_: string, __: object, answer: (error: null, addresses: object[]) => void) =>
        answer(null, [{ address: '127.0.0.1', family: 4 }]),
    };
    const sent = request(url, options as never, (answer) =>
      answer.resume().on('end', () => resolve(answer.statusCode)),
    );
    sent.on('error', reject).end();
  });
}

const DISGUISED = /disguised spelling/;
const DOT = /ends in a dot/;
const ASCII = /printable ASCII/;
const USER = /a user or a password/;
const BEGIN = /does not begin with https:/;
const HOST = /does not name a host/;
const LOCAL = /under \.\S+ are not public/;
const PUBLIC = /^(the address \S+|\S+ resolves to an address that) is not public$/;

// claim: disguised-hosts-refused
describe('a URL that leads a naive client to this machine is refused, and nothing is sent', () => {
  const spellings: [string, RegExp][] = [
    ['127.0.0.1', PUBLIC],
    ['0.0.0.0', PUBLIC],
    ['localhost', /without a dot/],
    ['LOCALHOST', /without a dot/],
    ['printer', /without a dot/],
    ['hooks.localhost', LOCAL],
    ['printer.local', LOCAL],
    ['db.internal', LOCAL],
    ['metadata.google.internal', LOCAL],
    ['router.home.arpa', LOCAL],
    // one number, hexadecimal, octal, shortened
    ['2130706433', DISGUISED],
    ['0x7f000001', DISGUISED],
    ['0X7F000001', DISGUISED],
    ['0x7f.0.0.1', DISGUISED],
    ['0x7f.1', DISGUISED],
    ['0x7f.0x0.0x0.0x1', DISGUISED],
    ['0x000000007f.0.0.1', DISGUISED],
    ['017700000001', DISGUISED],
    ['0177.0.0.1', DISGUISED],
    ['0177.0.0.01', DISGUISED],
    ['00000177.0.0.1', DISGUISED],
    ['127.0.0.01', DISGUISED],
    ['127.0.0.0x1', DISGUISED],
    ['127.1', DISGUISED],
    ['127.0.1', DISGUISED],
    ['127.0x1', DISGUISED],
    ['0177.0x0.1', DISGUISED],
    ['0', DISGUISED],
    ['00', DISGUISED],
    ['0x0', DISGUISED],
    // a dot at the end, or one too many
    ['127.0.0.1.', DOT],
    ['127.1.', DOT],
    ['2130706433.', DOT],
    ['0x7f000001.', DOT],
    ['localhost.', DOT],
    ['hooks.example.com.', DOT],
    ['hooks..example.com', /not a valid name/],
    // percent-encoded
    ['%31%32%37.0.0.1', DISGUISED],
    ['127%2e0%2e0%2e1', DISGUISED],
    ['127.0.0.%31', DISGUISED],
    ['%3127.1', DISGUISED],
    ['%32130706433', DISGUISED],
    ['loc%61lhost', DISGUISED],
    ['hooks.ex%61mple.com', DISGUISED],
    // letters and dots that Unicode maps to others, or ignores
    ['１２７.０.０.１', ASCII],
    ['１２７。１', ASCII],
    ['127。0。0。1', ASCII],
    ['127．0．0．1', ASCII],
    ['127｡0｡0｡1', ASCII],
    ['①②⑦.⓪.⓪.①', ASCII],
    ['𝟏𝟐𝟕.𝟎.𝟎.𝟏', ASCII],
    ['¹²⁷.₀.₀.₁', ASCII],
    ['Ⓛocalhost', ASCII],
    ['localhoſt', ASCII],
    ['127.0.0.1\u00ad', ASCII],
    ['127.\u200b0.0.1', ASCII],
    // control characters and spaces, which parsers drop
    ['127.0\t.0.1', ASCII],
    ['127.0\n.0.1', ASCII],
    ['127.0.\r0.1', ASCII],
    [' https://127.0.0.1:PORT/', ASCII],
    ['https://127.0.0.1:PORT/ ', ASCII],
    ['\u0000https://127.0.0.1:PORT/', ASCII],
    ['ht\ttps://127.0.0.1:PORT/', ASCII],
    // which part of the URL is the host
    ['https:127.0.0.1:PORT/', BEGIN],
    ['https:/127.0.0.1:PORT/', BEGIN],
    ['https:\\\\127.0.0.1:PORT\\', BEGIN],
    ['https:/\\127.0.0.1:PORT/', BEGIN],
    ['https:///127.0.0.1:PORT/', HOST],
    ['https://\\127.0.0.1:PORT/', DISGUISED],
    ['https://127.0.0.1:PORT\\@hooks.example.com/', USER],
    ['https://127.0.0.1:PORT\\.example.com/', HOST],
    ['https://127.0.0.1:PORT#@hooks.example.com/', PUBLIC],
    ['https://127.0.0.1:PORT?@hooks.example.com/', PUBLIC],
    ['https://127.0.0.1:0PORT/', HOST],
    ['user@127.0.0.1', USER],
    ['user:secret@127.0.0.1', USER],
    ['@127.0.0.1', USER],
    ['hooks.example.com@127.0.0.1', USER],
    ['hooks.example.com:443@127.0.0.1', USER],
    ['hooks.example.com%2f@127.0.0.1', USER],
    // IPv6, and IPv4 in it
    ['[::1]', PUBLIC],
    ['[::]', PUBLIC],
    ['[0:0:0:0:0:0:0:1]', PUBLIC],
    ['[0000::0001]', PUBLIC],
    ['[::0.0.0.1]', PUBLIC],
    ['[::ffff:127.0.0.1]', PUBLIC],
    ['[::ffff:7f00:1]', PUBLIC],
    ['[::FFFF:7F00:0001]', PUBLIC],
    ['[0:0:0:0:0:ffff:127.0.0.1]', PUBLIC],
  ];

  it.each(spellings)('%j', async (text, why) => {
    const url = urlOf(text);
    const before = arrivals();
    await unguarded(url);
    expect(arrivals()).toBe(before + 1); // the control: this spelling does lead here
    await expectRefused(url, why);
  });

  it('a disguised spelling is refused even if that network is allowed; a plain one is then accepted', async () => {
    for (const [text, why] of spellings) {
      if (why !== PUBLIC) await expectRefused(urlOf(text), why, allowing);
    }
    // A client of its own, which has no connection open yet.
    const fresh = new Outbound({ ca: authority.pem, resolve, allowedNetworks: ['127.0.0.0/8', '::1'] });
    const before = arrivals();
    for (const host of ['127.0.0.1', '[::1]', '[0:0:0:0:0:0:0:1]', NAME]) {
      expect(await fresh.refusal(urlOf(host))).toBeNull();
      expect(await send(fresh, urlOf(host))).toMatchObject({ status: 200, cause: null });
    }
    expect(arrivals()).toBe(before + 3); // both spellings of ::1 are one connection
    await fresh.close();
  });
});

// claim: webhook-https
describe('a text that is not an https URL with a host is refused', () => {
  it.each([
    ['', /./],
    ['https://', HOST],
    ['https://:PORT/', HOST],
    ['http://hooks.example.com:PORT/', BEGIN],
    ['ws://hooks.example.com:PORT/', BEGIN],
    ['ftp://hooks.example.com:PORT/', BEGIN],
    ['file:///etc/passwd#PORT', BEGIN],
    ['unix:/run/docker.sock#PORT', BEGIN],
    ['//hooks.example.com:PORT/', BEGIN],
    ['hooks.example.com:PORT', BEGIN],
    ['https://hooks.example.com:/#PORT', HOST],
    ['https://hooks.example.com:0/#PORT', HOST],
    ['https://hooks.example.com:65536/#PORT', /cannot be parsed/],
    ['https://hooks.example.com:PORT:1/', HOST],
    ['https://hooks.example.com:+443/#PORT', HOST],
    ['https://hooks.example.com,127.0.0.1:PORT/', /cannot be parsed/],
    ['https://127.0.0.1,.example.com:PORT/', /not a valid name/],
    ['hooks.example.com%00.localhost', /cannot be parsed/],
    ['127.0.0.1%00.example.com', /cannot be parsed/],
    ['127.0.0.1%09', /cannot be parsed/],
    ['127.0.0.256', /cannot be parsed/],
    ['1.2.3.4.5', /cannot be parsed/],
    ['4294967296', /cannot be parsed/],
    ['0x100000000', /cannot be parsed/],
    ['[127.0.0.1]', /cannot be parsed/],
    ['[::1', HOST],
    ['[::1%25lo]', HOST],
    ['[::1%lo]', HOST],
    ['[fe80::1%25eth0]', HOST],
    ['[v1.x]', HOST],
    ['[]', /cannot be parsed/],
    ['-.example.com', /not a valid name/],
    [`${'a'.repeat(64)}.example.com`, /not a valid name/],
    [`${'a.'.repeat(125)}example.com`, /not a valid name/],
    [`https://hooks.example.com:PORT/${'x'.repeat(2048)}`, /longer than 2048/],
  ])('%j', async (text, why) => {
    await expectRefused(urlOf(text), why);
  });

  it('(control) an https URL with a host reaches the receiver if its network is allowed', async () => {
    expect(await send(allowing, `HTTPS://Hooks.Example.com:${port}/a/%20?b=c#d`)).toMatchObject({ status: 200 });
    expect(traps[0]?.received.at(-1)).toMatchObject({ path: '/a/%20?b=c', headers: { host: `${NAME}:${port}` } });
  });
});

// claim: private-addresses-refused
describe('an address that is not public is refused, as the host and behind a name', () => {
  const forbidden: [address: string, network: string][] = [
    ['0.0.0.0', '0.0.0.0/8'],
    ['0.255.255.255', '0.0.0.0/8'],
    ['10.0.0.0', '10.0.0.0/8'],
    ['10.255.255.255', '10.0.0.0/8'],
    ['100.64.0.0', '100.64.0.0/10'],
    ['100.100.100.200', '100.64.0.0/10'],
    ['100.127.255.255', '100.64.0.0/10'],
    ['127.0.0.1', '127.0.0.0/8'],
    ['127.0.0.53', '127.0.0.0/8'],
    ['127.255.255.255', '127.0.0.0/8'],
    ['168.63.129.16', '168.63.129.16'],
    ['169.254.0.0', '169.254.0.0/16'],
    ['169.254.169.254', '169.254.0.0/16'],
    ['169.254.170.2', '169.254.0.0/16'],
    ['169.254.255.255', '169.254.0.0/16'],
    ['172.16.0.0', '172.16.0.0/12'],
    ['172.17.0.1', '172.16.0.0/12'],
    ['172.31.255.255', '172.16.0.0/12'],
    ['192.0.0.0', '192.0.0.0/24'],
    ['192.0.0.192', '192.0.0.0/24'],
    ['192.0.2.1', '192.0.2.0/24'],
    ['192.31.196.1', '192.31.196.0/24'],
    ['192.52.193.1', '192.52.193.0/24'],
    ['192.88.99.1', '192.88.99.0/24'],
    ['192.168.0.0', '192.168.0.0/16'],
    ['192.168.255.255', '192.168.0.0/16'],
    ['192.175.48.1', '192.175.48.0/24'],
    ['198.18.0.0', '198.18.0.0/15'],
    ['198.19.255.255', '198.18.0.0/15'],
    ['198.51.100.1', '198.51.100.0/24'],
    ['203.0.113.1', '203.0.113.0/24'],
    ['224.0.0.1', '224.0.0.0/4'],
    ['239.255.255.255', '224.0.0.0/4'],
    ['240.0.0.1', '240.0.0.0/4'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['::7f00:1', '::/96'], // 127.0.0.1, IPv4-compatible
    ['::a00:1', '::/96'],
    ['::5efe:7f00:1', '::5efe:0:0/96'], // ISATAP
    ['::ffff:127.0.0.1', '::ffff:0:0/96'], // IPv4-mapped
    ['::ffff:10.0.0.1', '::ffff:0:0/96'],
    ['::ffff:169.254.169.254', '::ffff:0:0/96'],
    ['::ffff:8.8.8.8', '::ffff:0:0/96'],
    ['::ffff:0:127.0.0.1', '::ffff:0:0:0/96'], // IPv4-translated
    ['64:ff9b::7f00:1', '64:ff9b::/96'], // NAT64
    ['64:ff9b::a00:1', '64:ff9b::/96'],
    ['64:ff9b:1::a00:1', '64:ff9b:1::/48'],
    ['100::1', '100::/64'],
    ['2001::1', '2001::/32'], // Teredo
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001::/32'],
    ['2001:2::1', '2001:2::/48'],
    ['2001:10::1', '2001:10::/28'],
    ['2001:20::1', '2001:20::/28'],
    ['2001:db8::1', '2001:db8::/32'],
    ['2002:7f00:1::1', '2002::/16'], // 6to4
    ['2002:a00:1::1', '2002::/16'],
    ['2002:c0a8:101::1', '2002::/16'],
    ['2620:4f:8000::1', '2620:4f:8000::/48'],
    ['3fff::1', '3fff::/20'],
    ['4000::1', '4000::/2'], // not assigned
    ['5f00::1', '5f00::/16'],
    ['fc00::1', 'fc00::/7'],
    ['fd00:ec2::254', 'fc00::/7'],
    ['fe80::1', 'fe80::/10'],
    ['fec0::1', 'fec0::/10'],
    ['ff02::1', 'ff00::/8'],
  ];

  it.each(forbidden)('%s', async (address, network) => {
    const asHost = isIP(address) === 6 ? `[${address}]` : address;
    answers = [address];
    await expectRefused(urlOf(NAME), PUBLIC);
    answers = ['127.0.0.1'];
    await expectRefused(urlOf(asHost), PUBLIC);

    // The control: it is refused because of its network, and for no other reason.
    answers = [address];
    const allowed = new Outbound({ resolve, allowedNetworks: [network] });
    expect(await allowed.refusal(urlOf(NAME))).toBeNull();
    expect(await allowed.refusal(urlOf(asHost))).toBeNull();
  });

  it.each([
    'not an address',
    '',
    '127.1',
    '0x7f.1',
    '2130706433',
    'fe80::1%eth0',
    '2606:4700::1111%1',
    '[2606:4700::1111]',
  ])('an answer of the resolver that is not an address: %j', (answer) => {
    answers = [answer];
    return expectRefused(urlOf(NAME), /is not public/);
  });

  it.each([
    '1.1.1.1',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '169.255.0.0',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '192.169.0.0',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2001:200::1',
    '2003::1',
    '2606:4700::1111',
    '2a00:1450::1',
  ])('(control) public addresses are accepted, also at the edges of networks: %s', async (address) => {
    answers = [address];
    expect(await guarded.refusal(urlOf(NAME))).toBeNull();
  });

  it('an allowed network that cannot be parsed is an error at the start', () => {
    for (const network of ['10.0.0.0/33', 'intranet', '10.1', '']) {
      expect(() => new Outbound({ allowedNetworks: [network] })).toThrow('neither an address nor a network');
    }
  });
});
