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
  secret_last4: string;
  test: boolean;
}

/** By address, because listening for a test event uses another one while the workflow is active. */
export function subscriptions(context: IHookFunctions | IWebhookFunctions): Record<string, Subscription> {
  const data = context.getWorkflowStaticData('node') as { subscriptions?: Record<string, Subscription> };
  data.subscriptions ??= {};
  return data.subscriptions;
}

const addressOf = (context: IHookFunctions): string => context.getNodeWebhookUrl('default') as string;

export async function exists(context: IHookFunctions): Promise<boolean> {
  const known = subscriptions(context)[addressOf(context)];
  if (known === undefined) return false;
  const found = await call<Endpoint | null>(context, 'GET', path`/webhooks/${known.id}`, { unless: [404] });
  if (found !== null && isAsWanted(context, known, found)) return true;
  await unsubscribe(context);
  return false;
}

/** False if somebody has changed it in Turnout, or has rotated its secret, so that no delivery would be genuine here. */
function isAsWanted(context: IHookFunctions, { secret }: Subscription, found: Endpoint): boolean {
  const wanted = context.getNodeParameter('events', []) as string[];
  return (
    found.url === addressOf(context) &&
    found.secret_last4 === secret.slice(-4) &&
    wanted.toSorted().join() === found.events.toSorted().join()
  );
}

export async function subscribe(context: IHookFunctions): Promise<boolean> {
  const url = addressOf(context);
  const { id, secret, test } = await call<Endpoint>(context, 'POST', '/webhooks', {
    body: filled({
      url,
      events: context.getNodeParameter('events', []) as string[],
      event: context.getNodeParameter('event', '', { extractValue: true }) as string,
      description: `n8n: ${context.getWorkflow().name ?? 'workflow'}`.slice(0, 200),
    }),
    // A new key for each call: a workflow that is turned off and on again has to get a new endpoint, not the answer about the
    // deleted one.
    idempotencyKey: randomUUID(),
  });
  subscriptions(context)[url] = { id, secret, test };
  return true;
}

export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
  const url = addressOf(context);
  const known = subscriptions(context)[url];
  // Somebody may have deleted it in Turnout.
  if (known !== undefined) await call(context, 'DELETE', path`/webhooks/${known.id}`, { unless: [404] });
  delete subscriptions(context)[url];
  return true;
}
