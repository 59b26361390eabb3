import { Refusal } from '../common/refusal.ts';
import { clientName } from '../openapi/client-names.ts';
import { isPublished } from '../openapi/document.ts';
import type { Json } from '../openapi/schemas.ts';
import type { Caller } from '../road/caller.ts';
import { requireAccess } from '../road/gate/access.ts';
import { requireEntitlement } from '../road/gate/entitlements.ts';
import type { Operation } from '../road/operation.ts';
import { HINTS } from './hints.ts';
import { inputSchema } from './input.ts';

/** A tool as the protocol describes it. */
export interface Tool {
  name: string;
  title: string;
  description: string;
  inputSchema: Json & { type: 'object' };
  annotations: {
    title: string;
    readOnlyHint: boolean;
    destructiveHint: boolean;
    idempotentHint: boolean;
    openWorldHint: boolean;
  };
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** `create_registration` of `createRegistration`. */
export const toolName = (operationId: string): string => snake(operationId);

/** What a tool is about, as in the client libraries: `registrations` of `turnout.registrations.create`. */
export const areaOf = ({ id }: Operation): string => snake(clientName(id).split('.', 1)[0]!);

/**
 * Whether an operation is a tool: keys can call it, and everything in it is text. Pictures and PDF files are left out, because an
 * agent would have to read and write them as many thousands of characters; a CSV file is text.
 */
export const isTool = (operation: Operation): boolean =>
  isPublished(operation) &&
  operation.keysRefused === undefined &&
  operation.onlyDevices !== true &&
  operation.produces === undefined &&
  operation.file?.field !== null;

function toolOf(operation: Operation): Tool {
  const { id, method, summary, description } = operation;
  const hint = HINTS[id];
  if (method !== 'GET' && hint === undefined) throw new Error(`${id}: say in agents/hints.ts what it does`);
  return {
    name: toolName(id),
    title: summary,
    description: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    inputSchema: { ...inputSchema(operation), type: 'object' },
    annotations: {
      title: summary,
      readOnlyHint: method === 'GET',
      destructiveHint: hint?.does === 'ends',
      // A POST has an idempotency key of its own each time, so repeating it does it again.
      idempotentHint: method !== 'POST',
      openWorldHint: hint?.reaches === true,
    },
  };
}

interface BuiltTool {
  tool: Tool;
  operation: Operation;
  area: string;
}

/** The operations of API v1 as tools. */
export class Tools {
  readonly #operations: readonly Operation[];
  #built: readonly BuiltTool[] | undefined;

  constructor(operations: readonly Operation[]) {
    this.#operations = operations.filter(isTool);
  }

  get areas(): string[] {
    return [...new Set(this.#operations.map(areaOf))].sort();
  }

  /** Writing out the schemas takes 80 ms, which only installations with agents need to spend. */
  get #all(): readonly BuiltTool[] {
    this.#built ??= this.#operations.map((operation) => ({
      tool: toolOf(operation),
      operation,
      area: areaOf(operation),
    }));
    return this.#built;
  }

  /** The tools that this key may call. Every call checks the key's access again. */
  offeredTo(caller: Caller, areas: ReadonlySet<string> | null, now: Date): Tool[] {
    return this.#all
      .filter(({ area, operation }) => (areas === null || areas.has(area)) && mayCall(caller, operation, now))
      .map(({ tool }) => tool);
  }

  find(name: string, areas: ReadonlySet<string> | null): Operation | undefined {
    const found = this.#all.find(({ tool }) => tool.name === name);
    return found !== undefined && (areas === null || areas.has(found.area)) ? found.operation : undefined;
  }
}

function mayCall(caller: Caller, operation: Operation, now: Date): boolean {
  try {
    requireAccess(caller, operation, now);
    if (operation.entitlement !== null) requireEntitlement(caller, operation.entitlement);
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
