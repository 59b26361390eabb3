import type { Id } from '../store/ids.ts';

/** For whom something is paid. The provider keeps it with the payment and tells it back. */
export interface PaidFor {
  org: Id;
  event: Id;
  registration: Id;
}

export interface CheckoutInput extends PaidFor {
  amount_minor: number;
  currency: string;
  /** What the payer reads. */
  title: string;
  text: string;
  email: string | null;
  success_url: string;
  cancel_url: string;
  /** When paying is over, as far as the provider can end it then. */
  due: Date | null;
  /** Asked twice with the same one, there is one checkout. */
  idempotencyKey: string;
}

export interface StartedCheckout {
  url: string;
  reference: string;
  expires_at: Date;
}

export interface RefundInput {
  /** Of the payment, as the `paid` event gave it. */
  reference: string;
  currency: string;
  /** Left out: all that is left of it. */
  amount_minor?: number;
  reason?: string;
  /** Asked twice with the same one, the money goes back once. */
  idempotencyKey: string;
}

/** What a provider tells of by itself. Amounts are in our minor units. */
export type ProviderEvent =
  | ({ kind: 'paid'; reference: string; amount_minor: number; currency: string } & PaidFor)
  /** `reference` names the attempt, so that the next one for the same checkout is another. */
  | ({ kind: 'failed'; reference: string; amount_minor: number; currency: string } & PaidFor)
  /** `refunded_minor` is all that has gone back so far, whoever sent it: told twice or out of order it means the same. */
  | ({ kind: 'refunded'; reference: string; refunded_minor: number } & PaidFor)
  /** `charged_back_minor` is all that the payer's bank holds back of it now: 0 once a dispute was won. */
  | ({ kind: 'charged_back'; reference: string; charged_back_minor: number } & PaidFor)
  /** Somebody should look at it; nothing is to be recorded. */
  | { kind: 'attention'; says: string }
  | { kind: 'other'; type: string };

/** All that Turnout needs of an online provider. Each call may fail with a refusal: `unavailable` when it can't be reached. */
export interface PaymentProvider {
  name: string;
  checkout(input: CheckoutInput): Promise<StartedCheckout>;
  /** What the provider sent, once it is known to come from there; null: it is not genuine, or too old. */
  verify(body: Buffer, headers: Record<string, string | string[] | undefined>): Promise<ProviderEvent | null>;
  /** Answers all that has gone back of this payment so far. */
  refund(input: RefundInput): Promise<{ refunded_minor: number }>;
}

declare module '../road/operation.ts' {
  interface Outside {
    /** null: no online payment is set up. */
    payments: PaymentProvider | null;
  }
}
