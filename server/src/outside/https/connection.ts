import type { LookupFunction } from 'node:net';
import tls from 'node:tls';
import { type buildConnector, Client } from 'undici';
import { type Address, canonical, type Target } from '../addresses.ts';
import { Failure } from './causes.ts';

/** What is kept of an answer, and all that is read of it. */
const ANSWER_BYTES = 1024;
const HEADER_BYTES = 16 * 1024;
/** Of the connection, for one answer: hints without end and extensions of chunks count for neither of the two above. */
const MOST_BYTES = 256 * 1024;
/** Less than the 5 s after which Node's own servers close: who closes first sends nothing into a closed connection. */
const IDLE_MS = 4_000;

export interface Answer {
  /** Null: none came. */
  status: number | null;
  bytes: Buffer | null;
  location: string | null;
  /** Why there is none, or not all of it. */
  fault: unknown;
}

/** The time given for it is over. */
export class Late extends Error {}

/**
 * One TLS connection to one of the vetted addresses, and HTTP/1.1 on it, one request at a time. TLS is ours and the protocol
 * is undici's: its `Client` gets this socket and no other, so nothing connects that was not vetted.
 */
export class Connection {
  readonly origin: string;
  /** Of the other end. */
  readonly address: string;
  readonly #socket: tls.TLSSocket;
  readonly #client: Client;
  #readBefore = 0;

  private constructor(origin: string, socket: tls.TLSSocket, address: string) {
    this.origin = origin;
    this.address = address;
    this.#socket = socket;
    this.#client = new Client(origin, {
      connect: once(socket),
      pipelining: 1,
      maxHeaderSize: HEADER_BYTES,
      headersTimeout: 0, // ours is one deadline for all of it
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
    });
    this.#client.once('disconnect', () => this.destroy());
    socket.on('readable', () => {
      if (socket.bytesRead - this.#readBefore > MOST_BYTES) socket.destroy(new Failure('the answer is too large'));
    });
  }

  static open(target: Target, addresses: readonly Address[], secureContext: tls.SecureContext, ms: number) {
    return new Promise<Connection>((resolve, reject) => {
      const socket = tls.connect({
        host: target.host,
        port: target.port,
        lookup: pinned(addresses),
        servername: target.literal ? '' : target.host, // an address has no SNI; the certificate is held against `host` then
        secureContext,
        rejectUnauthorized: true, // whatever NODE_TLS_REJECT_UNAUTHORIZED says
        ALPNProtocols: ['http/1.1'],
      });
      const fail = (error: unknown) => {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
      };
      const timer = setTimeout(() => fail(new Late()), ms);
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

  onceClosed(listener: () => void): void {
    this.#socket.once('close', listener);
  }

  /** Never rejects. Afterwards the connection is as good as new, or closed. */
  post(path: string, headers: Record<string, string>, body: Uint8Array, ms: number): Promise<Answer> {
    this.#readBefore = this.#socket.bytesRead;
    return new Promise((resolve) => {
      let status: number | null = null;
      let location: string | null = null;
      const chunks: Buffer[] = [];
      let size = 0;
      const end = (fault: unknown) => {
        clearTimeout(timer);
        if (fault !== null || size > ANSWER_BYTES) this.destroy();
        const bytes = status === null ? null : Buffer.concat(chunks).subarray(0, ANSWER_BYTES);
        resolve({ status, bytes, location, fault });
      };
      const timer = setTimeout(() => end(new Late()), ms);
      this.#client.dispatch(
        { path, method: 'POST', headers, body },
        {
          onRequestStart() {}, // undici tells this kind of handler by it
          onResponseStart(_, code, head) {
            if (code < 200) return;
            status = code;
            location = [head.location].flat()[0] ?? null;
          },
          onResponseData(_, chunk) {
            chunks.push(chunk);
            size += chunk.length;
            if (size > ANSWER_BYTES) end(null);
          },
          onResponseEnd: () => end(null),
          onResponseError: (_, error) => end(error),
        },
      );
    });
  }

  destroy(): void {
    void this.#client.destroy();
    this.#socket.destroy();
  }
}

/** Node wants all of them and tries one after the other, unless it is set to try only one. */
const pinned =
  (addresses: readonly Address[]): LookupFunction =>
  (_host, { all }, answer) =>
    all ? answer(null, [...addresses]) : answer(null, addresses[0]!.address, addresses[0]!.family);

const closed = () => Object.assign(new Error('closed'), { code: 'ECONNRESET' });

/** undici connects when it is first asked to send, and again after a loss: then there is nothing more to give. */
function once(socket: tls.TLSSocket) {
  let given = false;
  return (_: unknown, answer: buildConnector.Callback) => {
    const first = !given;
    given = true;
    // Later: undici takes no answer while it still asks.
    queueMicrotask(() => (first ? answer(null, socket) : answer(closed(), null)));
  };
}
