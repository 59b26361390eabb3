import type { RosterEntry } from '@turnout/client';
import type { Reader, Writer } from './bytes.ts';
import { readId, skipId, writeId } from './ids.ts';

export type { RosterEntry };
export type RosterPerson = RosterEntry['people'][number];

/** An entry as it is kept: without the hash, which is its key, and with times as numbers. */
export interface KeptEntry {
  readonly ticket_id: string;
  readonly status: 'valid' | 'voided';
  readonly test: boolean;
  /** The code of the registration; null if the entry was kept by a version that did not know it. */
  readonly registration: string | null;
  readonly people: readonly KeptPerson[];
}
export interface KeptPerson extends Omit<RosterPerson, 'admissions' | 'products' | 'to_hand_out'> {
  /** Empty in an event without products, and of a person who was kept by a version that did not know them. */
  readonly to_hand_out: NonNullable<RosterPerson['to_hand_out']>;
  /** Of what a point asks for; empty where none asks, and of a person who was kept by a version that did not know products. */
  readonly products: readonly string[];
  readonly admissions: readonly KeptAdmission[];
}
export interface KeptAdmission {
  readonly check_in_point: string;
  readonly kind: string;
  readonly day: string | null;
  readonly at: number;
  readonly seq: number;
}

/** The server may be of a version that sends neither registration codes nor answers nor products. */
export function keptEntry({ ticket_id, status, test, registration_code, people }: RosterEntry): KeptEntry {
  return {
    ticket_id,
    status,
    test,
    registration: registration_code ?? null,
    people: people.map((person) => ({
      id: person.id,
      first_name: person.first_name,
      last_name: person.last_name,
      attendee_type: person.attendee_type,
      group: person.group,
      confirmed: person.confirmed,
      days: person.days,
      answers: person.answers ?? {},
      products: person.products ?? [],
      to_hand_out: person.to_hand_out ?? [],
      admissions: person.admissions.map(({ check_in_point, kind, day, at, seq }) => ({
        check_in_point,
        kind,
        day,
        at: Date.parse(at),
        seq,
      })),
    })),
  };
}

/** Codes of types, groups, points and kinds, lists of days and of products, occur again and again: a record holds their number in this table. */
export class Table {
  readonly texts: string[];
  readonly #numbers: Map<string, number>;

  constructor(texts: readonly string[] = []) {
    this.texts = [...texts];
    this.#numbers = new Map(this.texts.map((text, i) => [text, i]));
  }

  numberOf(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.texts.length;
      this.texts.push(text);
      this.#numbers.set(text, number);
    }
    return number;
  }
}

const VOIDED = 1;
const TEST = 2;
/** Somebody on the ticket went through a zone or an exit, so the record matters for who is inside. */
export const PASSES = 4;

export const BETWEEN_CODES = '\u0000';
/** Times are kept as the distance from this one, because small numbers need few bytes: 2026-01-01. */
const EPOCH = Date.UTC(2026, 0);

/**
 * The format of the records that are written. Records of earlier formats, which devices of earlier versions have on disk, lack what came
 * later: those of format 1 the registration's code and the answers, those of format 2 what is sold beside the ticket.
 */
export const FORMAT = 4;
/** The first format that says what was booked and what is to hand out. Format 3 was never released. */
const SELLS = 4;
export const isFormat = (format: unknown): boolean => format === 1 || format === 2 || format === FORMAT;

export const hasPasses = (entry: KeptEntry): boolean =>
  entry.people.some((person) => person.admissions.some(({ kind }) => kind === 'zone' || kind === 'exit'));

export function writeEntry(out: Writer, table: Table, entry: KeptEntry): void {
  out.byte((entry.status === 'voided' ? VOIDED : 0) | (entry.test ? TEST : 0) | (hasPasses(entry) ? PASSES : 0));
  writeId(out, entry.ticket_id);
  out.text(entry.registration ?? '');
  out.number(entry.people.length);
  for (const person of entry.people) {
    const {
      id,
      first_name,
      last_name,
      attendee_type,
      group,
      days,
      confirmed,
      answers,
      products,
      to_hand_out,
      admissions,
      ...more
    } = person;
    // A field that is not written does not compile.
    more satisfies Record<string, never>;
    writeId(out, id);
    out.text(first_name);
    out.text(last_name);
    out.number(table.numberOf(attendee_type));
    out.number(group === null ? 0 : table.numberOf(group) + 1);
    out.number(table.numberOf(days.join(BETWEEN_CODES)) * 2 + (confirmed ? 1 : 0));
    const given = JSON.stringify(answers ?? {});
    out.text(given === '{}' ? '' : given);
    // Changes that an earlier version kept have none.
    out.number(table.numberOf((products ?? []).join(BETWEEN_CODES)));
    out.number(admissions.length);
    for (const one of admissions) {
      out.number(table.numberOf(one.check_in_point));
      out.number(table.numberOf(one.kind));
      out.number(one.day === null ? 0 : table.numberOf(one.day) + 1);
      out.signed(one.at - EPOCH);
      out.number(one.seq);
    }
    // Changes that an earlier version kept have none.
    out.number(to_hand_out?.length ?? 0);
    for (const { left, ...line } of to_hand_out ?? []) {
      out.number(table.numberOf(JSON.stringify(line)));
      out.number(left);
    }
  }
}

export function readEntry(from: Reader, texts: readonly string[], format: number): KeptEntry {
  const flags = from.byte();
  const ticket_id = readId(from);
  const registration = format === 1 ? '' : from.text();
  const people: KeptPerson[] = [];
  for (let left = from.number(); left > 0; left -= 1) people.push(readPerson(from, texts, format));
  return {
    ticket_id,
    status: flags & VOIDED ? 'voided' : 'valid',
    test: (flags & TEST) !== 0,
    registration: registration === '' ? null : registration,
    people,
  };
}

function readPerson(from: Reader, texts: readonly string[], format: number): KeptPerson {
  const id = readId(from);
  const first_name = from.text();
  const last_name = from.text();
  const attendee_type = texts[from.number()]!;
  const group = from.number();
  const days = from.number();
  const list = texts[Math.floor(days / 2)]!;
  const answers = format === 1 ? '' : from.text();
  const products = format < SELLS ? '' : texts[from.number()]!;
  const admissions = readAdmissions(from, texts);
  const to_hand_out = format < SELLS ? [] : readToHandOut(from, texts);
  return {
    id,
    first_name,
    last_name,
    attendee_type,
    group: group === 0 ? null : texts[group - 1]!,
    confirmed: days % 2 === 1,
    days: codesIn(list),
    answers: answers === '' ? {} : JSON.parse(answers),
    products: codesIn(products),
    to_hand_out,
    admissions,
  };
}

const codesIn = (list: string): string[] => (list === '' ? [] : list.split(BETWEEN_CODES));

function readToHandOut(from: Reader, texts: readonly string[]): KeptPerson['to_hand_out'] {
  const lines: KeptPerson['to_hand_out'] = [];
  for (let left = from.number(); left > 0; left -= 1) {
    const line = JSON.parse(texts[from.number()]!);
    lines.push({ ...line, left: from.number() });
  }
  return lines;
}

function readAdmissions(from: Reader, texts: readonly string[]): KeptAdmission[] {
  const admissions: KeptAdmission[] = [];
  for (let left = from.number(); left > 0; left -= 1) {
    const check_in_point = texts[from.number()]!;
    const kind = texts[from.number()]!;
    const day = from.number();
    admissions.push({
      check_in_point,
      kind,
      day: day === 0 ? null : texts[day - 1]!,
      at: from.signed() + EPOCH,
      seq: from.number(),
    });
  }
  return admissions;
}

/** What counting needs of somebody. The type and the days are numbers of texts in the table. */
export interface SkimmedPerson {
  readonly type: number;
  readonly days: number;
  readonly confirmed: boolean;
  readonly admissions: readonly KeptAdmission[];
}

/** Reads an entry without its ids, names and answers, which is most of the work where everybody is counted. */
export function skimEntry(from: Reader, texts: readonly string[], format: number) {
  const flags = from.byte();
  skipId(from);
  if (format !== 1) from.skipText();
  const people: SkimmedPerson[] = [];
  for (let left = from.number(); left > 0; left -= 1) {
    skipId(from);
    from.skipText();
    from.skipText();
    const type = from.number();
    from.number();
    const days = from.number();
    if (format !== 1) from.skipText();
    if (format >= SELLS) from.number();
    const admissions = readAdmissions(from, texts);
    if (format >= SELLS) for (let lines = from.number(); lines > 0; lines -= 1) skipLine(from);
    people.push({ type, days: Math.floor(days / 2), confirmed: days % 2 === 1, admissions });
  }
  return { valid: (flags & VOIDED) === 0, people };
}

/** A line of what is to hand out: its number in the table, and how many are left. */
function skipLine(from: Reader): void {
  from.number();
  from.number();
}
