import { createHash, randomUUID } from 'node:crypto';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { call, filled, path } from './shared/api.ts';

interface Additional {
  discountCode?: string;
  phone?: string;
  externalId?: string;
  sendEmails?: boolean;
  scannedAt?: string;
  retryKey?: string;
}

/** What an operation needs of one item. */
interface Step {
  context: IExecuteFunctions;
  itemIndex: number;
  event: string;
  additional: Additional;
  /** The same in each attempt of n8n to do this once. */
  run: string;
}

const text = ({ context, itemIndex }: Step, name: string): string =>
  String(context.getNodeParameter(name, itemIndex, '') ?? '').trim();
const hash = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');
/** A UUID that is the same for the same hash. */
const uuid = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;

/**
 * n8n runs a node again within the same execution (`Retry On Fail`), so execution, node, round of a loop and item together say which
 * attempts are one. An execution that somebody runs again later is another one; the retry key tells that it is not.
 */
function runOf(context: IExecuteFunctions, itemIndex: number, retryKey?: string): string {
  const { id } = context.getNode();
  const { id: workflow } = context.getWorkflow();
  if (retryKey) return hash(workflow, id, retryKey);
  const execution = context.getExecutionId();
  if (!execution) return randomUUID();
  return hash(workflow, id, execution, context.evaluateExpression('{{ $runIndex }}', itemIndex), itemIndex);
}

const act = <T>({ context, itemIndex, run }: Step, url: string, body: IDataObject): Promise<T> =>
  call<T>(context, 'POST', url, { body, itemIndex, idempotencyKey: hash(run, url, body) });

/** What was chosen in a list of products. An option of a product stands behind a slash: `shirt/m`. */
function productsOf({ context, itemIndex }: Step, name: string): IDataObject[] {
  const { values = [] } = context.getNodeParameter(name, itemIndex, {}) as {
    values?: { product: string; quantity?: number }[];
  };
  return values.flatMap(({ product: choice, quantity }) => {
    const [product, option] = String(choice ?? '')
      .trim()
      .split('/');
    return product ? [filled({ product, option, quantity })] : [];
  });
}

function attendeeOf(step: Step): IDataObject {
  const { context, itemIndex, additional } = step;
  const answers = context.getNodeParameter('answers.value', itemIndex, null) as IDataObject | null;
  const given = filled(answers ?? {});
  return filled({
    attendee_type: text(step, 'attendeeType'),
    first_name: text(step, 'firstName'),
    last_name: text(step, 'lastName'),
    email: text(step, 'email'),
    days: context.getNodeParameter('days', itemIndex, []) as string[],
    products: productsOf(step, 'products'),
    phone: additional.phone,
    external_id: additional.externalId,
    ...(Object.keys(given).length > 0 && { answers: given }),
  });
}

const OPERATIONS: Record<string, (step: Step) => Promise<IDataObject | IDataObject[]>> = {
  'registration.create': (step) =>
    act(
      step,
      path`/events/${step.event}/registrations`,
      filled({
        attendees: [attendeeOf(step)],
        products: productsOf(step, 'registrationProducts'),
        discount_code: step.additional.discountCode,
        send_emails: step.additional.sendEmails,
      }),
    ),
  'registration.addAttendee': (step) =>
    act(step, path`/events/${step.event}/registrations/${text(step, 'registration')}/attendees`, attendeeOf(step)),
  'registration.find': async (step) => {
    const { context, itemIndex, event } = step;
    const value = text(step, 'value');
    const by = text(step, 'findBy');
    if (by === 'reference') {
      const found = await call<IDataObject | null>(context, 'GET', path`/events/${event}/registrations/${value}`, {
        itemIndex,
        unless: [404],
      });
      return found === null ? [] : found;
    }
    const limit = context.getNodeParameter('limit', itemIndex, 50) as number;
    const { data } = await call<{ data: IDataObject[] }>(context, 'GET', path`/events/${event}/registrations`, {
      qs: { [by]: value, order: 'newest', limit },
      itemIndex,
    });
    return data;
  },
  'ticket.issue': (step) =>
    act(
      step,
      path`/events/${step.event}/tickets`,
      filled({
        attendee: text(step, 'attendee'),
        days: step.context.getNodeParameter('days', step.itemIndex, []) as string[],
      }),
    ),
  'checkIn.record': (step) => {
    const [code, check_in_point] = [text(step, 'code'), text(step, 'checkInPoint')];
    const client_uuid = uuid(hash(step.run, step.event, check_in_point, code));
    const scanned_at = step.additional.scannedAt;
    return act(step, path`/events/${step.event}/scan`, filled({ code, check_in_point, client_uuid, scanned_at }));
  },
};

export async function perform(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
  const name = (of: string) => context.getNodeParameter(of, itemIndex) as string;
  const additional = context.getNodeParameter('additionalFields', itemIndex, {}) as Additional;
  const answer = await OPERATIONS[`${name('resource')}.${name('operation')}`]!({
    context,
    itemIndex,
    event: context.getNodeParameter('event', itemIndex, '', { extractValue: true }) as string,
    additional,
    run: runOf(context, itemIndex, additional.retryKey),
  });
  return [answer].flat();
}
