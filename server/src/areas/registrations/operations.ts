import { attendeeOperations } from './attendee-operations.ts';
import { checkoutOperations } from './checkout-operations.ts';
import { countOperations } from './count-operations.ts';
import { paymentOperations } from './payment-operations.ts';
import { registrationOperations } from './registration-operations.ts';
import { ticketOperations } from './ticket-operations.ts';

/** In the order in which the reference of the API lists them. */
export const operations = [
  ...registrationOperations,
  ...attendeeOperations,
  ...ticketOperations,
  ...paymentOperations,
  ...checkoutOperations,
  ...countOperations,
];
