import type { AfterResponseMiddleware, HttpResponse, ZObject } from 'zapier-platform-core';

/** `error` of the API's answers, as far as it is used here. */
interface Refusal {
  code: string;
  message: string;
  details?: { path: string; message: string }[];
  request_id?: string;
  upgrade_plan?: string;
}

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
/** `attendees.0.first_name` is the field `first_name` for whoever looks at a Zap. */
const field = (path: string) => path.replace(/^\/?attendees[./[]+0\]?[./]/, '');

function words({ code, message, details = [], upgrade_plan }: Refusal): string {
  switch (code) {
    case 'entitlement_required':
      return `This needs the Turnout plan ${capitalized(upgrade_plan ?? 'growth')}. ${message}`;
    case 'webhook_url_refused':
      return `${message} Turnout sends webhooks only to public https addresses. A Zap's own address is one; a private test host is not. Whoever runs a Turnout of their own can allow named networks (WEBHOOK_ALLOWED_NETWORKS).`;
    case 'api_key_scope':
      return `${message} Make a key with the scopes read, write and, for check-ins, scanner, and connect Turnout again.`;
    default:
      return [message, ...details.map((fault) => `${field(fault.path)}: ${fault.message}`)].join('\n');
  }
}

const seconds = (response: HttpResponse): number | undefined => {
  const after = Number.parseInt(response.getHeader('retry-after') ?? '', 10);
  return Number.isNaN(after) ? undefined : after;
};

/** Throws what Zapier's own forms of failure say best. Codes that are not known are refusals, too. */
export function refuse(z: ZObject, response: HttpResponse): never {
  const { status } = response;
  const error = (response.data as { error?: Refusal } | undefined)?.error;
  if (error === undefined) {
    const said =
      status >= 300 && status < 400
        ? `It redirects to ${response.getHeader('location') ?? 'another address'}. Connect Turnout again with that address.`
        : 'Is the address of the Turnout installation right?';
    throw new z.errors.Error(`This address did not answer as Turnout does (${status}). ${said}`, 'not_turnout', status);
  }
  const text = words(error);
  if (status === 401) throw new z.errors.ExpiredAuthError(text);
  // At the end of a month's calls, no wait that Zapier could make helps.
  if ((status === 429 && error.code !== 'quota_exceeded') || error.code === 'idempotency_in_progress') {
    throw new z.errors.ThrottledError(text, seconds(response) ?? 60);
  }
  // The rules of the event or the state of things say no, and would say it again: the run stops, and the Zap stays on.
  if (status === 409 || (status === 422 && error.code !== 'webhook_url_refused')) throw new z.errors.HaltedError(text);
  throw new z.errors.Error(text, error.code, status);
}

export const refusals: AfterResponseMiddleware = (response, z) => {
  if (response.status >= 300 && !response.skipThrowForStatus) refuse(z, response);
  return response;
};
