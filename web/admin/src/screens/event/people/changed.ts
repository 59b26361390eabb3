/** After a person or registration was changed, all of this may be different. */
export const CHANGED = [
  'getAttendee',
  'getRegistration',
  'listAttendees',
  'listRegistrations',
  'getEventSummary',
  'listTickets',
  'listAttendeeMessages',
  'listCheckIns',
  'listPayments',
  'listAuditLog',
] as const;
