import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { takeProviderEvent } from '../areas/registrations/index.ts';
import type { Clock } from '../clock.ts';
import { refuse } from '../common/refusal.ts';
import type { PaymentProvider } from '../outside/payments.ts';
import type { Pool } from '../store/pool.ts';

export interface ProviderPageParts {
  payments: PaymentProvider;
  pool: Pool;
  clock: Clock;
  log: Logger;
  /** Tells the relay that outbox rows were committed. */
  wake: () => void;
}

const BODY_LIMIT = 1_048_576;

/** Where the payment provider reports payments. It sends no key: the signature over the bytes of the body proves who it is. */
export function providerPages(app: FastifyInstance, { payments, wake, ...parts }: ProviderPageParts): void {
  app.register(async (page) => {
    // Bodies of any type are taken as bytes and not parsed, because the signature is over the bytes.
    page.removeAllContentTypeParsers();
    page.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT }, (_request, body, done) =>
      done(null, body),
    );
    page.post(`/provider/${payments.name}/webhook`, { bodyLimit: BODY_LIMIT }, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = await payments.verify(body, request.headers);
      if (event === null) {
        return refuse('validation_failed', {
          message: `The signature is not valid: this was not sent by ${payments.name}, or it is too old.`,
          log: `from ${request.ip}`,
        });
      }
      const taken = await takeProviderEvent(parts, payments.name, event);
      if (taken === 'recorded') wake();
      // The provider sends an event again if the answer is not 2xx.
      if (taken === 'later')
        refuse('invalid_state', { message: 'The payment of this event is not known yet. Send it again later.' });
      return { received: true };
    });
  });
}
