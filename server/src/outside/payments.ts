import type { Id } from '../common/ids.ts';

/** What a payment is for. The provider stores it with the payment and sends it back in its events. */
export interface PaidFor {
  org: Id;
  event: Id;
  registration: Id;
}

export interface CheckoutInput extends PaidFor {
  amount_minor: number;
  currency: string;
  /** Shown to the payer. */
  title: string;
  text: string;
  email: string | null;
  success_url: string;
  cancel_url: string;
  /** When the checkout should end. The provider may not be able to end it at exactly that time. */
  due: Date | null;
  /**
   * The checkout that was started last, by its reference. It is answered again if there is time to pay this amount with it. Otherwise it is
   * ended before another one is made; if it was completed, the call is refused.
   */
  open: string | null;
  /** Two calls with the same key make one checkout. */
  idempotencyKey: string;
}

export interface StartedCheckout {
  url: string;
  reference: string;
  expires_at: Date;
}

/**
 * `open`: it can be paid. `confirming`: the payer has done their part, and the provider reports soon what became of it. `ended`: nothing
 * comes of it any more.
 */
export type CheckoutState = 'open' | 'confirming' | 'ended';

export interface RefundInput {
  /** The payment's reference from its `paid` event. */
  reference: string;
  currency: string;
  /** If left out, everything that is not refunded yet. */
  amount_minor?: number;
  reason?: string;
  /** Two calls with the same key refund once. */
  idempotencyKey: string;
}

/**
 * An event that the provider sends. Amounts are in minor units as Turnout counts them (ISO 4217). `delayed`: the payment was under way
 * before. A card that is declined at once was not. `checkout` is the reference of the checkout, where the event is about one.
 */
export type ProviderEvent =
  | ({
      kind: 'paid';
      reference: string;
      checkout: string;
      amount_minor: number;
      currency: string;
      delayed: boolean;
    } & PaidFor)
  /** The payer has done their part, and the money comes later or never: `paid` or `failed` follows, often after days. */
  | ({ kind: 'under_way'; reference: string } & PaidFor)
  /** `reference` names the attempt, so that a second failed attempt at the same checkout is told apart from the first. */
  | ({
      kind: 'failed';
      reference: string;
      checkout: string | null;
      amount_minor: number;
      currency: string;
      delayed: boolean;
    } & PaidFor)
  /** `refunded_minor` is the sum of all refunds so far, so an event that comes twice or out of order does no harm. */
  | ({ kind: 'refunded'; reference: string; refunded_minor: number } & PaidFor)
  /** `charged_back_minor` is the sum that the payer's bank holds back now. It is 0 once a dispute was won. */
  | ({ kind: 'charged_back'; reference: string; charged_back_minor: number } & PaidFor)
  /** Nothing is to be recorded, but the operator should look at it. */
  | { kind: 'attention'; says: string }
  | { kind: 'other'; type: string };

/** All that Turnout needs from an online payment provider. Each call may throw a refusal, `unavailable` if it cannot be reached. */
export interface PaymentProvider {
  name: string;
  checkout(input: CheckoutInput): Promise<StartedCheckout>;
  /** How far a checkout is. */
  checkoutState(reference: string): Promise<CheckoutState>;
  /** The event in a request to our webhook; null if its signature is wrong or too old. */
  verify(body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<ProviderEvent | null>;
  /** Answers the sum of all refunds of this payment so far. */
  refund(input: RefundInput): Promise<{ refunded_minor: number }>;
}

declare module '../road/operation.ts' {
  interface Outside {
    /** Null if no online payment is set up. */
    payments: PaymentProvider | null;
  }
}
