import Type from 'typebox';
import { Nullable, Timestamp, Ulid } from '../formats.ts';

/**
 * What the live page of an event is told. It is not part of API v1: the stream `GET /app/api/{org}/events/{event}/live` is for members.
 * A stream begins with a `snapshot`. Each `change` after it names only the entries that changed; `applyLive` in packages/client puts
 * them together.
 */

const number = (description: string) => Type.Integer({ minimum: 0, description });

export const LivePoint = Type.Object({
  check_in_point: Type.String({ description: 'Code of the check-in point.' }),
  kind: Type.String(),
  admissions: number('How often somebody was admitted here. At an exit: how often somebody left.'),
  refusals: number('How often somebody was refused here.'),
  inside: number(
    'At a zone: people who are inside of it. At an entry: people in the venue who came in here last. Of the days that are open.',
  ),
});
export const LiveDay = Type.Object({
  day: Type.String({ description: 'Code of the day.' }),
  expected: number('Attendees who are confirmed for this day.'),
  came: number('Attendees who were admitted at an entry on this day.'),
  admissions: number('How often somebody was admitted at an entry.'),
  refusals: number('How often somebody was refused at any point.'),
  inside: number('People inside the venue: those whose last pass of the day was an entry.'),
});
export const LiveType = Type.Object({
  attendee_type: Type.String({ description: 'Code of the attendee type.' }),
  admissions: number('How often somebody of this type was admitted at an entry.'),
  refusals: number('How often somebody of this type was refused at any point.'),
});
export const LiveReason = Type.Object({
  reason: Type.String({
    description: 'Why people were refused: the reason of the scan, or its result if it has none.',
  }),
  refusals: number('How often.'),
});
export const LiveMinute = Type.Object({
  minute: Timestamp('When the minute begins. By the time of the scan.'),
  admissions: number('How often somebody was admitted at an entry.'),
});
export const LiveCheckIn = Type.Object({
  id: Ulid('The check-in.'),
  attendee_id: Ulid('Who was scanned.'),
  name: Nullable(Type.String({ description: 'First and last name. Null for members who may not read people.' })),
  attendee_type: Type.String(),
  check_in_point: Type.String(),
  day: Nullable(Type.String()),
  result: Type.String(),
  admitted: Type.Boolean(),
  reason: Nullable(Type.String()),
  scanned_at: Timestamp(),
  recorded_at: Timestamp(),
  offline: Type.Boolean({ description: 'The scanner had decided by itself.' }),
  override: Type.Boolean({ description: 'A member admitted somebody who was refused.' }),
  undone: Type.Boolean({ description: 'The admission was taken back.' }),
});
export const LiveDevice = Type.Object({
  id: Ulid('The paired scanner.'),
  name: Type.String(),
  queue_length: Nullable(Type.Integer({ description: 'Scans that wait to be uploaded.' })),
  battery: Nullable(Type.Integer({ description: 'In percent.' })),
  seen_at: Nullable(Timestamp()),
});

const entries = {
  check_in_points: Type.Array(LivePoint),
  days: Type.Array(LiveDay),
  attendee_types: Type.Array(LiveType),
  reasons: Type.Array(LiveReason),
  minutes: Type.Array(LiveMinute, { description: 'The last 60 minutes, as far as somebody was admitted in them.' }),
  check_ins: Type.Array(LiveCheckIn, { description: 'The last 50, the newest first.' }),
};
export const LiveSnapshot = Type.Object({
  as_of: Timestamp('The time of the last change that is counted.'),
  ...entries,
  devices: Nullable(
    Type.Array(LiveDevice, { description: 'Paired scanners. Null for members who may not pair them.' }),
  ),
});
export type LiveSnapshot = Type.Static<typeof LiveSnapshot>;
export type LiveCheckIn = Type.Static<typeof LiveCheckIn>;

/** The entries that changed or were added, by the lists of a snapshot. A list that is missing did not change. */
export type LiveChange = Pick<LiveSnapshot, 'as_of'> & Partial<{ [List in LiveList]: NonNullable<LiveSnapshot[List]> }>;
export type LiveList = Exclude<keyof LiveSnapshot, 'as_of'>;
