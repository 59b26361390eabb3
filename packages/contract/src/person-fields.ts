/*
 * Every field of a person: of an attendee, of a contact in the address book, and of the registrant, whom a registration calls `contact`.
 * Schemas, columns, statements, the audit log, erasing, imports, exports, rosters and the screens take their lists from here, so this file
 * brings no schemas into a browser. CONTRIBUTING.md ("Add a field") says what else a new field needs.
 */

export const OWNERS = ['attendee', 'contact', 'registrant'] as const;
export type Owner = (typeof OWNERS)[number];

/** A field that somebody typed. It is stored in a column of its own name, and read, changed, shown and erased by the same code as the others. */
interface TypedField {
  typed: true;
  of: readonly Owner[];
  /** `name` is a text that every attendee has. */
  kind: 'name' | 'email' | 'phone' | 'date' | 'text';
  /** The most characters; a `text` needs it. */
  max?: number;
  about?: string;
  example?: string;
  /** The heading of its column in an export. An import recognizes it. */
  heading: string;
  /** What people type about a person is erased with them, and the audit log does not keep it. */
  personal: true;
  /** Whether an import can fill it. */
  imported: boolean;
  exported: boolean;
  /** Whether the audit log says that it changed. */
  audited: boolean;
  /** Whether every scanner of the event has it. */
  door: boolean;
  /** Whether lists of attendees can be narrowed by it. */
  filterable: boolean;
}

/** A field with code of its own wherever it occurs. Where a list must be complete, leaving it out does not compile. */
interface OtherField extends Omit<TypedField, 'typed' | 'kind' | 'max' | 'heading' | 'personal' | 'about' | 'example'> {
  typed: false;
  personal: boolean;
}

type PersonField = TypedField | OtherField;

export const PERSON_FIELDS = {
  attendee_type: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: true, exported: true, audited: true, door: true, filterable: true },
  },
  first_name: {
    ...{ typed: true, of: OWNERS, kind: 'name', example: 'Ada', heading: 'First name', personal: true },
    ...{ imported: true, exported: true, audited: true, door: true, filterable: false },
  },
  last_name: {
    ...{ typed: true, of: OWNERS, kind: 'name', example: 'Lovelace', heading: 'Last name', personal: true },
    ...{ imported: true, exported: true, audited: true, door: true, filterable: false },
  },
  email: {
    ...{ typed: true, of: OWNERS, kind: 'email', heading: 'Email', personal: true },
    ...{ imported: true, exported: true, audited: true, door: false, filterable: false },
  },
  phone: {
    ...{ typed: true, of: OWNERS, kind: 'phone', example: '+49 30 901820', heading: 'Phone', personal: true },
    ...{ imported: true, exported: true, audited: true, door: false, filterable: true },
  },
  date_of_birth: {
    ...{ typed: true, of: ['attendee', 'contact'], kind: 'date', heading: 'Date of birth', personal: true },
    ...{ imported: true, exported: true, audited: true, door: false, filterable: false },
  },
  external_id: {
    ...{ typed: true, of: ['attendee', 'contact'], kind: 'text', max: 200, heading: 'ID', personal: true },
    ...{ about: 'Your own id for the person.' },
    ...{ imported: true, exported: true, audited: true, door: false, filterable: true },
  },
  group: {
    ...{ typed: false, of: ['attendee', 'contact'], personal: false },
    ...{ imported: true, exported: true, audited: true, door: true, filterable: true },
  },
  days: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: true, exported: true, audited: true, door: true, filterable: true },
  },
  answers: {
    ...{ typed: false, of: ['attendee'], personal: true },
    // An import names the single questions, and a scanner has the answers to those that the event shows at the door.
    ...{ imported: false, exported: true, audited: true, door: true, filterable: true },
  },
  status: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: true, audited: true, door: false, filterable: true },
  },
  price_minor: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: false, audited: true, door: false, filterable: false },
  },
  price_name: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: false, audited: true, door: false, filterable: false },
  },
  discount_minor: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: false, audited: true, door: false, filterable: false },
  },
  products: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: false, audited: true, door: false, filterable: false },
  },
  tickets: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: true, audited: false, door: false, filterable: false },
  },
  checked_in: {
    ...{ typed: false, of: ['attendee'], personal: false },
    ...{ imported: false, exported: true, audited: false, door: false, filterable: true },
  },
  language: {
    ...{ typed: false, of: ['registrant'], personal: true },
    ...{ imported: false, exported: false, audited: true, door: false, filterable: false },
  },
} as const satisfies Record<string, PersonField>;
type Fields = typeof PERSON_FIELDS;

/** The names of an owner's fields that have these properties, such as `FieldOf<'attendee', { personal: true }>`. */
export type FieldOf<Whose extends Owner, Has extends Partial<PersonField> = object> = {
  [Name in keyof Fields]: Whose extends Fields[Name]['of'][number] ? (Fields[Name] extends Has ? Name : never) : never;
}[keyof Fields];

/** The same at run time, in the order of the table. */
export function fieldsOf<const Whose extends Owner, const Has extends Partial<PersonField> = object>(
  whose: Whose,
  has?: Has,
): FieldOf<Whose, Has>[] {
  const wanted = Object.entries(has ?? {});
  return Object.entries(PERSON_FIELDS)
    .filter(([, field]) => (field.of as readonly Owner[]).includes(whose))
    .filter(([, field]) => wanted.every(([property, value]) => field[property as 'personal'] === value))
    .map(([name]) => name as FieldOf<Whose, Has>);
}

/** These fields of an object alone. A page of 50 people does this a hundred times; through `Object.fromEntries` it takes four times as long. */
export const pickFields = <Name extends string, From extends { readonly [Field in Name]: unknown }>(
  names: readonly Name[],
  from: From,
): Pick<From, Name> => {
  const picked: Record<string, unknown> = {};
  for (const name of names) picked[name] = from[name];
  return picked as Pick<From, Name>;
};
