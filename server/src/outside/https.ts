import tls from 'node:tls';
import { type Address, parseNetworks, readTarget, type Target, vet } from './addresses.ts';
import { causeOf, Failure } from './https/causes.ts';
import { type Answer, Connection, Late } from './https/connection.ts';
import { Kept } from './https/kept.ts';
import { type Resolve, systemResolver } from './https/names.ts';

export interface OutboundOptions {
  /** Networks a self-hoster named (WEBHOOK_ALLOWED_NETWORKS): CIDR or address. */
  allowedNetworks?: readonly string[];
  /** PEM of CAs trusted besides the system's (WEBHOOK_CA_FILE). */
  ca?: string;
  /** Tests give their own; production uses the system's hosts file and name servers, all addresses. */
  resolve?: Resolve;
  /** For looking the name up, and again for connecting, TLS included; 5,000 unless told. */
  connectMs?: number;
  /** For all of an attempt; 15,000 unless told. */
  totalMs?: number;
}

export interface Attempt {
  /** Null: no answer came. */
  status: number | null;
  /** First 1 KB of the answer, as bytes; null where none came. */
  answer: Buffer | null;
  /** Why it did not succeed, in words for the delivery log; null on 2xx. */
  cause: string | null;
  durationMs: number;
}

const MOST_TARGETS = 10_000;
const seconds = (ms: number): string => `${ms / 1000} s`;

/**
 * Posts to https endpoints that strangers name, and only to public addresses. Before every attempt the name is looked up
 * and all of its addresses are judged. The connection then goes to one of them, or an open one is used whose other end is
 * among them. Redirects are not followed, proxy variables not read.
 */
export class Outbound {
  readonly #allowed: ReturnType<typeof parseNetworks>;
  readonly #secureContext: tls.SecureContext;
  readonly #resolve: Resolve;
  readonly #connectMs: number;
  readonly #totalMs: number;
  readonly #targets = new Map<string, ReturnType<typeof readTarget>>();
  readonly #judged = new Map<string, ReturnType<typeof vet>>();
  readonly #lookups = new Map<string, Promise<Address[]>>();
  readonly #kept = new Kept();
  #flying = 0;
  #landed: (() => void)[] = [];
  #closing = false;

  constructor(options: OutboundOptions = {}) {
    this.#allowed = parseNetworks(options.allowedNetworks ?? []);
    const { ca } = options;
    this.#secureContext = tls.createSecureContext(
      ca === undefined ? {} : { ca: [...tls.getCACertificates('default'), ca] },
    );
    this.#resolve = options.resolve ?? systemResolver();
    this.#totalMs = options.totalMs ?? 15_000;
    this.#connectMs = Math.min(options.connectMs ?? 5_000, this.#totalMs);
  }

  /** Why an endpoint must not have this URL, in words; null: fine. A name that does not resolve is fine here. */
  async refusal(url: string): Promise<string | null> {
    const target = readTarget(url);
    if ('refused' in target) return target.refused;
    const { host, literal } = target;
    const vetted = this.#vet(target, literal ? [host] : await this.#addressesOf(host).catch(() => []));
    return 'refused' in vetted ? vetted.refused : null;
  }

  /** One attempt: vetted anew, pinned, no redirects, deadlines, never throws. */
  async post(url: string, headers: Record<string, string>, body: Uint8Array): Promise<Attempt> {
    const started = performance.now();
    this.#flying += 1;
    let answer: Answer;
    try {
      const target = this.#targetOf(url);
      if ('refused' in target) throw new Failure(target.refused);
      const addresses = this.#vet(target, target.literal ? [target.host] : await this.#addressesOf(target.host));
      if ('refused' in addresses) throw new Failure(addresses.refused);
      answer = await this.#exchange(target, addresses, headers, body, started + this.#totalMs);
    } catch (error) {
      answer = { status: null, bytes: null, location: null, fault: error };
    }
    this.#flying -= 1;
    if (this.#flying === 0) for (const told of this.#landed) told();
    const durationMs = Math.round(performance.now() - started);
    return { status: answer.status, answer: answer.bytes, cause: this.#causeIn(answer), durationMs };
  }

  /** Waits for the attempts under way, which have their deadline. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#kept.close();
    if (this.#flying === 0) return;
    await new Promise<void>((resolve) => this.#landed.push(resolve));
  }

  /** On an open connection to one of the addresses, else on a new one. */
  async #exchange(
    target: Target,
    addresses: readonly Address[],
    headers: Record<string, string>,
    body: Uint8Array,
    deadline: number,
  ): Promise<Answer> {
    const kept = this.#kept.take(target.origin, addresses);
    if (kept !== null) {
      const answer = await kept.post(target.path, headers, body, deadline - performance.now());
      if (!wasClosedMeanwhile(answer)) return this.#keep(kept, answer);
    }
    const fresh = await this.#connect(target, addresses, Math.min(this.#connectMs, deadline - performance.now()));
    return this.#keep(fresh, await fresh.post(target.path, headers, body, deadline - performance.now()));
  }

  /** What a text says does not change; the addresses behind it are judged every time. */
  #targetOf(url: string): ReturnType<typeof readTarget> {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    if (this.#targets.size === MOST_TARGETS) this.#targets.clear();
    const target = readTarget(url);
    this.#targets.set(url, target);
    return target;
  }

  /** Which address a name stands for inside our own network is nobody's business. */
  #vet({ host, literal }: Target, addresses: readonly string[]): Address[] | { refused: string } {
    const vetted = this.#judge(addresses);
    if (literal || !('refused' in vetted)) return vetted;
    return { refused: `${host} resolves to an address that is not public` };
  }

  /** Every address, every time; what is known of the same addresses does not change. */
  #judge(addresses: readonly string[]): ReturnType<typeof vet> {
    const name = addresses.join();
    const known = this.#judged.get(name);
    if (known !== undefined) return known;
    if (this.#judged.size === MOST_TARGETS) this.#judged.clear();
    const judged = vet(addresses, this.#allowed);
    this.#judged.set(name, judged);
    return judged;
  }

  /** Those who ask for the same name at the same time share one lookup; no answer is kept. */
  async #addressesOf(host: string): Promise<string[]> {
    const flight = this.#lookups.get(host) ?? this.#lookUp(host).finally(() => this.#lookups.delete(host));
    this.#lookups.set(host, flight);
    return (await flight).map(({ address }) => address);
  }

  async #lookUp(host: string): Promise<Address[]> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Late()), this.#connectMs);
    });
    try {
      const addresses = await Promise.race([this.#resolve(host), late]);
      if (addresses.length > 0) return addresses;
    } catch (error) {
      if (error instanceof Late) throw new Failure(`${host} did not resolve in ${seconds(this.#connectMs)}`);
    } finally {
      clearTimeout(timer);
    }
    throw new Failure(`${host} does not resolve`);
  }

  async #connect(target: Target, addresses: readonly Address[], ms: number): Promise<Connection> {
    const connection = await Connection.open(target, addresses, this.#secureContext, ms).catch((error) => {
      throw error instanceof Late ? new Failure(`no connection in ${seconds(this.#connectMs)}`) : error;
    });
    connection.onceClosed(() => this.#kept.remove(connection));
    return connection;
  }

  #keep(connection: Connection, answer: Answer): Answer {
    if (this.#closing) connection.destroy();
    else this.#kept.put(connection);
    return answer;
  }

  /** Null on 2xx. */
  #causeIn({ status, location, fault }: Answer): string | null {
    if (fault === null && status !== null && status < 300) return null;
    const late = fault instanceof Late;
    const total = seconds(this.#totalMs);
    if (status === null) return late ? `no answer in ${total}` : causeOf(fault);
    if (fault !== null) return `answered ${status}, but ${late ? `did not end in ${total}` : causeOf(fault)}`;
    if (status < 400 && location !== null) {
      return `answered ${status}, but the redirect to ${location.slice(0, 200)} is not followed`;
    }
    return `answered ${status}`;
  }
}

/**
 * An open connection that the other end closes just when a request is on its way: nobody is at fault, so it is sent once
 * more on a new one. The receiver may get it twice then, as it may after any failed attempt.
 */
const wasClosedMeanwhile = ({ status, fault }: Answer): boolean =>
  status === null && ['ECONNRESET', 'EPIPE', 'CLOSED'].includes((fault as { code?: string } | null)?.code ?? '');

declare module '../road/operation.ts' {
  interface Outside {
    /** How webhooks leave. */
    webhooks: Outbound;
  }
}
