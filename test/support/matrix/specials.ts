import type { ReferenceKind } from '@turnout/contract';
import { DATE, ENDPOINT, type Made, type Parents, type Place, register, TEMPLATE, type Tools } from './fixtures.ts';

/** What an operation needs beyond what its declaration tells. Named by its id, or by id and field of a reference. */
export interface Special {
  /** How objects of the path must be made. */
  path?: Partial<Record<ReferenceKind, object>>;
  /** What must have happened before an object of the path is made. */
  before?: Partial<Record<ReferenceKind, (tools: Tools, parents: Parents, place: Place) => Promise<unknown>>>;
  /** Brings the objects of the path into the state from which the operation works. */
  prepare?: (tools: Tools, parents: Parents) => Promise<unknown>;
  /** It answers 201 and yet uses up the object of its path. */
  changesPath?: true;
  /** Fields beside the required ones. */
  body?: Record<string, unknown>;
  /** How the object referred to must be made, or found. */
  referred?: object | ((tools: Tools, parents: Parents) => Promise<Made>);
  /** A caller limited to a group may name any object of the organization here. */
  reach?: 'organization';
  /** A key limited to a group may do it in events of the whole organization and of groups above, though it writes. */
  inEventsAbove?: 'allowed';
  /** A test key may do it to live objects: scanning, registering. */
  testKey?: 'allowed';
  /** What the work answers here in place of success: it needs something that a test has not, such as a payment provider. */
  answers?: { status: number; code: string };
  /** The same, where the object is a test object. */
  onTestObject?: { status: number; code: string };
}

const open = (tools: Tools, { event }: Parents) => tools.open(event!);

/** A filter refers to a part of the event that is exported, which the body names and the path does not. */
const ofExported = (what: string, event: string, path: string, part: object): Special => ({
  body: { what, event },
  prepare: ({ api }) => api('POST', '/events', { code: event, name: 'Exported' }),
  referred: ({ api }) => api('POST', `/events/${event}/${path}`, part),
});

export const SPECIALS: Record<string, Special> = {
  publishEvent: {
    prepare: async ({ api }, { event }) => {
      await api('POST', `/events/${event!.id}/days`, { date: DATE });
      await api('POST', `/events/${event!.id}/attendee-types`, { name: 'Adult' });
    },
  },
  closeEvent: { prepare: open },
  unlockDay: { prepare: ({ api }, { event, day }) => api('POST', `/events/${event!.id}/days/${day!.id}/lock`, {}) },
  'createCheckInPoint policy/leaves': { body: { kind: 'exit' }, referred: { kind: 'zone' } },
  'changeCheckInPoint policy/leaves': { path: { check_in_point: { kind: 'exit' } }, referred: { kind: 'zone' } },
  // A point's policy decides who is admitted, not what a key sees.
  'createCheckInPoint policy/groups': { reach: 'organization' },
  'changeCheckInPoint policy/groups': { reach: 'organization' },

  // A test registration in a live event is what test keys are for; and a group registers its own people where it may.
  createRegistration: { prepare: open, testKey: 'allowed', inEventsAbove: 'allowed' },
  importPeople: { testKey: 'allowed', inEventsAbove: 'allowed' },
  approveRegistration: { path: { event: { registration: { approval: true } } } },
  declineRegistration: { path: { event: { registration: { approval: true } } } },
  promoteRegistration: {
    path: { event: { capacity: 2, registration: { waitlist: true } } },
    before: {
      // One place is left; two wait for two, and whoever comes then queues behind them.
      registration: async (tools, { event }, place) => {
        await register(tools, place, event!);
        const { type, day } = await tools.open(event!);
        const one = { attendee_type: type.id, first_name: 'Twin', last_name: 'Waiting', days: [day.id] };
        await register(tools, place, event!, { attendees: [one, one] });
      },
    },
  },
  // With one day to choose from, so that only the reference is at fault.
  'addAttendee group': { prepare: open },
  issueTicket: { inEventsAbove: 'allowed' },
  'issueTicket days': { referred: async (tools, { event }) => (await tools.open(event!)).day },
  reissueTicket: { changesPath: true },
  changeRegistration: { body: { send_emails: true } },
  importEventTemplate: { body: { template: TEMPLATE } },
  // Nobody is touched when it starts; whom it must not touch is refused, and reported, one by one.
  startBulkAction: {
    body: { action: 'send_tickets', filter: {} },
    prepare: async ({ finish }) => finish?.(),
    testKey: 'allowed',
    inEventsAbove: 'allowed',
  },
  'startBulkAction ids': { body: { action: 'approve' } },
  'startBulkAction change/attendee_type': { body: { action: 'change', filter: {} } },
  'startBulkAction change/days': { body: { action: 'change', filter: {} } },
  'startBulkAction change/group': { body: { action: 'change', filter: {} } },
  // The jobs here are so small that they are over when they are made.
  cancelJob: { answers: { status: 409, code: 'invalid_state' } },
  startPlatformImport: {
    prepare: async (tools, parents) => {
      await tools.finish?.();
      await open(tools, parents);
    },
  },
  startCheckout: { answers: { status: 409, code: 'invalid_state' } },
  scanTicket: { testKey: 'allowed', inEventsAbove: 'allowed' },
  scanBatch: { testKey: 'allowed', inEventsAbove: 'allowed' },
  // A key has no heart to beat; a device has.
  sendHeartbeat: { answers: { status: 404, code: 'not_found' } },
  clearTestCheckIns: { testKey: 'allowed' },
  overrideCheckIn: { path: { check_in: { scanned_at: '2099-04-20T12:00:00Z' } }, changesPath: true },
  createWebhook: { body: ENDPOINT },
  changeWebhook: { body: { description: 'Changed' } },
  // It reads what lists show, and changes nothing.
  createExport: { testKey: 'allowed', inEventsAbove: 'allowed' },
  'createExport filter/day': ofExported('people', 'exported-day', 'days', { date: DATE }),
  'createExport filter/attendee_type': ofExported('people', 'exported-type', 'attendee-types', { name: 'A type' }),
  'createExport filter/check_in_point': ofExported('checkins', 'exported-point', 'check-in-points', {
    name: 'A point',
    kind: 'entry',
  }),
  // A group writes to its own people, a test key to test people, where they may be.
  createCommunication: { testKey: 'allowed', inEventsAbove: 'allowed' },
  sendCommunication: { body: { send_at: `${DATE}T09:00:00Z` } },
  cancelCommunication: { path: { communication: { send_at: `${DATE}T09:00:00Z` } } },
  // No mail goes out about test objects.
  sendTicket: { onTestObject: { status: 409, code: 'invalid_state' } },
};

export const specialOf = (operation: string, field?: string): Special => ({
  ...SPECIALS[operation],
  ...(field !== undefined && SPECIALS[`${operation} ${field}`]),
});
