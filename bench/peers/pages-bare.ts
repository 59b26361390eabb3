import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { announce } from '../support.ts';

/** The peer of the registration pages: a Fastify route that does nothing but return the same bytes, or 304. */
export interface BareAnswer {
  path: string;
  body: string;
  headers: Record<string, string>;
}

const answers = JSON.parse(readFileSync(process.env.ANSWERS!, 'utf8')) as BareAnswer[];
const app = Fastify();
for (const { path, body, headers } of answers) {
  const bytes = Buffer.from(body, 'base64');
  app.get(path, async (request, reply) => {
    reply.headers(headers);
    if (request.headers['if-none-match'] === headers.etag) return reply.code(304).send();
    return reply.send(bytes);
  });
}
announce({ url: await app.listen({ port: 0, host: '127.0.0.1' }) }, () => app.close());
