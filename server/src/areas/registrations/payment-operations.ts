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
import { inBody } from '../../road/request/reference.ts';
import { anEvent } from '../events/index.ts';
import { askRefund } from './checkout.ts';
import { byEvent, reading, writing } from './operation-parts.ts';
import { recordPayment, refundPayment } from './payment-actions.ts';
import { getPayment, listEventPayments, listPayments } from './payment-lists.ts';
import { aPayment, aRegistration, wholeRegistration } from './references.ts';

const tag = 'Payments';

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
    tag,
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
    tag,
    summary: 'List the payments of an event',
    description:
      'Ordered by last change, oldest first. A key limited to a group sees the payments of registrations whose attendees are all in its reach.',
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
    tag,
    summary: 'Get a payment',
    handle: (call) => getPayment(call, call.at.payment),
  }),
  operation({
    ...writing,
    member: 'money.record',
    id: 'recordPayment',
    method: 'POST',
    path: '/events/{event}/registrations/{registration}/payments',
    audit: 'payment.recorded',
    at: { event: anEvent, registration: aRegistration },
    inTurn: byEvent,
    body: PaymentCreate,
    reply: Payment,
    status: 201,
    refusals: ['not_found', 'mixed_groups', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Record a payment',
    description: 'Paying in full confirms the registration. Part payments and over-payments are accepted.',
    handle: (call) => recordPayment(call, call.at.registration, call.body),
  }),
  operation({
    ...writing,
    member: 'money.refund',
    id: 'refundPayment',
    method: 'POST',
    path: '/payments/{payment}/refund',
    audit: 'payment.refunded',
    at: { payment: aPayment },
    body: PaymentRefund,
    reply: Payment,
    refusals: ['not_found', 'invalid_state', 'test_key_live_object'],
    tag,
    summary: 'Refund a payment',
    description:
      'Moves only money: with neither `reopen` nor `cancel`, also a full refund leaves the registration confirmed and its tickets admit. Refunds all that is left of the payment, or a part of it. What was paid online is refunded through the provider. With `reopen`, a confirmed registration that is no longer paid in full returns to `pending_payment`: its tickets stay but do not admit until it is paid. With `cancel` it is cancelled. A registration that has ended stays as it is.',
    before: askRefund,
    handle: (call) => refundPayment(call, call.at.payment, call.body, call.beforeResult),
  }),
];
