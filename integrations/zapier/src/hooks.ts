import { randomUUID } from 'node:crypto';
import { type Bundle, defineTrigger, type PlainInputField, type ZObject } from 'zapier-platform-core';
import { filled, firstPage, get, path, type Row } from './api.ts';
import { anyEvent, includeTest } from './fields.ts';
import { isGenuine } from './signature.ts';

export interface Hook {
  key: string;
  noun: string;
  label: string;
  description: string;
  /** The event type of Turnout's webhooks. */
  type: string;
  fields?: PlainInputField[];
  sample: Record<string, unknown>;
  /** Records of an event that could have triggered a Zap, newest first. Null: this key cannot list them. */
  latest(z: ZObject, bundle: Bundle, event: string): Promise<Row[] | null>;
  /** The record as the API has it now. Null: there is none, or this key cannot read it. */
  read(z: ZObject, told: Row): Promise<Row | null>;
  /** Whether somebody wants to hear of this one. */
  wanted?(record: Row, bundle: Bundle): boolean;
}

interface Envelope {
  type: string;
  livemode: boolean;
  data: Row;
}
interface Subscription {
  id: string;
  secret?: string;
  test?: boolean;
}

const yes = (value: unknown) => value === true || value === 'true';
const SAMPLES = 3;
/** Of how many events the newest records are looked up where a Zap is about all events. */
const EVENTS = 3;

/** A trigger that subscribes by creating a webhook endpoint and unsubscribes by deleting it. */
export const hook = (of: Hook) =>
  defineTrigger({
    key: of.key,
    noun: of.noun,
    display: { label: of.label, description: of.description },
    operation: {
      type: 'hook',
      inputFields: [anyEvent, ...(of.fields ?? []), includeTest],
      performSubscribe: (z, bundle) => subscribe(z, bundle as Bundle, of),
      performUnsubscribe: (z, bundle) => unsubscribe(z, bundle as Bundle),
      perform: (z, bundle) => receive(z, bundle as Bundle, of),
      performList: (z, bundle) => latest(z, bundle as Bundle, of),
      sample: of.sample,
    },
  });

async function subscribe(z: ZObject, bundle: Bundle, of: Hook) {
  const { data } = await z.request({
    method: 'POST',
    url: '/webhooks',
    // A new key for each call: a Zap that is turned off and on again has to get a new endpoint, not the answer about the deleted one.
    headers: { 'Idempotency-Key': randomUUID(), 'Content-Type': 'application/json' },
    body: filled({
      url: bundle.targetUrl,
      events: [of.type],
      event: bundle.inputData.event,
      description: `Zapier: ${of.label}`,
    }),
  });
  const { id, secret, test } = data as Required<Subscription>;
  return { id, secret, test } satisfies Subscription;
}

async function unsubscribe(z: ZObject, { subscribeData }: Bundle) {
  const response = await z.request({
    method: 'DELETE',
    url: path`/webhooks/${subscribeData?.id}`,
    skipThrowForStatus: true,
  });
  // Somebody may have deleted it in Turnout.
  if (response.status !== 404) response.throwForStatus();
  return {};
}

/**
 * A delivery is believed if its signature is right. Where Zapier does not show the body exactly as it arrived, or a Zap was held for more
 * than five minutes, the record is read again by its id, so that nothing is believed that the API does not confirm.
 */
async function receive(z: ZObject, bundle: Bundle, of: Hook): Promise<Row[]> {
  const { secret, test } = (bundle.subscribeData ?? {}) as Subscription;
  const { content = '', headers = {} } = bundle.rawRequest ?? {};
  // Zapier puts `Http-` before the names of headers.
  const header = Object.entries(headers).find(([name]) => /^(http-)?service-signature$/i.test(name))?.[1] ?? '';
  const signed = secret !== undefined && isGenuine(content, header, secret);
  const envelope = (signed ? z.JSON.parse(content) : bundle.cleanedRequest) as Partial<Envelope> | undefined;
  // Turnout's test event can be of any type.
  if (envelope?.type !== of.type || typeof envelope.data?.id !== 'string') return [];
  if (envelope.livemode !== true && test !== true && !yes(bundle.inputData.include_test)) return [];
  const record = signed ? envelope.data : await of.read(z, envelope.data);
  if (record === null) {
    throw new z.errors.HaltedError(
      `Somebody sent ${of.noun.toLowerCase()} ${envelope.data.id} without a valid signature, and Turnout does not confirm it.`,
    );
  }
  return of.wanted === undefined || of.wanted(record, bundle) ? [record] : [];
}

async function latest(z: ZObject, bundle: Bundle, of: Hook): Promise<Row[]> {
  const { event } = bundle.inputData;
  const events = event
    ? [String(event)]
    : (await firstPage(z, '/events', { order: 'newest', limit: EVENTS })).map(({ id }) => id);
  const found: Row[] = [];
  for (const one of events) {
    const some = await of.latest(z, bundle, one);
    if (some === null) return sampleOf(z, of);
    found.push(...some);
    if (found.length >= SAMPLES) break;
  }
  return found.slice(0, SAMPLES);
}

/** Turnout's own sample, for a key that may hear of such records and may not list them. */
async function sampleOf(z: ZObject, of: Hook): Promise<Row[]> {
  const { data } = await get<{ data: { type: string; sample: Envelope }[] }>(z, '/webhooks/event-types');
  return data.filter(({ type }) => type === of.type).map(({ sample }) => sample.data);
}

export { SAMPLES, yes };
