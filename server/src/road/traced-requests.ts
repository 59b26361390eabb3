import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Span, Tracing } from '../common/tracing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span of the request. Null if there is none. */
    span: Span | null;
  }
}

/** Monitors ask for these every few seconds. */
const NOT_TRACED = new Set(['/healthz', '/readyz', '/metrics']);

/** One span for each request, continuing the trace of its caller, and one for each part of its way that hooks can see. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  const parts = new WeakMap<FastifyRequest, Span>();
  const next = (request: FastifyRequest, name: string | null): void => {
    parts.get(request)?.end();
    parts.delete(request);
    if (name !== null && request.span !== null) parts.set(request, tracing.begin(name, { parent: request.span }));
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url;
    if (route !== undefined && NOT_TRACED.has(route)) return done();
    const { traceparent } = request.headers;
    const told = { 'http.request.method': request.method, 'turnout.request_id': request.id };
    const parent = typeof traceparent === 'string' ? traceparent : null;
    request.span = tracing.begin(request.method, { parent, kind: 'server', told });
    tracing.within(request.span, done);
  });
  app.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') next(request, 'body');
    done(null, payload);
  });
  // The body arrives in events of the connection, which know nothing of the request.
  app.addHook('preValidation', (request, _reply, done) => {
    next(request, null);
    tracing.within(request.span, done);
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    next(request, 'answer');
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    next(request, null);
    const { span } = request;
    if (span !== null) {
      const route = request.routeOptions.url ?? 'none';
      const status = request.road?.status ?? reply.statusCode;
      span.rename(`${request.method} ${route}`);
      span.tell({
        'http.route': route,
        'http.response.status_code': status,
        'turnout.operation': request.road?.operation?.id ?? route,
      });
      if (status >= 500) span.fail(String(status));
      span.end();
    }
    done();
  });
}
