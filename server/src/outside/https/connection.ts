import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import { type buildConnector, Client, type Dispatcher } from 'undici';
import { type Address, canonical, type Target } from '../addresses.ts';
import { closedError, Failure, TimedOut } from './causes.ts';

/** Nothing is read of an answer's body beyond this, and this much of it is kept. */
const ANSWER_BYTES = 1024;
/** The most that undici accepts of one head (status line and headers), and of the trailers of a chunked answer. */
const HEAD_BYTES = 16 * 1024;
/**
 * The most that is read from the connection for one answer. The two limits above do not cover everything: a receiver can send
 * early hints without end, or pad the line before a chunk.
 */
const MAX_BYTES = 256 * 1024;
/** Node's own servers close an idle connection after 5 s. We close it first, so that no request meets a closed connection. */
const IDLE_MS = 4_000;

export interface Answer {
  /** Null if no answer came. */
  status: number | null;
  /** The first bytes of the body; null if no answer came. */
  bytes: Buffer | null;
  location: string | null;
  /** The error because of which no answer came, or only a part of it. */
  fault: unknown;
}

/**
 * One TLS connection to a vetted address, which serves one request at a time.
 *
 * We open the socket, so that it goes to a vetted address and nowhere else. undici writes the request and reads the answer: its
 * `Client` receives this socket from its `connect` hook, once. If the socket is lost, the `Client` is not given another.
 */
export class Connection {
  readonly origin: string;
  /** The address at the other end. */
  readonly address: string;
  readonly #socket: tls.TLSSocket;
  readonly #client: Client;
  /** What the socket had read before the current request. */
  #readBefore = 0;

  private constructor(origin: string, socket: tls.TLSSocket, address: string) {
    this.origin = origin;
    this.address = address;
    this.#socket = socket;
    this.#client = new Client(origin, {
      connect: handOver(socket),
      pipelining: 1,
      maxHeaderSize: HEAD_BYTES,
      // Each request has one deadline for everything, which `post` keeps.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      // A receiver may say for how long it keeps the connection (`keep-alive: timeout=…`). We close it 1 s earlier.
      keepAliveTimeoutThreshold: 1_000,
    });
    this.#client.once('disconnect', () => this.destroy());
    socket.on('readable', () => {
      if (socket.bytesRead - this.#readBefore > MAX_BYTES) socket.destroy(new Failure('the answer is too large'));
    });
  }

  /** Connects to one of `addresses`. Node tries them one after the other; it never looks the name up itself. */
  static open(target: Target, addresses: readonly Address[], secureContext: tls.SecureContext, ms: number) {
    return new Promise<Connection>((resolve, reject) => {
      const socket = tls.connect({
        host: target.host,
        port: target.port,
        lookup: pinned(addresses),
        // SNI carries names only. If the host is an address, the certificate is checked against `host`.
        servername: target.literal ? '' : target.host,
        secureContext,
        rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
        ALPNProtocols: ['http/1.1'],
      });
      const fail = (error: unknown) => {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      };
      const timer = setTimeout(() => fail(new TimedOut()), ms);
      socket.on('error', fail);
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        socket.setNoDelay(true);
        const vetted = addresses.find(({ address }) => address === canonical(socket.remoteAddress ?? ''));
        if (vetted === undefined) fail(new Error(`connected to ${socket.remoteAddress}, which was not vetted`));
        else resolve(new Connection(target.origin, socket, vetted.address));
      });
    });
  }

  get open(): boolean {
    return !this.#socket.destroyed;
  }

  /** Whether the connection is open and the last request has been sent completely. Some receivers answer before that. */
  get ready(): boolean {
    return this.open && this.#socket.writableLength === 0;
  }

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /** Never rejects. Afterwards the connection can serve another request, or it is closed. */
  post(path: string, headers: Record<string, string>, body: Uint8Array, ms: number): Promise<Answer> {
    this.#readBefore = this.#socket.bytesRead;
    return new Promise((resolve) => {
      const exchange = new Exchange((answer, reusable) => {
        clearTimeout(timer);
        if (!reusable) this.destroy();
        resolve(answer);
      });
      const timer = setTimeout(() => exchange.end(new TimedOut()), ms);
      // `blocking` only matters for pipelining. Without it undici does less for each answer.
      this.#client.dispatch({ path, method: 'POST', headers, body: body as Buffer, blocking: false }, exchange);
    });
  }

  destroy(): void {
    void this.#client.destroy(closedError());
    this.#socket.destroy();
  }
}

/** Collects one answer from undici's callbacks. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #done: (answer: Answer, reusable: boolean) => void;
  #ended = false;
  #status: number | null = null;
  #location: string | null = null;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  /** `done` is called once. */
  constructor(done: (answer: Answer, reusable: boolean) => void) {
    this.#done = done;
  }

  // undici takes a handler without this method for one of its older kind.
  onRequestStart(): void {}

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // early hints; the answer follows
    this.#status = status;
    this.#location = headers.location ?? null;
  }

  onResponseData(_: unknown, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (this.#size > ANSWER_BYTES) this.end(null);
  }

  onResponseEnd(): void {
    this.end(null);
  }

  onResponseError(_: unknown, error: unknown): void {
    this.end(error);
  }

  end(fault: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    // A copy: the chunks are views of larger buffers, which need not stay in memory.
    const bytes = this.#status === null ? null : Buffer.concat(this.#chunks, Math.min(this.#size, ANSWER_BYTES));
    const answer = { status: this.#status, bytes, location: this.#location, fault };
    this.#done(answer, fault === null && this.#size <= ANSWER_BYTES);
  }
}

/** Gives Node the vetted addresses: all of them, or the first one if Node is set to try only one. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, answer) =>
    all ? answer(null, [...addresses]) : answer(null, addresses[0]!.address, addresses[0]!.family);

/**
 * undici's `connect` hook. undici calls it for the first request, and would call it again after a lost connection, which must
 * not happen: by then the name may lead to an address that nobody has vetted.
 */
function handOver(socket: tls.TLSSocket): buildConnector.connector {
  let given = false;
  return (_, answer) => {
    const first = !given;
    given = true;
    // undici does not expect the answer before this function has returned.
    queueMicrotask(() => (first ? answer(null, socket) : answer(closedError(), null)));
  };
}
