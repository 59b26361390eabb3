import type { Id } from '../../common/ids.ts';
import type { DueEndpoint } from './claim.ts';

/**
 * How many attempts run at once. Each running attempt has one slot.
 *
 * A slow receiver keeps its slots for as long as it hangs. So slots are limited for one endpoint and for one organization, and an
 * endpoint that keeps failing has few: what it holds is not available to endpoints that work.
 */
export interface Caps {
  /** In this process. */
  all: number;
  organization: number;
  endpoint: number;
  /** For an endpoint that has failed several times in a row. Also what is read from the reserve at once for an endpoint. */
  troubled: number;
  /**
   * How many deliveries are read ahead for each slot. Reading and recording cost mostly by the transaction and little by the row,
   * so both handle many deliveries at once.
   */
  ahead: number;
}
export const CAPS: Caps = { all: 512, organization: 128, endpoint: 16, troubled: 2, ahead: 32 };

/** An endpoint that has failed this often in a row gets few slots, and nothing is read ahead for it. */
const TROUBLED_AFTER = 3;
const isTroubled = (endpoint: DueEndpoint): boolean => endpoint.failures_in_a_row >= TROUBLED_AFTER;

/**
 * How many slots an endpoint may have now. `siblings` of its organization's endpoints have something to send (itself included),
 * and the organization has `running` attempts under way.
 *
 * While half of the organization's slots are free, it may have all that one endpoint can have. After that it gets an equal part of
 * them. Otherwise a few endpoints would take all slots while the others wait, and each would need that many connections in its
 * turn: 100 endpoints opened 1,600 connections instead of 200 (measured).
 */
export function slotsOf(endpoint: DueEndpoint, siblings: number, running: number, caps: Caps): number {
  const most = isTroubled(endpoint) ? caps.troubled : caps.endpoint;
  return running < caps.organization / 2 ? most : Math.min(most, Math.ceil(caps.organization / siblings));
}

/**
 * An eighth of every limit is kept for endpoints that have nothing: no attempt under way, or no delivery read. However many
 * endpoints hang, and whenever they began to, one that answers still gets its turn.
 */
const whole = (limit: number): number => limit;
const withoutReserve = (limit: number): number => limit - Math.floor(limit / 8);

/** Whether an endpoint that may have `slots` attempts under way may begin an attempt now. */
export function hasFreeSlot(endpoint: DueEndpoint, slots: number, running: Tally, caps: Caps): boolean {
  const own = running.of(endpoint.id);
  const most = own === 0 ? whole : withoutReserve;
  return own < slots && running.all < most(caps.all) && running.of(endpoint.org_id) < most(caps.organization);
}

/** Counts deliveries by organization and by endpoint. */
export class Tally {
  readonly #counts = new Map<string, { count: number }>();
  all = 0;
  of(name: Id): number {
    return this.#counts.get(name)?.count ?? 0;
  }
  add(org: Id, endpoint: Id, by: 1 | -1): void {
    this.all += by;
    this.#add(org, by);
    this.#add(endpoint, by);
  }
  #add(name: Id, by: 1 | -1): void {
    const known = this.#counts.get(name);
    if (known === undefined) this.#counts.set(name, { count: by });
    else {
      known.count += by;
      if (known.count === 0) this.#counts.delete(name);
    }
  }
}

/**
 * How many unsent deliveries of an endpoint this process may hold: what its organization may have, divided among its endpoints
 * (of which no more count than there are slots). A single endpoint gets half of it, so that it has enough to send while more is
 * read; with an eighth it sent a quarter fewer deliveries (measured).
 */
const shareOf = (endpoint: DueEndpoint, endpoints: number, caps: Caps): number =>
  isTroubled(endpoint)
    ? caps.troubled
    : Math.floor((caps.organization * caps.ahead) / Math.max(2, Math.min(endpoints, caps.organization)));

/** More is read for an endpoint once it has this many unsent deliveries or fewer: half of its share. */
export const refillLevel = (share: number): number => Math.floor(share / 2);

export interface Share {
  endpoint: DueEndpoint;
  /** How many unsent deliveries the endpoint may have, and how many of them may still be read. */
  share: number;
  free: number;
}

/**
 * How many deliveries to read for each endpoint, given those that are read and `unsent`. Endpoints are served in rounds: the first
 * endpoint of every organization, then the second, and so on. So an organization with a hundred endpoints does not come before one
 * that has a single endpoint.
 */
export function sharesOf(due: readonly DueEndpoint[], unsent: Tally, caps: Caps): Share[] {
  const takenSlots = new Map<Id, number>();
  const endpoints = Map.groupBy(due, (one) => one.org_id);
  let all = unsent.all;
  const chosen: Share[] = [];
  for (const endpoint of inRounds(due)) {
    const share = shareOf(endpoint, endpoints.get(endpoint.org_id)!.length, caps);
    const own = unsent.of(endpoint.id);
    if (!isTroubled(endpoint) && own > refillLevel(share)) continue;
    const ofOrg = takenSlots.get(endpoint.org_id) ?? unsent.of(endpoint.org_id);
    const room = (most: (limit: number) => number) =>
      Math.min(most(caps.all * caps.ahead) - all, most(caps.organization * caps.ahead) - ofOrg);
    const reserved = own === 0 ? Math.min(caps.troubled, room(whole)) : 0;
    const free = Math.min(share - own, Math.max(room(withoutReserve), reserved));
    if (free <= 0) continue;
    takenSlots.set(endpoint.org_id, ofOrg + free);
    all += free;
    chosen.push({ endpoint, share, free });
  }
  return chosen;
}

function inRounds(due: readonly DueEndpoint[]): DueEndpoint[] {
  const rounds: DueEndpoint[][] = [];
  const seen = new Map<Id, number>();
  for (const endpoint of shuffled(due)) {
    const round = seen.get(endpoint.org_id) ?? 0;
    seen.set(endpoint.org_id, round + 1);
    rounds[round] ??= [];
    rounds[round].push(endpoint);
  }
  return rounds.flat();
}

function shuffled<T>(list: readonly T[]): T[] {
  const copy = [...list];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(Math.random() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
