import tls from 'node:tls';
import { type Address, parseNetworks, readTarget, type Target, vet } from './addresses.ts';
import { causeOf, Failure, isClosedByReceiver, TimedOut } from './https/causes.ts';
import { type Answer, Connection } from './https/connection.ts';
import { IdleConnections } from './https/idle.ts';
import { type Resolve, systemResolver } from './https/names.ts';

export interface OutboundOptions {
  /** Addresses and networks (CIDR) that are allowed although they are not public (WEBHOOK_ALLOWED_NETWORKS). */
  allowedNetworks?: readonly string[];
  /** Certificates (PEM) of authorities that are trusted besides those of the system (WEBHOOK_CA_FILE). */
  ca?: string;
  /** Answers all addresses of a name. Tests pass their own; the default asks the system's hosts file and name servers. */
  resolve?: Resolve;
  /** The time limit for looking up the name, and again for connecting (TLS included). The default is 5,000. */
  connectMs?: number;
  /** The time limit for an attempt as a whole. The default is 15,000. */
  totalMs?: number;
}

export interface Attempt {
  /** Null if no answer came. */
  status: number | null;
  /** The first 1 KB of the answer's body; null if no answer came. */
  answer: Buffer | null;
  /** Why the attempt failed, in words for the delivery log; null if the answer was a 2xx. */
  cause: string | null;
  durationMs: number;
}

/** How many entries each of the two caches holds before it is emptied. */
const MAX_CACHE_ENTRIES = 10_000;
const seconds = (ms: number): string => `${ms / 1000} s`;

/**
 * Posts to https endpoints whose URLs come from customers, and only to public addresses.
 *
 * Before every attempt the name is looked up and each of its addresses is vetted. The attempt then uses an open connection whose
 * other end is one of these addresses, or opens a new one to one of them. Redirects are not followed, and proxy variables of the
 * environment are not read.
 */
export class Outbound {
  readonly #allowed: ReturnType<typeof parseNetworks>;
  readonly #secureContext: tls.SecureContext;
  readonly #resolve: Resolve;
  readonly #connectMs: number;
  readonly #totalMs: number;
  readonly #targets = new Map<string, ReturnType<typeof readTarget>>();
  readonly #vetted = new Map<string, ReturnType<typeof vet>>();
  readonly #lookups = new Map<string, Promise<Address[]>>();
  readonly #idle = new IdleConnections();
  /** Attempts under way. */
  #underWay = 0;
  /** Called when no attempt is under way any more. */
  #onDone: (() => void)[] = [];
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

  /**
   * Why an endpoint must not have this URL, in words; null if it may. A name that does not resolve is accepted here: each
   * attempt looks it up again.
   */
  async refusal(url: string): Promise<string | null> {
    const target = readTarget(url);
    if ('refused' in target) return target.refused;
    const { host, literal } = target;
    const vetted = this.#vet(target, literal ? [host] : await this.#addressesOf(host).catch(() => []));
    return 'refused' in vetted ? vetted.refused : null;
  }

  /** Makes one attempt, for which the name is looked up and vetted anew. Never throws. */
  async post(url: string, headers: Record<string, string>, body: Uint8Array): Promise<Attempt> {
    const started = performance.now();
    this.#underWay += 1;
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
    this.#underWay -= 1;
    if (this.#underWay === 0) for (const done of this.#onDone) done();
    const durationMs = Math.round(performance.now() - started);
    return { status: answer.status, answer: answer.bytes, cause: this.#causeIn(answer), durationMs };
  }

  /** Waits until the attempts under way have ended, which their time limits guarantee. */
  async close(): Promise<void> {
    this.#closing = true;
    this.#idle.close();
    if (this.#underWay === 0) return;
    await new Promise<void>((resolve) => this.#onDone.push(resolve));
  }

  /**
   * Uses an open connection to one of the addresses, or a new one.
   *
   * The receiver may close an idle connection in the moment in which the next request is on its way. That is nobody's fault, so
   * this request is sent once more, on a new connection and within the same deadline. The receiver may then get it twice, as it
   * may after any failed attempt.
   */
  async #exchange(
    target: Target,
    addresses: readonly Address[],
    headers: Record<string, string>,
    body: Uint8Array,
    deadline: number,
  ): Promise<Answer> {
    const kept = this.#idle.take(target.origin, addresses);
    if (kept !== null) {
      const answer = await kept.post(target.path, headers, body, deadline - performance.now());
      const wasClosed = answer.status === null && isClosedByReceiver(answer.fault);
      if (!wasClosed) return this.#keep(kept, answer);
    }
    const fresh = await this.#connect(target, addresses, Math.min(this.#connectMs, deadline - performance.now()));
    return this.#keep(fresh, await fresh.post(target.path, headers, body, deadline - performance.now()));
  }

  /** The same text always means the same target, so it is parsed once. The addresses behind it are vetted every time. */
  #targetOf(url: string): ReturnType<typeof readTarget> {
    const known = this.#targets.get(url);
    if (known !== undefined) return known;
    if (this.#targets.size === MAX_CACHE_ENTRIES) this.#targets.clear();
    const target = readTarget(url);
    this.#targets.set(url, target);
    return target;
  }

  /** The words for a name do not tell its address: customers must not learn the addresses of our own network. */
  #vet({ host, literal }: Target, addresses: readonly string[]): Address[] | { refused: string } {
    const vetted = this.#vetAddresses(addresses);
    if (literal || !('refused' in vetted)) return vetted;
    return { refused: `${host} resolves to an address that is not public` };
  }

  /** Vets every address. The same addresses always get the same answer, so it is remembered. */
  #vetAddresses(addresses: readonly string[]): ReturnType<typeof vet> {
    const key = addresses.join();
    const known = this.#vetted.get(key);
    if (known !== undefined) return known;
    if (this.#vetted.size === MAX_CACHE_ENTRIES) this.#vetted.clear();
    const vetted = vet(addresses, this.#allowed);
    this.#vetted.set(key, vetted);
    return vetted;
  }

  /** Attempts that ask for the same name at the same time share one lookup. Its answer is not kept for later ones. */
  async #addressesOf(host: string): Promise<string[]> {
    const lookup = this.#lookups.get(host) ?? this.#lookUp(host).finally(() => this.#lookups.delete(host));
    this.#lookups.set(host, lookup);
    return (await lookup).map(({ address }) => address);
  }

  async #lookUp(host: string): Promise<Address[]> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new TimedOut()), this.#connectMs);
    });
    try {
      const addresses = await Promise.race([this.#resolve(host), timeout]);
      if (addresses.length > 0) return addresses;
    } catch (error) {
      if (error instanceof TimedOut) throw new Failure(`${host} did not resolve in ${seconds(this.#connectMs)}`);
    } finally {
      clearTimeout(timer);
    }
    throw new Failure(`${host} does not resolve`);
  }

  async #connect(target: Target, addresses: readonly Address[], ms: number): Promise<Connection> {
    const connection = await Connection.open(target, addresses, this.#secureContext, ms).catch((error) => {
      throw error instanceof TimedOut ? new Failure(`no connection in ${seconds(this.#connectMs)}`) : error;
    });
    connection.onceClosed(() => this.#idle.remove(connection));
    return connection;
  }

  #keep(connection: Connection, answer: Answer): Answer {
    if (this.#closing) connection.destroy();
    else this.#idle.put(connection);
    return answer;
  }

  #causeIn({ status, location, fault }: Answer): string | null {
    if (fault === null && status !== null && status < 300) return null;
    const timedOut = fault instanceof TimedOut;
    const total = seconds(this.#totalMs);
    if (status === null) return timedOut ? `no answer in ${total}` : causeOf(fault);
    if (fault !== null) return `answered ${status}, but ${timedOut ? `did not end in ${total}` : causeOf(fault)}`;
    if (status < 400 && location !== null) {
      return `answered ${status}, but the redirect to ${location.slice(0, 200)} is not followed`;
    }
    return `answered ${status}`;
  }
}

declare module '../road/operation.ts' {
  interface Outside {
    /** Sends webhooks. */
    webhooks: Outbound;
  }
}
