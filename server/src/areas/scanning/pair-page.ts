import { DevicePair } from '@turnout/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import { Refusal, refuse } from '../../common/refusal.ts';
import type { Secrets } from '../../common/secrets.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { requireScannerVersion, scannerVersion } from '../../road/gate/scanners.ts';
import { bodyCheck } from '../../road/request/validate.ts';
import { fingerprint, requireKey } from '../../road/write/idempotency.ts';
import type { Pool } from '../../store/pool.ts';
import { type PairingRequest, pair } from './pairing.ts';
import { type PairingLimits, WrongCodes } from './wrong-codes.ts';

const check = bodyCheck(DevicePair);

/**
 * Pairs a scanner. It has no credentials yet, only the code that an organizer gave it, so this is the one write that needs no
 * key. A wrong code is answered more slowly where there were many (wrong-codes.ts).
 */
export function pairingPage(
  app: FastifyInstance,
  parts: { pool: Pool; clock: Clock; secrets: Secrets; links: Links },
  limits?: Partial<PairingLimits>,
): void {
  const wrongCodes = new WrongCodes(parts, limits);
  app.post('/api/v1/devices/pair', async (request, reply) => {
    requireScannerVersion(scannerVersion(request.headers['x-scanner-version']));
    const faults = check(request.body ?? {});
    if (faults.length > 0) refuse('validation_failed', { details: faults });
    const pairingRequest: PairingRequest = {
      body: request.body as PairingRequest['body'],
      key: requireKey(request.headers['idempotency-key']),
      fingerprint: fingerprint('POST', request.url, request.raw_body),
      requestId: request.id,
    };
    const done = await pair(parts, pairingRequest).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'not_found') return wrongCodes.answer(request.ip, error);
      throw error;
    });
    return reply
      .code(done.status)
      .header('X-Request-Id', done.requestId)
      .headers(done.headers)
      .type('application/json; charset=utf-8')
      .send(done.body);
  });
}
