import { DevicePair } from '@turnout/contract';
import type { FastifyInstance } from 'fastify';
import { type Clock, MINUTE } from '../../clock.ts';
import { fingerprint, requireKey } from '../../road/idempotency.ts';
import type { Links } from '../../road/links.ts';
import { refuse } from '../../road/refusal.ts';
import { requireScannerVersion } from '../../road/scanners.ts';
import { bodyCheck } from '../../road/validate.ts';
import type { Secrets } from '../../secrets.ts';
import type { Pool } from '../../store/pool.ts';
import { type AskedToPair, pair } from './pairing.ts';

const check = bodyCheck(DevicePair);
const TRIES_PER_MINUTE = 20;

/**
 * Pairs a scanner. It has no credentials yet, only the code that an organizer gave it, so this is the one write that needs no
 * key. Each address may fail `TRIES_PER_MINUTE` times, because codes could be guessed otherwise. A venue has one address for all its
 * phones, so one that pairs does not count.
 */
export function pairingPage(
  app: FastifyInstance,
  parts: { pool: Pool; clock: Clock; secrets: Secrets; links: Links },
): void {
  const tries = new Map<string, { since: number; count: number }>();
  app.post('/api/v1/devices/pair', async (request, reply) => {
    requireScannerVersion(request.headers['x-scanner-version']);
    const now = parts.clock.now().getTime();
    if (tries.size > 10_000) tries.clear();
    const seen = tries.get(request.ip);
    const window = seen === undefined || seen.since <= now - MINUTE ? { since: now, count: 0 } : seen;
    window.count += 1;
    tries.set(request.ip, window);
    if (window.count > TRIES_PER_MINUTE) {
      refuse('rate_limited', {
        message: `More than ${TRIES_PER_MINUTE} attempts to pair failed in a minute. Wait a minute and try again.`,
        headers: { 'Retry-After': '60' },
      });
    }
    const faults = check(request.body ?? {});
    if (faults.length > 0) refuse('validation_failed', { details: faults });
    const done = await pair(parts, {
      body: request.body as AskedToPair['body'],
      key: requireKey(request.headers['idempotency-key']),
      fingerprint: fingerprint('POST', request.url, request.raw_body),
      requestId: request.id,
    });
    // It was counted at the start, so that nobody gets around the limit by asking for everything at once.
    window.count -= 1;
    return reply
      .code(done.status)
      .header('X-Request-Id', done.requestId)
      .headers(done.headers)
      .type('application/json; charset=utf-8')
      .send(done.body);
  });
}
