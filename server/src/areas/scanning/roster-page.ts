import { pipeline, Readable } from 'node:stream';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import type { Mode } from '@turnout/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../clock.ts';
import type { Id } from '../../common/ids.ts';
import { Refusal } from '../../common/refusal.ts';
import type { Holder } from '../../road/for-areas/holder.ts';
import type { Links } from '../../road/for-areas/links.ts';
import { encodings } from '../../road/request/encodings.ts';
import type { Pool } from '../../store/pool.ts';
import { type Tx, transaction } from '../../store/tx.ts';
import { eventById } from '../events/index.ts';
import { worldFor } from './checkins.ts';
import { mayStillRead } from './holder.ts';
import { asOf, rosterPage } from './roster.ts';
import type { RosterReach } from './roster-reach.ts';

const PAGE = 1000;

/**
 * How a roster is compressed, the best first. 20,000 tickets are 7.0 MB of JSON, most of it random: zstd makes 1.83 MB of it in 56 ms of
 * processor time, brotli 1.94 MB in 60 ms, gzip 1.92 MB in 171 ms. Higher levels of zstd and brotli took two to six times as long, and
 * saved at most a twentieth (measured).
 */
const COMPRESSIONS = [
  ['zstd', () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: 1 } })],
  ['br', () => createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ['gzip', () => createGzip({ level: 6 })],
] as const;

/**
 * Sends the whole roster by its signed link, page by page from the database, so that a large roster does not fill the memory.
 */
export function rosterLink(app: FastifyInstance, parts: { pool: Pool; clock: Clock; links: Links }): void {
  app.get<{ Params: { token: string } }>('/links/roster/:token', async (request, reply) => {
    const link = parts.links.open('roster', request.params.token);
    const expired = () =>
      new Refusal('not_found', {
        message: 'This link to the roster is no longer valid. Get a new one from the manifest.',
      });
    if (link === null) throw expired();
    const holder = link.holder as Holder | undefined;
    const reach: RosterReach = {
      org: link.org,
      event: link.event as Id,
      group: (link.group ?? null) as Id | null,
      mode: link.mode as Mode,
    };
    const inTransaction = <T>(work: (tx: Tx) => Promise<T>) =>
      transaction(
        parts.pool,
        parts.clock,
        { role: 'app', org: reach.org },
        async (tx) => {
          const [mayRead, done] = await Promise.all([mayStillRead(tx, reach, holder), work(tx)]);
          if (!mayRead) throw expired(); // asked for every page, so a download that is under way ends, too
          return done;
        },
        { readOnly: true },
      );
    // Each page is a short transaction. What changes between two pages is later than `as_of`, so the next `since` brings it.
    const start = await inTransaction(async (tx) => {
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
        const page: Awaited<ReturnType<typeof rosterPage>> = await inTransaction(async (tx) => {
          // Each page reads the event's structure anew: an attendee type made since the last page may already have attendees.
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
    reply.type('application/json; charset=utf-8').header('Vary', 'Accept-Encoding');
    const body = Readable.from(text(), { objectMode: false });
    const taken = encodings(request.headers['accept-encoding']);
    const compression = COMPRESSIONS.find(([name]) => taken.has(name));
    if (compression === undefined) return reply.send(body);
    const [name, compress] = compression;
    // `pipeline` breaks the connection when a page fails, so that no client takes part of a roster for all of it.
    return reply.header('Content-Encoding', name).send(pipeline(body, compress(), () => {}));
  });
}
