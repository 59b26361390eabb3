import { isDeepStrictEqual } from 'node:util';
import type { DateOrder, ImportField } from '@turnout/contract';
import { type Id, newId } from '../../common/ids.ts';
import { externalKey, normalise } from '../contacts/index.ts';
import type { AttendeeTypeRow, DayRow } from '../events/index.ts';
import {
  type AttendeeDetails,
  agreedPrice,
  attendeeTexts,
  checkAnswers,
  daysOf,
  type EventWorld,
  Findings,
  keepsDays,
  moreThan,
  movePlaces,
  NO_LINES,
  needsOf,
  type Places,
  priceNow,
  readDays,
  tooMuchFault,
} from '../registrations/index.ts';
import type { KnownAttendee, KnownAttendees } from './import-attendees.ts';
import { isAllDays, severalIn } from './import-cells.ts';
import { readDate } from './import-dates.ts';
import {
  IMPORTED_TEXTS,
  type ImportRow,
  invalidValue,
  ownIdOf,
  Rejected,
  type RowFault,
  shortened,
} from './import-row.ts';

export interface NamedRow {
  id: Id;
  code: string;
  name: string;
}

/** Finds rows by code, else by name, if only one row has that name. */
export class Lookup<Row extends NamedRow> {
  readonly #byCode = new Map<string, Row>();
  readonly #byName = new Map<string, Row | null>();
  readonly rows: readonly Row[];

  constructor(rows: Iterable<Row>) {
    this.rows = [...rows];
    for (const row of this.rows) {
      this.#byCode.set(row.code.toLowerCase(), row);
      const name = normalise(row.name);
      this.#byName.set(name, this.#byName.has(name) ? null : row);
    }
  }

  find(text: string): Row | null {
    return this.#byCode.get(text.toLowerCase()) ?? this.#byName.get(normalise(text)) ?? null;
  }
}

/** The state in which rows are decided, one after the other. Each row sees what the rows before it changed. */
export interface Desk {
  world: EventWorld;
  places: Places;
  attendees: KnownAttendees;
  types: Lookup<AttendeeTypeRow>;
  days: Lookup<DayRow>;
  groups: Lookup<NamedRow>;
  /** The group of new attendees whose row names none. */
  home: Id | null;
  test: boolean;
  order: DateOrder;
  now: Date;
  /** The attendees that the rows add, and those they change with the names of the changed fields; as the last row left them. */
  added: KnownAttendee[];
  changed: Map<KnownAttendee, Set<string>>;
  /** The former details of attendees whose type or days the rows change. */
  moved: Map<KnownAttendee, AttendeeDetails>;
  /**
   * Ids of Turnout's own attendees (of any event) that the rows have in their ID column; `all`: everything that looks like one.
   * These are never stored as an `external_id`.
   */
  foreign: ReadonlySet<Id> | 'all';
}

export type Outcome = 'created' | 'updated' | 'unchanged' | Rejected;

/** Decides one row: it adds an attendee, changes one, changes nothing, or is rejected with everything that is wrong with it. */
export function decide(desk: Desk, read: ImportRow | Rejected): Outcome {
  const row = read instanceof Rejected ? read.readable : read;
  if (row === null) return read as Rejected;
  const faults: RowFault[] = read instanceof Rejected ? [...read.faults] : [];
  const found = desk.attendees.find(row);
  if (found === 'several') {
    faults.push({ code: 'ambiguous_match', words: 'Several people of this event match this row.' });
    checkReferences(desk, row, faults);
    return new Rejected(faults);
  }
  return (found === null ? add(desk, row, faults) : change(desk, row, found, faults)) ?? new Rejected(faults);
}

/** Null if there are faults. */
function add(desk: Desk, row: ImportRow, faults: RowFault[]): Outcome | null {
  const { world, places, test } = desk;
  const { first_name, last_name } = row;
  if (
    (first_name === undefined && !isUnreadable(row, 'first_name')) ||
    (last_name === undefined && !isUnreadable(row, 'last_name'))
  ) {
    const words = 'The row matches nobody, and a new attendee needs a first and a last name.';
    faults.push({ code: 'name_required', words });
  }
  const type = row.attendee_type === undefined ? onlyType(desk, row, faults) : typeOf(desk, row.attendee_type, faults);
  const group_id = row.group === undefined ? desk.home : groupOf(desk, row.group, faults);
  const day_ids = daysFor(desk, type, row, faults);
  const answers = answersFor(world, type, row.answers, {}, faults);
  const needs =
    type === null || day_ids === null
      ? null
      : needsOf(world, [{ attendee_type_id: type.id, day_ids, products: NO_LINES, discount_id: null }]);
  if (needs !== null) faults.push(...noRoom(places, needs, test));
  if (faults.length > 0) return null;
  places.take(needs!, test, 1);
  const attendee: KnownAttendee = {
    id: newId(desk.now),
    registration_id: null,
    placed: true,
    attendee_type_id: type!.id,
    group_id,
    day_ids: day_ids!,
    ...attendeeTexts(row),
    external_id: ownNumber(desk, row) ?? null,
    answers,
    ...priceNow(type!, desk.now),
  };
  desk.attendees.add(attendee);
  desk.added.push(attendee);
  return 'created';
}

/** Null if there are faults. */
function change(desk: Desk, row: ImportRow, attendee: KnownAttendee, faults: RowFault[]): Outcome | null {
  const { world, places, test } = desk;
  const was = world.types.get(attendee.attendee_type_id)!;
  const type = row.attendee_type === undefined ? was : typeOf(desk, row.attendee_type, faults);
  const { id: _i, registration_id: _r, placed, ...before } = attendee;
  const group_id = row.group === undefined ? attendee.group_id : groupOf(desk, row.group, faults);
  const keeps = row.days === undefined && (type === null || keepsDays(world, was, type, attendee.day_ids));
  const day_ids = keeps ? attendee.day_ids : daysFor(desk, type, row, faults);
  const answers = answersFor(world, type, row.answers, attendee.answers, faults);
  if (placed && type !== null && day_ids !== null && (type !== was || day_ids !== attendee.day_ids)) {
    faults.push(
      ...noRoom(places, newNeeds(world, attendee, { ...attendee, attendee_type_id: type.id, day_ids }), test),
    );
  }
  if (faults.length > 0) return null;
  const details: AttendeeDetails = {
    ...before,
    attendee_type_id: type!.id,
    ...(type!.id === was.id ? agreedPrice(attendee) : ticketPrice(type!, desk.now)),
    group_id,
    day_ids: day_ids!,
    ...changesIn(desk, row, attendee),
    // An attendee who was found by Turnout's own id must not get that id as an `external_id`.
    external_id: isNamedByOwnId(row, attendee) ? attendee.external_id : (ownNumber(desk, row) ?? attendee.external_id),
    answers,
  };
  const differing = (Object.keys(details) as (keyof AttendeeDetails)[]).filter(
    (field) => !isDeepStrictEqual(details[field], before[field]),
  );
  if (differing.length === 0) return 'unchanged';
  if (placed) movePlaces(places, world, attendee, details, test);
  if (differing.includes('attendee_type_id') || differing.includes('day_ids')) {
    if (!desk.moved.has(attendee)) desk.moved.set(attendee, { ...before });
  }
  desk.attendees.change(attendee, details);
  const fields = desk.changed.get(attendee) ?? new Set();
  for (const field of differing) fields.add(field);
  desk.changed.set(attendee, fields);
  return 'updated';
}

/**
 * The fields that the row changes; an empty cell changes nothing. An attendee who was not found by ID was found by name and
 * address regardless of their spelling, so a different spelling of the same is not a change. A row that gives the attendee an ID
 * is treated as if it had found them by it: importing the same row again will, and must then change nothing.
 */
function changesIn(desk: Desk, row: ImportRow, attendee: KnownAttendee): Partial<AttendeeDetails> {
  const changes: Partial<AttendeeDetails> = {};
  const byId = isNamedByOwnId(row, attendee) || isNumbered(row, attendee) || ownNumber(desk, row) !== undefined;
  for (const field of IMPORTED_TEXTS) {
    const text = row[field];
    if (text === undefined || field === 'external_id') continue;
    if (byId || !FOUND_BY.includes(field) || !isSameButSpelling(text, attendee[field])) changes[field] = text;
  }
  return changes;
}

const FOUND_BY: readonly string[] = ['first_name', 'last_name', 'email', 'phone'];

/** Whether two texts differ at most in case, accents and spaces. */
const isSameButSpelling = (text: string, known: string | null): boolean =>
  known !== null && (text === known || withoutSpelling(text) === withoutSpelling(known));
const withoutSpelling = (text: string): string => normalise(text).replaceAll(' ', '');

const isNamedByOwnId = (row: ImportRow, attendee: KnownAttendee): boolean =>
  row.external_id !== undefined && ownIdOf(row) === attendee.id;

const isNumbered = ({ keys }: ImportRow, attendee: KnownAttendee): boolean =>
  keys.external !== null && keys.external === externalKey(attendee.external_id);

/** The ID of a row, unless it is Turnout's own id of an attendee: one copied from another event identifies nobody outside. */
function ownNumber({ foreign }: Desk, row: ImportRow): string | undefined {
  const id = ownIdOf(row);
  return id !== null && (foreign === 'all' || foreign.has(id)) ? undefined : row.external_id;
}

const isUnreadable = ({ unreadable }: ImportRow, field: ImportField): boolean =>
  unreadable !== undefined && (unreadable.has(field) || (unreadable.has('name') && field.endsWith('_name')));

/** For a row that is rejected anyway: reports the types, groups and days it names that do not exist. */
function checkReferences(desk: Desk, row: ImportRow, faults: RowFault[]): void {
  if (row.attendee_type !== undefined) typeOf(desk, row.attendee_type, faults);
  if (row.group !== undefined) groupOf(desk, row.group, faults);
  if (row.days !== undefined) daysIn(desk, row.days, faults);
}

function onlyType({ types: { rows } }: Desk, row: ImportRow, faults: RowFault[]): AttendeeTypeRow | null {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return only;
  if (!isUnreadable(row, 'attendee_type')) {
    faults.push({
      code: 'type_required',
      words: `A type is needed; choose one of: ${rows.map((type) => type.code).join(', ')}.`,
    });
  }
  return null;
}

function typeOf({ types }: Desk, text: string, faults: RowFault[]): AttendeeTypeRow | null {
  const type = types.find(text);
  if (type === null) faults.push({ code: 'unknown_type', words: `There is no attendee type "${shortened(text)}".` });
  return type;
}

function groupOf({ groups }: Desk, text: string, faults: RowFault[]): Id | null {
  const group = groups.find(text);
  if (group === null) faults.push({ code: 'unknown_group', words: `There is no group "${shortened(text)}".` });
  return group?.id ?? null;
}

/** Null if the days cannot be determined. */
function daysFor(desk: Desk, type: AttendeeTypeRow | null, row: ImportRow, faults: RowFault[]): Id[] | null {
  const chosen = row.days === undefined ? undefined : daysIn(desk, row.days, faults);
  if (type === null || chosen === null || (chosen === undefined && isUnreadable(row, 'days'))) return null;
  const offered = daysOf(desk.world, type).map((id) => desk.world.days.get(id)!.code);
  const findings = new Findings();
  const codes = chosen === 'all' ? offered : chosen && [...new Set(chosen.map((day) => day.code))];
  const days = readDays(desk.world, type, codes, 'days', findings);
  for (const refusal of findings.refusals) faults.push({ code: 'day_not_available', words: refusal.message });
  const [fault] = findings.faults;
  if (fault !== undefined) {
    const words =
      offered.length === 0
        ? `The event has no day for the attendee type ${type.code}.`
        : codes === undefined
          ? `A day is needed; choose one or more of: ${offered.join(', ')}.`
          : `The row ${fault.message}.`;
    faults.push({ code: 'day_required', words });
  }
  return findings.refusals.length > 0 || fault !== undefined ? null : days;
}

/**
 * Finds days by code, name or date. First the whole cell is tried as one name ("Saturday, all day"), then as the word for all days,
 * then it is split as a list. Null if one of them is unknown.
 */
function daysIn({ days, order }: Desk, text: string, faults: RowFault[]): DayRow[] | 'all' | null {
  const dayOf = (one: string): DayRow | null => {
    const found = days.find(one);
    const date = found === null ? readDate(one, order) : null;
    if (date === null) return found;
    const [only, ...others] = days.rows.filter((day) => day.date === date);
    return only !== undefined && others.length === 0 ? only : null;
  };
  const single = dayOf(text);
  if (single !== null) return [single];
  if (isAllDays(text)) return 'all';
  const found: DayRow[] = [];
  const named = severalIn(text);
  for (const one of new Set(named)) {
    const day = dayOf(one);
    if (day === null) faults.push({ code: 'unknown_day', words: `There is no day "${shortened(one)}".` });
    else found.push(day);
  }
  return found.length === new Set(named).size ? found : null;
}

/** One fault for each full scope. If every scope has room but it is reserved for the waitlist, the one refusal that says so. */
function noRoom(places: Places, needs: ReturnType<typeof needsOf>, test: boolean): RowFault[] {
  const refusal = places.refusal(needs, test);
  if (refusal === null) return NONE;
  const lacking = places.lacking(needs, test);
  return (lacking.length > 0 ? lacking : [refusal]).map(({ code, message }) => ({
    code: code as RowFault['code'],
    words: message,
  }));
}
const NONE: RowFault[] = [];

/** What an attendee needs after a change and did not have before. */
const newNeeds = (world: EventWorld, was: AttendeeDetails, is: AttendeeDetails): ReturnType<typeof needsOf> =>
  moreThan(needsOf(world, [was]), needsOf(world, [is]));

/** The price of another type. What is booked beside the ticket stays, and so does the use of a code. */
function ticketPrice(type: AttendeeTypeRow, now: Date): Omit<ReturnType<typeof priceNow>, 'products' | 'discount_id'> {
  const { products: _p, discount_id: _d, ...price } = priceNow(type, now);
  return price;
}

const IMPORT_RULES = { requiredAnswers: false, otherAnswers: true };

/** If the type is unknown, only the answers to questions for all types are checked. */
function answersFor(
  world: EventWorld,
  type: AttendeeTypeRow | null,
  given: Record<string, unknown>,
  kept: Record<string, unknown>,
  faults: RowFault[],
): Record<string, unknown> {
  const findings = new Findings();
  const answers =
    type === null
      ? checkAnswers(world, OF_NO_TYPE, ofEverybody(world, given), 'answers', IMPORT_RULES, findings)
      : checkAnswers(world, type, given, 'answers', IMPORT_RULES, findings);
  const all = { ...kept, ...answers };
  for (const { path, message } of findings.faults) {
    const key = path.replace('answers/', '');
    faults.push(invalidValue(key, textOf(given[key]), message));
  }
  const tooMuch = findings.faults.length > 0 ? null : tooMuchFault(all);
  if (tooMuch !== null) faults.push({ code: 'invalid_value', words: `The answers ${tooMuch}.` });
  return all;
}
/** An answer as its cell has it, for messages. Lists and other values are not quoted. */
const textOf = (answer: unknown): string | null => (typeof answer === 'string' ? answer : null);

const OF_NO_TYPE = { id: '' } as AttendeeTypeRow;

function ofEverybody(world: EventWorld, given: Record<string, unknown>): Record<string, unknown> {
  const some = new Set(world.questions.filter((one) => one.attendee_type_ids !== null).map((one) => one.code));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !some.has(key)));
}
