import Type from 'typebox';
import { Body, Currency, Money, Timestamp } from '../formats.ts';

/** Where the payer's browser is sent afterwards: an https address, or this machine during development. */
const ReturnUrl = (description: string, example: string) =>
  Type.String({
    maxLength: 2000,
    pattern: '^(https://[^\\s/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?)([/?#]\\S*)?$',
    description,
    examples: [example],
  });

export const CheckoutCreate = Body({
  success_url: ReturnUrl(
    'Where the payer is sent after paying. Arriving there does not prove a payment; rely on `payment.received`.',
    'https://tickets.example.org/thanks',
  ),
  cancel_url: ReturnUrl('Where a payer who cancels is sent.', 'https://tickets.example.org/cart'),
});
export type CheckoutCreate = Type.Static<typeof CheckoutCreate>;

export const Checkout = Type.Object({
  url: Type.String({
    description: 'The payment provider’s page. Send the payer’s browser there.',
    examples: ['https://checkout.stripe.com/c/pay/cs_live_a1B2c3D4'],
  }),
  reference: Type.String({
    description: 'The payment provider’s id of this checkout.',
    examples: ['cs_live_a1B2c3D4'],
  }),
  amount_minor: Money('The amount to pay: the balance of the registration.'),
  currency: Currency(),
  expires_at: Timestamp('When the page stops accepting payments.'),
});
export type Checkout = Type.Static<typeof Checkout>;
