import { PRACTICE } from '@turnout/contract';
import { AN_ID } from './examples.ts';
import type { Json } from './schemas.ts';

/** What fills in the parameters and the body of an operation, so that the sandbox carries it out for its public key. */
export interface SandboxCall {
  path: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** Undefined if the operation takes no body. */
  body: unknown;
}

/** Objects of the practice event, by the name of the parameter. Those of other parameters are in the document. */
const OBJECTS: Readonly<Record<string, string>> = {
  registration: PRACTICE.registration,
  attendee: PRACTICE.attendee,
  ticket: PRACTICE.ticket,
  contact: PRACTICE.contact,
  payment: PRACTICE.payment,
  communication: PRACTICE.communication,
  job: PRACTICE.job,
};

/** Operations with an object of their own, because they change it so that others could not use it. */
const OWN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  publishEvent: { event: PRACTICE.draft },
  closeEvent: { event: PRACTICE.open },
  archiveEvent: { event: PRACTICE.closed },
  deleteDay: { day: PRACTICE.spare },
  lockDay: { day: 'day3' },
  unlockDay: { day: 'day3' },
  deleteAttendeeType: { attendee_type: PRACTICE.spare },
  deleteProduct: { product: PRACTICE.spare },
  deleteQuota: { quota: PRACTICE.spare },
  deleteDiscount: { discount: PRACTICE.spare },
  deleteQuestion: { question: PRACTICE.spare },
  deleteCheckInPoint: { check_in_point: PRACTICE.spare },
  approveRegistration: { registration: PRACTICE.toApprove },
  declineRegistration: { registration: PRACTICE.toDecline },
  addAttendee: { registration: PRACTICE.toAddTo },
  cancelRegistration: { registration: PRACTICE.toCancel },
  recordPayment: { registration: PRACTICE.toPay },
  cancelAttendee: { attendee: PRACTICE.attendeeToCancel },
  reissueTicket: { ticket: PRACTICE.ticketToReissue },
  voidTicket: { ticket: PRACTICE.ticketToVoid },
  refundPayment: { payment: PRACTICE.paymentToRefund },
  sendCommunication: { communication: PRACTICE.communicationToSend },
  cancelCommunication: { communication: PRACTICE.communicationToCancel },
  deleteCommunication: { communication: PRACTICE.communicationToDelete },
  cancelJob: { job: PRACTICE.jobToCancel },
};

/** Changes that a test key may make in the live fair, because what they create is a test. */
const IN_THE_FAIR = new Set([
  'createRegistration',
  'importPeople',
  'startBulkAction',
  'scanTicket',
  'scanBatch',
  'createCommunication',
]);

/** Parameters of the query that are required and have no example in the document. */
const QUERIES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  getRosterChanges: { since: '2026-11-01T00:00:00Z' },
};

/** Bodies that name an object of the fair in the document and need one of the practice event here. */
const BODIES: Readonly<Record<string, Json>> = {
  issueTicket: { attendee: PRACTICE.attendee, days: ['day2'] },
  // Everybody may try it again and again, so it is one that was given away offline.
  handOut: { attendee: PRACTICE.attendee, offline: true },
};

const NO_WEBHOOKS = 'The sandbox sends no webhooks, because everybody has its key.';
/** Operations that the public key of the sandbox cannot carry out, with the reason. */
const NOT_THERE: Readonly<Record<string, string>> = {
  pairDevice: 'It needs a code for pairing, which an organizer makes in the app.',
  changeGroup: 'Groups are live objects, which a test key cannot change.',
  promoteRegistration: 'The sandbox gives free places to its waitlist by itself, so nobody is left to be promoted.',
  startCheckout: 'It needs a payment provider, and the sandbox has none.',
  sendTicket: 'The sandbox sends no mails, because everybody has its key.',
  setEventImage: 'It needs a picture of your own.',
  createWebhook: NO_WEBHOOKS,
};

/** Why the sandbox does not carry out this operation of the document for its public key, or null if it does. */
export function whyNotInSandbox(operation: Json): string | null {
  const known = NOT_THERE[String(operation.operationId)];
  if (known !== undefined) return known;
  const inPath = parametersIn(operation).filter((one) => one.in === 'path');
  if ((operation.tags as string[]).includes('Webhooks') && inPath.length > 0) return NO_WEBHOOKS;
  if (operation['x-scope'] === 'admin') return 'It needs the scope `admin`, which the public key does not have.';
  const [first] = (operation.security ?? []) as Json[];
  if (first !== undefined && 'deviceToken' in first) return 'It is for paired scanners.';
  if (inPath.some((one) => one.name === 'check_in' || one.name === 'hand_out'))
    return 'It is for people and paired scanners, not for keys.';
  return null;
}

/** The call that the sandbox carries out, for an operation of the document whose parameters are resolved. */
export function sandboxCall(operation: Json, method: string): SandboxCall {
  const id = String(operation.operationId);
  const parameters = parametersIn(operation);
  const inPath = parameters.filter((one) => one.in === 'path');
  const changes = method !== 'get' && !IN_THE_FAIR.has(id);
  const practised = changes || inPath.some((one) => one.name !== 'event' && String(one.name) in OBJECTS);
  const filledIn = ({ name, example }: Json): string => {
    if (name === 'event' && practised) return PRACTICE.event;
    return OBJECTS[String(name)] ?? String(example ?? AN_ID);
  };
  const content = (operation.requestBody as Json | undefined)?.content as Json | undefined;
  const example = (content?.['application/json'] as Json | undefined)?.example;
  return {
    path: {
      ...Object.fromEntries(inPath.map((one) => [String(one.name), filledIn(one)])),
      ...OWN[id],
    },
    query: QUERIES[id] ?? {},
    body: BODIES[id] === undefined ? example : { ...(example as Json), ...BODIES[id] },
  };
}

const parametersIn = (operation: Json): Json[] => (operation.parameters ?? []) as Json[];
