import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../common/refusal.ts';
import { badText, depthFaults } from './validate.ts';

/** Reads JSON bodies. The bytes are kept as they were sent, because a retry is recognized by their fingerprint. */
export function takeJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(/^application\/(.+\+)?json/, { parseAs: 'buffer' }, (request, body, done) => {
    request.raw_body = body as Buffer;
    if (body.length === 0) return done(null, undefined);
    const tooDeep = depthFaults(body as Buffer);
    if (tooDeep.length > 0) return done(new Refusal('validation_failed', { details: tooDeep }));
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
      const value = JSON.parse(text);
      const faults = request.road?.operation?.textByItem === true ? [] : badText(text, value);
      if (faults.length > 0) return done(new Refusal('validation_failed', { details: faults }));
      return done(null, value);
    } catch (error) {
      const message = error instanceof SyntaxError ? 'is not JSON' : 'is not UTF-8';
      return done(new Refusal('validation_failed', { details: [{ path: '', message: `the body ${message}` }] }));
    }
  });
}
