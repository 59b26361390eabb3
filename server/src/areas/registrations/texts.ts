import { fieldsOf, PERSON_FIELDS } from '@turnout/contract';
import { present } from '../contacts/index.ts';
import type { AttendeeTexts, RegistrantTexts } from './state.ts';

/** What people type about an attendee and about a registrant, by the table of a person's fields. */
export const ATTENDEE_TEXTS = fieldsOf('attendee', { typed: true });
export const REGISTRANT_TEXTS = fieldsOf('registrant', { typed: true });

type Field = keyof AttendeeTexts;
type PartialTexts<Texts> = { readonly [Name in keyof Texts]?: Texts[Name] | undefined };

const isName = (field: Field): boolean => PERSON_FIELDS[field].kind === 'name';

/** Of somebody about whom nothing was typed. */
export const NO_TEXTS = Object.fromEntries(
  ATTENDEE_TEXTS.map((field) => [field, isName(field) ? '' : null]),
) as unknown as AttendeeTexts;

/** The texts that were sent, without spaces around them and with blank ones as null; where none was sent, the one from before. */
const textsOf = (
  fields: readonly Field[],
  sent: PartialTexts<AttendeeTexts>,
  before: PartialTexts<RegistrantTexts>,
): unknown =>
  Object.fromEntries(
    fields.map((field) => {
      const text = sent[field];
      if (text === undefined) return [field, before[field as keyof RegistrantTexts]];
      return [field, isName(field) ? text?.trim() : present(text)];
    }),
  );
export const attendeeTexts = (sent: PartialTexts<AttendeeTexts>, before: AttendeeTexts = NO_TEXTS): AttendeeTexts =>
  textsOf(ATTENDEE_TEXTS, sent, before) as AttendeeTexts;
export const registrantTexts = (sent: PartialTexts<RegistrantTexts>, before: RegistrantTexts): RegistrantTexts =>
  textsOf(REGISTRANT_TEXTS, sent as PartialTexts<AttendeeTexts>, before) as RegistrantTexts;
