import { transaction } from '../../store/tx.ts';
import type { Answer } from '../answer.ts';
import { findAll, modeAt } from '../request/reference.ts';
import type { CheckedCall } from '../write/pending.ts';
import { type RoadParts, replyTo, workOf } from '../write/work.ts';

/** Answers a GET: everything the answer shows is read in one transaction, from one snapshot. */
export async function runRead(parts: RoadParts, call: CheckedCall): Promise<Answer> {
  const { operation, requestId } = call;
  const result = await transaction(
    parts.pool,
    parts.clock,
    { role: 'app', org: call.caller.org.id },
    async (tx): Promise<Answer | (() => Promise<Buffer>)> => {
      const work = workOf(parts, tx, call);
      const at = await findAll(work, operation, call.params);
      const mode = modeAt(work.mode, operation.at, at);
      const given = { ...work, mode, at, query: call.query, body: undefined, file: null };
      const etag = operation.etag && `"${await operation.etag(given)}"`;
      if (etag !== undefined && matches(call.ifNoneMatch, etag)) {
        return { status: 304, body: Buffer.alloc(0), requestId, headers: { ETag: etag }, revalidated: true };
      }
      const body = await operation.handle!(given);
      if (operation.produces !== undefined) return body as () => Promise<Buffer>;
      const reply = replyTo(parts, call, body);
      return etag === undefined ? reply : { ...reply, headers: { ...reply.headers, ETag: etag }, revalidated: true };
    },
    { readOnly: true, signal: call.signal },
  );
  if (typeof result !== 'function') return result;
  // The bytes are made only now, when the transaction has given its connection back.
  return { status: 200, body: await result(), requestId, headers: { 'Content-Type': operation.produces! } };
}

const matches = (header: string | undefined, etag: string): boolean =>
  (header ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag || tag.trim() === '*');
