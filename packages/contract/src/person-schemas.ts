import Type, { type TSchema } from 'typebox';
import { Email, LocalDateInput, Name, Nullable, Text } from './formats.ts';
import { type FieldOf, fieldsOf, type Owner, PERSON_FIELDS, pickFields } from './person-fields.ts';

/** The schemas of what people type about themselves and others, made from the table of their fields. */

type Typed<Whose extends Owner> = FieldOf<Whose, { typed: true }>;
type NameOf<Whose extends Owner> = FieldOf<Whose, { kind: 'name' }>;
const schemas = <Whose extends Owner>(whose: Whose, schemaOf: (field: Typed<Whose>) => TSchema) =>
  Object.fromEntries(fieldsOf(whose, { typed: true }).map((field) => [field, schemaOf(field as Typed<Whose>)]));
const isName = (field: Typed<Owner>): boolean => PERSON_FIELDS[field].kind === 'name';

function aboutField(field: Typed<Owner>): { description?: string } {
  const row = PERSON_FIELDS[field];
  return 'about' in row ? { description: row.about } : {};
}

const NullableText = Nullable(Type.String());
const MaybeText = Type.Optional(NullableText);
const MaybeName = Type.Optional(Type.String());

const shown = (field: Typed<Owner>) => Nullable(Type.String(aboutField(field)));
/** The fields as they are shown. */
export const shownFields = <Whose extends Owner>(whose: Whose) =>
  schemas(whose, shown) as { [Field in Typed<Whose>]: typeof NullableText };
/** An attendee always has a name. */
export const shownAttendeeFields = schemas('attendee', (field) => (isName(field) ? Type.String() : shown(field))) as {
  [Field in Typed<'attendee'>]: Field extends NameOf<'attendee'> ? Type.TString : typeof NullableText;
};

/** Those that every scanner of the event has. */
export const doorFields = pickFields(fieldsOf('attendee', { typed: true, door: true }), shownAttendeeFields);

/** What a caller may send for a field. */
function accepted(field: Typed<Owner>): Type.TString {
  const row = PERSON_FIELDS[field];
  const options = { ...aboutField(field), ...('example' in row && { example: row.example }) };
  switch (row.kind) {
    case 'name':
      return Name(200, options);
    case 'email':
      return Email();
    case 'phone':
      return Text(50, options);
    case 'date':
      return LocalDateInput();
    case 'text':
      return Text(row.max, options);
  }
}

/** The fields of a body that changes somebody: null clears a field. Only contacts can be without a name. */
export const changedFields = <Whose extends Owner>(whose: Whose) =>
  schemas(whose, (field) =>
    Type.Optional(isName(field) && whose !== 'contact' ? accepted(field) : Nullable(accepted(field))),
  ) as {
    [Field in Typed<Whose>]: Field extends NameOf<Exclude<Whose, 'contact'>> ? typeof MaybeName : typeof MaybeText;
  };
/** The fields of a body that registers somebody. */
export const newAttendeeFields = schemas('attendee', (field) =>
  isName(field) ? accepted(field) : Type.Optional(Nullable(accepted(field))),
) as { [Field in Typed<'attendee'>]: Field extends NameOf<'attendee'> ? Type.TString : typeof MaybeText };
