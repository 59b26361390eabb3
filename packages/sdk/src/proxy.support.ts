import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * What a proxy does with a request: pass it on; cut the connection before the server has seen it, after the server has answered, or
 * in the middle of the answer; never answer; or give an answer of its own.
 */
export type Way =
  | 'pass'
  | 'cut before'
  | 'cut after'
  | 'cut within'
  | 'hang'
  | { status: number; headers?: Record<string, string>; body?: string };

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** What was answered; null if nothing was. */
  status: number | null;
}

/** A proxy in front of a real server that treats requests badly, in the order of `ways`. When they are used up, it passes everything on. */
export class BadProxy {
  readonly seen: SeenRequest[] = [];
  ways: Way[] = [];
  url = '';
  readonly #server: Server;

  constructor(target: string) {
    this.#server = createServer((incoming, outgoing) => {
      const { method = '', url: path = '', headers } = incoming;
      const seen: SeenRequest = { method, path, headers, status: null };
      this.seen.push(seen);
      // Where either side is cut off, the other one is as well.
      this.#treat(target, incoming, outgoing, seen).catch(() => outgoing.destroy());
    });
  }

  async #treat(target: string, incoming: IncomingMessage, outgoing: ServerResponse, seen: SeenRequest): Promise<void> {
    const way = this.ways.shift() ?? 'pass';
    const body = await buffer(incoming);
    if (way === 'hang') return;
    if (way === 'cut before') return void outgoing.destroy();
    if (typeof way === 'object') {
      seen.status = way.status;
      return void outgoing.writeHead(way.status, way.headers).end(way.body);
    }
    const { method, path, headers } = seen;
    const passed = request(target + path, { method, headers }).end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const bytes = await buffer(answer);
    if (way === 'cut after') return void outgoing.destroy();
    seen.status = answer.statusCode!;
    outgoing.writeHead(answer.statusCode!, answer.headers);
    if (way === 'pass') return void outgoing.end(bytes);
    outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
  }

  static async before(target: string): Promise<BadProxy> {
    const proxy = new BadProxy(target);
    await new Promise<void>((listening) => proxy.#server.listen(0, '127.0.0.1', listening));
    proxy.url = `http://127.0.0.1:${(proxy.#server.address() as AddressInfo).port}`;
    return proxy;
  }

  /** The values of a header of the requests so far. */
  values(header: string): (string | undefined)[] {
    return this.seen.map(({ headers }) => headers[header] as string | undefined);
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
  }
}
