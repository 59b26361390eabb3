import Type from 'typebox';
import { Body, Code, Name, Nullable, Ref, Stamps, Ulid } from '../formats.ts';

export const Group = Type.Object({
  id: Ulid('The group.'),
  code: Code('Unique in the organization, ignoring case.', 'north'),
  name: Type.String(),
  parent: Nullable(Type.String({ description: 'Code of the group above it. Null: none.' })),
  ...Stamps,
});
export type Group = Type.Static<typeof Group>;

export const GroupCreate = Body({
  code: Type.Optional(Code('Default: made from the name.', 'north')),
  name: Name(200, { example: 'North region' }),
  parent: Type.Optional(
    Nullable(Ref('group', 'The group above it. Default, if the key is limited to a group: that group.')),
  ),
});
export type GroupCreate = Type.Static<typeof GroupCreate>;

export const GroupChange = Body({ code: Type.Optional(Code()), name: Type.Optional(Name(200)) }, { minProperties: 1 });
export type GroupChange = Type.Static<typeof GroupChange>;

export const GroupMove = Body({ parent: Nullable(Ref('group', 'The new group above it. Null: none.')) });
export type GroupMove = Type.Static<typeof GroupMove>;
