import Type from 'typebox';
import { Body, Code, Name, Nullable, Ref, Stamps, Ulid } from '../formats.ts';

export const Group = Type.Object({
  id: Ulid('The group.'),
  code: Code('Unique in the organization, ignoring case.', 'north'),
  name: Type.String(),
  parent: Nullable(Type.String({ description: 'Code of the group above it; null at the top.' })),
  ...Stamps,
});
export type Group = Type.Static<typeof Group>;

export const GroupCreate = Body({
  code: Type.Optional(Code('Made from the name when left out.', 'north')),
  name: Name(200, { example: 'North region' }),
  parent: Type.Optional(Nullable(Ref('group', 'The group above it. A key limited to a group makes groups inside it.'))),
});
export type GroupCreate = Type.Static<typeof GroupCreate>;

export const GroupChange = Body({ code: Type.Optional(Code()), name: Type.Optional(Name(200)) }, { minProperties: 1 });
export type GroupChange = Type.Static<typeof GroupChange>;

export const GroupMove = Body({ parent: Nullable(Ref('group', 'The new group above it; null: to the top.')) });
export type GroupMove = Type.Static<typeof GroupMove>;
