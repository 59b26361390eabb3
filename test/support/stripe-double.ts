import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A double of the part of Stripe's HTTP API that Turnout uses, written from Stripe's documentation, not from the library:
 * form-encoded requests, the error envelope, idempotency keys, expansion, Checkout's limits, signed events. It also plays
 * the payer (`pay`, `decline`) and somebody at Stripe's dashboard (`refundAtDashboard`), and can be made to fail.
 */
type Form = { [key: string]: Form | string };
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
type Any = any;

export interface Session {
  id: string;
  object: 'checkout.session';
  url: string | null;
  status: 'open' | 'complete' | 'expired';
  payment_status: 'paid' | 'unpaid';
  payment_intent: string | null;
  amount_total: number;
  currency: string;
  metadata: Record<string, string>;
  expires_at: number;
  [key: string]: unknown;
}
interface Intent {
  id: string;
  object: 'payment_intent';
  amount: number;
  currency: string;
  metadata: Record<string, string>;
  latest_charge: string | null;
  last_payment_error: { charge: string; code: string; message: string } | null;
  status: string;
}
interface Charge {
  id: string;
  object: 'charge';
  amount: number;
  amount_refunded: number;
  refunded: boolean;
  currency: string;
  metadata: Record<string, string>;
  payment_intent: string;
  status: 'succeeded' | 'pending' | 'failed';
}
export interface StripeEvent {
  id: string;
  object: 'event';
  type: string;
  api_version: string;
  created: number;
  livemode: boolean;
  data: { object: Any };
}

/** What happens with the next requests, in order: an error status (before or after the work was done), no answer, a closed connection. */
export type Trouble = { status: number; after?: 'done' } | 'hangs' | 'cut' | 'cut after done';

interface Stored {
  fingerprint: string;
  status: number;
  body: string;
}
class Fault {
  readonly status: number;
  readonly error: Record<string, string | undefined>;
  constructor(status: number, error: { type: string; message: string; code?: string; param?: string }) {
    this.status = status;
    this.error = error;
  }
}
const invalid = (message: string, param?: string, code?: string): never => {
  throw new Fault(400, {
    type: 'invalid_request_error',
    message,
    ...(param !== undefined && { param }),
    ...(code !== undefined && { code }),
  });
};
const id = (prefix: string): string => `${prefix}_${randomBytes(12).toString('hex')}`;

export class StripeDouble {
  readonly secretKey = `sk_test_${randomBytes(12).toString('hex')}`;
  readonly webhookSecret = `whsec_${randomBytes(16).toString('hex')}`;
  readonly sessions = new Map<string, Session>();
  readonly intents = new Map<string, Intent>();
  readonly charges = new Map<string, Charge>();
  readonly refunds: { id: string; charge: string; amount: number; metadata: Record<string, string> }[] = [];
  readonly disputes: { id: string; object: 'dispute'; payment_intent: string; amount: number; status: string }[] = [];
  /** All requests, in order. */
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers']; form: Form }[] = [];
  troubles: Trouble[] = [];
  /** Each request takes this long. */
  delayMs = 0;
  readonly #now: () => Date;
  readonly #server: Server;
  readonly #stored = new Map<string, Stored>();
  readonly #running = new Set<string>();
  url = '';

  private constructor(now: () => Date) {
    this.#now = now;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  static async start(now: () => Date = () => new Date()): Promise<StripeDouble> {
    const double = new StripeDouble(now);
    await new Promise<void>((resolve) => double.#server.listen(0, '127.0.0.1', resolve));
    double.url = `http://127.0.0.1:${(double.#server.address() as { port: number }).port}`;
    return double;
  }

  /** The settings with which Turnout uses this double. */
  get env(): Record<string, string> {
    return {
      STRIPE_SECRET_KEY: this.secretKey,
      STRIPE_WEBHOOK_SECRET: this.webhookSecret,
      STRIPE_API_URL: this.url,
    };
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url: path = '' } = request;
    const form = parseForm(text);
    this.requests.push({ method, path, headers: request.headers, form });
    const trouble = this.troubles.shift();
    if (trouble === 'hangs') return;
    if (trouble === 'cut') return void request.socket.destroy();
    if (typeof trouble === 'object' && trouble.after === undefined) {
      return this.#answer(response, trouble.status, { error: { type: 'api_error', message: 'An error occurred.' } });
    }
    const key = request.headers['idempotency-key'] as string | undefined;
    if (key !== undefined && this.#running.has(key)) {
      const message = `There is currently another in-progress request using this Idempotent Key: ${key}`;
      const error = { type: 'idempotency_error', code: 'idempotency_key_in_use', message };
      return this.#answer(response, 409, { error });
    }
    if (this.delayMs > 0) {
      this.#running.add(key ?? '');
      await sleep(this.delayMs);
      this.#running.delete(key ?? '');
    }
    const done = this.#once(method, path, text, form, key, request);
    if (trouble === 'cut after done') return void request.socket.destroy();
    if (trouble !== undefined)
      return this.#answer(response, trouble.status, { error: { type: 'api_error', message: '' } });
    const replayed = done.replayed ? { 'idempotent-replayed': 'true' } : {};
    this.#answer(response, done.status, done.body, {
      ...(key !== undefined && { 'idempotency-key': key }),
      ...replayed,
    });
  }

  #answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
    response.writeHead(status, { 'content-type': 'application/json', 'request-id': id('req'), ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  }

  /** Idempotency as Stripe documents it: the answer of a request that ran is repeated; one that was refused before is not stored. */
  #once(
    method: string,
    path: string,
    text: string,
    form: Form,
    key: string | undefined,
    request: IncomingMessage,
  ): { status: number; body: unknown; replayed: boolean } {
    const fingerprint = `${method} ${path}\n${text}`;
    const known = key === undefined || method !== 'POST' ? undefined : this.#stored.get(key);
    try {
      this.#authenticate(request);
      if (known !== undefined) {
        if (known.fingerprint !== fingerprint) {
          throw new Fault(400, {
            type: 'idempotency_error',
            message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
          });
        }
        return { status: known.status, body: known.body, replayed: true };
      }
      const body = JSON.stringify(this.#route(method, path, form));
      if (key !== undefined && method === 'POST') this.#stored.set(key, { fingerprint, status: 200, body });
      return { status: 200, body, replayed: false };
    } catch (fault) {
      if (!(fault instanceof Fault)) throw fault;
      return { status: fault.status, body: { error: fault.error }, replayed: false };
    }
  }

  #authenticate(request: IncomingMessage): void {
    if (request.headers.authorization !== `Bearer ${this.secretKey}`) {
      throw new Fault(401, { type: 'invalid_request_error', message: 'Invalid API Key provided: sk_test_****' });
    }
    if (typeof request.headers['stripe-version'] !== 'string') invalid('No API version');
    const type = request.headers['content-type'];
    if (request.method === 'POST' && type !== 'application/x-www-form-urlencoded') {
      invalid(`Invalid content type ${type}: requests must be application/x-www-form-urlencoded.`);
    }
  }

  #route(method: string, path: string, form: Form): object {
    if (method === 'POST' && path === '/v1/checkout/sessions') return this.#createSession(form);
    if (method === 'POST' && path === '/v1/refunds') return this.#createRefund(form);
    const ended = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1];
    if (method === 'POST' && ended !== undefined) return this.#expireSession(ended);
    const session = /^\/v1\/checkout\/sessions\/(\w+)\?expand\[0\]=payment_intent$/.exec(path)?.[1];
    if (method === 'GET' && session !== undefined) return this.#shownSession(session, { expand: true });
    const intent = /^\/v1\/payment_intents\/(\w+)$/.exec(path)?.[1];
    if (method === 'GET' && intent !== undefined) {
      return this.intents.get(intent) ?? missing('payment_intent', intent);
    }
    const disputed = /^\/v1\/disputes\?payment_intent=(\w+)&limit=100$/.exec(path)?.[1];
    if (method === 'GET' && disputed !== undefined) {
      const data = this.disputes.filter((dispute) => dispute.payment_intent === disputed);
      return { object: 'list', data, has_more: false, url: '/v1/disputes' };
    }
    throw new Fault(404, {
      type: 'invalid_request_error',
      message: `Unrecognized request URL (${method}: ${path}). Please see https://stripe.com/docs.`,
    });
  }

  #createSession(form: Form): Session {
    only(form, [
      'mode',
      'line_items',
      'success_url',
      'cancel_url',
      'client_reference_id',
      'metadata',
      'payment_intent_data',
      'customer_email',
      'expires_at',
    ]);
    if (form.mode !== 'payment') invalid('Invalid mode', 'mode');
    const items = Object.values((form.line_items ?? {}) as Form) as Form[];
    if (items.length === 0) invalid('Missing required param: line_items.', 'line_items', 'parameter_missing');
    let amount = 0;
    let currency = '';
    for (const [i, item] of items.entries()) {
      const at = `line_items[${i}][price_data]`;
      const price = item.price_data as Form;
      only(item, ['quantity', 'price_data'], `line_items[${i}]`);
      only(price, ['currency', 'unit_amount', 'product_data'], at);
      currency = String(price.currency);
      if (!/^[a-z]{3}$/.test(currency)) invalid(`Invalid currency: ${currency}`, `${at}[currency]`);
      amount += integer(price.unit_amount, `${at}[unit_amount]`) * integer(item.quantity, `line_items[${i}][quantity]`);
      if (((price.product_data as Form).name ?? '') === '') invalid('Missing name', `${at}[product_data][name]`);
    }
    if (amount < 50)
      invalid(`The Checkout Session's total amount must be at least 0.50`, undefined, 'amount_too_small');
    for (const name of ['success_url', 'cancel_url']) {
      if (!/^https?:\/\/\S+$/.test(String(form[name]))) invalid('Not a valid URL', name, 'url_invalid');
    }
    const now = Math.floor(this.#now().getTime() / 1000);
    const expires = form.expires_at === undefined ? now + 86_400 : integer(form.expires_at, 'expires_at');
    if (expires < now + 1800 || expires > now + 86_400) {
      invalid(
        'The `expires_at` timestamp must be between 30 minutes and 24 hours from Checkout Session creation.',
        'expires_at',
      );
    }
    const session: Session = {
      id: id('cs_test'),
      object: 'checkout.session',
      url: '',
      status: 'open',
      payment_status: 'unpaid',
      payment_intent: null,
      amount_total: amount,
      currency,
      client_reference_id: form.client_reference_id ?? null,
      customer_email: form.customer_email ?? null,
      metadata: metadata(form.metadata),
      intent_metadata: metadata((form.payment_intent_data as Form | undefined)?.metadata),
      expires_at: expires,
      livemode: false,
      mode: 'payment',
      success_url: form.success_url,
      cancel_url: form.cancel_url,
    };
    session.url = `https://checkout.stripe.com/c/pay/${session.id}`;
    this.sessions.set(session.id, session);
    const { intent_metadata: _, ...shown } = session;
    return shown as Session;
  }

  /** A session as it is now. One that was not paid in time has expired, and has no page any more. */
  #shownSession(sessionId: string, { expand = false } = {}): object {
    const session = this.sessions.get(sessionId) ?? missing('checkout.session', sessionId);
    if (session.status === 'open' && session.expires_at * 1000 <= this.#now().getTime()) {
      Object.assign(session, { status: 'expired', url: null });
    }
    const { intent_metadata: _, ...shown } = session;
    return expand ? { ...shown, payment_intent: this.intents.get(session.payment_intent ?? '') ?? null } : shown;
  }

  /** Somebody ends a session before its time. */
  #expireSession(sessionId: string): object {
    this.#shownSession(sessionId);
    const session = this.sessions.get(sessionId)!;
    if (session.status !== 'open') {
      invalid(
        `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of ${session.status}.`,
      );
    }
    Object.assign(session, { status: 'expired', url: null });
    return this.#shownSession(sessionId);
  }

  #createRefund(form: Form): object {
    only(form, ['payment_intent', 'amount', 'metadata', 'expand']);
    const intent = this.intents.get(String(form.payment_intent));
    if (intent === undefined) return missing('payment_intent', String(form.payment_intent));
    const charge = this.charges.get(intent.latest_charge ?? '');
    if (charge?.status !== 'succeeded')
      return invalid('This PaymentIntent does not have a successful charge to refund.');
    const amount = form.amount === undefined ? null : integer(form.amount, 'amount');
    const refund = this.#refund(charge, amount, metadata(form.metadata));
    const expand = Object.values((form.expand ?? {}) as Form);
    return {
      ...refund,
      object: 'refund',
      currency: charge.currency,
      payment_intent: intent.id,
      status: 'succeeded',
      charge: expand.includes('charge') ? { ...charge } : charge.id,
    };
  }

  #refund(charge: Charge, wanted: number | null, about: Record<string, string>) {
    const left = charge.amount - charge.amount_refunded;
    if (left === 0) invalid(`Charge ${charge.id} has already been refunded.`, undefined, 'charge_already_refunded');
    const amount = wanted ?? left;
    if (amount > left) {
      invalid(`Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, 'amount');
    }
    charge.amount_refunded += amount;
    charge.refunded = charge.amount_refunded === charge.amount;
    const refund = { id: id('re'), charge: charge.id, amount, metadata: about };
    this.refunds.push(refund);
    return refund;
  }

  // The payer

  #intentOf(session: Session): Intent {
    const known = this.intents.get(session.payment_intent ?? '');
    if (known !== undefined) return known;
    const intent: Intent = {
      id: id('pi'),
      object: 'payment_intent',
      amount: session.amount_total,
      currency: session.currency,
      metadata: session.intent_metadata as Record<string, string>,
      latest_charge: null,
      last_payment_error: null,
      status: 'requires_payment_method',
    };
    this.intents.set(intent.id, intent);
    session.payment_intent = intent.id;
    return intent;
  }

  #charge(session: Session, status: Charge['status']): Charge {
    const intent = this.#intentOf(session);
    const charge: Charge = {
      id: id('ch'),
      object: 'charge',
      amount: intent.amount,
      amount_refunded: 0,
      refunded: false,
      currency: intent.currency,
      metadata: { ...intent.metadata },
      payment_intent: intent.id,
      status,
    };
    this.charges.set(charge.id, charge);
    intent.latest_charge = charge.id;
    intent.status = { succeeded: 'succeeded', pending: 'processing', failed: 'requires_payment_method' }[status];
    return charge;
  }

  /** A session as the payer finds it: nobody can pay on one that has ended. */
  #openSession(sessionId: string): Session {
    this.#shownSession(sessionId);
    const session = this.sessions.get(sessionId)!;
    if (session.status !== 'open') throw new Error(`The session is ${session.status}; nobody can pay on it.`);
    return session;
  }

  /** Pays by card, which succeeds at once. */
  pay(sessionId: string): StripeEvent {
    const session = this.#openSession(sessionId);
    this.#charge(session, 'succeeded');
    Object.assign(session, { status: 'complete', payment_status: 'paid', url: null });
    return this.event('checkout.session.completed', session);
  }

  /** Pays with a card that is declined; the session stays open. */
  decline(sessionId: string): StripeEvent {
    const session = this.sessions.get(sessionId)!;
    return this.event('payment_intent.payment_failed', this.#failed(session, this.#charge(session, 'failed')));
  }

  /** Pays by bank debit: the session is complete, and the money comes later or never. */
  payLater(sessionId: string): StripeEvent {
    const session = this.#openSession(sessionId);
    this.#charge(session, 'pending');
    Object.assign(session, { status: 'complete', url: null });
    return this.event('checkout.session.completed', session);
  }

  /** Ends a bank debit. Stripe sends two events for a failure, one about the intent and one about the session. */
  settle(sessionId: string, arrives: boolean): StripeEvent[] {
    const session = this.sessions.get(sessionId)!;
    const charge = this.charges.get(this.#intentOf(session).latest_charge!)!;
    if (arrives) {
      charge.status = 'succeeded';
      this.#intentOf(session).status = 'succeeded';
      session.payment_status = 'paid';
      return [this.event('checkout.session.async_payment_succeeded', session)];
    }
    charge.status = 'failed';
    return [
      this.event('payment_intent.payment_failed', this.#failed(session, charge)),
      this.event('checkout.session.async_payment_failed', session),
    ];
  }

  #failed(session: Session, charge: Charge): Intent {
    const intent = this.#intentOf(session);
    intent.status = 'requires_payment_method';
    intent.last_payment_error = { charge: charge.id, code: 'card_declined', message: 'Your card was declined.' };
    return intent;
  }

  /** Somebody refunds in Stripe's dashboard. */
  refundAtDashboard(intentId: string, amount: number | null): StripeEvent {
    const charge = this.charges.get(this.intents.get(intentId)!.latest_charge!)!;
    this.#refund(charge, amount, {});
    return this.event('charge.refunded', charge);
  }

  /** The event that Stripe sends for the state of this charge. */
  refunded(intentId: string): StripeEvent {
    return this.event('charge.refunded', this.charges.get(this.intents.get(intentId)!.latest_charge!)!);
  }

  /** A dispute: the payer's bank takes back the money or a part of it. */
  dispute(intentId: string, amount: number | null = null): StripeEvent {
    const { amount: all } = this.charges.get(this.intents.get(intentId)!.latest_charge!)!;
    const dispute = { id: id('du'), object: 'dispute' as const, payment_intent: intentId, status: 'needs_response' };
    this.disputes.push({ ...dispute, amount: amount ?? all });
    return this.event('charge.dispute.created', this.disputes.at(-1)!);
  }

  /** Ends the last dispute of this charge. */
  closeDispute(intentId: string, status: 'won' | 'lost'): StripeEvent {
    const dispute = this.disputes.findLast((one) => one.payment_intent === intentId)!;
    dispute.status = status;
    return this.event('charge.dispute.closed', dispute);
  }

  // Events

  event(type: string, object: object): StripeEvent {
    const { intent_metadata: _, ...shown } = object as Any;
    return {
      id: id('evt'),
      object: 'event',
      type,
      api_version: '2026-10-28.endive',
      created: Math.floor(this.#now().getTime() / 1000),
      livemode: false,
      data: { object: structuredClone(shown) },
    };
  }

  /** `Stripe-Signature` of these bytes. */
  sign(payload: string, options: { secret?: string; at?: Date } = {}): string {
    const t = Math.floor((options.at ?? this.#now()).getTime() / 1000);
    const v1 = createHmac('sha256', options.secret ?? this.webhookSecret)
      .update(`${t}.${payload}`)
      .digest('hex');
    return `t=${t},v1=${v1},v0=${'0'.repeat(64)}`;
  }

  async deliver(
    to: string,
    event: StripeEvent,
    options: { secret?: string; at?: Date; signature?: string | null; body?: string } = {},
  ): Promise<{ status: number; text: string }> {
    // Indented by two spaces, as Stripe sends it: the signature is valid only for exactly these bytes.
    const payload = JSON.stringify(event, null, 2);
    const signature = options.signature === undefined ? this.sign(payload, options) : options.signature;
    const response = await fetch(`${to}/provider/stripe/webhook`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        ...(signature !== null && { 'stripe-signature': signature }),
      },
      body: options.body ?? payload,
    });
    return { status: response.status, text: await response.text() };
  }
}

const missing = (kind: string, name: string): never => {
  throw new Fault(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${name}'`,
    param: kind,
  });
};

function only(form: Form, known: string[], at = ''): void {
  const stray = Object.keys(form).find((name) => !known.includes(name));
  if (stray !== undefined) invalid(`Received unknown parameter: ${at}${stray}`, stray, 'parameter_unknown');
}

function integer(value: Form | string | undefined, param: string): number {
  if (typeof value !== 'string' || !/^\d+$/.test(value)) return invalid(`Invalid integer: ${value}`, param);
  if (Number(value) < 1) return invalid('This value must be greater than or equal to 1.', param);
  return Number(value);
}

function metadata(form: Form | string | undefined): Record<string, string> {
  if (form === undefined) return {};
  const entries = Object.entries(form as Record<string, string>);
  if (entries.length > 50) invalid('You can have up to 50 keys', 'metadata');
  for (const [name, value] of entries) {
    if (name.length > 40 || value.length > 500) invalid('Metadata values can have up to 500 characters', 'metadata');
  }
  return Object.fromEntries(entries);
}

/** `a[b][0][c]=d` as nested objects. */
function parseForm(text: string): Form {
  const form: Form = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [...name.matchAll(/([^[\]]+)/g)].map((match) => match[1]!);
    const last = path.pop()!;
    let at = form;
    for (const step of path) {
      at[step] ??= {};
      at = at[step] as Form;
    }
    at[last] = value;
  }
  return form;
}
