import Type from 'typebox';
import { Body, Currency, Money, Timestamp } from '../formats.ts';

/** Where the payer's browser goes on: https, or this machine while something is being built. */
const ReturnUrl = (description: string, example: string) =>
  Type.String({
    maxLength: 2000,
    pattern: '^(https://[^\\s/?#@]+|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:\\d{1,5})?)([/?#]\\S*)?$',
    description,
    examples: [example],
  });

export const CheckoutCreate = Body({
  success_url: ReturnUrl(
    'Where the payer lands after paying. Don’t take landing there for a payment: `payment.received` tells of it.',
    'https://tickets.example.org/thanks',
  ),
  cancel_url: ReturnUrl('Where the payer lands who turns back.', 'https://tickets.example.org/cart'),
});
export type CheckoutCreate = Type.Static<typeof CheckoutCreate>;

export const Checkout = Type.Object({
  url: Type.String({
    description: 'The provider’s page. Send the payer’s browser there.',
    examples: ['https://checkout.stripe.com/c/pay/cs_live_a1B2c3D4'],
  }),
  reference: Type.String({ description: 'What the provider calls it.', examples: ['cs_live_a1B2c3D4'] }),
  amount_minor: Money('What is asked for: the balance of the registration.'),
  currency: Currency(),
  expires_at: Timestamp('When the page stops taking payments.'),
});
export type Checkout = Type.Static<typeof Checkout>;
