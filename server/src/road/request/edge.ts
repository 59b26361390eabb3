import {
  createServer,
  type IncomingMessage,
  METHODS,
  type RequestListener,
  type Server,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../common/refusal.ts';
import { PRIVATE } from '../caching.ts';
import type { Offered } from './offered.ts';

/**
 * What is required of a connection before a request reaches the road: it must be HTTP and arrive in time. When the process stops,
 * the edge does not wait for clients that do not go on. Its refusals have the same envelope as all others.
 */
export interface EdgeLimits {
  /** How long the head of a request may take. On a new connection the time begins with the connection. */
  headersMs: number;
  /** How long a body may take. It gets one more second for every `bytesPerSecond` bytes that have arrived. */
  bodyMs: number;
  bytesPerSecond: number;
  /** How long a stop waits for a client to send the rest of its request or to take its answer. */
  graceMs: number;
  /** How long a stop waits for the work of a request. */
  workMs: number;
  checkEveryMs: number;
  /** The time by which bodies are judged, in milliseconds since any moment. */
  now: () => number;
}

// A body of a few bytes gets half a minute. An import of 38 MB over a slow line (128 kbit/s) gets the 40 minutes that it needs, and
// an attacker who wants to hold a connection for 40 minutes has to send as much.
const LIMITS: EdgeLimits = {
  headersMs: 20_000,
  bodyMs: 30_000,
  bytesPerSecond: 16_384,
  graceMs: 10_000,
  workMs: 45_000,
  checkEveryMs: 1000,
  now: () => performance.now(),
};
/** How long an idle connection is kept. Load balancers in front keep theirs for less, so that they close first. */
const KEEP_ALIVE_MS = 72_000;
/** How long a connection may be without a byte in either direction. */
const SILENT_MS = 300_000;
/** A client that is still sending can read its answer only if we do not hang up at once. */
const LINGER_MS = 1000;
const MAX_HEAD = 16_384;

export interface EdgeParts {
  limits?: Partial<EdgeLimits>;
  offered: Offered;
  newId: () => string;
  /** Called for an answer that did not come from a request of the router. */
  answered: (requestId: string, refusal: Refusal) => void;
}

interface Arriving {
  reply: FastifyReply;
  since: number;
  /** How many bytes the connection had received when the request began. */
  from: number;
}

export class Edge {
  readonly #limits: EdgeLimits;
  readonly #parts: EdgeParts;
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();
  /** The reply to the latest request of a connection. */
  readonly #latest = new WeakMap<Socket, FastifyReply>();
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  readonly #unmetExpectations = new WeakSet<IncomingMessage>();
  readonly #ending = new WeakSet<Socket>();
  #sweeping: NodeJS.Timeout | null = null;
  #isLeaving = false;

  constructor(parts: EdgeParts) {
    this.#parts = parts;
    this.#limits = { ...LIMITS, ...parts.limits };
  }

  /** For Fastify's `serverFactory`. */
  serve(listener: RequestListener): Server {
    const { headersMs, checkEveryMs } = this.#limits;
    const server = createServer(
      {
        headersTimeout: headersMs,
        requestTimeout: 0, // `#sweep` limits the time of bodies
        connectionsCheckingInterval: checkEveryMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEAD,
        requireHostHeader: false, // Node would answer without a body; `requireValidHttp` checks it instead
      },
      listener,
    );
    server.setTimeout(SILENT_MS);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#broken(error, socket));
    server.on('connect', (request, socket) =>
      this.#answerSocket(socket as Socket, this.#wrongMethod(request.url ?? '')),
    );
    server.on('checkExpectation', (request, response) => {
      this.#unmetExpectations.add(request);
      server.emit('request', request, response); // the road answers it, so that the answer has the rate of its key
    });
    this.#servers.add(server);
    this.#sweeping ??= setInterval(() => this.#sweep(), checkEveryMs).unref();
    return server;
  }

  /** From now on every answer is the last one of its connection, so that callers and balancers come back elsewhere. */
  leave(): void {
    this.#isLeaving = true;
  }

  began(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    if (this.#isLeaving) reply.header('Connection', 'close');
    this.#latest.set(raw.socket, reply);
    if (hasBody(raw)) this.#arriving.set(raw, { reply, since: this.#limits.now(), from: raw.socket.bytesRead });
  }

  answered({ raw }: FastifyRequest): void {
    if (raw.complete) this.#arriving.delete(raw);
  }

  /** Refuses what Node would refuse by itself, but without our envelope. */
  requireValidHttp({ raw }: FastifyRequest): void {
    if (this.#unmetExpectations.has(raw)) throw new Refusal('expectation_failed');
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new Refusal('bad_request', { message: 'The header `Host` is missing. HTTP/1.1 requires it.' });
    }
    // The host decides whose pages are shown. A proxy in front of us may have read another one of them.
    if (raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.length === 4 && /^host$/i.test(text)).length > 1) {
      throw new Refusal('bad_request', { message: 'The header `Host` is there more than once.' });
    }
  }

  #sweep(): void {
    const now = this.#limits.now();
    for (const [raw, { reply, since, from }] of this.#arriving) {
      if (raw.complete || raw.destroyed) {
        this.#arriving.delete(raw);
        continue;
      }
      const allowed = this.#limits.bodyMs + ((raw.socket.bytesRead - from) * 1000) / this.#limits.bytesPerSecond;
      if (now - since <= allowed) continue;
      this.#arriving.delete(raw);
      this.#end(reply, new Refusal('request_timeout'));
    }
  }

  /** Answers a request that cannot go on, unless it has its answer already, and then closes the connection. */
  #end(reply: FastifyReply, refusal: Refusal): void {
    const { raw } = reply.request;
    const { socket } = raw;
    this.#ending.add(socket);
    // Once a request is answered, Node does not tell it that its connection has ended. A reader of its body would wait forever.
    socket.once('close', () => raw.destroy());
    if (reply.sent || reply.raw.headersSent) {
      socket.destroy();
      return;
    }
    reply.raw.once('finish', () => socket.destroySoon());
    reply.header('Connection', 'close').send(refusal);
  }

  #broken(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
    if (this.#ending.has(socket)) return;
    const refusal = this.#refusalOf(error);
    if (refusal === null || !socket.writable) {
      socket.destroy();
      return;
    }
    const reply = this.#latest.get(socket);
    if (reply !== undefined && !reply.request.raw.complete) {
      this.#end(reply, refusal);
      return;
    }
    // The broken bytes came after a request that still waits for its answer. That answer goes out first.
    if (reply !== undefined && !reply.raw.writableFinished && !reply.raw.destroyed) {
      this.#ending.add(socket);
      reply.raw.once('close', () => this.#answerSocket(socket, refusal));
      return;
    }
    this.#answerSocket(socket, refusal);
  }

  #refusalOf({ code, rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): Refusal | null {
    if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Refusal('request_timeout');
    if (code === 'HPE_HEADER_OVERFLOW') return new Refusal('headers_too_large');
    if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return new Refusal('payload_too_large');
    if (code === 'HPE_INVALID_METHOD') {
      const [, method, url] = /^([!-~]{1,40}) (\/[!-~]*) HTTP\/1/.exec(rawPacket?.toString('latin1') ?? '') ?? [];
      const known = method === undefined || METHODS.includes(method);
      if (!known && this.#parts.offered.at(url!).length > 0) return this.#wrongMethod(url!);
    }
    return code?.startsWith('HPE_') ? new Refusal('bad_request') : null;
  }

  #wrongMethod(url: string): Refusal {
    return wrongMethod(this.#parts.offered.at(url));
  }

  /** Answers on a connection that has no request which this could be the answer to. */
  #answerSocket(socket: Socket, refusal: Refusal): void {
    this.#ending.add(socket);
    if (!socket.writable) return;
    const id = this.#parts.newId();
    const body = JSON.stringify(refusal.body(id));
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      `X-Request-Id: ${id}`,
      'X-RateLimit-Limit: 0',
      'X-RateLimit-Remaining: 0',
      ...Object.entries({ ...PRIVATE, ...refusal.options.headers }).map(([name, value]) => `${name}: ${value}`),
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
    ];
    socket.on('error', () => {});
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    this.#parts.answered(id, refusal);
  }

  /**
   * Accepts no new connections, closes the idle ones at once and lets running requests finish. A connection that waits for its
   * client is closed after `graceMs` of waiting, and every connection after `workMs`.
   */
  async close(app: FastifyInstance): Promise<void> {
    const { graceMs, workMs } = this.#limits;
    const begun = performance.now();
    const waitsSince = new WeakMap<Socket, number>();
    const tick = setInterval(() => {
      const now = performance.now();
      for (const server of this.#servers) server.closeIdleConnections();
      for (const socket of this.#sockets) {
        if (this.#isWorking(socket)) waitsSince.delete(socket);
        else if (!waitsSince.has(socket)) waitsSince.set(socket, now);
        const waits = now - (waitsSince.get(socket) ?? now);
        if (waits >= graceMs || now - begun >= workMs) socket.destroy();
      }
    }, 50);
    try {
      await app.close();
    } finally {
      clearInterval(tick);
      if (this.#sweeping !== null) clearInterval(this.#sweeping);
    }
  }

  /** Whether the client waits for us: its request has arrived, and the answer has not begun. */
  #isWorking(socket: Socket): boolean {
    const reply = this.#latest.get(socket);
    return reply?.request.raw.complete === true && !reply.raw.headersSent;
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export function wrongMethod(allowed: readonly string[]): Refusal {
  const message =
    allowed.length > 0 ? { message: `This address does not take this method. It takes ${allowed.join(', ')}.` } : {};
  return new Refusal('method_not_allowed', { ...message, headers: { Allow: allowed.join(', ') } });
}
