import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';
import { refuse } from '../../common/refusal.ts';
import type { Caller } from '../caller.ts';
import type { DevicePace, Operation } from '../operation.ts';
import type { Batches } from './batches.ts';

export interface PaceParts {
  clock: Clock;
  batches: Batches;
}

/** Of operations that declare no pace. It is far more than any scanner needs, and stops one that calls in a loop. */
const USUAL_PACE: DevicePace = { callsPerSecond: 50 };

/**
 * Refuses a device that calls an operation faster than the operation's `devicePace` allows. It runs before the body is read, so a
 * refused call costs next to nothing. The answer says how many calls the device may make, and how many of them are left: within a
 * second, or at a time.
 */
export async function requireDevicePace(
  { clock, batches }: PaceParts,
  { id, devicePace = USUAL_PACE }: Operation,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const limit = 'oneAtATime' in devicePace ? 1 : devicePace.callsPerSecond;
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', 0);
  if ('oneAtATime' in devicePace) {
    request.flight = await batches.begin(caller, request.headers['idempotency-key']);
  } else {
    const made = requireCallsPerSecond(`${id} ${caller.actor.id}`, limit, clock.now().getTime());
    reply.header('X-RateLimit-Remaining', limit - made);
  }
}

/**
 * For operations that a device calls one at a time: when such a call is over. Its flight ends before the answer goes out, so that a
 * device which has its answer is told how long to wait, and not that a batch is in flight. It also ends if the connection breaks
 * before the whole body has arrived. A body that has arrived is worked on even if nobody waits for the answer any more.
 */
export const END_OF_FLIGHT = {
  onSend: async (request: FastifyRequest) => request.flight?.end(),
  onRequestAbort: async (request: FastifyRequest) => {
    if (!request.raw.complete) await request.flight?.end();
  },
};

/** The times of the calls within the last second, by operation and device. Each process counts alone: a device talks to one. */
const recent = new Map<string, number[]>();

/** Counts a call, and answers how many there were within the last second. */
function requireCallsPerSecond(name: string, most: number, now: number): number {
  let times = recent.get(name);
  if (times === undefined) {
    if (recent.size > 10_000) recent.clear();
    times = [];
    recent.set(name, times);
  }
  // Counts the last 1,000 ms rather than the current second of the clock: else twice as many could pass around a full second.
  while (times.length > 0 && (times[0]! <= now - 1000 || times[0]! > now)) times.shift();
  if (times.length >= most) {
    refuse('rate_limited', {
      message: `A device can make at most ${most} of these calls a second. Wait a second and try again.`,
      headers: { 'Retry-After': '1' },
    });
  }
  return times.push(now);
}
