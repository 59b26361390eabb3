import {
  Body,
  ChangedQuery,
  OneOf,
  PAYMENT_METHODS,
  PAYMENT_STATUSES,
  Page,
  PageQuery,
  Payment,
  PaymentCreate,
  PaymentRefund,
  Ref,
  Timestamp,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { inBody } from '../../road/reference.ts';
import { anEvent } from '../events/index.ts';
import { askRefund } from './checkout.ts';
import { recordPayment, refundPayment } from './payment-actions.ts';
import { getPayment, listEventPayments, listPayments } from './payment-lists.ts';
import { aPayment, aRegistration, wholeRegistration } from './references.ts';

const reading = { scope: 'read', entitlement: 'api_read', member: 'people.read' } as const;
const writing = { scope: 'write', entitlement: 'api_write', member: 'people.write' } as const;
const inTurn = (params: Record<string, string>) => params.event!.toLowerCase();

const payments = 'Payments';
export const paymentOperations = [
  operation({
    ...reading,
    id: 'listPayments',
    method: 'GET',
    path: '/events/{event}/registrations/{registration}/payments',
    at: { event: anEvent, registration: wholeRegistration },
    query: Body(PageQuery),
    reply: Page(Payment),
    refusals: ['not_found', 'mixed_groups'],
    tag: payments,
    summary: 'List the payments of a registration',
    handle: (call) => listPayments(call, call.at.registration, call.query),
  }),
  operation({
    ...reading,
    id: 'listEventPayments',
    method: 'GET',
    path: '/events/{event}/payments',
    at: { event: anEvent },
    query: Body({
      ...ChangedQuery,
      status: Type.Optional(OneOf(PAYMENT_STATUSES)),
      method: Type.Optional(OneOf(PAYMENT_METHODS)),
      registration: Type.Optional(Ref('registration', 'Id or code of the registration.')),
      from: Type.Optional(Timestamp('Only payments recorded at or after this instant.')),
      to: Type.Optional(Timestamp('Only payments recorded before this instant.')),
    }),
    reply: Page(Payment),
    refusals: ['not_found'],
    tag: payments,
    summary: 'List the payments of an event',
    description:
      'By last change, oldest first. A key limited to a group sees the payments of registrations whose people are all in its reach.',
    handle: async (call) => {
      const { query, at } = call;
      const registration =
        query.registration === undefined
          ? undefined
          : await inBody(call, aRegistration, query.registration, 'registration', { event: at.event });
      return listEventPayments(call, at.event, query, registration?.id);
    },
  }),
  operation({
    ...reading,
    id: 'getPayment',
    method: 'GET',
    path: '/payments/{payment}',
    at: { payment: aPayment },
    reply: Payment,
    refusals: ['not_found'],
    tag: payments,
    summary: 'Get a payment',
    handle: (call) => getPayment(call, call.at.payment),
  }),
  operation({
    ...writing,
    id: 'recordPayment',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/payments',
    audit: 'payment.recorded',
    at: { event: anEvent, registration: aRegistration },
    inTurn,
    body: PaymentCreate,
    reply: Payment,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag: payments,
    summary: 'Record a payment',
    description: 'Paid in full confirms the registration. Part payments and over-payments are taken as they come.',
    handle: (call) => recordPayment(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    id: 'refundPayment',
    method: 'POST',
    path: '/payments/{payment}/refund',
    audit: 'payment.refunded',
    at: { payment: aPayment },
    body: PaymentRefund,
    reply: Payment,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag: payments,
    summary: 'Refund a payment',
    description:
      'All that is left of it, or a part; what was paid online goes back through the provider. The registration keeps its status. With `reopen` a confirmed one that is not covered any more returns to `pending_payment`: its tickets stay but don’t admit until it is paid. With `cancel` it is cancelled. One that is over already stays what it is.',
    before: askRefund,
    handle: (call) => refundPayment(call, call.at.payment, call.body, call.asked),
  }),
];
