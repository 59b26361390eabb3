import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { refuse } from '../../common/refusal.ts';
import { encodings } from '../../road/request/encodings.ts';
import { pictureFile } from '../pictures/index.ts';
import type { AssetFile } from './parts.ts';
import { organizationOf, type PageParts, type PageRequest } from './parts.ts';

/** Whatever a browser takes it for, it runs nothing and loads nothing. */
const ONLY_SHOWN = { 'Content-Security-Policy': "default-src 'none'" };

const FOR_GOOD = { 'Cache-Control': 'public, max-age=31536000, immutable', 'X-Content-Type-Options': 'nosniff' };

/** The script of the pages, the one that embeds them, and pictures. */
export function assetPages(pages: FastifyInstance, parts: PageParts): void {
  pages.route({
    method: ['GET', 'HEAD'],
    url: '/o/:org/assets/:name',
    handler: async (request, reply) => {
      const { name = '' } = (request as PageRequest).params;
      const file = (await parts.assets()).file(name);
      if (file !== undefined) return send(request, reply.headers(FOR_GOOD), file);
      const { org } = await organizationOf(parts, request as PageRequest);
      const picture = (await pictureFile(parts.pool, parts.clock, org.id, name)) ?? refuse('not_found');
      return reply
        .headers({ ...FOR_GOOD, ...ONLY_SHOWN })
        .type(picture.type)
        .send(picture.bytes);
    },
  });
  // Sites name this address in their own pages, so it stays the same when the script changes.
  pages.route({
    method: ['GET', 'HEAD'],
    url: '/o/:org/embed.js',
    handler: async (request, reply) => {
      const { embed, file } = await parts.assets();
      const script = embed === null ? undefined : file(embed);
      if (script === undefined) return refuse('not_found');
      reply.headers({
        'Cache-Control': 'public, max-age=300',
        'X-Content-Type-Options': 'nosniff',
        // The script is meant for other sites, also for those that ask each file for its consent.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Access-Control-Allow-Origin': '*',
      });
      return send(request, reply, script);
    },
  });
}

function send(request: FastifyRequest, reply: FastifyReply, file: AssetFile): FastifyReply {
  reply.type(file.type).header('Vary', 'Accept-Encoding');
  const taken = encodings(request.headers['accept-encoding']);
  if (file.brotli !== null && taken.has('br')) return reply.header('Content-Encoding', 'br').send(file.brotli);
  if (file.gzip !== null && taken.has('gzip')) return reply.header('Content-Encoding', 'gzip').send(file.gzip);
  return reply.send(file.bytes);
}
