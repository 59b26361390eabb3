import { REFUSALS, type RefusalCode } from '@turnout/contract';
import { CHAPTERS, INTRODUCTION } from '../about.ts';
import { EVERYWHERE, NAMES } from '../refusals.ts';
import { resolved } from '../samples.ts';
import { sandboxCall, whyNotInSandbox } from '../sandbox-calls.ts';
import type { Json } from '../schemas.ts';

type Components = Record<string, Record<string, Json>>;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];
const REFUSALS_TAG = 'Refusals and errors';
const WEBHOOKS_TAG = 'Webhook events';
/** Headers that many operations take. The chapters explain them once, and the page sends them by itself where they are needed. */
const EXPLAINED_ONCE = new Set(['X-Service-Client', 'X-Scanner-Version', 'Idempotency-Key']);

/** How the page makes the last part of an address from a title: as it does, in small letters with hyphens. */
const slug = (title: string): string => title.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-');

/**
 * The document for the reference page. It says the same as the published one with less repetition: refusals are listed once and
 * linked from each operation, headers that all operations share are left out, chapters are tags, because the page searches the text of
 * tags, and the examples are calls that the sandbox carries out.
 */
export function documentOfPage(published: Json, hasSandbox: boolean): Json {
  const document = structuredClone(published);
  const { paths, webhooks, components, info, tags } = document as Record<string, Json>;
  const codes = new Set<RefusalCode>();
  for (const item of Object.values(paths as Record<string, Json>)) {
    if (item.servers !== undefined) item.servers = (item.servers as Json[]).map(atHome);
    for (const method of METHODS) {
      const operation = item[method] as Json | undefined;
      if (operation === undefined) continue;
      if (operation.servers !== undefined) operation.servers = (operation.servers as Json[]).map(atHome);
      const own = refusalsIn(operation, components as Components);
      for (const code of own) codes.add(code);
      simplify(operation, method, components as Components, hasSandbox);
      operation.description = [operation.description, refusalLine(own)].filter(Boolean).join('\n\n');
    }
  }
  for (const item of Object.values(webhooks as Record<string, Json>)) {
    const { post } = item as { post: Json };
    post.tags = [WEBHOOKS_TAG];
    post.summary = String(post.summary).replaceAll('`', '');
    delete post.responses;
  }
  const {
    responses: _responses,
    examples: _examples,
    headers: _headers,
    parameters: _parameters,
    ...kept
  } = components as Components;
  const chapters = CHAPTERS.map(({ title, text }) => ({
    name: title,
    description: title === REFUSALS_TAG ? `${text}\n\n${refusalTable(codes)}` : text,
  }));
  const described = tags as unknown as Json[];
  const about = { name: WEBHOOKS_TAG, description: ABOUT_WEBHOOKS };
  return {
    ...document,
    info: { ...(info as Json), description: hasSandbox ? `${INTRODUCTION}\n\n${TRY_IT}` : INTRODUCTION },
    servers: (document.servers as Json[]).map(atHome),
    tags: [...chapters, ...described, about],
    'x-tagGroups': [
      { name: 'Guide', tags: chapters.map((one) => one.name) },
      { name: 'Operations', tags: described.map((one) => one.name) },
      { name: 'Events', tags: [WEBHOOKS_TAG] },
    ],
    components: kept,
  };
}

const TRY_IT = `This page is signed in with the public test key of the sandbox, an organization of made-up people that starts over every
night. Press **Test Request** at an operation: the call is real, and what is filled in works. The key reads everything there and changes
test objects. Each POST from here gets a new \`Idempotency-Key\`. For your own organization, enter your own key instead.`;

const ABOUT_WEBHOOKS = `What your endpoint receives, one type each. [How to verify them](#tag/${slug('Webhook signatures')}) is in the guide; the operations
under [Webhooks](#tag/webhooks) subscribe and show what was delivered.`;

/** The page calls the server from which it was loaded. Its security policy allows no other, whatever the published address is. */
function atHome(server: Json): Json {
  const mounts: Readonly<Record<string, string>> = {
    '{base_url}': '/v1',
    '{scanner_url}/api/v1': '/api/v1',
    '{public_url}': '/',
  };
  const url = mounts[String(server.url)];
  if (url === undefined) throw new Error(`openapi/page/document.ts does not know where ${server.url} is`);
  return { url, description: server.description };
}

/** The codes that an operation can answer, read from the names of the examples of its responses. */
function refusalsIn(operation: Json, components: Components): RefusalCode[] {
  const refused = Object.entries(operation.responses as Record<string, Json>).filter(
    ([status]) => Number(status) >= 400,
  );
  const text = refused.map(([, response]) => String(resolved(response, components).description)).join('\n');
  return (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => text.includes(`\`${code}\``));
}

function simplify(operation: Json, method: string, components: Components, hasSandbox: boolean): void {
  const responses = operation.responses as Record<string, Json>;
  operation.responses = Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 300)
      .map(([status, { headers: _, ...response }]) => [status, response]),
  );
  const parameters = ((operation.parameters ?? []) as Json[]).map((one) => structuredClone(resolved(one, components)));
  operation.parameters = parameters.filter((one) => !EXPLAINED_ONCE.has(String(one.name)));
  const call = sandboxCall(operation, method);
  for (const parameter of operation.parameters as Json[]) {
    const value = { ...call.path, ...call.query }[String(parameter.name)];
    if (value !== undefined) parameter.example = value;
  }
  const content = (operation.requestBody as Json | undefined)?.content as Record<string, Json> | undefined;
  if (content?.['application/json'] !== undefined) content['application/json'].example = call.body;
  const reason = hasSandbox ? whyNotInSandbox(operation) : null;
  if (reason === null) return;
  operation.description = `${operation.description}\n\nNot to be tried with the sandbox: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}`;
  operation['x-not-in-sandbox'] = true;
}

const statusesOf = (codes: Iterable<RefusalCode>) =>
  [...Map.groupBy(codes, (code) => REFUSALS[code].status)].sort(([a], [b]) => a - b);

/** Refusals that most operations have. The list of all says which, so the operations don't name them. */
const USUAL: Readonly<Partial<Record<RefusalCode, string>>> = {
  ...Object.fromEntries(EVERYWHERE.map((code) => [code, 'every call'])),
  api_key_scope: 'every call',
  permission_required: 'every call',
  not_found: 'every call that names an object',
  client_too_old: 'every call on the scanner host',
  request_timeout: 'every change',
  payload_too_large: 'every change',
  unsupported_media_type: 'every change',
  instance_read_only: 'every change',
  sandbox_full: 'every change in the sandbox',
  idempotency_key_required: 'every POST',
  idempotency_in_progress: 'every POST',
  idempotency_key_reused: 'every POST',
};

/** The refusals of an operation beyond the usual ones, each linked to the list of all. */
function refusalLine(codes: readonly RefusalCode[]): string {
  const links = codes
    .filter((code) => USUAL[code] === undefined)
    .map((code) => `[\`${code}\`](#tag/${slug(REFUSALS_TAG)})`);
  const usual = `[the usual ones](#tag/${slug(REFUSALS_TAG)})`;
  if (codes.length === 0) return '';
  return `Refusals: ${links.length === 0 ? usual : `${links.join(', ')} and ${usual}`}.`;
}

function refusalTable(codes: ReadonlySet<RefusalCode>): string {
  const known = (Object.keys(REFUSALS) as RefusalCode[]).filter((code) => codes.has(code));
  return statusesOf(known)
    .map(([status, of]) => {
      const rows = of.map(
        (code) => `| \`${code}\` | ${REFUSALS[code].message} | ${USUAL[code] ?? 'some operations, which name it'} |`,
      );
      return `### ${status}: ${NAMES[status]}\n\n| Code | Message | By |\n|---|---|---|\n${rows.join('\n')}`;
    })
    .join('\n\n');
}
