import { randomUUID } from 'node:crypto';
import type { IDataObject, IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { call, filled, path } from '../Turnout/shared/api.ts';

/** An endpoint of Turnout that this node has made. The secret is shown only when it is made. */
export interface Subscription extends IDataObject {
  id: string;
  secret: string;
  test: boolean;
}
interface Endpoint {
  id: string;
  url: string;
  events: string[];
  secret: string;
  test: boolean;
}

/** By address, because listening for a test event uses another one while the workflow is active. */
export function subscriptions(context: IHookFunctions | IWebhookFunctions): Record<string, Subscription> {
  const data = context.getWorkflowStaticData('node') as { subscriptions?: Record<string, Subscription> };
  data.subscriptions ??= {};
  return data.subscriptions;
}

const addressOf = (context: IHookFunctions): string => context.getNodeWebhookUrl('default') as string;

export async function exists(this: IHookFunctions): Promise<boolean> {
  const url = addressOf(this);
  const known = subscriptions(this)[url];
  if (known === undefined) return false;
  const found = await call<Endpoint | null>(this, 'GET', path`/webhooks/${known.id}`, { unless: [404] });
  const wanted = this.getNodeParameter('events', []) as string[];
  if (found?.url === url && wanted.toSorted().join() === found.events.toSorted().join()) return true;
  if (found !== null) return !(await unsubscribe.call(this));
  delete subscriptions(this)[url];
  return false;
}

export async function subscribe(this: IHookFunctions): Promise<boolean> {
  const url = addressOf(this);
  const { id, secret, test } = await call<Endpoint>(this, 'POST', '/webhooks', {
    body: filled({
      url,
      events: this.getNodeParameter('events', []) as string[],
      event: this.getNodeParameter('event', '', { extractValue: true }) as string,
      description: `n8n: ${this.getWorkflow().name ?? 'workflow'}`.slice(0, 200),
    }),
    // A new key for each call: a workflow that is turned off and on again has to get a new endpoint, not the answer about the
    // deleted one.
    idempotencyKey: randomUUID(),
  });
  subscriptions(this)[url] = { id, secret, test };
  return true;
}

export async function unsubscribe(this: IHookFunctions): Promise<boolean> {
  const url = addressOf(this);
  const known = subscriptions(this)[url];
  // Somebody may have deleted it in Turnout.
  if (known !== undefined) await call(this, 'DELETE', path`/webhooks/${known.id}`, { unless: [404] });
  delete subscriptions(this)[url];
  return true;
}
