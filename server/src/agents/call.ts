import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Json } from '../openapi/schemas.ts';
import type { Answer } from '../road/answer.ts';
import type { Caller } from '../road/caller.ts';
import { loggedRefusal } from '../road/errors.ts';
import type { InnerCalls } from '../road/for-areas/inner-calls.ts';
import type { Operation } from '../road/operation.ts';
import { rowsThatFit } from './fit.ts';
import { type CallInput, takeApart } from './input.ts';
import { firstRows, ROOM, refusedResult, resultOf, type ToolResult } from './results.ts';

export interface CallParts {
  calls: InnerCalls;
  log: Logger;
}

/** Whose message it is. */
export interface Sender {
  caller: Caller;
  /** The agent's name. */
  client: string;
  requestId: string;
  /** Aborted when the agent has hung up. */
  signal: AbortSignal;
}

export interface CallOutcome {
  /** The status that the same call would have had over HTTP. */
  status: number;
  result: ToolResult;
}

/** Calls an operation for an agent. What the road refuses is a result, too: the agent reads why, and what it can do about it. */
export async function callTool(
  parts: CallParts,
  sender: Sender,
  operation: Operation,
  given: Readonly<Record<string, unknown>>,
): Promise<CallOutcome> {
  try {
    const callInput = takeApart(operation, given);
    // Made once, so that it is the same for both tries of a list.
    const key = callInput.key ?? `agent-${randomUUID()}`;
    const perform = async (query: CallInput['query']): Promise<Answer> => {
      const { params, body, address, faults } = callInput;
      const { client, requestId } = sender;
      const call = { params, query, body, key, requestId, client, address, faults, signal: sender.signal };
      return parts.calls.perform(operation, sender.caller, call);
    };
    const answer = await perform({ ...callInput.query });
    const said = contentOf(answer);
    if (answer.status >= 400) return { status: answer.status, result: refusedResult(said) };
    const fewer = fewerRows(operation, said);
    if (fewer === null) return { status: answer.status, result: resultOf(said) };
    return { status: answer.status, result: await firstOf(operation, perform, callInput.query, fewer) };
  } catch (error) {
    const refusal = loggedRefusal(error, sender.requestId, parts.log);
    return { status: refusal.status, result: refusedResult(refusal.body(sender.requestId)) };
  }
}

/** An answer without a body says at least that it was done. */
const contentOf = ({ body }: Answer): Json => (body.length === 0 ? { done: true } : (JSON.parse(String(body)) as Json));

/**
 * The first rows of a page that was too long. Rows may have changed meanwhile; a single one is shortened if it has to be, and none is
 * ever left out, because the cursor would not lead to it.
 */
async function firstOf(
  operation: Operation,
  perform: (query: CallInput['query']) => Promise<Answer>,
  query: CallInput['query'],
  rows: number,
): Promise<ToolResult> {
  const said = contentOf(await perform({ ...query, limit: String(rows) }));
  if (rows === 1 || fewerRows(operation, said) === null) return resultOf(said, firstRows(rows));
  return firstOf(operation, perform, query, 1);
}

/**
 * Reads a page that is too long again with fewer rows, because the cursor of a page leads to what follows its last row. Null if
 * it fits, or is no such page.
 */
function fewerRows(operation: Operation, said: Json): number | null {
  const { data, page } = said as { data?: unknown; page?: unknown };
  const isPaged = 'limit' in (((operation.query as Json | undefined)?.properties ?? {}) as Json);
  if (!isPaged || !Array.isArray(data) || page === undefined) return null;
  const fitting = rowsThatFit({ ...said, data }, ROOM);
  return fitting < data.length ? Math.max(1, fitting) : null;
}
