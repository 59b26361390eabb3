import { Checkout, CheckoutCreate } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { askCheckout } from './checkout.ts';
import { writing } from './operation-parts.ts';
import { wholeRegistration } from './references.ts';

export const checkoutOperations = [
  operation({
    ...writing,
    member: 'money.record',
    id: 'startCheckout',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/checkout',
    audit: 'payment.checkout_started',
    at: { event: anEvent, registration: wholeRegistration },
    body: CheckoutCreate,
    reply: Checkout,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: 'Payments',
    summary: 'Start an online payment',
    description:
      'Creates a page of the payment provider on which the balance of a `pending_payment` registration can be paid. The payment is recorded, with `payment.received`, when the provider reports it; paying in full confirms the registration. Test registrations are refused, because tests never reach the provider.',
    before: askCheckout,
    handle: async ({ at, asked, changed }) => {
      const { url, reference, amount_minor, currency } = asked;
      changed({
        kind: 'registration',
        id: at.registration.id,
        event: at.event.id,
        details: { reference, amount_minor, currency },
      });
      return { url, reference, amount_minor, currency, expires_at: asked.expires_at.toISOString() };
    },
  }),
];
