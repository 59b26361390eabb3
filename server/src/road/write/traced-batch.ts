import type { Span, Tracing } from '../../common/tracing.ts';
import type { PendingCall } from './pending.ts';

/**
 * Runs a batch of the lane so that each of its calls has it in its trace. What the batch does, its transaction and its statements, is
 * written once, in the trace of its first call, and linked with the others: each of these has a span of the same name and time with a
 * link to where the statements are.
 */
export async function runTraced(
  tracing: Tracing,
  batch: readonly PendingCall[],
  run: (batch: readonly PendingCall[]) => Promise<void>,
): Promise<void> {
  const [first, ...others] = batch.flatMap(({ span, since }): Span[] => {
    if (span?.isRecorded !== true) return [];
    tracing.begin('lane', { parent: span, since }).end();
    return [span];
  });
  if (first === undefined) return tracing.within(null, run, batch);
  const told = { 'turnout.batch.calls': batch.length };
  const span = tracing.begin('batch', { parent: first, links: others, told });
  const shares = others.map((parent) => tracing.begin('batch', { parent, links: [span], told }));
  try {
    await tracing.within(span, run, batch);
  } finally {
    for (const one of [span, ...shares]) one.end();
  }
}
