import { type AddressInfo, getDefaultAutoSelectFamily, type Socket, setDefaultAutoSelectFamily } from 'node:net';
import tls from 'node:tls';
import { Agent, EnvHttpProxyAgent, fetch, request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  Authority,
  answer,
  type Behaviour,
  byteByByte,
  type Credentials,
  flood,
  gibberish,
  hangUp,
  hints,
  hugeHeaders,
  neverEnding,
  padding,
  type Receiver,
  redirect,
  reset,
  selfSigned,
  silence,
  startPlain,
  startReceiver,
  startReceivers,
  watchConnections,
} from '../../../test/support/receivers.ts';
import { type Address, readTarget, type Target } from './addresses.ts';
import { Connection } from './https/connection.ts';
import { IdleConnections } from './https/idle.ts';
import { Outbound, type OutboundOptions } from './https.ts';

/**
 * Three receivers with real TLS on loopback, all on the same port. `receiver` plays the public host, because its address is allowed;
 * `inside` plays what must not be reached; `elsewhere` plays the address that the host moves to.
 */
const NAME = 'hooks.example.com';
const PUBLIC = '127.0.0.2';
const ELSEWHERE = '127.0.0.3';
const INSIDE = '127.0.0.1';
const BODY = Buffer.from('{"id":"evt_1","name":"Zoë"}');

const watched = watchConnections();
let authority: Authority;
let good: Credentials;
let receiver: Receiver;
let elsewhere: Receiver;
let inside: Receiver;
let client: Outbound;
/** What the resolver answers for each name. */
let answers: Record<string, string[] | (() => Promise<Address[]>)>;
let resolvedHosts: string[];
const stops: (() => Promise<void>)[] = [];

const four = (addresses: string[]): Address[] =>
  addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
const resolve = async (host: string): Promise<Address[]> => {
  resolvedHosts.push(host);
  const known = answers[host] ?? [];
  return typeof known === 'function' ? known() : four(known);
};
const outbound = (options: OutboundOptions = {}): Outbound => {
  const made = new Outbound({ ca: authority.pem, resolve, allowedNetworks: [PUBLIC], ...options });
  stops.push(() => made.close());
  return made;
};
const send = (by = client, host = NAME, port = receiver.port) =>
  by.post(`https://${host}:${port}/hook?a=b`, { 'content-type': 'application/json', 'x-a': 'b' }, BODY);
const started = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const one = await starting;
  stops.unshift(() => one.stop());
  return one;
};
const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

beforeAll(async () => {
  authority = await Authority.make();
  good = await authority.issue([NAME, 'other.example.com', PUBLIC, INSIDE]);
  client = new Outbound({ ca: authority.pem, resolve, allowedNetworks: [PUBLIC], connectMs: 1_500, totalMs: 2_000 });
});
beforeEach(async () => {
  answers = { [NAME]: [PUBLIC] };
  resolvedHosts = [];
  const receivers = await startReceivers(good, [PUBLIC, ELSEWHERE, INSIDE]);
  [receiver, elsewhere, inside] = receivers as [Receiver, Receiver, Receiver];
  stops.push(...receivers.map((one) => () => one.stop()));
  watched.tried.length = 0;
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  watched.stop();
  await client.close();
});

describe('a delivery', () => {
  it('arrives byte for byte, under the name that was asked for', async () => {
    expect(await send()).toEqual({
      status: 200,
      answer: Buffer.from('ok'),
      cause: null,
      durationMs: expect.any(Number),
    });
    const [received] = receiver.received;
    expect(received).toMatchObject({ method: 'POST', path: '/hook?a=b', servername: NAME });
    expect(received?.headers).toMatchObject({
      host: `${NAME}:${receiver.port}`,
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'x-a': 'b',
    });
    expect(received?.body.equals(BODY)).toBe(true);
  });

  it('goes to an allowed address that is itself the host of the URL, if the certificate is for that address', async () => {
    expect(await send(client, PUBLIC)).toMatchObject({ status: 200, cause: null });
    expect(receiver.received[0]?.servername).toBeNull();
  });

  it('goes to the next vetted address if the first does not answer', async () => {
    const addresses = ['127.0.0.4', '::1', PUBLIC];
    answers[NAME] = addresses;
    expect(await send(outbound({ allowedNetworks: addresses }))).toMatchObject({ status: 200, cause: null });
    expect(new Set(watched.tried)).toEqual(new Set(addresses));
  });

  it('goes to a vetted address if Node is set to try only one', async () => {
    const before = getDefaultAutoSelectFamily();
    setDefaultAutoSelectFamily(false);
    try {
      expect(await send()).toMatchObject({ status: 200, cause: null });
      expect(watched.tried).toEqual([PUBLIC]);
    } finally {
      setDefaultAutoSelectFamily(before);
    }
  });

  it.each([200, 201, 204, 299])('has succeeded if it was answered %i', async (status) => {
    receiver.behaviour = answer(status, '');
    expect(await send()).toMatchObject({ status, answer: Buffer.alloc(0), cause: null });
  });

  it.each([300, 400, 404, 410, 429, 500, 503])('has failed if it was answered %i', async (status) => {
    receiver.behaviour = answer(status, 'no');
    expect(await send()).toMatchObject({ status, answer: Buffer.from('no'), cause: `answered ${status}` });
  });

  it('gets the answer that follows early hints', async () => {
    receiver.behaviour = (socket, ...rest) => {
      socket.write('HTTP/1.1 103 .\r\nlink: </a>\r\n\r\n');
      answer(202, 'later')(socket, ...rest);
    };
    expect(await send()).toMatchObject({ status: 202, answer: Buffer.from('later'), cause: null });
  });

  it('cannot carry a second request in its headers', async () => {
    const attempt = await client.post(receiver.url(NAME), { 'x-a': 'b\r\nhost: other' }, BODY);
    expect(attempt).toMatchObject({ status: null, cause: expect.stringContaining('failed') });
    expect(receiver.received).toEqual([]);
  });
});

describe('an address that is not public is not reached', () => {
  // claim: every-address-public
  it.each([[[PUBLIC, INSIDE]], [[INSIDE, PUBLIC]], [[PUBLIC, '::1']], [[PUBLIC, '169.254.169.254', PUBLIC]]])(
    'by a name that also has public addresses: %j',
    async (addresses) => {
      answers[NAME] = addresses;
      expect(await client.refusal(receiver.url(NAME))).toMatch(/is not public/);
      expect(await send()).toMatchObject({ status: null, cause: expect.stringMatching(/is not public/) });
      expect(watched.tried).toEqual([]);
    },
  );

  it('(control) it is reached if both addresses are allowed', async () => {
    answers[NAME] = [INSIDE, PUBLIC];
    expect(await send(outbound({ allowedNetworks: ['127.0.0.0/8'] }))).toMatchObject({ status: 200 });
    expect(inside.received).toHaveLength(1);
  });

  // claim: address-pinned, private-addresses-refused
  it('by a name that resolves to another address after it was vetted', async () => {
    const turns = [PUBLIC, INSIDE];
    answers[NAME] = async () => four([turns.shift() ?? INSIDE]);

    expect(await send()).toMatchObject({ status: 200, cause: null });
    expect(resolvedHosts).toEqual([NAME]); // the name was not looked up a second time
    expect(watched.tried).toEqual([PUBLIC]);
    expect(inside.connections).toBe(0);

    // The next attempt does not reach it either, and does not use the open connection, because the name now leads elsewhere.
    expect(await send()).toMatchObject({ status: null, cause: `${NAME} resolves to an address that is not public` });
    expect(receiver.received).toHaveLength(1);
    expect(inside.connections).toBe(0);
  });

  it('(control) a client that vets first and then connects by name reaches it', async () => {
    const turns = [PUBLIC, INSIDE];
    answers[NAME] = async () => four([turns.shift() ?? INSIDE]);
    expect(await client.refusal(receiver.url(NAME))).toBeNull();
    const naive = new Agent({
      connect: { ca: authority.pem, lookup: (host, _, found) => void resolve(host).then((all) => found(null, all)) },
    });
    await request(receiver.url(NAME), { method: 'POST', dispatcher: naive });
    await naive.destroy();
    expect(inside.received).toHaveLength(1);
  });

  it.each([301, 302, 303, 307, 308])('by a redirect (%i)', async (status) => {
    receiver.behaviour = redirect(inside.url(), status);
    expect(await send()).toMatchObject({
      status,
      cause: `answered ${status}, but the redirect to ${inside.url()} is not followed`,
    });
    expect(inside.connections).toBe(0);
    expect(receiver.received).toHaveLength(1);
  });

  it('(control) another client follows it', async () => {
    receiver.behaviour = redirect(inside.url());
    const naive = new Agent({
      connect: { ca: authority.pem, lookup: (_host, _, found) => found(null, four([PUBLIC])) },
    });
    expect((await fetch(receiver.url(NAME), { method: 'POST', dispatcher: naive })).status).toBe(200);
    await naive.destroy();
    expect(inside.received).toHaveLength(1);
  });

  it('by proxy variables, which are not read', async () => {
    const forbidding = (socket: Socket) => socket.once('data', () => socket.end('HTTP/1.1 403 .\r\n\r\n'));
    const proxy = await started(startPlain(forbidding, { address: INSIDE }));
    const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    for (const name of names) vi.stubEnv(name, name.startsWith('NODE') ? '1' : `http://${INSIDE}:${proxy.port}`);
    try {
      expect(await send(outbound())).toMatchObject({ status: 200 });
      expect(proxy.connections).toBe(0);

      const naive = new EnvHttpProxyAgent(); // the control: the variables do lead there
      await expect(request(receiver.url(NAME), { method: 'POST', dispatcher: naive })).rejects.toThrow();
      expect(proxy.connections).toBeGreaterThan(0);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('a name', () => {
  it('that does not resolve is accepted for an endpoint and fails an attempt', async () => {
    for (const found of [
      async () => [],
      async () => {
        throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
      },
      () => {
        throw new Error('at once');
      },
    ]) {
      answers[NAME] = found;
      expect(await client.refusal(receiver.url(NAME))).toBeNull();
      expect(await send()).toMatchObject({ status: null, cause: `${NAME} does not resolve` });
    }
  });

  it('whose resolver hangs fails in time, holds up no other name, and works once it answers', async () => {
    const impatient = outbound({ connectMs: 1_000, totalMs: 5_000 });
    answers[NAME] = () => new Promise(() => {});
    answers['other.example.com'] = [PUBLIC];
    const hanging = [send(impatient), send(impatient)];
    expect(await send(impatient, 'other.example.com')).toMatchObject({ status: 200 });
    for (const attempt of await Promise.all(hanging)) {
      expect(attempt).toMatchObject({ status: null, cause: `${NAME} did not resolve in 1 s` });
    }
    expect(await impatient.refusal(receiver.url(NAME))).toBeNull();
    answers[NAME] = [PUBLIC];
    expect(await send(impatient)).toMatchObject({ status: 200 });
  });

  // claim: address-pinned
  it('is looked up before every attempt, once for attempts that begin together', async () => {
    await send();
    await send();
    expect(resolvedHosts).toHaveLength(2);
    await Promise.all(times(10, () => send()));
    expect(resolvedHosts).toHaveLength(3);
  });
});

describe('an attempt fails with a cause in words, in time, and the client goes on working, if it meets a receiver', () => {
  const NOT_HTTP = 'the answer is not HTTP';
  const WRONG_LENGTH = 'the length of the answer is not what its headers say';
  const CHUNKED = 'HTTP/1.1 200 .\r\ntransfer-encoding: chunked\r\n\r\n';
  const raw =
    (text: string): Behaviour =>
    (socket) =>
      socket.write(text, 'latin1');
  const rawThenEnd =
    (text: string): Behaviour =>
    (socket) =>
      socket.end(text, 'latin1');
  const behaviours: [string, Behaviour, string, number | null][] = [
    ['never answers', silence, 'no answer in 2 s', null],
    ['sends its headers byte by byte', byteByByte, 'no answer in 2 s', null],
    ['never ends its answer', neverEnding, 'answered 200, but did not end in 2 s', 200],
    ['resets', reset, 'connection reset', null],
    ['hangs up', hangUp, 'connection closed', null],
    ['sends headers without end', hugeHeaders, 'the headers of the answer are too large', null],
    ['sends hints without end', hints, 'the answer is too large', null],
    ['pads its answer without end', padding, 'answered 200, but the answer is too large', 200],
    ['speaks another protocol', gibberish, NOT_HTTP, null],
    ['sends a broken chunk', raw(`${CHUNKED}xyz\r\n`), 'answered 200, but the answer is not HTTP', 200],
    ['sends more than a chunk says', raw(`${CHUNKED}1\r\nabc\r\n`), 'answered 200, but the answer is not HTTP', 200],
    ['leaves out the last chunk', rawThenEnd(`${CHUNKED}1\r\na\r\n`), 'answered 200, but connection closed', 200],
    [
      'sends trailers without end',
      raw(`${CHUNKED}0\r\n${'a: b\r\n'.repeat(10_000)}`),
      'answered 200, but the headers of the answer are too large',
      200,
    ],
    [
      'sends two lengths',
      raw('HTTP/1.1 200 .\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      WRONG_LENGTH,
      null,
    ],
    [
      'sends a length and chunks',
      raw('HTTP/1.1 200 .\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'),
      WRONG_LENGTH,
      null,
    ],
    ['sends a header without a colon', raw('HTTP/1.1 200 .\r\ncontent-length\r\n\r\n'), NOT_HTTP, null],
    ['sends a zero byte in a header', raw('HTTP/1.1 200 .\r\nx: a\0b\r\ncontent-length: 0\r\n\r\n'), NOT_HTTP, null],
    ['breaks off in its headers', rawThenEnd('HTTP/1.1 200 .\r\nx: y\r\n'), 'connection closed', null],
    [
      'breaks off in its answer',
      rawThenEnd('HTTP/1.1 200 .\r\ncontent-length: 100\r\n\r\nhalf'),
      'answered 200, but connection closed',
      200,
    ],
    [
      'announces the end of its connection and breaks off in its answer',
      rawThenEnd('HTTP/1.1 200 .\r\nconnection: close\r\ncontent-length: 100\r\n\r\nhalf'),
      `answered 200, but ${WRONG_LENGTH}`,
      200,
    ],
    [
      'switches to another protocol',
      answer(101, '', { upgrade: 'x', connection: 'upgrade' }),
      'connection closed',
      null,
    ],
  ];
  it.each(behaviours)('that %s', async (_, behaviour, cause, status) => {
    receiver.behaviour = behaviour;
    expect(await send()).toMatchObject({ status, cause });
    receiver.behaviour = answer();
    expect(await send()).toMatchObject({ status: 200, cause: null });
  });

  const certificates: [string, () => Promise<Credentials>, string][] = [
    ['has expired', () => authority.issue([NAME], { expired: true }), 'certificate expired'],
    ['is for another name', () => authority.issue(['other.example.com', PUBLIC]), 'certificate is for another name'],
    ['is self-signed', () => selfSigned([NAME]), 'certificate is self-signed'],
    [
      'comes from a stranger',
      async () => (await Authority.make('A stranger')).issue([NAME]),
      'certificate comes from an unknown authority, or without its chain',
    ],
  ];
  it.each(certificates)('whose certificate %s', async (_, make, cause) => {
    const bad = await started(startReceiver(await make(), { address: PUBLIC }));
    expect(await send(client, NAME, bad.port)).toMatchObject({ status: null, answer: null, cause });
    expect(bad.received).toEqual([]);
    expect(await send()).toMatchObject({ status: 200, cause: null });
  });

  it('whose certificate is not trusted, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async () => {
    const bad = await started(startReceiver(await selfSigned([NAME]), { address: PUBLIC }));
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    try {
      expect(await send(client, NAME, bad.port)).toMatchObject({ cause: 'certificate is self-signed' });
      const naive = tls.connect({ host: PUBLIC, port: bad.port }); // the control: others obey the variable
      await new Promise((resolve, reject) => naive.once('secureConnect', resolve).once('error', reject));
      naive.destroy();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('(control) whose authority is trusted by the other tests only because its certificate was passed to the client', async () => {
    expect(await send(new Outbound({ resolve, allowedNetworks: [PUBLIC] }))).toMatchObject({
      status: null,
      cause: expect.stringMatching(/^certificate/),
    });
  });

  it('that speaks plain http on its port', async () => {
    const plain = await started(startPlain((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'), { address: PUBLIC }));
    expect(await send(client, NAME, plain.port)).toMatchObject({ status: null, cause: 'no TLS on this port' });
  });

  it('that takes the connection and says nothing', async () => {
    const deaf = await started(startPlain((socket) => socket.resume(), { address: PUBLIC }));
    expect(await send(client, NAME, deaf.port)).toMatchObject({ status: null, cause: 'no connection in 1.5 s' });
    await vi.waitFor(() => expect(deaf.open.size).toBe(0));
  });

  it('that resets while TLS begins', async () => {
    const rude = await started(startPlain((socket) => socket.resetAndDestroy(), { address: PUBLIC }));
    expect(await send(client, NAME, rude.port)).toMatchObject({ status: null, cause: 'connection reset' });
  });

  it('that is not there', async () => {
    const gone = await startPlain(() => {}, { address: PUBLIC });
    await gone.stop();
    expect(await send(client, NAME, gone.port)).toMatchObject({ status: null, cause: 'connection refused' });
  });
});

describe('of an answer', () => {
  it('the first 1 KB is kept and no more is read, even if it never stops', async () => {
    receiver.behaviour = flood;
    const attempt = await send();
    expect(attempt).toMatchObject({ status: 200, cause: null });
    expect(attempt.answer).toEqual(Buffer.alloc(1024, 'x'));
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
  });

  it.each([0, 1, 1023, 1024])('of %i bytes everything is kept, and the connection stays open', async (size) => {
    receiver.behaviour = answer(200, 'x'.repeat(size));
    expect((await send()).answer).toEqual(Buffer.alloc(size, 'x'));
    await send();
    expect(receiver.connections).toBe(1);
  });

  // claim: answer-1-kb
  it('of one byte more than 1 KB, the first 1 KB is kept and the connection is closed', async () => {
    receiver.behaviour = answer(500, 'x'.repeat(1025));
    expect(await send()).toMatchObject({ status: 500, answer: Buffer.alloc(1024, 'x'), cause: 'answered 500' });
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
  });
});

describe('a connection', () => {
  it('serves one attempt after the other', async () => {
    for (const _ of times(50, String)) expect(await send()).toMatchObject({ status: 200 });
    expect(receiver.received).toHaveLength(50);
    expect(receiver.connections).toBe(1);
  });

  it('on which a request was answered before it was sent completely is not used for the next', async () => {
    let connections = 0;
    const hasty = tls.createServer({ key: good.key, cert: good.cert }, (socket) => {
      connections += 1;
      socket.on('error', () => {});
      socket.once('data', () => socket.pause().write('HTTP/1.1 413 .\r\ncontent-length: 0\r\n\r\n'));
    });
    await new Promise<void>((done) => hasty.listen(0, PUBLIC, done));
    const { port } = hasty.address() as AddressInfo;
    const large = Buffer.alloc(20_000_000);
    const patient = outbound();
    for (const _ of times(2, String)) {
      expect(await patient.post(`https://${NAME}:${port}/`, {}, large)).toMatchObject({ status: 413 });
    }
    expect(connections).toBe(2);
    hasty.close();
    await patient.close();
  });

  it('on which the receiver sends something after its answer is closed', async () => {
    let say = (_: string): unknown => null;
    receiver.behaviour = (socket, ...rest) => {
      say = (text) => socket.write(text);
      answer()(socket, ...rest);
    };
    await send();
    expect(receiver.open.size).toBe(1);
    say('HTTP/1.1 408 .\r\ncontent-length: 0\r\n\r\n');
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
    expect(await send()).toMatchObject({ status: 200, cause: null });
  });

  it('is kept no longer than the receiver says', async () => {
    receiver.behaviour = answer(200, 'ok', { 'keep-alive': 'timeout=2' });
    await send();
    const from = Date.now();
    await vi.waitFor(() => expect(receiver.open.size).toBe(0), { timeout: 3_000 });
    expect(Date.now() - from).toBeGreaterThan(800);
    receiver.behaviour = answer(200, 'ok', { connection: 'close' });
    await send();
    await vi.waitFor(() => expect(receiver.open.size).toBe(0), { timeout: 500 });
  });

  it('serves one attempt at a time', async () => {
    receiver.behaviour = (...exchange) => setTimeout(() => answer()(...exchange), 20);
    const lanes = times(5, async () => {
      for (const _ of times(10, String)) expect(await send()).toMatchObject({ status: 200 });
    });
    await Promise.all(lanes);
    expect(receiver.received).toHaveLength(50);
    expect(receiver.connections).toBe(5);
  });

  it('is used again only while the name resolves to the address at its other end', async () => {
    const both = outbound({ allowedNetworks: [PUBLIC, ELSEWHERE] });
    await send(both);
    answers[NAME] = [ELSEWHERE];
    await send(both);
    expect([receiver.received.length, elsewhere.received.length]).toEqual([1, 1]);
    answers[NAME] = [ELSEWHERE, PUBLIC];
    await send(both);
    answers[NAME] = [PUBLIC];
    await send(both);
    expect([receiver.connections, elsewhere.connections]).toEqual([1, 1]);
    expect(receiver.received.length + elsewhere.received.length).toBe(4);
  });

  it('is not shared by two names with one address', async () => {
    answers['other.example.com'] = [PUBLIC];
    await send();
    await send(client, 'other.example.com');
    expect(receiver.connections).toBe(2);
    expect(receiver.received.map(({ servername }) => servername)).toEqual([NAME, 'other.example.com']);
  });

  it('on which bytes follow the answer at once is not used again', async () => {
    receiver.behaviour = (socket) =>
      socket.write('HTTP/1.1 200 .\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 .\r\ncontent-length: 0\r\n\r\n');
    expect(await send()).toMatchObject({ status: 200, answer: Buffer.from('ok'), cause: null });
    receiver.behaviour = answer(202);
    expect(await send()).toMatchObject({ status: 202, cause: null });
    expect(receiver.connections).toBe(2);
  });

  it('of HTTP/1.0 is not used again unless the receiver says so', async () => {
    const old = (more: string) => (socket: Socket) =>
      socket.write(`HTTP/1.0 200 OK\r\n${more}content-length: 0\r\n\r\n`);
    receiver.behaviour = old('');
    for (const _ of times(2, String)) expect(await send()).toMatchObject({ status: 200, cause: null });
    expect(receiver.connections).toBe(2);
    receiver.behaviour = old('connection: keep-alive\r\n');
    for (const _ of times(3, String)) expect(await send()).toMatchObject({ status: 200, cause: null });
    expect(receiver.connections).toBe(3);
  });

  it('that the receiver closes with its answer is not used again', async () => {
    receiver.behaviour = answer(200, 'bye', { connection: 'close' });
    for (const _ of times(3, String)) expect(await send()).toMatchObject({ status: 200 });
    expect([receiver.connections, receiver.received.length]).toEqual([3, 3]);
  });

  it('that the receiver has closed in the meantime does not fail the next attempt', async () => {
    await send();
    receiver.hangUp();
    expect(await send()).toMatchObject({ status: 200, cause: null });
    expect(receiver.connections).toBe(2);
  });

  it('that breaks during a later attempt is replaced once', async () => {
    await send();
    receiver.behaviour = (...exchange) => {
      receiver.behaviour = answer();
      reset(...exchange);
    };
    expect(await send()).toMatchObject({ status: 200, cause: null });
    expect([receiver.connections, receiver.received.length]).toEqual([2, 3]);

    receiver.behaviour = reset;
    expect(await send()).toMatchObject({ status: null, cause: 'connection reset' });
    expect([receiver.connections, receiver.received.length]).toEqual([3, 5]);
  });

  it('that breaks during its first attempt, or after the answer has begun, is not replaced', async () => {
    receiver.behaviour = reset;
    expect(await send()).toMatchObject({ status: null, cause: 'connection reset' });
    expect(receiver.received).toHaveLength(1);

    receiver.behaviour = answer();
    await send();
    receiver.behaviour = (socket) => socket.end('HTTP/1.1 200 .\r\ncontent-length: 9\r\n\r\nhalf');
    expect(await send()).toMatchObject({ status: 200, cause: 'answered 200, but connection closed' });
    expect(receiver.received).toHaveLength(3);
  });

  it('on which the receiver sends another answer without a request is closed', async () => {
    receiver.behaviour = (socket, ...rest) => {
      answer()(socket, ...rest);
      setTimeout(() => socket.write('HTTP/1.1 500 .\r\ncontent-length: 0\r\n\r\n'), 20);
    };
    await send();
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
    receiver.behaviour = answer();
    expect(await send()).toMatchObject({ status: 200 });
  });

  it('is closed after some seconds without use', async () => {
    await send();
    expect(receiver.open.size).toBe(1);
    await vi.waitFor(() => expect(receiver.open.size).toBe(0), { timeout: 20_000, interval: 100 });
  });

  it('is closed if too many are kept, the one that has waited longest first', async () => {
    const idle = new IdleConnections(2);
    const target = readTarget(receiver.url(NAME)) as Target;
    const context = tls.createSecureContext({ ca: authority.pem });
    const three = await Promise.all(times(3, () => Connection.open(target, four([PUBLIC]), context, 5_000)));
    const [first, second] = three as [Connection, Connection];
    for (const connection of [first, second]) idle.put(connection);
    expect(idle.take(second.origin, four([PUBLIC]))).toBe(second);
    idle.put(second);
    idle.put(three[2]!);
    expect(three.map((connection) => connection.open)).toEqual([false, true, true]);
    idle.close();
    expect(three.some((connection) => connection.open)).toBe(false);
  });
});

describe('receivers do not wait for each other', () => {
  it('a hundred attempts at one that never answers hold up no attempt at another', async () => {
    const patient = outbound({ connectMs: 30_000, totalMs: 50_000 });
    answers['other.example.com'] = [PUBLIC];
    const hanging = await started(startReceiver(good, { address: PUBLIC, behaviour: silence }));
    let over = 0;
    const stuck = times(100, () => send(patient, 'other.example.com', hanging.port).finally(() => over++));
    await vi.waitFor(() => expect(hanging.received).toHaveLength(100), { timeout: 20_000 });

    for (const _ of times(20, String)) {
      const others = await Promise.all(times(10, () => send(patient)));
      expect(others.every(({ status }) => status === 200)).toBe(true);
    }
    expect(over).toBe(0);

    hanging.hangUp();
    for (const { cause } of await Promise.all(stuck)) expect(cause).toMatch(/^connection (closed|reset)$/);
  });
});

describe('closing', () => {
  it('waits for the attempts under way and leaves nothing open', async () => {
    const closing = outbound();
    await send(closing);
    receiver.behaviour = (...exchange) => setTimeout(() => answer()(...exchange), 50);
    const last = send(closing);
    await vi.waitFor(() => expect(receiver.received).toHaveLength(2));
    await Promise.all([closing.close(), closing.close()]);
    expect(await last).toMatchObject({ status: 200 });
    await vi.waitFor(() => expect(receiver.open.size).toBe(0));
  });
});
