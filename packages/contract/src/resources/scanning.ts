import { REASONS, RESULTS } from '@turnout/checkin';
import Type from 'typebox';
import { Body, Known, Nullable, OneOf, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';
import { Event } from './event.ts';
import { AttendeeType, CheckInPoint, Day } from './structure.ts';

const uuid = (description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, description, examples: ['0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a10'] });
const testMark = Type.Boolean({ description: 'Made in test mode: in no live count.' });

const result = Known(RESULTS, { description: 'Decide from this; by `admitted` for results that you do not know.' });
const reason = Nullable(Known(REASONS, { description: 'The finer cause of a refusal.' }));

export const ScanRequest = Body({
  code: Type.String({
    minLength: 1,
    maxLength: 500,
    description: 'The ticket code as read or typed. Opaque; spaces, dashes and case never matter.',
  }),
  check_in_point: Ref('check_in_point', 'Check-in point code. A key is not pinned to one point.'),
  client_uuid: uuid('One per scan. A retried scan with the same value counts once.'),
  scanned_at: Type.Optional(Timestamp('Default now.')),
  people: Type.Optional(
    Type.Array(Type.String({ maxLength: 26 }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'Attendee ids of a shared ticket who are here; default all.',
    }),
  ),
});
export type ScanRequest = Type.Static<typeof ScanRequest>;

/** One of a batch: what the door told the person may come along. */
export const BatchScan = Body({
  ...ScanRequest.properties,
  offline_result: Type.Optional(Text(40, { description: 'What the door told the person, offline.' })),
});
export type BatchScan = Type.Static<typeof BatchScan>;
export const MAX_BATCH = 500;
export const ScanBatch = Body({
  scans: Type.Array(Type.Unknown({ 'x-shape': 'BatchScan' }), {
    description: 'A broken one gets its own error; the others are applied.',
    minItems: 1,
    maxItems: MAX_BATCH,
  }),
});
export type ScanBatch = Type.Static<typeof ScanBatch>;

export const CheckIn = Type.Object({
  id: Ulid('The check-in.'),
  event_id: Ulid('The event.'),
  result,
  admitted: Type.Boolean(),
  reason,
  attendee_id: Ulid('The attendee.'),
  ticket_id: Ulid('The ticket.'),
  day: Nullable(Type.String({ description: 'Code of the day it counts for.' })),
  check_in_point: Type.String({ description: 'Code.' }),
  scanned_at: Timestamp(),
  recorded_at: Timestamp(),
  client_uuid: Nullable(Type.String()),
  test: testMark,
  skewed: Type.Boolean({ description: '`scanned_at` was more than 5 minutes from our clock.' }),
  offline_result: Nullable(Type.String({ description: 'What the door told the person, where it came from offline.' })),
  actor: Type.Object({ kind: Type.String(), id: Nullable(Type.String()), name: Type.String() }),
  override: Nullable(
    Type.Object({ of: Type.String({ description: 'Id of the refused check-in.' }), reason: Type.String() }),
  ),
  undone_at: Nullable(Timestamp()),
});
export type CheckIn = Type.Static<typeof CheckIn>;

/** Of a code that no ticket of the event has, nobody knows the person. */
export const Disagreement = Type.Object({
  ...CheckIn.properties,
  attendee_id: Nullable(Ulid('The attendee. Null where the code is unknown to the record.')),
  ticket_id: Nullable(Ulid('The ticket. Null where the code is unknown to the record.')),
});
export type Disagreement = Type.Static<typeof Disagreement>;

const ScanPerson = Type.Object({
  id: Ulid('The attendee.'),
  first_name: Type.String(),
  last_name: Type.String(),
  attendee_type: Type.String(),
  group: Nullable(Type.String()),
  result,
  reason,
  admitted: Type.Boolean(),
  first_admission: Type.Optional(
    Nullable(
      Type.Object(
        {
          at: Timestamp(),
          check_in_point: Type.String({ description: 'Code.' }),
          day: Nullable(Type.String({ description: 'Code of the day it counted for.' })),
        },
        { description: 'Of a `duplicate`: when and where the person was admitted before. Null for other results.' },
      ),
    ),
  ),
});
export const ScanResponse = Type.Object({
  result,
  admitted: Type.Boolean(),
  reason,
  message: Type.Object(
    { title: Type.String(), text: Type.String(), tone: OneOf(['success', 'warning', 'danger', 'mixed']) },
    { description: 'For people.' },
  ),
  person: Nullable(ScanPerson),
  people: Type.Array(ScanPerson),
  ticket: Nullable(
    Type.Object({
      id: Ulid('The ticket.'),
      status: Type.String(),
      registration_id: Type.String(),
      days: Type.Array(Type.String()),
    }),
  ),
  checkins: Type.Array(CheckIn),
  test: testMark,
  scanned_at: Timestamp(),
});
export type ScanResponse = Type.Static<typeof ScanResponse>;

/** In place of a scan that could not be applied. */
export const ScanError = Type.Object({
  error: Type.Object({
    code: Type.String({ description: 'Decide from this. An unknown code is a refusal.' }),
    message: Type.String({ description: 'For people.' }),
    details: Type.Optional(Type.Array(Type.Unknown({ 'x-shape': 'FaultDetail' }))),
  }),
});

export const ScanBatchResponse = Type.Object({
  results: Type.Array(Type.Union([ScanResponse, ScanError]), { description: 'In the order of the request.' }),
});
export type ScanBatchResponse = Type.Static<typeof ScanBatchResponse>;

// ---- what a scanner downloads
export const RosterEntry = Type.Object({
  code_sha256: Type.String({
    description: 'SHA-256, in hex, of the ticket code in capitals without spaces and dashes; never the code.',
  }),
  ticket_id: Ulid('The ticket.'),
  status: OneOf(['valid', 'voided']),
  test: testMark,
  people: Type.Array(
    Type.Object({
      id: Ulid('The attendee.'),
      first_name: Type.String(),
      last_name: Type.String(),
      attendee_type: Type.String(),
      group: Nullable(Type.String()),
      confirmed: Type.Boolean(),
      days: Type.Array(Type.String(), { description: 'The person’s days on this ticket.' }),
      admissions: Type.Array(
        Type.Object({
          check_in_point: Type.String(),
          kind: Type.String(),
          day: Nullable(Type.String()),
          at: Timestamp(),
          seq: Type.Integer({ description: 'Recording order.' }),
        }),
      ),
    }),
  ),
});
export type RosterEntry = Type.Static<typeof RosterEntry>;

export const RosterChanges = Type.Object({
  data: Type.Array(RosterEntry, { description: 'Entries that changed, whole.' }),
  removed: Type.Array(Type.String(), { description: '`code_sha256` of entries that are no longer yours.' }),
  as_of: Timestamp('Ask again with this as `since`.'),
});

export const Manifest = Type.Object({
  event: Event,
  days: Type.Array(Day),
  check_in_points: Type.Array(CheckInPoint),
  attendee_types: Type.Array(AttendeeType),
  groups: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), parent: Nullable(Type.String()) })),
  roster: Type.Object({
    url: Type.String({ description: 'Signed; needs no key. Streamed JSON `{ as_of, data }`, compressed where asked.' }),
    expires_at: Timestamp(),
    count: Type.Integer({ description: 'Tickets in it.' }),
    as_of: Timestamp('Afterwards ask the roster `since` this.'),
  }),
  min_sw_version: Type.String({ examples: ['1.0.0'] }),
  server_time: Timestamp(),
});

// ---- devices
export const Device = Type.Object({
  id: Ulid('The device.'),
  name: Type.String(),
  version: Nullable(Type.String()),
  queue_length: Nullable(Type.Integer({ description: 'Scans it has not uploaded yet.' })),
  battery: Nullable(Type.Integer({ description: 'Per cent.' })),
  seen_at: Nullable(Timestamp()),
  revoked_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Device = Type.Static<typeof Device>;
export const PairingCode = Type.Object({
  code: Type.String({ description: 'Type it into the scanner.', examples: ['K7M2-XQ9R'] }),
  expires_at: Timestamp(),
});
/** What a scanner sends that has nothing yet but the code an organizer read out. */
export const DevicePair = Body({
  code: Text(20, {
    description: 'As the organizer reads it out; spaces, dashes and case do not matter.',
    example: 'K7M2-XQ9R',
  }),
  name: Type.Optional(Text(100, { description: 'What to call the device.', example: 'Gate 1' })),
  version: Type.Optional(Text(40, { description: 'Of its software.', example: '1.4.0' })),
});
export type DevicePair = Type.Static<typeof DevicePair>;
export const DevicePaired = Type.Object({
  device: Type.Object({ id: Ulid('The device.'), name: Type.String() }),
  token: Type.String({ description: 'What the device sends as Bearer from now on. Shown this once.' }),
  event: Event,
});
export type DevicePaired = Type.Static<typeof DevicePaired>;
export const Heartbeat = Body({
  queue_length: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  version: Type.Optional(Text(40)),
});
export type Heartbeat = Type.Static<typeof Heartbeat>;
