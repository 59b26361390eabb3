import { isDeepStrictEqual } from 'node:util';
import type { DateOrder, ImportError } from '@turnout/contract';
import { type Id, newId } from '../../store/ids.ts';
import { normalise } from '../contacts/index.ts';
import type { AttendeeTypeRow, DayRow } from '../events/index.ts';
import {
  checkAnswers,
  type EventWorld,
  Findings,
  keepsDays,
  move,
  needsOf,
  type PersonDetails,
  type Places,
  readDays,
  tooMuchFault,
} from '../registrations/index.ts';
import { type PersonRow, Rejected, severalIn, short } from './import-cells.ts';
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
}

export type Outcome = 'created' | 'updated' | 'unchanged' | Rejected;

/** One row: a person to add, to change, to leave alone, or a reason why not. */
export function decide(desk: Desk, row: PersonRow): Outcome {
  const found = desk.people.find(row);
  if (found === 'several') return new Rejected('ambiguous_match', 'Several people of this event fit this row.');
  try {
    return found === null ? add(desk, row) : change(desk, row, found);
  } catch (error) {
    if (error instanceof Rejection) return error.why;
    throw error;
  }
}

/** Ends the reading of one row, wherever it is. */
class Rejection extends Error {
  readonly why: Rejected;
  constructor(code: ImportError, words: string) {
    super(words);
    this.why = new Rejected(code, words);
  }
}
const reject = (code: ImportError, words: string): never => {
  throw new Rejection(code, words);
};

function add(desk: Desk, row: PersonRow): Outcome {
  const { world, places, test } = desk;
  const { first_name, last_name } = row;
  if (first_name === undefined || last_name === undefined) {
    return reject('name_required', 'Nobody is known by this row, and a new person needs a first and a last name.');
  }
  const type = row.attendee_type === undefined ? onlyType(desk) : typeOf(desk, row.attendee_type);
  const details: PersonDetails = {
    attendee_type_id: type.id,
    group_id: row.group === undefined ? desk.home : groupOf(desk, row.group),
    day_ids: daysFor(desk, type, row.days),
    first_name,
    last_name,
    email: row.email ?? null,
    phone: row.phone ?? null,
    date_of_birth: row.date_of_birth ?? null,
    external_id: row.external_id ?? null,
    answers: answersFor(world, type, row.answers),
    price_minor: type.price_minor,
  };
  const needs = needsOf(world.event.id, [details]);
  const full = places.refusal(needs, test);
  if (full !== null) return new Rejected(full.code, full.message);
  places.take(needs, test, 1);
  const person: Known = { id: newId(desk.now), registration_id: null, placed: true, ...details };
  desk.people.add(person);
  desk.added.push(person);
  return 'created';
}

function change(desk: Desk, row: PersonRow, person: Known): Outcome {
  const { world, places, test } = desk;
  const was = world.types.get(person.attendee_type_id)!;
  const type = row.attendee_type === undefined ? was : typeOf(desk, row.attendee_type);
  const { id: _i, registration_id: _r, placed, ...before } = person;
  const details: PersonDetails = {
    ...before,
    attendee_type_id: type.id,
    price_minor: type.id === was.id ? person.price_minor : type.price_minor,
    group_id: row.group === undefined ? person.group_id : groupOf(desk, row.group),
    day_ids:
      row.days === undefined && keepsDays(world, was, type, person.day_ids)
        ? person.day_ids
        : daysFor(desk, type, row.days),
    ...given(row),
    // Whoever is named by the own id gets no other one.
    external_id: isNamedByOwnId(row, person) ? person.external_id : (row.external_id ?? person.external_id),
    answers: answersFor(world, type, row.answers, person.answers),
  };
  const differing = (Object.keys(details) as (keyof PersonDetails)[]).filter(
    (field) => !isDeepStrictEqual(details[field], before[field]),
  );
  if (differing.length === 0) return 'unchanged';
  const full = placed ? move(places, world.event.id, person, details, test) : null;
  if (full !== null) return new Rejected(full.code, full.message);
  desk.people.change(person, details);
  const fields = desk.changed.get(person) ?? new Set();
  for (const field of differing) fields.add(field);
  desk.changed.set(person, fields);
  return 'updated';
}

/** What the row says; an empty cell changes nothing. */
const given = ({ first_name, last_name, email, phone, date_of_birth }: PersonRow) => ({
  ...(first_name !== undefined && { first_name }),
  ...(last_name !== undefined && { last_name }),
  ...(email !== undefined && { email }),
  ...(phone !== undefined && { phone }),
  ...(date_of_birth !== undefined && { date_of_birth }),
});

const isNamedByOwnId = (row: PersonRow, person: Known): boolean =>
  row.external_id !== undefined && ownIdOf(row) === person.id;

function onlyType({ types: { rows } }: Desk): AttendeeTypeRow {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return only;
  return reject('type_required', `A type is needed: ${rows.map((type) => type.code).join(', ')}.`);
}

const typeOf = ({ types }: Desk, text: string): AttendeeTypeRow =>
  types.find(text) ?? reject('unknown_type', `There is no attendee type "${short(text)}".`);

const groupOf = ({ groups }: Desk, text: string): Id =>
  groups.find(text)?.id ?? reject('unknown_group', `There is no group "${short(text)}".`);

function daysFor(desk: Desk, type: AttendeeTypeRow, text: string | undefined): Id[] {
  const findings = new Findings();
  const chosen = text === undefined ? undefined : [...new Set(daysIn(desk, text).map((day) => day.code))];
  const days = readDays(desk.world, type, chosen, 'days', findings);
  const [refusal] = findings.refusals;
  if (refusal !== undefined) return reject('day_not_available', refusal.message);
  const [fault] = findings.faults;
  if (fault !== undefined) return reject('day_required', `A day is needed: ${fault.message}.`);
  return days;
}

/** Days by code, name or date. The whole cell may be one ("Saturday, all day"); else it is a list. */
function daysIn({ days, order }: Desk, text: string): DayRow[] {
  const dayOf = (one: string): DayRow | null => {
    const found = days.find(one);
    const date = found === null ? readDate(one, order) : null;
    if (date === null) return found;
    const [only, ...others] = days.rows.filter((day) => day.date === date);
    return only !== undefined && others.length === 0 ? only : null;
  };
  const whole = dayOf(text);
  if (whole !== null) return [whole];
  return severalIn(text).map((one) => dayOf(one) ?? reject('unknown_day', `There is no day "${short(one)}".`));
}

const IMPORT_RULES = { hiddenTypes: true, requiredAnswers: false, otherAnswers: true };

function answersFor(
  world: EventWorld,
  type: AttendeeTypeRow,
  given: Record<string, unknown>,
  kept: Record<string, unknown> = {},
): Record<string, unknown> {
  const findings = new Findings();
  const answers = checkAnswers(world, type, given, 'answers', IMPORT_RULES, findings);
  const all = { ...kept, ...answers };
  const tooMuch = tooMuchFault(all);
  const [fault] = findings.faults;
  if (fault !== undefined) reject('invalid_value', `${fault.path.replace('answers/', '')} ${fault.message}.`);
  return tooMuch === null ? all : reject('invalid_value', `answers ${tooMuch}.`);
}
