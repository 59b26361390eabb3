import { Checkout, CheckoutCreate } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { anEvent } from '../events/index.ts';
import { askCheckout, openCheckout } from './checkout.ts';
import { byEvent, writing } from './operation-parts.ts';
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
      'Creates a page of the payment provider on which the balance of a `pending_payment` registration can be paid. The payment is recorded, with `payment.received`, when the provider reports it; paying in full confirms the registration. A page that is open for the same amount is answered again, with the addresses that it was made with; one for another amount is ended first. While a payment is being confirmed: 409. If the page ends after `payment_due_at`, the places are held until it has ended, at most twice; after that 409. Test registrations are refused, because tests never reach the provider.',
    before: askCheckout,
    inTurn: byEvent,
    handle: (call) => openCheckout(call, call.at.registration, call.beforeResult),
  }),
];
