import Type from 'typebox';
import { Body, Code, Nullable, Ref, Stamps, Text, Timestamp, Ulid } from '../formats.ts';

/** One unit of a product that somebody was given. It is never a check-in. */
export const HandOut = Type.Object({
  id: Ulid('The hand-out.'),
  event_id: Ulid('The event.'),
  registration_id: Ulid('The registration.'),
  attendee_id: Nullable(Ulid('The attendee. Null if it was booked for the registration as a whole.')),
  product: Code('Code of the product.', 'shirt'),
  option: Nullable(Type.String({ description: 'Code of the option. Null if the product has none.' })),
  client_uuid: Type.String({ format: 'uuid', maxLength: 36 }),
  check_in_point: Nullable(Type.String({ description: 'Code of the check-in point where it was handed out.' })),
  handed_out_at: Timestamp('When it was handed out.'),
  actor: Type.Object({ kind: Type.String(), id: Nullable(Type.String()), name: Type.String() }),
  test: Type.Boolean({ description: 'Made in test mode. Not part of any live count.' }),
  surplus: Type.Boolean({
    description:
      'Whether it was given away although nothing was left to hand out: two scanners without a network did not know of each other.',
  }),
  undone_at: Nullable(Timestamp('When it was taken back.')),
  undo_reason: Nullable(Type.String()),
  ...Stamps,
});
export type HandOut = Type.Static<typeof HandOut>;

export const HandOutCreate = Body({
  attendee: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      'x-reference': 'attendee',
      description: 'Id of the attendee who booked it. Either this or `registration`.',
    }),
  ),
  registration: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 63,
      'x-reference': 'registration',
      description: 'Id or code of the registration, for what was booked for it as a whole.',
    }),
  ),
  product: Ref('product'),
  option: Type.Optional(Code('Code of the option. Required if the product has options.', 'm')),
  client_uuid: Type.String({
    format: 'uuid',
    maxLength: 36,
    description: 'A new value for each unit. A retry with the same value counts once.',
    examples: ['0b54a1f2-6f3c-4d52-9a1e-5c2f6f1f7a11'],
  }),
  check_in_point: Type.Optional(Ref('check_in_point')),
  handed_out_at: Type.Optional(Timestamp('When it was handed out. Default: now.')),
  offline: Type.Optional(
    Type.Boolean({
      description:
        'Whether it was handed out without asking the server. It is then kept in any case, with `surplus: true` if nothing was left to hand out.',
    }),
  ),
});
export type HandOutCreate = Type.Static<typeof HandOutCreate>;
export const HandOutUndo = Body({ reason: Text(500, { description: 'Why it was taken back.' }) });
export type HandOutUndo = Type.Static<typeof HandOutUndo>;
