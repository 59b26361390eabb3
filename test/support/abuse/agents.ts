import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';
import Type from 'typebox';
import { ADDRESS } from '../../../server/src/agents/routes.ts';
import { toolName } from '../../../server/src/agents/tools.ts';
import type { Answered, Outgoing } from './abuser.ts';
import { BAD_CONTENT_TYPES, BAD_HEADERS, badQueries, HEADER_ROOM } from './addresses.ts';
import { type Fill, inPlace, type Path, repeated } from './json.ts';
import { WANTED } from './largest.ts';
import { type Row, schemaOf, type Victim } from './rows.ts';
import { type Shape, shapesOf, shapesOfAll } from './shapes.ts';
import { troublesOfAny } from './verdict.ts';

const LIMIT = 1_048_576;
/** Agents speak one of two versions of the protocol. Since the second, a message itself says who speaks. */
const VERSIONS = ['2025-11-25', '2026-07-28'] as const;
type Version = (typeof VERSIONS)[number];
const metaIn = (version: Version) => ({
  [PROTOCOL_VERSION_META_KEY]: version,
  [CLIENT_INFO_META_KEY]: { name: 'hostile agent', version: '1' },
  [CLIENT_CAPABILITIES_META_KEY]: {},
});

/** The places in a message whose value may be anything. */
const PLACES: readonly Path[] = [
  ['jsonrpc'],
  ['id'],
  ['method'],
  ['params'],
  ['params', 'name'],
  ['params', 'arguments'],
  ['params', '_meta'],
  ['params', '_meta', CLIENT_INFO_META_KEY],
];
/** What stands in those places: the worst of each kind. */
const IN_PLACES = new Set([
  'a list of numbers',
  'nested lists',
  'nested objects',
  'unknown keys',
  'one long key',
  '__proto__ again and again',
  'a string in place of the body',
  'a number without end',
]);
/** The headers that the address of agents reads, besides those that are read everywhere. */
const OWN_HEADERS = ['mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'accept', 'origin'];

interface Message {
  readonly error?: { readonly code?: unknown; readonly message?: unknown };
  readonly result?: {
    readonly structuredContent?: { readonly error?: { readonly code?: unknown } };
  };
}

/** The address of agents. It takes messages of JSON-RPC, by which a tool is called: the operation of the victim. */
export class AgentAbuse {
  readonly #victim: Victim;

  constructor(victim: Victim) {
    this.#victim = victim;
  }

  /** A message in each version that does what the operation does. */
  validMessages(): Outgoing[] {
    return VERSIONS.map((version) => this.#row(version, 'valid', false, () => ({})).request());
  }

  rows(): Row[] {
    return VERSIONS.flatMap((version) =>
      [...this.#bodyRows(version), ...this.#headerRows(version), ...this.#queryRows(version)].map((row) => ({
        ...row,
        name: `${version}, ${row.name}`,
      })),
    );
  }

  /** Long texts that differ every time, counted on from `from`, in each place where the server reads one. */
  longRows(times: number, from = 0): Row[] {
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: VERSIONS[0], capabilities: {}, clientInfo: { name: 'a', version: '1' } },
    };
    const places: (readonly [Version, object, Path])[] = [
      [VERSIONS[0], initialize, ['params', 'clientInfo', 'name']],
      [VERSIONS[0], initialize, ['params', 'protocolVersion']],
      [VERSIONS[1], this.#message(VERSIONS[1]), ['params', '_meta', CLIENT_INFO_META_KEY, 'name']],
      ...VERSIONS.flatMap((version) =>
        [...PLACES, ['params', 'arguments', 'unknown']].map(
          (place) => [version, this.#message(version), place] as const,
        ),
      ),
    ];
    return places.flatMap(([version, message, place]) =>
      Array.from({ length: times }, (_, i) => {
        const number = String(from + i);
        const long: Fill = (bytes) => `"${number}${repeated('Zone/', bytes - 2 - number.length)}"`;
        const name = `${version}, ${place.join('/')} long, ${from + i + 1}`;
        return this.#row(version, name, true, () => ({ body: inPlace(message, place, long)(LIMIT) }));
      }),
    );
  }

  #bodyRows(version: Version): Row[] {
    const { op } = this.#victim;
    const message = this.#message(version);
    const everywhere = shapesOfAll(message);
    const at = (place: Path, what: string, { name, fill }: Shape): Shape => ({
      ...{ kind: what, name: `${what}: ${name}` },
      fill: inPlace(message, place, fill),
    });
    const shapes = [
      ...everywhere,
      ...PLACES.flatMap((place) =>
        everywhere.filter(({ name }) => IN_PLACES.has(name)).map((shape) => at(place, place.join('/'), shape)),
      ),
      ...shapesOf(schemaOf(op)!, this.#arguments(), { ...this.#arguments(), ...WANTED[op.id] }).map((shape) =>
        at(['params', 'arguments'], 'arguments', shape),
      ),
    ];
    return shapes.map(({ name, fill }) => this.#row(version, name, true, () => ({ body: fill(LIMIT) })));
  }

  #headerRows(version: Version): Row[] {
    return [
      ...BAD_HEADERS,
      ...BAD_CONTENT_TYPES.map(({ name, type }) => ({ name, headers: { 'content-type': type } })),
      ...OWN_HEADERS.map((name) => ({ name: `a long ${name}`, headers: { [name]: 'h'.repeat(HEADER_ROOM) } })),
      ...OWN_HEADERS.map((name) => ({ name: `${name} of signs`, headers: { [name]: repeated('.;,=/', 5000) } })),
    ].map(({ name, headers }) => this.#row(version, name, false, () => ({ headers })));
  }

  #queryRows(version: Version): Row[] {
    return badQueries(Type.Object({ areas: Type.String() }), {}).map(({ name, value }) =>
      this.#row(version, `?${name}`, false, () => ({ path: `${ADDRESS}?${value}` })),
    );
  }

  #arguments(): object {
    const { path, body } = this.#victim.subject;
    return { ...Object.fromEntries(Object.entries(path).map(([name, { id }]) => [name, id])), ...(body as object) };
  }

  #message(version: Version) {
    const params = { name: toolName(this.#victim.op.id), arguments: this.#arguments() };
    const meta = version === VERSIONS[0] ? {} : { _meta: metaIn(version) };
    return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...params, ...meta } };
  }

  /** `sent` is made when it is sent, because all of them together are large. */
  #row(version: Version, name: string, large: boolean, sent: () => Partial<Outgoing>): Row {
    const request = (): Outgoing => {
      const message = this.#message(version);
      const own = { 'mcp-protocol-version': version, 'mcp-method': message.method, 'mcp-name': message.params.name };
      const usual = { accept: 'application/json, text/event-stream', ...own };
      const { path = ADDRESS, headers, body } = sent();
      const call = { body: body ?? JSON.stringify(message), headers: { ...usual, ...headers } };
      return { ...this.#victim.send(call), path };
    };
    return { name, large, request, troubles: agentTroubles };
  }
}

/**
 * What is wrong with an answer to an agent. It is a message of JSON-RPC, whose errors have codes of their own, or a refusal of the
 * road before the message was read. What the API refuses is the result of a tool.
 */
function agentTroubles(answer: Answered): string[] {
  const { status, text } = answer;
  const troubles = troublesOfAny(answer);
  if (status === 202 && text === '') return troubles; // a message that asks for no answer
  let said: Message;
  try {
    said = JSON.parse(text) as Message;
  } catch {
    return [...troubles, `${status} is not JSON: ${text.slice(0, 100)}`];
  }
  const { error, result } = said;
  if (error === undefined && result === undefined) troubles.push(`${status} is neither an error nor a result`);
  if (error !== undefined && (error.code === undefined || typeof error.message !== 'string'))
    troubles.push(`${status} with an error that says nothing: ${text.slice(0, 100)}`);
  // -32603 is the protocol's word for a fault of the server.
  const code = error?.code ?? result?.structuredContent?.error?.code;
  if (code === -32603 || code === 'internal_error') troubles.push(`${status}: ${text.slice(0, 200)}`);
  return troubles;
}
