import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Batches } from './batches.ts';
import type { Caller } from './caller.ts';
import type { Operation } from './operation.ts';
import { refuse } from './refusal.ts';

export interface PaceParts {
  clock: Clock;
  batches: Batches;
}

/**
 * Refuses a device that calls an operation faster than the operation's `devicePace` allows. It runs before the body is read, so a
 * refused call costs next to nothing.
 */
export async function requireDevicePace(
  { clock, batches }: PaceParts,
  { id, devicePace }: Operation,
  caller: Caller,
  request: FastifyRequest,
): Promise<void> {
  if (devicePace === undefined) return;
  if ('oneAtATime' in devicePace) {
    request.flight = await batches.begin(caller, request.headers['idempotency-key']);
  } else {
    requireCallsPerSecond(`${id} ${caller.actor.id}`, devicePace.callsPerSecond, clock.now().getTime());
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

function requireCallsPerSecond(name: string, most: number, now: number): void {
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
  times.push(now);
}
