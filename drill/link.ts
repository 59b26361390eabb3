import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../test/support/running.ts';

/**
 * A road on loopback from whoever connects to `port`, to `to`. It can be cut: then nothing passes any more and nobody is told, as
 * between two machines whose network is gone. Or it can be closed: then connections break and new ones are refused.
 */
export class Link {
  readonly port: number;
  readonly #to: number;
  readonly #pairs = new Set<readonly [Socket, Socket]>();
  /** Their other side was closed while the road was cut, and they have not heard of it. */
  readonly #unaware = new Set<Socket>();
  #server: Server | null = null;
  #isCut = false;

  private constructor(port: number, to: number) {
    this.port = port;
    this.#to = to;
  }

  static async open(to: number): Promise<Link> {
    const link = new Link(await freePort(), to);
    await link.reopen();
    return link;
  }

  reopen(): Promise<void> {
    const server = createServer({ pauseOnConnect: true }, (near) => this.#join(near));
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.port, '127.0.0.1', resolve);
    });
  }

  cut(): void {
    this.#isCut = true;
    for (const [near, far] of this.#pairs) {
      near.unpipe(far).pause();
      far.unpipe(near).pause();
    }
  }

  heal(): void {
    this.#isCut = false;
    for (const [near, far] of this.#pairs) near.pipe(far).pipe(near);
    for (const socket of this.#unaware) socket.destroy();
    this.#unaware.clear();
  }

  close(): void {
    this.#server?.close();
    for (const [near, far] of this.#pairs) {
      near.destroy();
      far.destroy();
    }
    for (const socket of this.#unaware) socket.destroy();
  }

  #join(near: Socket): void {
    const far = createConnection(this.#to, '127.0.0.1');
    const pair = [near, far] as const;
    this.#pairs.add(pair);
    for (const [one, other] of [pair, [far, near]] as const) {
      one.setNoDelay(true);
      one.on('error', () => {});
      one.on('close', () => {
        this.#pairs.delete(pair);
        // The other side hears of it only where the road is open.
        if (this.#isCut) this.#unaware.add(other);
        else other.destroy();
      });
    }
    if (!this.#isCut) near.pipe(far).pipe(near);
  }
}
