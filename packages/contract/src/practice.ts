/**
 * What the sandbox has for trying changes: the test event `practice`, and in it an object for each operation that changes or deletes
 * one, so that the examples of the reference don't take each other's objects away. The ids and codes are the same after every
 * refresh. Ids spell what they are as far as the letters of a ULID allow it.
 */
const id = (name: string): string => `01JPRACT1CE${name.padStart(15, '0')}`;
const code = (name: string): string => name.padEnd(10, '0');

export const PRACTICE = {
  event: 'practice',
  /** Test events in the states that publishing, closing and archiving begin with. */
  draft: 'practice-draft',
  open: 'practice-open',
  closed: 'practice-closed',
  /** The code of a day, an attendee type, a product, a shared limit, a discount, a question and a check-in point that nobody uses, to be deleted. */
  spare: 'spare',
  /** Registrations, by their codes, each in the state that the operation begins with. */
  registration: code('PRACT1CE'),
  toAddTo: code('ADD'),
  toApprove: code('APPR0VE'),
  toDecline: code('DEC'),
  toPromote: code('PR0M0TE'),
  toCancel: code('CANCE'),
  toPay: code('PAY'),
  attendee: id('ATTENDEE'),
  attendeeToCancel: id('ATTENDEE2'),
  contact: id('C0NTACT'),
  ticket: id('T1CKET'),
  ticketToReissue: id('T1CKET2'),
  ticketToVoid: id('T1CKET3'),
  payment: id('PAYMENT'),
  paymentToRefund: id('PAYMENT2'),
  communication: id('MESSAGE'),
  communicationToSend: id('MESSAGE2'),
  communicationToCancel: id('MESSAGE3'),
  communicationToDelete: id('MESSAGE4'),
  job: id('J0B'),
  jobToCancel: id('J0B2'),
} as const;
