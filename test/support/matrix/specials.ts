import { randomUUID } from 'node:crypto';
import type { Permission, ReferenceKind } from '@turnout/contract';
import { DATE, ENDPOINT, type Made, type Parents, type Place, register, TEMPLATE, type Tools } from './fixtures.ts';
import { uniqueCode } from './schema.ts';

/** What an operation needs that its declaration does not say, by its id or by its id and the field of a reference. */
export interface Special {
  /** How objects of the path must be made. */
  path?: Partial<Record<ReferenceKind, object>>;
  /** What must be done before an object of the path is made. */
  before?: Partial<Record<ReferenceKind, (tools: Tools, parents: Parents, place: Place) => Promise<unknown>>>;
  /** Brings the objects of the path into the state from which the operation works. */
  prepare?: (tools: Tools, parents: Parents) => Promise<unknown>;
  /** It answers 201, but also uses up the object of its path. */
  changesPath?: true;
  /** Fields in addition to the required ones. A function, where each call needs other ones; `refer` finds an object of a kind for it. */
  body?:
    | Record<string, unknown>
    | ((refer: (kind: ReferenceKind) => Promise<string>) => Record<string, unknown> | Promise<Record<string, unknown>>);
  /** How the object referred to must be made, or found. */
  referred?: object | ((tools: Tools, parents: Parents) => Promise<Made>);
  /** A caller limited to a group may name any object of the organization here. */
  reach?: 'organization';
  /** Although it writes, a key limited to a group may call it in events of the whole organization and of groups above. */
  inEventsAbove?: 'allowed';
  /** A test key may call it on live objects, for example to scan or register. */
  testKey?: 'allowed';
  /** Members who lack this permission do not see the object of the path, although they may call the operation. */
  seenWith?: Permission;
  /** Afterwards the caller is no longer a member, so each call needs another one. */
  removesCaller?: true;
  /** What is answered in the tests instead of success, because something is missing there, for example a payment provider. */
  answers?: { status: number; code: string };
  /** What a paired device is answered instead of success. */
  onDevice?: { status: number; code: string };
  /** The same for a test object. */
  onTestObject?: { status: number; code: string };
}

const open = (tools: Tools, { event }: Parents) => tools.open(event!);

/** The filter refers to a part of the exported event, which is named in the body and not in the path. */
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
  // The policy of a check-in point decides who is admitted, not what a key sees.
  'createCheckInPoint policy/groups': { reach: 'organization' },
  'changeCheckInPoint policy/groups': { reach: 'organization' },

  // Test keys make test registrations in live events, and keys of a group register its people in every event that they see.
  createRegistration: { prepare: open, testKey: 'allowed', inEventsAbove: 'allowed' },
  // Those of the registration are taken once by it.
  'createRegistration products/product': { referred: { per: 'registration' } },
  'changeRegistration products/product': { referred: { per: 'registration' } },
  importPeople: { testKey: 'allowed', inEventsAbove: 'allowed' },
  approveRegistration: { path: { event: { registration: { approval: true } } } },
  declineRegistration: { path: { event: { registration: { approval: true } } } },
  promoteRegistration: {
    path: { event: { capacity: 2, registration: { waitlist: true } } },
    before: {
      // One place is free, but a registration of two people waits, so whoever registers now waits behind it.
      registration: async (tools, { event }, place) => {
        await register(tools, place, event!);
        const { type, day } = await tools.open(event!);
        const one = { attendee_type: type.id, first_name: 'Twin', last_name: 'Waiting', days: [day.id] };
        await register(tools, place, event!, { attendees: [one, one] });
      },
    },
  },
  // The event has one day, so that only the reference can be at fault.
  'addAttendee group': { prepare: open },
  'addAttendee products/product': { prepare: open },
  issueTicket: { inEventsAbove: 'allowed' },
  'issueTicket days': { referred: async (tools, { event }) => (await tools.open(event!)).day },
  reissueTicket: { changesPath: true },
  changeRegistration: { body: { send_emails: true } },
  importEventTemplate: { body: { template: TEMPLATE } },
  // The start changes nobody. People whom the caller must not change are refused one by one in the report.
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
  // The jobs of these tests are so small that they have ended when they can be cancelled.
  cancelJob: { answers: { status: 409, code: 'invalid_state' }, seenWith: 'events.write' },
  getJob: { seenWith: 'events.write' },
  startPlatformImport: {
    prepare: async (tools, parents) => {
      await tools.finish?.();
      await open(tools, parents);
    },
  },
  startCheckout: { answers: { status: 409, code: 'invalid_state' } },
  // Members and devices may send `ticket_id` instead, so the schema does not require a code.
  scanTicket: { testKey: 'allowed', inEventsAbove: 'allowed', body: { code: 'UNKNOWN' } },
  scanBatch: { testKey: 'allowed', inEventsAbove: 'allowed' },
  // Nobody has booked anything here, so it is a surplus that was given away offline.
  handOut: { inEventsAbove: 'allowed', body: async (refer) => ({ attendee: await refer('attendee'), offline: true }) },
  'handOut registration': { body: { offline: true } },
  // Only devices do something about themselves, keys do not.
  sendHeartbeat: { answers: { status: 404, code: 'not_found' } },
  listUnlockable: { answers: { status: 404, code: 'not_found' } },
  // No member has the id that the matrix makes up; server/src/areas/scanning/unlock.test.ts has members with a PIN.
  unlockDevice: {
    answers: { status: 404, code: 'not_found' },
    onDevice: { status: 404, code: 'not_found' },
    body: { pin: '048213' },
  },
  clearTestCheckIns: { testKey: 'allowed' },
  overrideCheckIn: { path: { check_in: { scanned_at: '2099-04-20T12:00:00Z' } }, changesPath: true },
  setDoorPin: { body: { pin: '048213' } },
  createWebhook: { body: ENDPOINT },
  changeWebhook: { body: { description: 'Changed' } },
  // It only reads, although it is a POST.
  createExport: { testKey: 'allowed', inEventsAbove: 'allowed' },
  'createExport filter/day': ofExported('people', 'exported-day', 'days', { date: DATE }),
  'createExport filter/attendee_type': ofExported('people', 'exported-type', 'attendee-types', { name: 'A type' }),
  'createExport filter/product': ofExported('products', 'exported-product', 'products', { name: 'A product' }),
  'createExport filter/check_in_point': ofExported('checkins', 'exported-point', 'check-in-points', {
    name: 'A point',
    kind: 'entry',
  }),
  // Only something that is counted can have a limit.
  createQuota: { prepare: open, body: { attendee_types: ['adult'] } },
  // A key of a group makes discounts for its people in every event that it sees.
  createDiscount: { inEventsAbove: 'allowed', body: () => ({ code: uniqueCode('discount'), value: 10 }) },
  createDiscountBatch: {
    prepare: async ({ finish }) => finish?.(),
    inEventsAbove: 'allowed',
    body: { value: 10 },
  },
  // A key of a group writes to the people of the group, a test key to test people, in every event that they see.
  createCommunication: { testKey: 'allowed', inEventsAbove: 'allowed' },
  sendCommunication: { body: { send_at: `${DATE}T09:00:00Z` } },
  cancelCommunication: { path: { communication: { send_at: `${DATE}T09:00:00Z` } } },
  leaveOrganization: { removesCaller: true },
  // A role that everybody may give who may manage members, and an address that is not invited yet.
  changeMember: { body: { role: 'viewer' } },
  createInvitation: { body: () => ({ role: 'viewer', email: `${randomUUID()}@example.org`, send: false }) },
  // The organization has more hosts than it could add, but adding one that is there works all the same.
  addTenantHost: {
    body: { host: 'tickets.example.org' },
    prepare: ({ tenantHost }) => tenantHost('tickets.example.org'),
  },
  // No mail goes out about test objects.
  sendTicket: { onTestObject: { status: 409, code: 'invalid_state' } },
};

export const specialOf = (operation: string, field?: string): Special => ({
  ...SPECIALS[operation],
  ...(field !== undefined && SPECIALS[`${operation} ${field}`]),
});
