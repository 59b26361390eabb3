import { isDeepStrictEqual } from 'node:util';
import type { DateOrder, ImportField } from '@turnout/contract';
import { type Id, newId } from '../../store/ids.ts';
import { externalKey, normalise } from '../contacts/index.ts';
import type { AttendeeTypeRow, DayRow } from '../events/index.ts';
import {
  type AttendeeDetails,
  checkAnswers,
  type EventWorld,
  Findings,
  keepsDays,
  movePlaces,
  needsOf,
  type Places,
  readDays,
  tooMuchFault,
} from '../registrations/index.ts';
import { type PersonRow, Rejected, type RowFault, severalIn, short } from './import-cells.ts';
import { readDate } from './import-dates.ts';
import { type Known, ownIdOf, type People } from './import-people.ts';

export interface Named {
  id: Id;
  code: string;
  name: string;
}

/** Things by what people call them: the code; else the name, if only one is called so. */
export class Lookup<Row extends Named> {
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

/** Where rows are decided, one after the other: what each leaves behind is what the next one meets. */
export interface Desk {
  world: EventWorld;
  places: Places;
  people: People;
  types: Lookup<AttendeeTypeRow>;
  days: Lookup<DayRow>;
  groups: Lookup<Named>;
  /** The group of new people whose row names none. */
  home: Id | null;
  test: boolean;
  order: DateOrder;
  now: Date;
  /** Whom the rows add, and whom they change in what: as the last row left them. */
  added: Known[];
  changed: Map<Known, Set<string>>;
  /** As those were before these rows whose type or days they change. */
  moved: Map<Known, AttendeeDetails>;
  /** Ids of people of ours that rows have for an ID; `all`: whatever looks like one. */
  foreign: ReadonlySet<Id> | 'all';
}

export type Outcome = 'created' | 'updated' | 'unchanged' | Rejected;

/** One row: a person to add, to change, to leave alone, or everything that is wrong with it. */
export function decide(desk: Desk, said: PersonRow | Rejected): Outcome {
  const row = said instanceof Rejected ? said.rest : said;
  if (row === null) return said as Rejected;
  const faults: RowFault[] = said instanceof Rejected ? [...said.faults] : [];
  const found = desk.people.find(row);
  if (found === 'several') {
    faults.push({ code: 'ambiguous_match', words: 'Several people of this event fit this row.' });
    requireKnown(desk, row, faults);
    return new Rejected(faults);
  }
  return (found === null ? add(desk, row, faults) : change(desk, row, found, faults)) ?? new Rejected(faults);
}

/** Null where there are faults. */
function add(desk: Desk, row: PersonRow, faults: RowFault[]): Outcome | null {
  const { world, places, test } = desk;
  const { first_name, last_name } = row;
  if (
    (first_name === undefined && !isUnfit(row, 'first_name')) ||
    (last_name === undefined && !isUnfit(row, 'last_name'))
  ) {
    const words = 'Nobody is known by this row, and a new person needs a first and a last name.';
    faults.push({ code: 'name_required', words });
  }
  const type = row.attendee_type === undefined ? onlyType(desk, row, faults) : typeOf(desk, row.attendee_type, faults);
  const group_id = row.group === undefined ? desk.home : groupOf(desk, row.group, faults);
  const day_ids = daysFor(desk, type, row, faults);
  const answers = answersFor(world, type, row.answers, {}, faults);
  const needs =
    type === null || day_ids === null ? null : needsOf(world.event.id, [{ attendee_type_id: type.id, day_ids }]);
  if (needs !== null) faults.push(...noRoom(places, needs, test));
  if (faults.length > 0) return null;
  places.take(needs!, test, 1);
  const person: Known = {
    id: newId(desk.now),
    registration_id: null,
    placed: true,
    attendee_type_id: type!.id,
    group_id,
    day_ids: day_ids!,
    first_name: first_name!,
    last_name: last_name!,
    email: row.email ?? null,
    phone: row.phone ?? null,
    date_of_birth: row.date_of_birth ?? null,
    external_id: ownNumber(desk, row) ?? null,
    answers,
    price_minor: type!.price_minor,
  };
  desk.people.add(person);
  desk.added.push(person);
  return 'created';
}

/** Null where there are faults. */
function change(desk: Desk, row: PersonRow, person: Known, faults: RowFault[]): Outcome | null {
  const { world, places, test } = desk;
  const was = world.types.get(person.attendee_type_id)!;
  const type = row.attendee_type === undefined ? was : typeOf(desk, row.attendee_type, faults);
  const { id: _i, registration_id: _r, placed, ...before } = person;
  const group_id = row.group === undefined ? person.group_id : groupOf(desk, row.group, faults);
  const keeps = row.days === undefined && (type === null || keepsDays(world, was, type, person.day_ids));
  const day_ids = keeps ? person.day_ids : daysFor(desk, type, row, faults);
  const answers = answersFor(world, type, row.answers, person.answers, faults);
  if (placed && type !== null && day_ids !== null && (type !== was || day_ids !== person.day_ids)) {
    faults.push(...noRoom(places, newNeeds(world.event.id, person, { attendee_type_id: type.id, day_ids }), test));
  }
  if (faults.length > 0) return null;
  const details: AttendeeDetails = {
    ...before,
    attendee_type_id: type!.id,
    price_minor: type!.id === was.id ? person.price_minor : type!.price_minor,
    group_id,
    day_ids: day_ids!,
    ...given(desk, row, person),
    // Whoever is named by the own id gets no other one.
    external_id: isNamedByOwnId(row, person) ? person.external_id : (ownNumber(desk, row) ?? person.external_id),
    answers,
  };
  const differing = (Object.keys(details) as (keyof AttendeeDetails)[]).filter(
    (field) => !isDeepStrictEqual(details[field], before[field]),
  );
  if (differing.length === 0) return 'unchanged';
  if (placed) movePlaces(places, world.event.id, person, details, test);
  if (differing.includes('attendee_type_id') || differing.includes('day_ids')) {
    if (!desk.moved.has(person)) desk.moved.set(person, { ...before });
  }
  desk.people.change(person, details);
  const fields = desk.changed.get(person) ?? new Set();
  for (const field of differing) fields.add(field);
  desk.changed.set(person, fields);
  return 'updated';
}

/**
 * What the row says; an empty cell changes nothing. Whoever was not found by ID was found however the name and the address are
 * spelled, so another spelling of the same says nothing new. A row that gives somebody an ID counts as one that found them by it:
 * the same row again will, and must change nothing then.
 */
function given(desk: Desk, row: PersonRow, person: Known): Partial<AttendeeDetails> {
  const said: Partial<AttendeeDetails> = {};
  const byId = isNamedByOwnId(row, person) || isNumbered(row, person) || ownNumber(desk, row) !== undefined;
  for (const field of ['first_name', 'last_name', 'email', 'phone'] as const) {
    const text = row[field];
    if (text !== undefined && (byId || !isSpelling(text, person[field]))) said[field] = text;
  }
  if (row.date_of_birth !== undefined) said.date_of_birth = row.date_of_birth;
  return said;
}

/** The same but for case, accents and spaces. */
const isSpelling = (text: string, known: string | null): boolean =>
  known !== null && (text === known || spelled(text) === spelled(known));
const spelled = (text: string): string => normalise(text).replaceAll(' ', '');

const isNamedByOwnId = (row: PersonRow, person: Known): boolean =>
  row.external_id !== undefined && ownIdOf(row) === person.id;

const isNumbered = ({ keys }: PersonRow, person: Known): boolean =>
  keys.external !== null && keys.external === externalKey(person.external_id);

/** The ID of a row, unless it is ours: the id of somebody in another event is no number that people know this one by. */
function ownNumber({ foreign }: Desk, row: PersonRow): string | undefined {
  const id = ownIdOf(row);
  return id !== null && (foreign === 'all' || foreign.has(id)) ? undefined : row.external_id;
}

const isUnfit = ({ unfit }: PersonRow, field: ImportField): boolean =>
  unfit !== undefined && (unfit.has(field) || (unfit.has('name') && field.endsWith('_name')));

/** Of a row that is left out anyway: what it names and is not there. */
function requireKnown(desk: Desk, row: PersonRow, faults: RowFault[]): void {
  if (row.attendee_type !== undefined) typeOf(desk, row.attendee_type, faults);
  if (row.group !== undefined) groupOf(desk, row.group, faults);
  if (row.days !== undefined) daysIn(desk, row.days, faults);
}

function onlyType({ types: { rows } }: Desk, row: PersonRow, faults: RowFault[]): AttendeeTypeRow | null {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return only;
  if (!isUnfit(row, 'attendee_type')) {
    faults.push({ code: 'type_required', words: `A type is needed: ${rows.map((type) => type.code).join(', ')}.` });
  }
  return null;
}

function typeOf({ types }: Desk, text: string, faults: RowFault[]): AttendeeTypeRow | null {
  const type = types.find(text);
  if (type === null) faults.push({ code: 'unknown_type', words: `There is no attendee type "${short(text)}".` });
  return type;
}

function groupOf({ groups }: Desk, text: string, faults: RowFault[]): Id | null {
  const group = groups.find(text);
  if (group === null) faults.push({ code: 'unknown_group', words: `There is no group "${short(text)}".` });
  return group?.id ?? null;
}

/** Null where they cannot be told. */
function daysFor(desk: Desk, type: AttendeeTypeRow | null, row: PersonRow, faults: RowFault[]): Id[] | null {
  const chosen = row.days === undefined ? undefined : daysIn(desk, row.days, faults);
  if (type === null || chosen === null || (chosen === undefined && isUnfit(row, 'days'))) return null;
  const findings = new Findings();
  const codes = chosen && [...new Set(chosen.map((day) => day.code))];
  const days = readDays(desk.world, type, codes, 'days', findings);
  for (const refusal of findings.refusals) faults.push({ code: 'day_not_available', words: refusal.message });
  const [fault] = findings.faults;
  if (fault !== undefined) faults.push({ code: 'day_required', words: `A day is needed: ${fault.message}.` });
  return findings.refusals.length > 0 || fault !== undefined ? null : days;
}

/** Days by code, name or date. The whole cell may be one ("Saturday, all day"); else it is a list. Null: one is unknown. */
function daysIn({ days, order }: Desk, text: string, faults: RowFault[]): DayRow[] | null {
  const dayOf = (one: string): DayRow | null => {
    const found = days.find(one);
    const date = found === null ? readDate(one, order) : null;
    if (date === null) return found;
    const [only, ...others] = days.rows.filter((day) => day.date === date);
    return only !== undefined && others.length === 0 ? only : null;
  };
  const whole = dayOf(text);
  if (whole !== null) return [whole];
  const found: DayRow[] = [];
  const named = severalIn(text);
  for (const one of new Set(named)) {
    const day = dayOf(one);
    if (day === null) faults.push({ code: 'unknown_day', words: `There is no day "${short(one)}".` });
    else found.push(day);
  }
  return found.length === new Set(named).size ? found : null;
}

/** Each scope without room; where all have some, who waits for it. */
function noRoom(places: Places, needs: ReturnType<typeof needsOf>, test: boolean): RowFault[] {
  const refusal = places.refusal(needs, test);
  if (refusal === null) return NONE;
  const lacking = places.lacking(needs, test);
  return (lacking.length > 0 ? lacking : [refusal]).map(({ code, message }) => ({ code, words: message }));
}
const NONE: RowFault[] = [];

type Placed = Pick<AttendeeDetails, 'attendee_type_id' | 'day_ids'>;
/** What somebody who moves needs anew. */
function newNeeds(event: Id, was: Placed, is: Placed): ReturnType<typeof needsOf> {
  const had = needsOf(event, [was]);
  return new Map([...needsOf(event, [is])].filter(([scope]) => !had.has(scope)));
}

const IMPORT_RULES = { hiddenTypes: true, requiredAnswers: false, otherAnswers: true };

/** Without a type, only what is asked of everybody can be checked. */
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
    faults.push({ code: 'invalid_value', words: `${short(path.replace('answers/', ''))} ${message}.` });
  }
  const tooMuch = findings.faults.length > 0 ? null : tooMuchFault(all);
  if (tooMuch !== null) faults.push({ code: 'invalid_value', words: `answers ${tooMuch}.` });
  return all;
}
const OF_NO_TYPE = { id: '' } as AttendeeTypeRow;

function ofEverybody(world: EventWorld, given: Record<string, unknown>): Record<string, unknown> {
  const some = new Set(world.questions.filter((one) => one.attendee_type_ids !== null).map((one) => one.code));
  return Object.fromEntries(Object.entries(given).filter(([key]) => !some.has(key)));
}
