import { Busy, CallerGone, type PlacedKind } from './kinds.ts';

/**
 * Who may use the connections of a pool. A transaction takes a place before it takes a connection, so that reads of one organization
 * can never take the connections that scans, writes and lookups need.
 *
 *   kept       Places that only this kind can take. They stay free while other kinds wait.
 *   most       More places than these a kind never has.
 *   ofOneOrg   More places than these one organization never has of a kind.
 *
 * What is left after all kept places goes to whoever comes first. Lookups take no place; the pool has more connections than places.
 */
interface Share {
  kept: number;
  most: number;
  ofOneOrg: number;
}

/** How long a transaction waits for a place, in milliseconds. Nobody waits for a job, so it waits as long as one may run. */
export const placeWaits: Record<PlacedKind, number> = { scan: 10_000, read: 5_000, write: 10_000, job: 600_000 };

/** The shares of a pool of so many connections. Every pool has one connection at least for lookups and one place at least for all. */
export function sharesOf(connections: number): { places: number; shares: Record<PlacedKind, Share> } {
  const atLeastOne = (share: number) => Math.max(1, Math.floor(share));
  const places = Math.max(1, connections - atLeastOne(connections * 0.1));
  const forScans = Math.min(atLeastOne(places * 0.2), places - 1);
  const rest = places - forScans;
  const kept = (share: number) => (rest < 4 ? 0 : atLeastOne(places * share));
  const most = (share: number) => Math.min(rest, Math.ceil(places * share));
  return {
    places,
    shares: {
      scan: { kept: forScans, most: places, ofOneOrg: atLeastOne(places * 0.6) },
      read: { kept: kept(0.2), most: most(0.5), ofOneOrg: atLeastOne(most(0.5) * 0.5) },
      write: { kept: kept(0.2), most: most(0.6), ofOneOrg: atLeastOne(most(0.6) * 0.7) },
      job: { kept: kept(0.1), most: most(0.35), ofOneOrg: places },
    },
  };
}

/** Between two transactions, calls are read and answers are written. A longer gap means that nobody is served. */
const GAP_MS = 20;

interface Waiter {
  admit: () => void;
}

/** The waiters of one kind: organizations take turns, and the calls of one organization keep their order. */
class Line {
  /** By organization. The map's order is that of their turns. */
  readonly waiting = new Map<string, Set<Waiter>>();
  readonly usedBy = new Map<string, number>();
  used = 0;
}

const KINDS: readonly PlacedKind[] = ['scan', 'write', 'read', 'job'];
/** The transactions of no organization share its line, without a bound of their own. */
const NO_ORG = '';

export class Places {
  readonly #places: number;
  readonly #shares: Record<PlacedKind, Share>;
  readonly #lines: Record<PlacedKind, Line> = {
    scan: new Line(),
    write: new Line(),
    read: new Line(),
    job: new Line(),
  };
  #waiting = 0;
  /** How many transactions of callers have a place, since when there has been one or none, and for how long there was one before. */
  #served = { count: 0, since: Number.NEGATIVE_INFINITY, ms: 0 };

  readonly #now: () => number;

  constructor(connections: number, now: () => number = () => performance.now()) {
    this.#now = now;
    const { places, shares } = sharesOf(connections);
    this.#places = places;
    this.#shares = shares;
  }

  /** How many transactions wait for a place. */
  get waiting(): number {
    return this.#waiting;
  }

  /** How many milliseconds callers have been served so far: there was a transaction that is not a job's, or a short gap between two. */
  get servedMs(): number {
    const { count, since, ms } = this.#served;
    return count === 0 ? ms : ms + this.#now() - since;
  }

  /** Takes a place, or waits for one. The function that is returned gives it back and is called once. */
  async take(kind: PlacedKind, org: string | null, signal?: AbortSignal): Promise<() => void> {
    const owner = org ?? NO_ORG;
    const line = this.#lines[kind];
    if (line.waiting.has(owner) || !this.#mayTake(kind, owner)) await this.#wait(kind, owner, signal);
    else this.#count(kind, owner, 1);
    return () => {
      this.#count(kind, owner, -1);
      this.#admitNext();
    };
  }

  #count(kind: PlacedKind, owner: string, by: 1 | -1): void {
    const { usedBy } = this.#lines[kind];
    this.#lines[kind].used += by;
    const used = (usedBy.get(owner) ?? 0) + by;
    if (used === 0) usedBy.delete(owner);
    else usedBy.set(owner, used);
    if (kind !== 'job') this.#countServed(by);
  }

  #countServed(by: 1 | -1): void {
    const served = this.#served;
    const now = this.#now();
    const since = now - served.since;
    if (served.count === 0 && since < GAP_MS) served.ms += since;
    if (served.count === 1 && by === -1) served.ms += since;
    if (served.count === 0 || (served.count === 1 && by === -1)) served.since = now;
    served.count += by;
  }

  #mayTake(kind: PlacedKind, owner: string): boolean {
    const used = this.#lines[kind].usedBy.get(owner) ?? 0;
    return (owner === NO_ORG || used < this.#shares[kind].ofOneOrg) && this.#hasRoom(kind);
  }

  #hasRoom(kind: PlacedKind): boolean {
    if (this.#lines[kind].used >= this.#shares[kind].most) return false;
    let free = this.#places;
    for (const one of KINDS) {
      const { used } = this.#lines[one];
      free -= one === kind ? used : Math.max(used, this.#shares[one].kept);
    }
    return free > 0;
  }

  #wait(kind: PlacedKind, owner: string, signal?: AbortSignal): Promise<void> {
    const { waiting } = this.#lines[kind];
    return new Promise((resolve, reject) => {
      const stopWaiting = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        this.#waiting -= 1;
      };
      const waiter: Waiter = {
        admit: () => {
          stopWaiting();
          resolve();
        },
      };
      const giveUp = (error: Error) => {
        const queue = waiting.get(owner)!;
        queue.delete(waiter);
        if (queue.size === 0) waiting.delete(owner);
        stopWaiting();
        reject(error);
      };
      const leave = () => giveUp(new CallerGone());
      const timer = setTimeout(() => giveUp(new Busy(kind)), placeWaits[kind]);
      timer.unref();
      signal?.addEventListener('abort', leave, { once: true });
      this.#waiting += 1;
      const queue = waiting.get(owner);
      if (queue === undefined) waiting.set(owner, new Set([waiter]));
      else queue.add(waiter);
    });
  }

  /** Gives free places to those who wait: by kind, and within a kind to the organizations in turn. */
  #admitNext(): void {
    for (const kind of KINDS) {
      const { waiting } = this.#lines[kind];
      for (const [owner, queue] of waiting) {
        if (!this.#hasRoom(kind)) break;
        if (!this.#mayTake(kind, owner)) continue;
        const [waiter] = queue;
        queue.delete(waiter!);
        // An organization whose turn it was goes to the end, where this loop meets it again.
        waiting.delete(owner);
        if (queue.size > 0) waiting.set(owner, queue);
        this.#count(kind, owner, 1);
        waiter!.admit();
      }
    }
  }
}
