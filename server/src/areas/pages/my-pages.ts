import type { FastifyInstance } from 'fastify';
import type { PageParts } from './parts.ts';

/** My registration: what a signed link opens. */
export function myPages(_pages: FastifyInstance, _parts: PageParts): void {}
