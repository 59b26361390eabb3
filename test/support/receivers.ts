import 'reflect-metadata';
import { type AddressInfo, createServer, isIP, type Server, Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import * as x509 from '@peculiar/x509';

/**
 * Real HTTPS receivers on loopback, with certificates of an authority that is made for the test. They behave well or badly and keep
 * the requests that they received.
 */

export interface Credentials {
  key: string;
  cert: string;
}

const DAY = 24 * 60 * 60_000;
const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const makeKeys = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
const privatePem = async (keys: CryptoKeyPair) =>
  x509.PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
const alternatives = (names: readonly string[]) =>
  new x509.SubjectAlternativeNameExtension(
    names.map((value) => ({ type: isIP(value) === 0 ? ('dns' as const) : ('ip' as const), value })),
  );
/** TLS libraries check certificates by the clock of the machine, also where a test moves `Date`. */
const machineTime = () => performance.timeOrigin + performance.now();
const validity = (from: number, to: number) => ({
  notBefore: new Date(machineTime() + from * DAY),
  notAfter: new Date(machineTime() + to * DAY),
});

export class Authority {
  readonly #keys: CryptoKeyPair;
  readonly #certificate: x509.X509Certificate;

  private constructor(keys: CryptoKeyPair, certificate: x509.X509Certificate) {
    this.#keys = keys;
    this.#certificate = certificate;
  }

  static async make(name = 'Authority of a test'): Promise<Authority> {
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name: `CN=${name}`,
      keys,
      signingAlgorithm: ALGORITHM,
      ...validity(-1, 30),
      extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
    });
    return new Authority(keys, certificate);
  }

  get pem(): string {
    return this.#certificate.toString('pem');
  }

  /** Issues a certificate for these names and addresses. */
  async issue(names: readonly string[], { expired = false, days = 30 } = {}): Promise<Credentials> {
    const keys = await makeKeys();
    const certificate = await x509.X509CertificateGenerator.create({
      subject: `CN=${names[0]}`,
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: ALGORITHM,
      ...(expired ? validity(-2, -1) : validity(-1, days)),
      extensions: [alternatives(names)],
    });
    return { key: await privatePem(keys), cert: certificate.toString('pem') };
  }
}

export async function selfSigned(names: readonly string[]): Promise<Credentials> {
  const keys = await makeKeys();
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0]}`,
    keys,
    signingAlgorithm: ALGORITHM,
    ...validity(-1, 30),
    extensions: [alternatives(names)],
  });
  return { key: await privatePem(keys), cert: certificate.toString('pem') };
}

export interface Received {
  method: string;
  path: string;
  /** With names in lower case. */
  headers: Record<string, string>;
  /** Head and body, exactly as received. */
  raw: Buffer;
  body: Buffer;
  /** The server name in the TLS handshake. */
  servername: string | null;
}

/** What a receiver does with a request that has arrived completely; `tcp` is the connection below TLS. */
export type Behaviour = (socket: TLSSocket, received: Received, tcp: Socket) => void;

export const answer =
  (status = 200, body = 'ok', headers: Record<string, string> = {}): Behaviour =>
  (socket) => {
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${status} .\r\n${lines.join('')}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
const CHUNKED = 'HTTP/1.1 200 .\r\ntransfer-encoding: chunked\r\n\r\n';
export const redirect = (to: string, status = 302): Behaviour => answer(status, '', { location: to });
export const silence: Behaviour = () => {};
export const reset: Behaviour = (_socket, _received, tcp) => {
  tcp.resetAndDestroy();
};
export const hangUp: Behaviour = (socket) => socket.end();
export const neverEnding: Behaviour = (socket) => {
  socket.write(CHUNKED);
  repeat(socket, '1\r\n.\r\n', 20);
};
export const byteByByte: Behaviour = (socket) => {
  const head = Buffer.from(`HTTP/1.1 200 .\r\nx-slow: ${'.'.repeat(4096)}`);
  let at = 0;
  repeat(socket, () => head.subarray(at, ++at), 20);
};
/** Endless answers, sent faster than they can be read. */
export const flood: Behaviour = (socket) => pour(socket, CHUNKED, `4000\r\n${'x'.repeat(0x4000)}\r\n`);
export const hints: Behaviour = (socket) => pour(socket, '', 'HTTP/1.1 103 .\r\nlink: </a>\r\n\r\n'.repeat(100));
export const padding: Behaviour = (socket) => pour(socket, `${CHUNKED}1;`, 'x'.repeat(0x4000));
export const hugeHeaders: Behaviour = (socket) => {
  socket.write('HTTP/1.1 200 .\r\n');
  for (let i = 0; i < 100; i++) socket.write(`x-${i}: ${'.'.repeat(1000)}\r\n`);
};
export const gibberish: Behaviour = (socket) => {
  socket.write('220 mail.example.com ESMTP ready\r\n');
};

function pour(socket: Socket, first: string, block: string): void {
  socket.write(first);
  const fill = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', fill);
  fill();
}

function repeat(socket: Socket, what: string | (() => Buffer), everyMs: number): void {
  const timer = setInterval(() => socket.write(typeof what === 'string' ? what : what()), everyMs);
  socket.once('close', () => clearInterval(timer));
}

/** A server that counts its connections and closes all of them when it stops. */
class Listener {
  readonly address: string;
  port = 0;
  connections = 0;
  readonly open = new Set<Socket>();
  readonly #server: Server;

  constructor(server: Server, address: string) {
    this.#server = server;
    this.address = address;
    server.on('connection', (socket: Socket) => {
      this.connections++;
      this.open.add(socket);
      socket.on('error', () => {});
      socket.once('close', () => this.open.delete(socket));
    });
  }

  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, this.address, resolve);
    });
    this.port = (this.#server.address() as AddressInfo).port;
  }

  url(host = this.address, path = '/hook'): string {
    return `https://${isIP(host) === 6 ? `[${host}]` : host}:${this.port}${path}`;
  }

  /** Closes every connection, as a server does that restarts or closes idle ones. */
  hangUp(): void {
    for (const socket of this.open) socket.destroy();
  }

  async stop(): Promise<void> {
    this.hangUp();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

export class Receiver extends Listener {
  readonly received: Received[] = [];
  behaviour: Behaviour;

  constructor(credentials: Credentials, address: string, behaviour: Behaviour) {
    const server = tls.createServer({ ...credentials, ALPNProtocols: ['http/1.1'] });
    super(server, address);
    this.behaviour = behaviour;
    server.on('tlsClientError', () => {});
    server.on('secureConnection', (socket) => {
      const tcp = [...this.open].find(({ remotePort }) => remotePort === socket.remotePort)!;
      let bytes = Buffer.alloc(0);
      socket.on('error', () => {});
      socket.on('data', (chunk) => {
        bytes = Buffer.concat([bytes, chunk]);
        for (let request = take(bytes); request !== null; request = take(bytes)) {
          bytes = bytes.subarray(request.raw.length);
          const received = { ...request, servername: socket.servername || null };
          this.received.push(received);
          this.behaviour(socket, received, tcp);
        }
      });
    });
  }
}

/** The first complete request in these bytes. */
function take(bytes: Buffer): Omit<Received, 'servername'> | null {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd < 0) return null;
  const [first = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const end = headEnd + 4 + Number(headers['content-length'] ?? 0);
  if (bytes.length < end) return null;
  const [method = '', path = ''] = first.split(' ');
  return { method, path, headers, raw: bytes.subarray(0, end), body: bytes.subarray(headEnd + 4, end) };
}

interface Where {
  address?: string;
  port?: number;
}

export async function startReceiver(
  credentials: Credentials,
  { address = '127.0.0.1', port = 0, behaviour = answer() }: Where & { behaviour?: Behaviour } = {},
): Promise<Receiver> {
  const receiver = new Receiver(credentials, address, behaviour);
  await receiver.listen(port);
  return receiver;
}

/** Starts a receiver at each of these addresses, all on the same port. */
export async function startReceivers(credentials: Credentials, addresses: readonly string[]): Promise<Receiver[]> {
  const receivers: Receiver[] = [];
  try {
    for (const address of addresses) {
      receivers.push(await startReceiver(credentials, { address, port: receivers[0]?.port ?? 0 }));
    }
    return receivers;
  } catch (error) {
    await Promise.all(receivers.map((receiver) => receiver.stop()));
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    return startReceivers(credentials, addresses); // the port was free at the first address and not at another one
  }
}

/** Accepts TCP connections and answers with the given bytes, without TLS. */
export async function startPlain(
  onConnection: (socket: Socket) => void,
  { address = '127.0.0.1', port = 0 }: Where = {},
): Promise<Listener> {
  const listener = new Listener(createServer(onConnection), address);
  await listener.listen(port);
  return listener;
}

const THIS_MACHINE = /^(127\.\d+\.\d+\.\d+|::1|::ffff:(127\.\d+\.\d+\.\d+|7f00:1)|0\.0\.0\.0|::)$/;
export const isThisMachine = (address: string): boolean => THIS_MACHINE.test(address);

/**
 * Collects every address that this process tries to reach by TCP from now on. An attempt to reach another machine throws where
 * nobody catches it, so that the test run fails.
 */
export function watchConnections(): { tried: string[]; stop(): void } {
  const tried: string[] = [];
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    this.on('connectionAttempt', (address: string) => {
      tried.push(address);
      if (!isThisMachine(address)) throw new Error(`A test tried to reach another machine: ${address}`);
    });
    return connect.apply(this, args as never);
  } as typeof connect;
  const stop = () => {
    Socket.prototype.connect = connect;
  };
  return { tried, stop };
}
