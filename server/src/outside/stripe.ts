import type Stripe from 'stripe';
import { type Clock, HOUR, MINUTE } from '../clock.ts';
import { isUlid, toUlid, toUuid } from '../common/ids.ts';
import { invalid, refuse } from '../common/refusal.ts';
import { sha256 } from '../common/sha256.ts';
import type {
  CheckoutInput,
  CheckoutState,
  PaidFor,
  PaymentProvider,
  ProviderEvent,
  StartedCheckout,
} from './payments.ts';

export interface StripeOptions {
  secretKey: string;
  webhookSecret: string;
  /** The address of a test double or proxy, if not Stripe's own. */
  apiUrl: string | null;
  clock: Clock;
  /** The time limit of one attempt; there are two attempts. */
  timeoutMs?: number;
}

/**
 * Stripe Checkout through the official library, with one account for the whole installation. The library takes 200 ms and 60 MB
 * to load (measured), so it is loaded only where Stripe is set up.
 */
export async function stripeProvider(options: StripeOptions): Promise<PaymentProvider> {
  const { default: Library } = await import('stripe');
  const { clock, webhookSecret } = options;
  const stripe: Stripe = new Library(options.secretKey, {
    ...(options.apiUrl !== null && addressOf(options.apiUrl)),
    timeout: options.timeoutMs ?? 10_000,
    maxNetworkRetries: 1,
    telemetry: false,
    appInfo: { name: 'Turnout' },
  });

  /** A session with its payment; null if this account has no such session. */
  const sessionOf = async (id: string, limits: Stripe.RequestOptions = {}): Promise<Stripe.Checkout.Session | null> =>
    stripe.checkout.sessions
      .retrieve(id, { expand: ['payment_intent'] }, limits)
      .catch((error: Stripe.errors.StripeError) => (error.code === 'resource_missing' ? null : throwRefusal(error)));

  /** Ends a session, so that only one page can be paid at a time. The payer may complete it at the same moment. */
  const end = async (session: Stripe.Checkout.Session): Promise<void> => {
    let known: Stripe.Checkout.Session | null = session;
    if (session.status === 'open') {
      try {
        known = await stripe.checkout.sessions.expire(session.id);
      } catch (error) {
        if ((error as Stripe.errors.StripeError).type !== 'StripeInvalidRequestError') return throwRefusal(error);
        known = await sessionOf(session.id);
      }
    }
    if (known !== null && stateOf(known, clock.now()) !== 'ended') refuse('invalid_state', { message: CONFIRMING });
  };

  return {
    name: 'stripe',

    checkoutState: async (reference) => {
      // A page waits for the answer, and asks again a little later.
      const session = await sessionOf(reference, { timeout: 3000, maxNetworkRetries: 0 });
      return session === null ? 'ended' : stateOf(session, clock.now());
    },

    checkout: async (input) => {
      const known = input.open === null ? null : await sessionOf(input.open);
      if (known !== null && isPayable(known, input, clock.now())) return startedIn(known);
      if (known !== null) await end(known);
      const params = paramsOf(input, clock.now());
      // The key covers all parameters: if the balance or the event's name has changed since the first try, Stripe makes a new
      // session instead of refusing the key.
      const idempotencyKey = digest(input.idempotencyKey, JSON.stringify(params));
      const session = await stripe.checkout.sessions.create(params, { idempotencyKey }).catch(throwRefusal);
      return startedIn(session);
    },

    refund: async ({ reference, currency, amount_minor, reason, idempotencyKey }) => {
      const params: Stripe.RefundCreateParams = {
        payment_intent: reference,
        ...(amount_minor !== undefined && { amount: toStripe(currency, amount_minor) }),
        ...(reason !== undefined && { metadata: { reason } }),
        expand: ['charge'],
      };
      const refund = await stripe.refunds.create(params, { idempotencyKey }).catch(throwRefusal);
      if (refund.status === 'failed' || refund.status === 'canceled') {
        refuse('invalid_state', {
          message: `Stripe could not refund the payment: ${refund.failure_reason ?? refund.status}.`,
        });
      }
      const { charge } = refund;
      // The refund is on its way; Stripe's event `charge.refunded` will report it.
      if (charge === null || typeof charge === 'string') return refuse('unavailable', { log: `stripe: ${refund.id}` });
      return { refunded_minor: fromStripe(charge.currency, charge.amount_refunded) };
    },

    verify: async (body, headers) => {
      let event: Stripe.Event;
      try {
        const signature = String(headers['stripe-signature'] ?? '');
        event = stripe.webhooks.constructEvent(
          body,
          signature,
          webhookSecret,
          undefined,
          undefined,
          clock.now().getTime(),
        );
      } catch {
        return null;
      }
      return read(event, {
        intent: (id) => stripe.paymentIntents.retrieve(id).catch(throwRefusal),
        disputes: async (payment_intent) =>
          (await stripe.disputes.list({ payment_intent, limit: 100 }).catch(throwRefusal)).data,
      });
    },
  };
}

const addressOf = (url: string) => {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'https:';
  return {
    protocol: secure ? ('https' as const) : ('http' as const),
    host: hostname,
    port: port === '' ? (secure ? 443 : 80) : port,
  };
};

const digest = (...parts: string[]): string => sha256(parts.join('\n'));

function paramsOf(input: CheckoutInput, now: Date): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    turnout_org: toUlid(input.org),
    turnout_event: toUlid(input.event),
    turnout_registration: toUlid(input.registration),
  };
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: input.currency.toLowerCase(),
          unit_amount: toStripe(input.currency, input.amount_minor),
          product_data: { name: input.title.slice(0, 250), description: input.text },
        },
      },
    ],
    success_url: input.success_url,
    cancel_url: input.cancel_url,
    client_reference_id: metadata.turnout_registration,
    metadata,
    // Later events are about the intent and its charge, so these need the metadata as well.
    payment_intent_data: { metadata, description: `${input.title.slice(0, 250)}: ${input.text}` },
    // Stripe refuses some valid addresses. Such an address is left out, because it would keep its owner from paying.
    ...(input.email !== null && /^[\w.+-]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,}$/i.test(input.email)
      ? { customer_email: input.email }
      : {}),
    expires_at: Math.floor(expiry(input.due, now) / 1000),
  };
}

const startedIn = ({ id, url, expires_at }: Stripe.Checkout.Session): StartedCheckout =>
  url === null
    ? refuse('unavailable', { log: `stripe: ${id} has no url` })
    : { url, reference: id, expires_at: new Date(expires_at * 1000) };

/** Whether a session is open for this amount, and for long enough to fill in a card. */
const isPayable = (session: Stripe.Checkout.Session, { amount_minor, currency }: CheckoutInput, now: Date): boolean =>
  session.status === 'open' &&
  session.amount_total === toStripe(currency, amount_minor) &&
  session.expires_at * 1000 - now.getTime() >= 10 * MINUTE;

const CONFIRMING =
  'A payment was made and is being confirmed. Wait until it is reported; pay again only if it turns out to have failed.';

function stateOf(session: Stripe.Checkout.Session, now: Date): CheckoutState {
  if (session.status === 'open') return session.expires_at * 1000 > now.getTime() ? 'open' : 'ended';
  if (session.status !== 'complete') return 'ended';
  const intent = session.payment_intent;
  const isComing = typeof intent === 'object' && intent !== null && COMING.includes(intent.status);
  return session.payment_status !== 'unpaid' || isComing ? 'confirming' : 'ended';
}
/** The payer has done their part, and Stripe does not know yet whether the money comes: bank debits take days. */
const COMING: readonly string[] = ['processing', 'requires_action'];

/**
 * Stripe lets a session end 30 minutes to 24 hours after it was made. The time is counted from the last full ten minutes, so that
 * a retry sends the same parameters and gets the same session. A retry long after sends others and gets a new session, because
 * the first one has ended by then.
 */
function expiry(due: Date | null, now: Date): number {
  const from = now.getTime() - (now.getTime() % (10 * MINUTE));
  const latest = from + 24 * HOUR - 10 * MINUTE;
  return Math.min(latest, Math.max(from + 45 * MINUTE, due?.getTime() ?? latest));
}

/**
 * Stripe counts most currencies in the minor units of ISO 4217, as we do, except these (docs.stripe.com/currencies): ISK and UGX
 * have no hundredths any more but Stripe still counts in them; MGA has them by ISO 4217, but Stripe counts whole units. Amounts
 * in currencies with three decimals must end in 0, which Stripe checks.
 */
const STRIPE_UNITS: Record<string, number> = { ISK: 100, UGX: 100, MGA: 0.01 };
const unitsOf = (currency: string): number => STRIPE_UNITS[currency.toUpperCase()] ?? 1;

function toStripe(currency: string, minor: number): number {
  const amount = Math.round(minor * unitsOf(currency));
  if (fromStripe(currency, amount) !== minor) {
    refuse('invalid_state', { message: `Stripe takes ${currency} only in steps of ${1 / unitsOf(currency)}.` });
  }
  return amount;
}
const fromStripe = (currency: string, amount: number): number => Math.round(amount / unitsOf(currency));

/** Reads Stripe's event. Events about objects that were not created by Turnout in the same account are `other`. */
async function read(
  event: Stripe.Event,
  ask: {
    intent: (id: string) => Promise<Stripe.PaymentIntent>;
    disputes: (intent: string) => Promise<Stripe.Dispute[]>;
  },
): Promise<ProviderEvent> {
  const other: ProviderEvent = { kind: 'other', type: event.type };
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      const paidOrder = paidFor(session.metadata);
      if (paidOrder === null || session.amount_total === null) return other;
      if (session.payment_status !== 'paid') {
        // A bank debit takes days, and async_payment_succeeded or _failed follows. Stripe keeps no order: it may have failed by now.
        const id = idOf(session.payment_intent);
        const intent = id === null ? null : await ask.intent(id);
        return intent !== null && COMING.includes(intent.status)
          ? { kind: 'under_way', ...paidOrder, reference: intent.id }
          : other;
      }
      const currency = (session.currency ?? '').toUpperCase();
      const reference = idOf(session.payment_intent) ?? session.id;
      const amount_minor = fromStripe(currency, session.amount_total);
      const delayed = event.type === 'checkout.session.async_payment_succeeded';
      return { kind: 'paid', ...paidOrder, reference, checkout: session.id, currency, amount_minor, delayed };
    }
    case 'checkout.session.async_payment_failed': {
      // Stripe also sends an event about the intent. Both are built from the intent, so they count as one failure. Only this event is
      // sent for delayed payments alone: the other one is the same for a declined card.
      const { metadata, payment_intent, id: checkout } = event.data.object;
      const id = idOf(payment_intent);
      return paidFor(metadata) === null || id === null ? other : failure(await ask.intent(id), event, checkout);
    }
    case 'payment_intent.payment_failed':
      return failure(event.data.object, event, null);
    case 'charge.refunded': {
      const { metadata, payment_intent, amount_refunded, currency } = event.data.object;
      const paidOrder = paidFor(metadata);
      const reference = idOf(payment_intent);
      if (paidOrder === null || reference === null) return other;
      return { kind: 'refunded', ...paidOrder, reference, refunded_minor: fromStripe(currency, amount_refunded) };
    }
    case 'refund.failed': {
      const { id, payment_intent, failure_reason } = event.data.object;
      return {
        kind: 'attention',
        says: `Stripe could not pay out refund ${id} of ${idOf(payment_intent)} (${failure_reason}): the payer did not receive it`,
      };
    }
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed': {
      // The metadata is on the intent, not on the dispute. The sum of all its disputes is recorded, so an event that comes late
      // or twice does no harm.
      const reference = idOf(event.data.object.payment_intent);
      const intent = reference === null ? null : await ask.intent(reference);
      const paidOrder = paidFor(intent?.metadata ?? null);
      if (intent === null || paidOrder === null) return other;
      const held = (await ask.disputes(intent.id)).filter((dispute) => HELD_BACK.includes(dispute.status));
      const amount = held.reduce((sum, dispute) => sum + dispute.amount, 0);
      return {
        kind: 'charged_back',
        ...paidOrder,
        reference: intent.id,
        charged_back_minor: fromStripe(intent.currency, amount),
      };
    }
    default:
      return other;
  }
}

/** The states in which the bank holds the money back: during a dispute and once it is lost. An inquiry (`warning_…`) does not. */
const HELD_BACK: readonly string[] = ['needs_response', 'under_review', 'lost'];

/** `checkout`: the session of a delayed payment. A declined card leaves its session open. */
function failure(intent: Stripe.PaymentIntent, event: Stripe.Event, checkout: string | null): ProviderEvent {
  const paidOrder = paidFor(intent.metadata);
  if (paidOrder === null) return { kind: 'other', type: event.type };
  const currency = intent.currency.toUpperCase();
  const attempt = intent.last_payment_error?.charge ?? idOf(intent.latest_charge) ?? event.id;
  const amount_minor = fromStripe(currency, intent.amount);
  return {
    kind: 'failed',
    ...paidOrder,
    reference: attempt,
    checkout,
    currency,
    amount_minor,
    delayed: checkout !== null,
  };
}

const idOf = (object: string | { id: string } | null | undefined): string | null =>
  typeof object === 'string' ? object : (object?.id ?? null);

function paidFor(metadata: Stripe.Metadata | null): PaidFor | null {
  const ids = ['org', 'event', 'registration'].map((name) => metadata?.[`turnout_${name}`] ?? '');
  if (!ids.every(isUlid)) return null;
  const [org, event, registration] = ids.map(toUuid) as [string, string, string];
  return { org, event, registration };
}

/** Turns an error of Stripe into a refusal for the caller. Details that only the operator can act on go to the log. */
function throwRefusal(error: unknown): never {
  const { type, code, param, message, statusCode, requestId } = error as Stripe.errors.StripeError;
  if (!String(type).startsWith('Stripe')) throw error;
  const log = `stripe: ${type} ${code ?? statusCode ?? ''} ${message} (${requestId ?? 'no request'})`;
  if (type === 'StripeInvalidRequestError') {
    if (code === 'charge_already_refunded')
      refuse('invalid_state', { message: 'The payment was refunded already.', log });
    if (param === 'amount') invalid({ path: 'amount_minor', message: `Stripe says: ${message}` });
    refuse('invalid_state', { message: `Stripe refused the request: ${message}`, log });
  }
  if (type === 'StripeIdempotencyError' && statusCode !== 409) {
    refuse('invalid_state', {
      message:
        'Stripe has already received a request with this `Idempotency-Key` and other values. Check what became of it, then use a new key.',
      log,
    });
  }
  return refuse('unavailable', {
    message: 'The payment provider does not answer right now. Try again in a moment, with the same `Idempotency-Key`.',
    log,
  });
}
