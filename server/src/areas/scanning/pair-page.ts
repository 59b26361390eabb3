import { Body, Text } from '@turnout/contract';
import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type Clock, MINUTE } from '../../clock.ts';
import { refuse } from '../../road/refusal.ts';
import { requireScannerVersion } from '../../road/scanners.ts';
import { bodyCheck } from '../../road/validate.ts';
import type { Pool } from '../../store/pool.ts';
import { pair } from './devices.ts';

const check = bodyCheck(Body({ code: Text(20), name: Type.Optional(Text(100)), version: Type.Optional(Text(40)) }));
const TRIES_PER_MINUTE = 20;

/** A scanner that has nothing yet but the code an organizer read out: the one write that needs no key. */
export function pairingPage(app: FastifyInstance, parts: { pool: Pool; clock: Clock }): void {
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
      refuse('rate_limited', { message: 'Too many tries. Wait a minute.', headers: { 'Retry-After': '60' } });
    }
    const faults = check(request.body ?? {});
    if (faults.length > 0) refuse('validation_failed', { details: faults });
    const body = request.body as { code: string; name?: string; version?: string };
    return reply.code(201).send(await pair(parts.pool, parts.clock, body));
  });
}
