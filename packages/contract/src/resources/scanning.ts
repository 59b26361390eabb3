import { REASONS, RESULTS } from '@turnout/checkin';
import Type from 'typebox';
import { Body, Known, Nullable, OneOf, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';
import { doorFields } from '../person-schemas.ts';
import { DERIVED_OF_TYPE } from '../prices.ts';
import { Event } from './event.ts';
import { PRODUCT_TAKERS } from './product.ts';
import { AttendeeType, CheckInPoint, Day, Question } from './structure.ts';

const uuid = (description: string) =>
  Type.String({ format: 'uuid', maxLength: 36, description, examples: ['0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a10'] });
const testMark = Type.Boolean({ description: 'Made in test mode. Not part of any live count.' });

const result = Known(RESULTS, {
  description: 'Let your program decide by this; for a result that you do not know, by `admitted`.',
});
const reason = Nullable(Known(REASONS, { description: 'The exact cause of a refusal.' }));

export const ScanRequest = Body({
  code: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      description:
        'The ticket code as it was read or typed. Spaces, dashes and case do not matter. Required, unless a member or a paired device sends `ticket_id` instead.',
    }),
  ),
  ticket_id: Type.Optional(
    Ulid('The ticket, for members and paired devices, which may know it without its code. Keys send `code`.'),
  ),
  check_in_point: Ref('check_in_point', 'Id or code of the check-in point. A key can scan at any point.'),
  client_uuid: uuid('A new value for each scan. A retry with the same value counts once.'),
  scanned_at: Type.Optional(Timestamp('When the ticket was scanned. Default: the instant in which it is recorded.')),
  people: Type.Optional(
    Type.Array(Type.String({ maxLength: 26 }), {
      minItems: 1,
      maxItems: 200,
      uniqueItems: true,
      description: 'For a shared ticket: ids of the attendees who are present. Default: all.',
    }),
  ),
  test: Type.Optional(
    Type.Boolean({
      description:
        'For members and paired devices: whether this is a test, which counts as if it was scanned with a test key. Keys have a mode of their own.',
    }),
  ),
});
export type ScanRequest = Type.Static<typeof ScanRequest>;

/** A scan in a batch, which may say what the scanner decided offline. */
export const BatchScan = Body({
  ...ScanRequest.properties,
  offline_result: Type.Optional(Text(40, { description: 'What the scanner decided while it was offline.' })),
});
export type BatchScan = Type.Static<typeof BatchScan>;
export const MAX_BATCH = 500;
/** How many results the scans of one batch may record: one for each person of each scan. */
export const MAX_SCAN_RESULTS = 5000;
/** How many people the different tickets of one batch have together, whether all of them are scanned or only some. */
export const MAX_SCAN_PEOPLE = 20_000;
export const ScanBatch = Body({
  scans: Type.Array(Type.Unknown({ 'x-shape': 'BatchScan' }), {
    description: 'A scan that is not valid gets its own error; the others are recorded.',
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
  day: Nullable(Type.String({ description: 'Code of the day that the check-in counts for.' })),
  check_in_point: Type.String({ description: 'Code of the check-in point.' }),
  scanned_at: Timestamp(),
  recorded_at: Timestamp(),
  client_uuid: Nullable(Type.String()),
  test: testMark,
  skewed: Type.Boolean({ description: 'Whether `scanned_at` was more than 5 minutes from our clock.' }),
  offline_result: Nullable(Type.String({ description: 'What the scanner had decided, if the scan was made offline.' })),
  actor: Type.Object({ kind: Type.String(), id: Nullable(Type.String()), name: Type.String() }),
  device: Type.Optional(
    Type.Object(
      { id: Ulid('The device.'), name: Type.String() },
      { description: 'For an override by a member with a PIN: the paired scanner at which it was made.' },
    ),
  ),
  override: Nullable(
    Type.Object({ of: Type.String({ description: 'Id of the refused check-in.' }), reason: Type.String() }),
  ),
  undone_at: Nullable(Timestamp()),
});
export type CheckIn = Type.Static<typeof CheckIn>;

/** If no ticket of the event has the code, there is no attendee and no ticket. */
export const Disagreement = Type.Object({
  ...CheckIn.properties,
  attendee_id: Nullable(Ulid('The attendee. Null if no ticket of the event has the code.')),
  ticket_id: Nullable(Ulid('The ticket. Null if no ticket of the event has the code.')),
});
export type Disagreement = Type.Static<typeof Disagreement>;

const ScanPerson = Type.Object({
  id: Ulid('The attendee.'),
  ...doorFields,
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
          check_in_point: Type.String({ description: 'Code of the check-in point.' }),
          day: Nullable(Type.String({ description: 'Code of the day that it counted for.' })),
        },
        { description: 'For a `duplicate`: when and where the person was first admitted. Null for other results.' },
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
    { description: 'What to show on the scanner.' },
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

/** The result of a scan in a batch that could not be recorded. */
export const ScanError = Type.Object({
  error: Type.Object({
    code: Type.String({
      description: 'Let your program decide by this. Treat a code that you do not know as a refusal.',
    }),
    message: Type.String({ description: 'What is wrong, for people.' }),
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
    description:
      'SHA-256, in hex, of the ticket code in capitals without spaces and dashes. The code itself is not part of the roster.',
  }),
  ticket_id: Ulid('The ticket.'),
  status: OneOf(['valid', 'voided']),
  test: testMark,
  registration_code: Type.String({
    description: 'The code of the registration, by which people without a ticket at hand are found.',
  }),
  people: Type.Array(
    Type.Object({
      id: Ulid('The attendee.'),
      ...doorFields,
      attendee_type: Type.String(),
      group: Nullable(Type.String()),
      confirmed: Type.Boolean(),
      days: Type.Array(Type.String(), { description: 'Codes of the person’s days on this ticket.' }),
      answers: Type.Record(Type.String(), Type.Unknown(), {
        description:
          'The person’s answers to the questions that the event shows at the door (`questions` of the manifest), by code. Texts are cut off after 100 characters, lists after 10 choices.',
      }),
      to_hand_out: Type.Optional(
        Type.Array(
          Type.Object({
            product: Type.String({ description: 'Code of the product.' }),
            option: Nullable(Type.String({ description: 'Code of the option. Null if the product has none.' })),
            name: Type.String({ description: 'Name of the product.' }),
            option_name: Nullable(Type.String()),
            left: Type.Integer({ description: 'How many units were booked and not handed out yet.' }),
            booked_by: OneOf(PRODUCT_TAKERS, {
              description:
                '`registration`: for the registration as a whole. The same units are then with each of its people.',
            }),
          }),
          {
            description:
              'What the person has booked and not got yet, the first 20 lines. Only in events with products; a roster that is limited to a group has what was booked for a registration as a whole only if all of its people are in the group.',
          },
        ),
      ),
      products: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'Codes of the products that the person has booked, alone or with the whole registration, of those that a check-in point asks for (`products` of the manifest). Only in events with such a point.',
        }),
      ),
      admissions: Type.Array(
        Type.Object({
          check_in_point: Type.String(),
          kind: Type.String(),
          day: Nullable(Type.String()),
          at: Timestamp(),
          seq: Type.Integer({ description: 'The order of recording.' }),
        }),
      ),
    }),
  ),
});
export type RosterEntry = Type.Static<typeof RosterEntry>;

export const RosterChanges = Type.Object({
  data: Type.Array(RosterEntry, { description: 'The entries that changed, complete.' }),
  removed: Type.Array(Type.String(), { description: '`code_sha256` of the entries that you must remove.' }),
  as_of: Timestamp('Send this as `since` in the next request.'),
});

/** Null: everybody of the event. */
const narrowed = (description: string) =>
  Nullable(Type.Object({ code: Type.String(), name: Type.String() }, { description }));

/** A type as scanners have it: they need no prices, and the manifest would have to change with them. */
export const ScannerAttendeeType = Type.Omit(AttendeeType, DERIVED_OF_TYPE);

export const Manifest = Type.Object({
  event: Event,
  group: narrowed(
    'The group that the roster is limited to, with the groups below it. Null: the roster holds everybody of the event. What a limited roster does not hold can be judged by the server only.',
  ),
  days: Type.Array(Day),
  check_in_points: Type.Array(CheckInPoint),
  attendee_types: Type.Array(ScannerAttendeeType),
  questions: Type.Array(Type.Pick(Question, ['code', 'label', 'kind']), {
    description: 'The questions whose answers are shown at the door: those of the event’s `door.questions`.',
  }),
  groups: Type.Array(Type.Object({ code: Type.String(), name: Type.String(), parent: Nullable(Type.String()) })),
  products: Type.Array(Type.Object({ code: Type.String(), name: Type.String() }), {
    description: 'The products that a check-in point asks for. Empty if none does.',
  }),
  roster: Type.Object({
    url: Type.String({
      description:
        'A signed link that needs no key. It answers the JSON `{ as_of, data }` as a stream, compressed if you ask for it.',
    }),
    expires_at: Timestamp(),
    count: Type.Integer({ description: 'The number of tickets in the roster.' }),
    as_of: Timestamp('After the download, ask for changes to the roster with this as `since`.'),
  }),
  min_sw_version: Type.String({
    examples: ['1.0.0'],
    description:
      'The oldest scanner software that may scan in this event: the first that knows all of its rules. It rises when a check-in point asks for products.',
  }),
  server_time: Timestamp(),
});

// ---- devices
export const Device = Type.Object({
  id: Ulid('The device.'),
  name: Type.String(),
  group: narrowed('The group that its roster, lists and search are limited to. Null: the whole event.'),
  version: Nullable(Type.String()),
  queue_length: Nullable(Type.Integer({ description: 'Scans that the device has not uploaded yet.' })),
  battery: Nullable(Type.Integer({ description: 'In percent.' })),
  seen_at: Nullable(Timestamp()),
  revoked_at: Nullable(Timestamp()),
  ...Stamps,
});
export type Device = Type.Static<typeof Device>;
/** Whom a paired scanner offers for unlocking it. */
const DeviceMember = Type.Object({ id: Ulid('The member.'), name: Type.String() });
export const DeviceMembers = Type.Object({ data: Type.Array(DeviceMember) });
export type DeviceMembers = Type.Static<typeof DeviceMembers>;
export const DeviceUnlock = Body({
  member: Ulid('The member.'),
  pin: Type.String({ pattern: '^\\d{6}$', maxLength: 6, description: 'The member’s PIN.', examples: ['048213'] }),
});
export type DeviceUnlock = Type.Static<typeof DeviceUnlock>;
export const DeviceUnlocked = Type.Object({
  member: DeviceMember,
  expires_at: Timestamp('Until then the member may override and undo at this scanner.'),
});
export type DeviceUnlocked = Type.Static<typeof DeviceUnlocked>;
export const PairingCode = Type.Object({
  code: Type.String({ description: 'The code to enter on the scanner.', examples: ['K7M2-XQ9R-4HTD'] }),
  expires_at: Timestamp(),
});
/** What a scanner sends to be paired. It has no credential yet but the code that an organizer gave. */
export const DevicePair = Body({
  code: Text(40, {
    description: 'The pairing code. Spaces, dashes and case do not matter.',
    example: 'K7M2-XQ9R-4HTD',
  }),
  name: Type.Optional(Text(100, { description: 'The name of the device.', example: 'Gate 1' })),
  version: Type.Optional(Text(40, { description: 'The version of its software.', example: '1.4.0' })),
});
export type DevicePair = Type.Static<typeof DevicePair>;
export const DevicePaired = Type.Object({
  device: Type.Object({
    id: Ulid('The device.'),
    name: Type.String(),
    group: narrowed(
      'The group that the device is limited to: that of the member who made the code. Null: the whole event.',
    ),
  }),
  token: Type.String({
    description: 'The token that the device sends as `Authorization: Bearer` from now on. It is shown only once.',
  }),
  event: Event,
});
export type DevicePaired = Type.Static<typeof DevicePaired>;
export const Heartbeat = Body({
  queue_length: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000 })),
  battery: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  version: Type.Optional(Text(40)),
});
export type Heartbeat = Type.Static<typeof Heartbeat>;
