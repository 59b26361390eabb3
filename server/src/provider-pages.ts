import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { takeProviderEvent } from './areas/registrations/index.ts';
import type { Clock } from './clock.ts';
import type { PaymentProvider } from './outside/payments.ts';
import { refuse } from './road/refusal.ts';
import type { Pool } from './store/pool.ts';

export interface ProviderPageParts {
  payments: PaymentProvider;
  pool: Pool;
  clock: Clock;
  log: Logger;
  /** Tells the relay that outbox rows were committed. */
  wake: () => void;
}

const BODY_LIMIT = 1_048_576;

/** Where the payment provider tells what was paid. No key: the signature over the very bytes says who it is. */
export function providerPages(app: FastifyInstance, { payments, wake, ...parts }: ProviderPageParts): void {
  app.register(async (page) => {
    // Bytes of any kind, unread: the signature is over them.
    page.removeAllContentTypeParsers();
    page.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    page.post(`/provider/${payments.name}/webhook`, { bodyLimit: BODY_LIMIT }, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const told = await payments.verify(body, request.headers);
      if (told === null) {
        return refuse('validation_failed', {
          message: `This does not come from ${payments.name}, or it is too old: its signature does not verify.`,
          log: `from ${request.ip}`,
        });
      }
      const taken = await takeProviderEvent(parts, payments.name, told);
      if (taken === 'recorded') wake();
      // Anything but 2xx makes the provider tell it again.
      if (taken === 'later') refuse('invalid_state', { message: 'The payment it is about is not known yet.' });
      return { received: true };
    });
  });
}
