/** The 19 webhook event types. */
export const EVENT_TYPES = [
  'registration.created',
  'registration.updated',
  'registration.approved',
  'registration.declined',
  'registration.confirmed',
  'registration.cancelled',
  'registration.waitlisted',
  'registration.promoted',
  'registration.attendee_added',
  'registration.attendee_removed',
  'ticket.issued',
  'ticket.reissued',
  'ticket.voided',
  'checkin.recorded',
  'checkin.overridden',
  'checkin.undone',
  'payment.received',
  'payment.refunded',
  'payment.failed',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** The `api_version` of an envelope. */
export const API_VERSION = '2026-11-01';
