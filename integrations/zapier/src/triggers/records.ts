import { firstPage, path, type Row } from '../api.ts';
import { hook, SAMPLES, yes } from '../hooks.ts';
import { readUnless } from '../read.ts';
import { checkIn, payment, ticket } from '../samples.ts';

export const ticketIssued = hook({
  key: 'ticket_issued',
  noun: 'Ticket',
  label: 'Ticket Issued',
  description: 'Triggers when a ticket is issued.',
  type: 'ticket.issued',
  sample: ticket,
  latest: (z, _bundle, event) =>
    firstPage(z, path`/events/${event}/tickets`, { order: 'newest', status: 'valid', limit: SAMPLES }),
  read: (z, told) => readUnless<Row>(z, path`/tickets/${told.id}`, [404]),
});

export const paymentReceived = hook({
  key: 'payment_received',
  noun: 'Payment',
  label: 'Payment Received',
  description: 'Triggers when a payment is received. Amounts are in the smallest unit of the currency, such as cents.',
  type: 'payment.received',
  sample: payment,
  latest: (z, _bundle, event) =>
    firstPage(z, path`/events/${event}/payments`, { order: 'newest', status: 'received', limit: SAMPLES }),
  read: (z, told) => readUnless<Row>(z, path`/payments/${told.id}`, [404]),
});

/** The list of check-ins needs the scope `scanner` and the plan Scale; to hear of them, Growth is enough. */
const list = (z: Parameters<typeof readUnless>[0], event: unknown, params: Record<string, unknown>) =>
  readUnless<{ data: Row[] }>(z, path`/events/${event}/checkins`, [403, 404], params);

export const newCheckIn = hook({
  key: 'new_check_in',
  noun: 'Check-In',
  label: 'New Check-In',
  description: 'Triggers when somebody is admitted at a check-in point.',
  type: 'checkin.recorded',
  fields: [
    {
      key: 'all_scans',
      label: 'Also Refused Scans',
      type: 'boolean',
      required: false,
      default: 'false',
      helpText: 'Whether scans that admitted nobody trigger this Zap, too. The field `result` says why.',
    },
  ],
  sample: checkIn,
  wanted: (record, bundle) => record.admitted === true || yes(bundle.inputData.all_scans),
  latest: async (z, bundle, event) => {
    const admitted = yes(bundle.inputData.all_scans) ? undefined : true;
    return (await list(z, event, { admitted, limit: SAMPLES }))?.data ?? null;
  },
  read: async (z, told) => {
    const found = await list(z, told.event_id, { attendee: told.attendee_id, limit: 200 });
    return found?.data.find(({ id }) => id === told.id) ?? null;
  },
});
