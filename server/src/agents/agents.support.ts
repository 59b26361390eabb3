import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Reply, TestTurnout } from '../../../test/support/turnout.ts';
import { sql } from '../store/sql.ts';

export interface Result {
  isError: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  data: any;
  text: string;
}

/** A real agent: the official SDK's client, over HTTP. */
export interface Agent {
  call(name: string, args?: Record<string, unknown>): Promise<Result>;
  tools(): Promise<{ name: string; description?: string | undefined; annotations?: object | undefined }[]>;
  instructions: string | undefined;
  version: string | undefined;
  close(): Promise<void>;
}

export interface ConnectOptions {
  name?: string;
  headers?: Record<string, string>;
  query?: string;
}

const optionsOf = (key: string, { headers }: ConnectOptions) => ({
  requestInit: { headers: { authorization: `Bearer ${key}`, ...headers } },
});
const addressOf = (t: TestTurnout, { query = '' }: ConnectOptions) => new URL(`${t.url}/mcp${query}`);

interface SaidBack {
  isError?: unknown;
  structuredContent?: unknown;
  content?: unknown;
}
const resultOf = (said: SaidBack): Result => ({
  isError: said.isError === true,
  data: said.structuredContent,
  text: (said.content as { text: string }[])[0]!.text,
});

/** The client of the present SDK; `auto` speaks 2026-07-28 with a server that knows it, `legacy` begins with `initialize`. */
export async function agent(
  t: TestTurnout,
  key: string,
  wanted: ConnectOptions = {},
  mode: 'auto' | 'legacy' = 'auto',
): Promise<Agent> {
  const client = new Client({ name: wanted.name ?? 'test agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(addressOf(t, wanted), optionsOf(key, wanted)));
  return {
    call: async (name, args = {}) => resultOf(await client.callTool({ name, arguments: args })),
    tools: async () => (await client.listTools()).tools,
    instructions: client.getInstructions(),
    version: client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

/** The client that most programs still use: the SDK's first major version. */
export async function earlierAgent(t: TestTurnout, key: string, wanted: ConnectOptions = {}): Promise<Agent> {
  const client = new EarlierClient({ name: wanted.name ?? 'test agent', version: '1.0.0' });
  const transport = new EarlierTransport(addressOf(t, wanted), optionsOf(key, wanted));
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    call: async (name, args = {}) => resultOf((await client.callTool({ name, arguments: args })) as SaidBack),
    tools: async () => (await client.listTools()).tools,
    instructions: client.getInstructions(),
    version: transport.protocolVersion,
    close: () => client.close(),
  };
}

export const CLIENTS = { '2026-07-28': agent, '2025-11-25': earlierAgent } as const;

/** One message as it is, for what no client would send. */
export const say = (
  t: TestTurnout,
  key: string | null,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  t.call('POST', '/mcp', {
    key,
    body,
    idempotencyKey: null,
    headers: { accept: 'application/json, text/event-stream', ...headers },
  });

export const message = (method: string, params: object = {}): object => ({ jsonrpc: '2.0', id: 1, method, params });

export const initialize = (protocolVersion: string, name = 'raw agent'): object =>
  message('initialize', { protocolVersion, capabilities: {}, clientInfo: { name, version: '1' } });

export const turnOn = (t: TestTurnout, org = 'acme', on = true): Promise<number> =>
  t.system((tx) => tx.run(sql`update organizations set agents = ${on} where code = ${org}`));

/** Who is named in the latest entries of the audit log, newest first. */
export const audited = (
  t: TestTurnout,
): Promise<{ action: string; client: string | null; source: string; key: string }[]> =>
  t.system((tx) =>
    tx.all(sql`select action, client, source, actor_name as key from audit_log order by id desc limit 5`),
  );
