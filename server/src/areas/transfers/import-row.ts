import { fieldsOf, type ImportError } from '@turnout/contract';
import { type Id, isUlid, toUuid } from '../../common/ids.ts';
import { externalKey, keysOf } from '../contacts/index.ts';
import type { AttendeeDetails } from '../registrations/index.ts';

export const IMPORTED_TEXTS = fieldsOf('attendee', { typed: true, imported: true });
type ImportedText = (typeof IMPORTED_TEXTS)[number];

/** What one row of the file says about an attendee. A field is absent where the row's cell is empty. */
export interface ImportRow extends Partial<Record<ImportedText, string>> {
  /** As written in the file: a code or a name, looked up in the event later. The same holds for `group` and `days`. */
  attendee_type?: string;
  group?: string;
  days?: string;
  /** By question code; by heading where the event asks no such question. */
  answers: Record<string, unknown>;
  keys: Keys;
  /** Fields whose cells could not be read. They are missing above, but must not be reported as missing. */
  unreadable?: ReadonlySet<string>;
}

/** What an attendee is matched by. E-mail and phone count only together with the name. */
export interface Keys {
  name: string;
  external: string | null;
  email: string | null;
  phone: string | null;
}

type Findable = Pick<AttendeeDetails, 'first_name' | 'last_name' | 'email' | 'phone' | 'external_id'>;

export function keysFor(attendee: Findable): Keys {
  const { name_key, email_key, phone_key } = keysOf(attendee);
  const named = name_key !== '';
  return {
    name: name_key,
    external: externalKey(attendee.external_id),
    email: named ? email_key : null,
    phone: named ? phone_key : null,
  };
}

/** The row's ID as an id of Turnout's own, if it is spelled like one. */
export const ownIdOf = (row: ImportRow): Id | null =>
  row.external_id !== undefined && isUlid(row.external_id) ? toUuid(row.external_id) : null;

export interface RowFault {
  code: ImportError;
  words: string;
}

/** A value that is not allowed, as a sentence. `fault` is its end, such as "must be an e-mail address". */
export const invalidValue = (name: string, text: string | null, fault: string): RowFault => ({
  code: 'invalid_value',
  words: `The value ${text === null ? '' : `"${shortened(text)}" `}of ${shortened(name)} ${fault}.`,
});

/** Further faults are only counted: a row may have a thousand cells, each with a fault of its own. */
const MAX_FAULTS = 10;

/** A row that is left out, with everything that is wrong with it, so that it has to be corrected only once. */
export class Rejected {
  /** The code of the first fault. */
  readonly code: ImportError;
  /** All faults as one text. The first one comes without its code, because `code` is shown in front of it. */
  readonly words: string;
  readonly faults: readonly RowFault[];
  /** The part of the row that could be read; null if nothing could. */
  readonly readable: ImportRow | null;
  constructor(faults: readonly RowFault[], readable: ImportRow | null = null) {
    const [first, ...others] = faults.slice(0, MAX_FAULTS);
    const more = faults.length > MAX_FAULTS ? [`and ${faults.length - MAX_FAULTS} more`] : [];
    this.code = first!.code;
    this.words = [first!.words, ...others.map((one) => `${one.code}: ${one.words}`), ...more].join(' | ');
    this.faults = faults;
    this.readable = readable;
  }
}

/** Shortened for messages. `toWellFormed` mends a surrogate pair that was cut in two; PostgreSQL would refuse it. */
export const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text);
