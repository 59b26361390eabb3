import {
  CLIENT_INFO_META_KEY,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { invalid, Refusal, refuse } from '../common/refusal.ts';
import type { Secrets } from '../common/secrets.ts';
import type { Caller } from '../road/caller.ts';
import type { InnerCalls } from '../road/for-areas/inner-calls.ts';
import { requireClientApps } from '../road/gate/entitlements.ts';
import { type Identities, identifyKey } from '../road/gate/identify.ts';
import type { Operation } from '../road/operation.ts';
import { hangUp } from '../road/route.ts';
import { sql } from '../store/sql.ts';
import { transaction } from '../store/tx.ts';
import { type Exchange, type ServerParts, serverFor } from './server.ts';
import { agentName, NAMELESS, Sessions } from './sessions.ts';
import { Tools } from './tools.ts';

export const ADDRESS = '/mcp';

export interface AgentParts extends Identities {
  calls: InnerCalls;
  secrets: Secrets;
  log: Logger;
  operations: readonly Operation[];
}

/**
 * The address of agents. It speaks the Model Context Protocol over HTTP: a request is one message, and its answer is JSON. Nothing is
 * kept between requests and no stream stays open, so GET and DELETE have nothing to do here and are refused with 405.
 */
export function agentRoutes(app: FastifyInstance, given: AgentParts): void {
  const tools = new Tools(given.operations);
  const parts = { ...given, tools, sessions: new Sessions(given.secrets, given.clock) };
  app.post<{ Querystring: Record<string, unknown> }>(ADDRESS, {
    onRequest: async (request, reply) => {
      requireNoOtherSite(request, parts.publicUrl);
      request.road = { caller: null, client: null, operation: null };
      const caller = await identified(parts, request, reply);
      request.road.caller = caller;
      requireClientApps(caller, NAMELESS);
      await requireOn(parts, caller);
    },
    handler: (request, reply) => answer(parts, request, reply),
  });
}

type Parts = ServerParts & AgentParts & { sessions: Sessions };

/**
 * The protocol requires that `Origin` is checked, so that a page in somebody's browser cannot reach a server that listens for that
 * person only. Agents are no pages and do not send it.
 */
function requireNoOtherSite({ headers: { origin } }: FastifyRequest, publicUrl: string): void {
  if (origin === undefined || origin === new URL(publicUrl).origin) return;
  refuse('cross_site_request', {
    message: 'Pages of other sites cannot work here. Connect the agent from a program that is not a web page.',
  });
}

/** The key, its addresses, its rate and the month's calls, as on `/v1`. Programs learn from the header how to authenticate. */
async function identified(parts: Parts, request: FastifyRequest, reply: FastifyReply): Promise<Caller> {
  try {
    return await identifyKey(parts, request, reply);
  } catch (error) {
    if (error instanceof Refusal && error.status === 401) {
      const wrong = error.code === 'api_key_required' ? '' : ', error="invalid_token"';
      reply.header('WWW-Authenticate', `Bearer realm="Turnout"${wrong}`);
    }
    throw error;
  }
}

async function requireOn({ pool, clock }: Parts, { org }: Caller): Promise<void> {
  const found = await transaction(
    pool,
    clock,
    { role: 'app', org: org.id },
    (tx) => tx.maybe<{ agents: boolean }>(sql`select agents from organizations where id = ${org.id}`),
    { readOnly: true },
  );
  if (found?.agents !== true) refuse('agents_off');
}

/** `?areas=events,attendees` leaves out the tools of other areas. Few tools are easier to choose from, and some programs take few. */
function areasIn(query: Record<string, unknown>, tools: Tools): ReadonlySet<string> | null {
  const { areas: given, ...more } = query;
  const unknown = Object.keys(more)[0];
  if (unknown !== undefined) invalid({ path: unknown, message: 'is not known here; only `areas` is' });
  if (given === undefined) return null;
  const known = tools.areas;
  const wanted = typeof given === 'string' ? given.split(',', known.length + 1) : [];
  if (wanted.length === 0 || wanted.some((area) => !known.includes(area))) {
    invalid({ path: 'areas', message: `must name areas, separated by commas: ${known.join(', ')}` });
  }
  return new Set(wanted);
}

const LONGEST_NAME = 200;

/** What the SDK repeats in its answers, so that no answer is longer than it has to be. */
function hasLongName(message: object): boolean {
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: { name?: unknown } | null };
  return [id, method, params?.name].some((name) => typeof name === 'string' && name.length > LONGEST_NAME);
}

/** A message that the SDK does not see, refused in the protocol's words. */
const refusedMessage = (reply: FastifyReply, status: number, message: string): FastifyReply =>
  reply.code(status).send({ jsonrpc: '2.0', id: null, error: { code: -32600, message } });

async function answer(
  parts: Parts,
  request: FastifyRequest<{ Querystring: Record<string, unknown> }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { body } = request;
  const areas = areasIn(request.query, parts.tools);
  // A list of messages would be many calls for the price of one. The protocol has no such lists any more.
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    return refusedMessage(reply, 400, 'Send one JSON-RPC message. Lists of messages are not taken.');
  }
  if (hasLongName(body)) {
    return refusedMessage(reply, 400, `Ids, methods and names of tools have at most ${LONGEST_NAME} characters.`);
  }
  const caller = request.road!.caller!;
  const sent = webRequest(request, parts.publicUrl);
  const isLegacy = await isLegacyRequest(sent, body);
  const client = isLegacy ? nameOfSession(parts, request, caller) : agentName(nameIn(body));
  if (client === null) {
    return refusedMessage(reply, 404, 'This session is not one of this key, or it is over. Initialize a new one.');
  }
  request.road!.client = client;
  const exchange: Exchange = {
    caller,
    client,
    requestId: request.id,
    areas,
    signal: hangUp(reply),
    called: (operation, { status }) => Object.assign(request.road!, { operation, status }),
  };
  const server = () => serverFor(parts, exchange);
  if (!isLegacy)
    return send(reply, await createMcpHandler(server, { legacy: 'reject' }).fetch(sent, { parsedBody: body }));
  const response = await answerLegacy(server(), sent, body);
  if (isInitializeRequest(body) && response.ok)
    reply.header('Mcp-Session-Id', parts.sessions.begin(client, keyOf(caller)));
  return send(reply, response);
}

/** Versions until 2025-11-25: the same server, behind the transport of those versions. */
async function answerLegacy(
  server: ReturnType<typeof serverFor>,
  sent: Request,
  parsedBody: unknown,
): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(sent, { parsedBody });
  } finally {
    await server.close();
  }
}

/** Null: the session is not valid. A program that keeps no session has no name. */
function nameOfSession({ sessions }: Parts, { body, headers }: FastifyRequest, caller: Caller): string | null {
  if (isInitializeRequest(body)) return agentName(body.params.clientInfo.name);
  const id = headers['mcp-session-id'];
  return typeof id === 'string' ? sessions.read(id, keyOf(caller)) : NAMELESS;
}

const keyOf = ({ actor }: Caller) => actor.id ?? refuse('api_key_unknown');

/** Since the version of 2026-07-28, every message carries the name of the agent. */
function nameIn(message: object): unknown {
  const { params } = message as { params?: { _meta?: Record<string, unknown> } };
  return (params?._meta?.[CLIENT_INFO_META_KEY] as { name?: unknown } | undefined)?.name;
}

const HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** The request as the SDK reads it. Its body has been read already. */
function webRequest({ headers }: FastifyRequest, publicUrl: string): Request {
  const sent = new Headers();
  for (const name of HEADERS) {
    const value = headers[name];
    if (typeof value === 'string') sent.set(name, value);
  }
  return new Request(new URL(ADDRESS, publicUrl), { method: 'POST', headers: sent });
}

/** Every answer ends by itself: the server sends nothing but the answer to its message. */
async function send(reply: FastifyReply, response: Response): Promise<FastifyReply> {
  const text = await response.text();
  reply.code(response.status);
  const type = response.headers.get('content-type');
  if (type !== null) reply.type(type);
  return text === '' ? reply.send() : reply.send(text);
}
