import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { Mode } from '@turnout/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Links } from '../../road/links.ts';
import { Refusal } from '../../road/refusal.ts';
import type { Id } from '../../store/ids.ts';
import type { Pool } from '../../store/pool.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { eventById } from '../events/index.ts';
import { worldFor } from './checkins.ts';
import { type Holder, stillHolds } from './holder.ts';
import { asOf, type RosterReach, rosterPage } from './roster.ts';

const PAGE = 1000;

/** The whole roster by its signed link: page by page from the database to the wire, so its size does not matter to memory. */
export function rosterLink(app: FastifyInstance, parts: { pool: Pool; clock: Clock; links: Links }): void {
  app.get<{ Params: { token: string } }>('/links/roster/:token', async (request, reply) => {
    const opens = parts.links.open('roster', request.params.token);
    const over = () =>
      new Refusal('not_found', { message: 'This link is not valid any more. Fetch the manifest again.' });
    if (opens === null) throw over();
    const holder = opens.holder as Holder | undefined;
    const reach: RosterReach = {
      org: opens.org,
      event: opens.event as Id,
      group: (opens.group ?? null) as Id | null,
      mode: opens.mode as Mode,
    };
    const inside = <T>(work: (tx: Tx) => Promise<T>) =>
      transaction(
        parts.pool,
        parts.clock,
        { role: 'app', org: reach.org },
        async (tx) => {
          const [holds, done] = await Promise.all([stillHolds(tx, reach, holder), work(tx)]);
          if (!holds) throw over(); // in the middle, too: the download ends
          return done;
        },
        { readOnly: true },
      );
    // Each page is a short transaction: what changes meanwhile is after `as_of`, and comes with the next `since`.
    const start = await inside(async (tx) => {
      const event = await eventById(tx, reach.org, reach.event);
      return event === null
        ? null
        : { as_of: await asOf(tx, reach), world: await worldFor({ tx, org: reach.org }, event) };
    });
    if (start === null) throw new Refusal('not_found');
    async function* text() {
      yield `{"as_of":${JSON.stringify(start!.as_of)},"data":[`;
      let after: Id | null = null;
      let first = true;
      for (;;) {
        const page: Awaited<ReturnType<typeof rosterPage>> = await inside(async (tx) => {
          // The world of this page's instant: a type made meanwhile has people already.
          const event = await eventById(tx, reach.org, reach.event);
          return event === null
            ? null
            : rosterPage(tx, await worldFor({ tx, org: reach.org }, event), reach, after, PAGE);
        });
        if (page === null) break;
        const chunk = page.entries.map((entry) => JSON.stringify(entry)).join(',\n');
        if (chunk !== '') {
          yield (first ? '' : ',\n') + chunk;
          first = false;
        }
        after = page.last;
      }
      yield ']}';
    }
    reply.type('application/json; charset=utf-8').header('Cache-Control', 'no-store').header('Vary', 'Accept-Encoding');
    const body = Readable.from(text(), { objectMode: false });
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body);
    // A failure in the middle ends the download: a client must not take half a roster for a whole one.
    const packed = pipeline(body, createGzip({ level: 6 }), () => {});
    return reply.header('Content-Encoding', 'gzip').send(packed);
  });
}
