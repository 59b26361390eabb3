import type { Clock } from '../../clock.ts';
import { type Fault, refuse } from '../../common/refusal.ts';
import type { Answer } from '../answer.ts';
import type { Caller } from '../caller.ts';
import { admit } from '../gate/admit.ts';
import type { License } from '../gate/license.ts';
import type { Operation } from '../operation.ts';
import { requirePossible } from '../request/check-request.ts';
import { uploadOf } from '../request/upload.ts';
import { badText, bodyCheck, type Check, NOTHING, queryCheck } from '../request/validate.ts';
import type { Road } from '../road.ts';
import { fingerprint } from '../write/idempotency.ts';

export interface InnerCall {
  params: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  /** For a POST: its idempotency key. For a page it is the token of the form, which is the same for every time it is sent. */
  key: string;
  requestId: string;
  client?: string | null;
  /** What tells this call from another one with the same key and body; the path of the operation if left out. */
  address?: string;
  /** What was found wrong with the call when it was read. */
  faults?: readonly Fault[];
  /** Aborted when whoever waits for it has hung up. */
  signal?: AbortSignal;
}

/**
 * The road for calls that do not come as a request of their own: a page of the registration pages reads a form and answers with a page,
 * and an agent sends a message that names a tool (server/src/agents). Whoever uses it has identified the caller. From there on these
 * are the same steps, in the same order, as on every mount (route.ts): access, entitlements, license, the schemas of query and body,
 * and then the work in the lane with idempotency, audit and outbox.
 */
export class InnerCalls {
  readonly #parts: { road: Road; license: License; clock: Clock };
  readonly #checks = new Map<Operation, { query: Check; body: Check | null }>();
  constructor(parts: { road: Road; license: License; clock: Clock }) {
    this.#parts = parts;
  }

  async perform(operation: Operation, caller: Caller, innerCall: InnerCall): Promise<Answer> {
    const { road } = this.#parts;
    const { params, query = {}, key, requestId, client = null, address = operation.path } = innerCall;
    await admit(this.#parts, operation, caller, client);
    requirePossible(params);
    const body = innerCall.body ?? {};
    const bytes = Buffer.from(JSON.stringify(body));
    const faults = [
      ...(innerCall.faults ?? []),
      ...badText(bytes.toString(), body),
      ...this.#faults(operation, query, body),
    ];
    const call = {
      operation,
      caller,
      params,
      query,
      body: operation.method === 'GET' ? undefined : body,
      requestId,
      client,
    };
    if (faults.length > 0) throw await road.refusal({ ...call, file: null }, faults);
    const claim =
      operation.method === 'POST'
        ? { actor: caller.actor.id ?? refuse('not_found'), key, fingerprint: fingerprint('POST', address, bytes) }
        : null;
    const field = operation.file?.field;
    const file = field == null ? null : uploadOf((body as Record<string, string>)[field]!, operation.file!);
    return road.perform({ ...call, file, claim, ifNoneMatch: undefined, signal: innerCall.signal });
  }

  #faults(operation: Operation, query: unknown, body: unknown): Fault[] {
    let checks = this.#checks.get(operation);
    if (checks === undefined) {
      checks = {
        query: queryCheck(operation.query ?? NOTHING),
        body: operation.body === undefined ? null : bodyCheck(operation.body),
      };
      this.#checks.set(operation, checks);
    }
    return [...checks.query(query), ...(checks.body?.(body) ?? [])];
  }
}
