import type { PlatformEvent, PlatformName, PlatformTicketClass } from '@turnout/contract';
import type { Secrets } from '../secrets.ts';

export interface SourceAccount {
  id: string;
  name: string;
  email: string | null;
}
/** As the platform has it: a missing name is empty. */
export interface SourcePerson {
  first_name: string;
  last_name: string;
  email: string | null;
}
export interface SourceAttendee extends SourcePerson {
  id: string;
  ticket_class: string;
  phone: string | null;
  date_of_birth: string | null;
  answers: { question: string; answer: string }[];
  /** What was paid for this person there. */
  paid: { currency: string; amount_minor: number } | null;
  /** Cancelled, refunded or never completed: does not come. */
  gone: boolean;
}
export interface SourceOrder {
  id: string;
  buyer: SourcePerson;
  attendees: SourceAttendee[];
}
/** Orders not given before. `total` is how many the platform says there are. */
export interface OrdersPage {
  orders: SourceOrder[];
  total: number;
}

/** What the owner of a token sees of a platform. It is only read: nothing here can change anything there. */
export interface PlatformReader {
  account(): Promise<SourceAccount>;
  events(): Promise<PlatformEvent[]>;
  event(id: string): Promise<PlatformEvent>;
  ticketClasses(event: string): Promise<PlatformTicketClass[]>;
  /** Every order once, though the list moves while it is read. */
  orders(event: string): AsyncIterable<OrdersPage>;
}

export interface Opening {
  /** Fires when nobody waits for the answers any more. */
  signal?: AbortSignal;
  /** Somebody waits at a screen: rather no answer than a late one. */
  hurried?: boolean;
}
export interface Platform {
  /** Asks nothing yet. */
  open(token: string, opening?: Opening): PlatformReader;
}

/** The platforms that are known, and the only place where a token is opened: everybody else holds it sealed. */
export class Platforms {
  readonly #known: Readonly<Record<PlatformName, Platform>>;
  readonly #secrets: Secrets;
  constructor(known: Readonly<Record<PlatformName, Platform>>, secrets: Secrets) {
    this.#known = known;
    this.#secrets = secrets;
  }

  seal(token: string): Buffer {
    return this.#secrets.encrypt(Buffer.from(token));
  }

  open(platform: PlatformName, sealed: Buffer, opening: Opening = {}): PlatformReader {
    return this.#known[platform].open(this.#secrets.decrypt(sealed).toString(), opening);
  }
}

/**
 * Why a platform gave no answer, in words for whoever asked; the token is never among them.
 *
 *   token         it is not known there (any more), or may not see this
 *   not_found     there is no such thing
 *   rate_limited  we asked too often, and it wants us to wait longer than we do
 *   unavailable   it does not answer, or with a fault of its own
 */
export class PlatformError extends Error {
  readonly kind: 'token' | 'not_found' | 'rate_limited' | 'unavailable';
  constructor(kind: PlatformError['kind'], words: string, cause?: unknown) {
    super(words, { cause });
    this.kind = kind;
  }
}

declare module '../road/operation.ts' {
  interface Outside {
    platforms: Platforms;
  }
}
