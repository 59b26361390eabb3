import {
  type CheckIn,
  type Device,
  type DevicePair,
  type DevicePaired,
  fieldsOf,
  type HandOut,
  type HandOutCreate,
  pickFields,
  type RosterEntry,
  SAMPLES,
  type ScanRequest,
  type ScanResponse,
} from '@turnout/contract';

/** Scanning at the fair of resources.ts. */
const { attendee, checkIn, ticket, registration } = SAMPLES;
const typed = pickFields(fieldsOf('attendee', { typed: true, door: true }), attendee);

const scanRequest: ScanRequest = {
  code: ticket.code!,
  check_in_point: 'main-gate',
  client_uuid: checkIn.client_uuid!,
};
/** Scanned offline, so it has a time. The `client_uuid` differs from that of the other scan, or it would be taken for a retry. */
const batchScan = {
  ...scanRequest,
  client_uuid: '5b0c7d1e-2a94-4c36-b8f1-6d3e9a7c4f20',
  scanned_at: '2026-11-20T08:12:03Z',
  offline_result: 'accepted',
};

const person = {
  id: attendee.id,
  ...typed,
  attendee_type: attendee.attendee_type,
  group: attendee.group,
  result: 'accepted',
  reason: null,
  admitted: true,
};
const scanResponse: Partial<ScanResponse> = {
  result: 'accepted',
  admitted: true,
  reason: null,
  message: { title: 'Admitted', text: 'Welcome.', tone: 'success' },
  person,
  people: [person],
  ticket: { id: ticket.id, status: ticket.status, registration_id: registration.id, days: ticket.days },
  checkins: [checkIn],
  test: false,
  scanned_at: checkIn.scanned_at,
};
const scanError = {
  error: {
    code: 'validation_failed',
    message: 'The request is not valid; details says what is wrong.',
    details: [{ path: 'check_in_point', message: 'is required', rule: 'required' }],
  },
};

export const overridden: CheckIn = {
  ...checkIn,
  id: '01JD1A4F2K5N8Q1T4W7Z0C3F6H',
  actor: { kind: 'member', id: '01JBJ4R9Z2C5F8J1M4Q7T0W3YM', name: 'Grace Hopper' },
  client_uuid: null,
  override: { of: '01JD1A3B6D9F2H5K8N1Q4S7V0C', reason: 'Knows the band' },
};
export const undone: CheckIn = { ...checkIn, undone_at: '2026-11-20T08:13:40Z' };
export const disagreeing: CheckIn = {
  ...checkIn,
  result: 'duplicate',
  reason: 'limit',
  admitted: false,
  offline_result: 'accepted',
};

const handOutCreate: HandOutCreate = {
  attendee: attendee.id,
  product: 'workshop',
  option: 'morning',
  client_uuid: '0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a11',
  check_in_point: 'main-gate',
};
export const handOut: HandOut = {
  id: '01JD1A5M3P6R9T2V5X8Z1B4D7F',
  event_id: registration.event_id,
  registration_id: registration.id,
  attendee_id: attendee.id,
  product: 'workshop',
  option: 'morning',
  client_uuid: handOutCreate.client_uuid,
  check_in_point: 'main-gate',
  handed_out_at: '2026-11-20T08:12:41Z',
  actor: checkIn.actor,
  test: false,
  surplus: false,
  undone_at: null,
  undo_reason: null,
  created_at: '2026-11-20T08:12:41Z',
  updated_at: '2026-11-20T08:12:41.000000Z',
};
export const handOutUndone: HandOut = {
  ...handOut,
  undone_at: '2026-11-20T08:14:09Z',
  undo_reason: 'Comes to the evening instead',
  updated_at: '2026-11-20T08:14:09.000000Z',
};

const rosterEntry: Partial<RosterEntry> = {
  code_sha256: '6f1ed002ab5595859014ebf0951522d9d8a0f9a7d0a5c3b2e1f4a6978c5d3e21',
  ticket_id: ticket.id,
  status: 'valid',
  test: false,
  registration_code: registration.code,
  people: [
    {
      id: attendee.id,
      ...typed,
      attendee_type: attendee.attendee_type,
      group: attendee.group,
      confirmed: true,
      days: attendee.days,
      answers: { diet: 'vegan' },
      products: ['workshop'],
      to_hand_out: [
        {
          ...{ product: 'workshop', option: 'morning', name: 'Bread workshop', option_name: 'In the morning' },
          ...{ left: 1, booked_by: 'attendee' },
        },
      ],
      admissions: [{ check_in_point: 'main-gate', kind: 'entry', day: 'day1', at: checkIn.scanned_at, seq: 4211 }],
    },
  ],
};
const rosterChanges = {
  data: [rosterEntry],
  removed: ['9b74c9897bac770ffc029102a200c5de1f5e7a3d4c6b8a90e2d1c3b4a5968778'],
  as_of: '2026-11-20T08:15:00.412983Z',
};
export const roster = {
  url: 'http://localhost:3000/links/roster/eyJldmVudCI6ImxhaWsifQ.Wk3tN2pYq7vLx1RwB9mJ4sHd',
  expires_at: '2026-11-20T20:15:00Z',
  count: 1204,
  as_of: '2026-11-20T08:15:00.412983Z',
};

const device: Partial<Device> = {
  id: checkIn.actor.id!,
  name: 'Gate 1',
  group: null,
  version: '1.4.0',
  queue_length: 0,
  battery: 87,
  seen_at: '2026-11-20T08:15:00Z',
  revoked_at: null,
  created_at: '2026-11-20T06:40:00.000000Z',
  updated_at: '2026-11-20T08:15:00.000000Z',
};
const devicePair: DevicePair = { code: 'K7M2-XQ9R-4HTD', name: 'Gate 1', version: '1.4.0' };
const devicePaired: Partial<DevicePaired> = {
  device: { id: checkIn.actor.id!, name: 'Gate 1', group: null },
  token: 'svc_device_7Kq2mXw9RtBz3VnJ5hPdC0yL4sGfA8eU',
};

/** By the name of the component. */
export const DOOR: Readonly<Record<string, unknown>> = {
  CheckIn: checkIn,
  ScanRequest: scanRequest,
  BatchScan: batchScan,
  ScanBatch: { scans: [batchScan] },
  ScanResponse: scanResponse,
  ScanError: scanError,
  ScanBatchResults: { results: [scanResponse, scanError] },
  HandOut: handOut,
  HandOutCreate: handOutCreate,
  HandOutUndo: { reason: handOutUndone.undo_reason },
  RosterEntry: rosterEntry,
  RosterChanges: rosterChanges,
  Device: device,
  DevicePair: devicePair,
  DevicePaired: devicePaired,
  Heartbeat: { queue_length: 0, battery: 87, version: '1.4.0' },
};
