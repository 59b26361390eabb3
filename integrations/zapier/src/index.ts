import { readFileSync } from 'node:fs';
import { defineApp, version as platformVersion } from 'zapier-platform-core';
import { addressAndKey } from './api.ts';
import { authentication } from './authentication.ts';
import { addAttendee, createRegistration, issueTicket } from './creates/people.ts';
import { recordCheckIn } from './creates/record-check-in.ts';
import { refusals } from './refusals.ts';
import { findRegistration } from './searches/find-registration.ts';
import {
  attendeeTypeList,
  checkInPointList,
  dayList,
  eventList,
  productList,
  registrationProductList,
} from './triggers/drop-downs.ts';
import { newCheckIn, paymentReceived, ticketIssued } from './triggers/records.ts';
import { newRegistration, registrationCancelled, registrationConfirmed } from './triggers/registrations.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

export default defineApp({
  version,
  platformVersion,
  authentication,
  // What the platform says by itself about a 429 does not name the cause.
  flags: { cleanInputData: false, throwForThrottlingEarly: false },
  beforeRequest: [addressAndKey],
  afterResponse: [refusals],
  triggers: {
    new_registration: newRegistration,
    registration_confirmed: registrationConfirmed,
    registration_cancelled: registrationCancelled,
    ticket_issued: ticketIssued,
    new_check_in: newCheckIn,
    payment_received: paymentReceived,
    event_list: eventList,
    attendee_type_list: attendeeTypeList,
    day_list: dayList,
    product_list: productList,
    registration_product_list: registrationProductList,
    check_in_point_list: checkInPointList,
  },
  searches: { find_registration: findRegistration },
  creates: {
    create_registration: createRegistration,
    add_attendee: addAttendee,
    issue_ticket: issueTicket,
    record_check_in: recordCheckIn,
  },
});
