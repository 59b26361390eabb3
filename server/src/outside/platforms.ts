import type { PlatformEvent, PlatformName, PlatformTicketClass } from '@turnout/contract';
import type { Secrets } from '../common/secrets.ts';

export interface SourceAccount {
  id: string;
  name: string;
  email: string | null;
}
/** A person as stored on the platform. A missing name is ''. */
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
  /** What was paid on the platform for this attendee. */
  paid: { currency: string; amount_minor: number } | null;
  /** Whether the attendee was cancelled or refunded, or the order never completed. */
  gone: boolean;
}
export interface SourceOrder {
  id: string;
  buyer: SourcePerson;
  attendees: SourceAttendee[];
}
/** Orders that earlier pages did not have. `total` is the platform's own count of all orders. */
export interface OrdersPage {
  orders: SourceOrder[];
  total: number;
}

/** Reads what the owner of a token sees on a platform. Nothing here can change anything on the platform. */
export interface PlatformReader {
  account(): Promise<SourceAccount>;
  events(): Promise<PlatformEvent[]>;
  event(id: string): Promise<PlatformEvent>;
  ticketClasses(event: string): Promise<PlatformTicketClass[]>;
  /** Every order once, even if the platform's list changes while it is read. */
  orders(event: string): AsyncIterable<OrdersPage>;
}

export interface Opening {
  /** Aborted when nobody needs the answers any more. */
  signal?: AbortSignal;
  /** Somebody is waiting at a screen, so it is better to fail soon than to answer late. */
  hurried?: boolean;
}
export interface Platform {
  /** Sends no request yet. */
  open(token: string, opening?: Opening): PlatformReader;
}

/** The known platforms. This is the only place that decrypts a token; all other code holds it encrypted. */
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
 * Why a platform gave no answer. The message is for the caller and never contains the token.
 *
 *   token         the platform does not know the token (any more), or does not let it see this
 *   not_found     there is no such event or object
 *   rate_limited  we sent too many requests, and the platform wants a longer pause than we are willing to make
 *   unavailable   the platform does not answer, or answers with an error of its own
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
