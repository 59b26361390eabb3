import { type Bundle, defineCreate } from 'zapier-platform-core';
import { act } from '../act.ts';
import { filled, path, type Row } from '../api.ts';
import { attendeeOf, days, event, person, productsOf, questions, retryKey, wholeRegistration } from '../fields.ts';
import { attendee, registration, ticket } from '../samples.ts';

export const createRegistration = defineCreate({
  key: 'create_registration',
  noun: 'Registration',
  display: {
    label: 'Create Registration',
    description: 'Registers one person, by the same rules as the form of the event.',
  },
  operation: {
    inputFields: [
      event,
      ...person,
      questions,
      ...wholeRegistration,
      {
        key: 'send_emails',
        label: 'Send Emails',
        type: 'boolean',
        required: false,
        default: 'true',
        helpText: 'Whether Turnout mails the confirmation and the tickets.',
      },
      retryKey,
    ],
    perform: (z, bundle) => {
      const { event: of, registration_products, discount_code, send_emails } = (bundle as Bundle).inputData;
      const attendees = [attendeeOf(bundle as Bundle)];
      const body = filled({ attendees, products: productsOf(registration_products), discount_code, send_emails });
      return act<Row>(z, bundle as Bundle, path`/events/${of}/registrations`, body);
    },
    sample: registration,
  },
});

export const addAttendee = defineCreate({
  key: 'add_attendee',
  noun: 'Attendee',
  display: {
    label: 'Add Attendee',
    description: 'Adds a person to a registration. On a confirmed registration the person gets tickets at once.',
  },
  operation: {
    inputFields: [
      event,
      {
        key: 'registration',
        label: 'Registration',
        type: 'string',
        required: true,
        helpText: 'Its id or its reference, for example from Find Registration.',
      },
      ...person,
      questions,
      retryKey,
    ],
    perform: (z, bundle) => {
      const { event: of, registration: to } = (bundle as Bundle).inputData;
      return act<Row>(
        z,
        bundle as Bundle,
        path`/events/${of}/registrations/${to}/attendees`,
        attendeeOf(bundle as Bundle),
      );
    },
    sample: attendee,
  },
});

export const issueTicket = defineCreate({
  key: 'issue_ticket',
  noun: 'Ticket',
  display: { label: 'Issue Ticket', description: 'Issues another ticket to an attendee of a confirmed registration.' },
  operation: {
    inputFields: [
      event,
      {
        key: 'attendee',
        label: 'Attendee',
        type: 'string',
        required: true,
        helpText: 'The id of the attendee, for example from Find Registration.',
      },
      { ...days, helpText: 'Leave it empty for all days of the attendee.' },
      retryKey,
    ],
    perform: (z, bundle) => {
      const { event: of, attendee: to, days: chosen } = (bundle as Bundle).inputData;
      return act<Row>(z, bundle as Bundle, path`/events/${of}/tickets`, filled({ attendee: to, days: chosen }));
    },
    sample: ticket,
  },
});
