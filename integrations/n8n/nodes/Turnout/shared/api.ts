import {
  type IDataObject,
  type IExecuteFunctions,
  type IHookFunctions,
  type IHttpRequestMethods,
  type ILoadOptionsFunctions,
  type INode,
  NodeApiError,
  NodeOperationError,
} from 'n8n-workflow';

export type Context = IExecuteFunctions | IHookFunctions | ILoadOptionsFunctions;

export interface Call {
  qs?: IDataObject;
  body?: IDataObject;
  idempotencyKey?: string;
  itemIndex?: number;
  /** Statuses that are answered with null and not thrown. */
  unless?: number[];
}

/** `error` of the API's answers, as far as it is used here. */
interface Refusal {
  code: string;
  message: string;
  details?: { path: string; message: string }[];
  upgrade_plan?: string;
}

/** A path with its parts encoded, because they can come from another node. */
export const path = (parts: TemplateStringsArray, ...values: unknown[]): string =>
  parts
    .map((part, at) => part + (at < values.length ? encodeURIComponent(String(values[at] ?? '').trim()) : ''))
    .join('');

/** Without what was left empty: the API refuses an empty text where it expects a name, a day or an address. */
export const filled = (values: IDataObject): IDataObject =>
  Object.fromEntries(
    Object.entries(values).filter(
      ([, value]) =>
        value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );

/** One operation of API v1. */
export async function call<T>(context: Context, method: IHttpRequestMethods, url: string, more: Call = {}): Promise<T> {
  const { qs = {}, body, idempotencyKey, itemIndex, unless = [] } = more;
  const node = context.getNode();
  const { address } = await context.getCredentials<{ address: string }>('turnoutApi', itemIndex);
  const base = apiAddress(node, address);
  const answer = (await context.helpers.httpRequestWithAuthentication.call(context, 'turnoutApi', {
    method,
    url: base + url,
    qs,
    ...(body !== undefined && { body }),
    ...(idempotencyKey !== undefined && { headers: { 'Idempotency-Key': idempotencyKey } }),
    json: true,
    // The key must not follow a redirect to another host.
    disableFollowRedirect: true,
    returnFullResponse: true,
    ignoreHttpStatusErrors: true,
  })) as { statusCode: number; body: unknown };
  const { statusCode } = answer;
  if (unless.includes(statusCode)) return null as T;
  if (statusCode >= 300) throw refusal(node, statusCode, answer.body, itemIndex);
  return answer.body as T;
}

function apiAddress(node: INode, typed: string): string {
  const address = URL.parse(typed.trim());
  if (address === null || !/^https?:$/.test(address.protocol)) {
    throw new NodeOperationError(node, 'The address in the Turnout credential is not a web address', {
      description: 'It looks like https://turnout.example.org.',
    });
  }
  return `${address.origin}${address.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** `attendees.0.first_name` is the field `first_name` for whoever looks at a node. */
const field = (where: string) => where.replace(/^\/?attendees[./[]+0\]?[./]/, '');

/** What n8n shows of a refusal: a line, and what helps below it. */
function refusal(node: INode, status: number, body: unknown, itemIndex?: number): NodeApiError {
  const error = (body as { error?: Refusal } | undefined)?.error;
  const [message, description] = error === undefined ? notTurnout(status) : words(error);
  const fault = { code: error?.code ?? 'not_turnout', message } satisfies IDataObject;
  return new NodeApiError(node, fault, { message, description, httpCode: String(status), itemIndex });
}

const notTurnout = (status: number): [string, string] => [
  `This address did not answer as Turnout does (${status})`,
  'Is the address in the Turnout credential right?',
];

function words({ code, message, details = [], upgrade_plan }: Refusal): [string, string] {
  switch (code) {
    case 'entitlement_required':
      return [`This needs the Turnout plan ${capitalized(upgrade_plan ?? 'growth')}`, message];
    case 'webhook_url_refused':
      return [
        message,
        'Turnout sends webhooks only to public https addresses. Set WEBHOOK_URL of this n8n to the public https address that it can be reached at, or use a tunnel. Whoever runs a Turnout of their own can allow named networks (WEBHOOK_ALLOWED_NETWORKS).',
      ];
    case 'api_key_scope':
      return [message, 'Make a key with the scopes read, write and, for check-ins, scanner.'];
    default:
      return [message, details.map((fault) => `${field(fault.path)}: ${fault.message}`).join('\n')];
  }
}
