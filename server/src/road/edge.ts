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
import type { Offered } from './offered.ts';
import { Refusal } from './refusal.ts';

/**
 * What is asked of a connection, before and beside the road: that a request arrives in time and is HTTP, and that a stop
 * does not wait for a client that does not go on. A refusal here has the same envelope as everywhere.
 */
export interface EdgeLimits {
  /** For the head of a request, and for a new connection to begin one. */
  headersMs: number;
  /** For a body; it has a second more for every `bytesPerSecond` of it that are here. */
  bodyMs: number;
  bytesPerSecond: number;
  /** How long a stop waits for a client, to send the rest or to take its answer. */
  graceMs: number;
  /** How long a stop waits for the work itself. */
  workMs: number;
  checkEveryMs: number;
}

// A body of a few bytes has half a minute. An import of 38 MB over an honest 128 kbit/s has the 40 minutes that it takes, and
// whoever wants to hold a connection for as long has to send as much.
const LIMITS: EdgeLimits = {
  headersMs: 20_000,
  bodyMs: 30_000,
  bytesPerSecond: 16_384,
  graceMs: 10_000,
  workMs: 45_000,
  checkEveryMs: 1000,
};
/** Between two requests; longer than the load balancers in front keep theirs, so that they close first. */
const KEEP_ALIVE_MS = 72_000;
/** Without a byte in either direction. */
const SILENT_MS = 300_000;
/** A client that is still sending reads its answer only if we do not hang up at once. */
const LINGER_MS = 1000;
const MAX_HEAD = 16_384;

export interface EdgeParts {
  limits?: Partial<EdgeLimits>;
  offered: Offered;
  newId: () => string;
  /** Told of an answer that no request of the router gave. */
  answered: (requestId: string, refusal: Refusal) => void;
}

interface Arriving {
  reply: FastifyReply;
  since: number;
  /** Bytes of its connection when it began. */
  from: number;
}

export class Edge {
  readonly #limits: EdgeLimits;
  readonly #parts: EdgeParts;
  readonly #servers = new Set<Server>();
  readonly #sockets = new Set<Socket>();
  /** The request that a connection brought last. */
  readonly #latest = new WeakMap<Socket, FastifyReply>();
  readonly #arriving = new Map<IncomingMessage, Arriving>();
  readonly #unmet = new WeakSet<IncomingMessage>();
  readonly #over = new WeakSet<Socket>();
  #sweeping: NodeJS.Timeout | null = null;

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
        requestTimeout: 0, // bodies have limits of their own, below
        connectionsCheckingInterval: checkEveryMs,
        keepAliveTimeout: KEEP_ALIVE_MS,
        maxHeaderSize: MAX_HEAD,
        requireHostHeader: false, // Node's own answer has no body; `requireSound` asks
      },
      listener,
    );
    server.setTimeout(SILENT_MS);
    server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => this.#broken(error, socket));
    server.on('connect', (request, socket) => this.#say(socket as Socket, this.#wrongMethod(request.url ?? '')));
    server.on('checkExpectation', (request, response) => {
      this.#unmet.add(request);
      server.emit('request', request, response); // it is known on the road what its key has left
    });
    this.#servers.add(server);
    this.#sweeping ??= setInterval(() => this.#sweep(), checkEveryMs).unref();
    return server;
  }

  began(request: FastifyRequest, reply: FastifyReply): void {
    const { raw } = request;
    this.#latest.set(raw.socket, reply);
    if (hasBody(raw)) this.#arriving.set(raw, { reply, since: performance.now(), from: raw.socket.bytesRead });
  }

  answered({ raw }: FastifyRequest): void {
    if (raw.complete) this.#arriving.delete(raw);
  }

  /** What Node would refuse by itself, without an envelope. */
  requireSound({ raw }: FastifyRequest): void {
    if (this.#unmet.has(raw)) throw new Refusal('expectation_failed');
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') {
      throw new Refusal('bad_request', { message: 'The header `Host` is missing.' });
    }
  }

  #sweep(): void {
    const now = performance.now();
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

  /** The answer of a request that cannot go on, if it has none yet; then its connection is over. */
  #end(reply: FastifyReply, refusal: Refusal): void {
    const { raw } = reply.request;
    const { socket } = raw;
    this.#over.add(socket);
    // Node tells no request whose answer is out that its connection has ended: whoever still reads the body would wait for ever.
    socket.once('close', () => raw.destroy());
    if (reply.sent || reply.raw.headersSent) {
      socket.destroy();
      return;
    }
    reply.raw.once('finish', () => socket.destroySoon());
    reply.header('Connection', 'close').send(refusal);
  }

  #broken(error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket): void {
    if (this.#over.has(socket)) return;
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
    // What is broken came after a request that still waits for its answer: that goes first.
    if (reply !== undefined && !reply.raw.writableFinished && !reply.raw.destroyed) {
      this.#over.add(socket);
      reply.raw.once('close', () => this.#say(socket, refusal));
      return;
    }
    this.#say(socket, refusal);
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

  /** To a connection that has no request of which this could be the answer. */
  #say(socket: Socket, refusal: Refusal): void {
    this.#over.add(socket);
    if (!socket.writable) return;
    const id = this.#parts.newId();
    const body = JSON.stringify(refusal.body(id));
    const head = [
      `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
      `X-Request-Id: ${id}`,
      'X-RateLimit-Limit: 0',
      'X-RateLimit-Remaining: 0',
      ...Object.entries(refusal.options.headers ?? {}).map(([name, value]) => `${name}: ${value}`),
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
   * Takes no new connection and closes the idle ones at once. What runs is finished. A connection that waits for its client
   * has `graceMs` from then on, one that waits for the work `workMs` in all.
   */
  async close(app: FastifyInstance): Promise<void> {
    const { graceMs, workMs } = this.#limits;
    const begun = performance.now();
    const waitsSince = new WeakMap<Socket, number>();
    const tick = setInterval(() => {
      const now = performance.now();
      for (const server of this.#servers) server.closeIdleConnections();
      for (const socket of this.#sockets) {
        if (this.#works(socket)) waitsSince.delete(socket);
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

  /** Whether it is we who are waited for. */
  #works(socket: Socket): boolean {
    const reply = this.#latest.get(socket);
    return reply?.request.raw.complete === true && !reply.raw.headersSent;
  }
}

export function hasBody({ headers }: IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length !== undefined && length !== '0') || headers['transfer-encoding'] !== undefined;
}

export function wrongMethod(allowed: readonly string[]): Refusal {
  const message = allowed.length > 0 ? { message: `This address takes ${allowed.join(', ')}.` } : {};
  return new Refusal('method_not_allowed', { ...message, headers: { Allow: allowed.join(', ') } });
}
