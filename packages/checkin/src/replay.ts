import type { CaseAdmission, CaseFile, CaseScan, CaseTicket, GoldenCase } from './case-file.ts';
import { decide } from './decide.ts';
import { insideZone, type Pass } from './inside.ts';
import { type PreparedWorld, pointOf, prepareWorld } from './prepare.ts';
import type { Decision, Person, PersonDecision, Scan, Ticket } from './scan.ts';
import { instant } from './time.ts';
import type { Mode } from './vocabulary.ts';

/** Where the answer to a scan differs from the expected one. */
export interface Difference {
  readonly case: string;
  /** Index of the scan within its case, from 0. */
  readonly scan: number;
  /** `result`, `reason`, or a person's `ref`. */
  readonly what: string;
  readonly expected: string;
  readonly got: string;
}

/** What a scanner answered. The local replay and the replay over the API are both compared in this form. */
export interface Answer {
  readonly result: string;
  readonly reason?: string | null;
  /** By the person's `ref`. */
  readonly people?: Readonly<Record<string, string>>;
  /** By the person's `ref`. */
  readonly first_admission?: Readonly<Record<string, CaseAdmission | null>>;
}

export type Decide = (world: PreparedWorld, scan: Scan) => Decision;

/**
 * Replays every case in memory, each from an empty record. Admissions are kept with their point, day and time, test and live
 * ones apart, as a server does. Pass another `decide` to test it against the same cases.
 */
export function replayLocally(file: CaseFile, how: Decide = decide): Difference[] {
  const world = prepareWorld(file.world);
  return file.cases.flatMap((one) =>
    replayCase(world, one, how).flatMap((decision, i) => differences(one, i, answerOf(decision))),
  );
}

export function replayCase(world: PreparedWorld, one: GoldenCase, how: Decide = decide): Decision[] {
  const records: Record<Mode, Pass[]> = { live: [], test: [] };
  return one.scans.map((scan) => {
    const mode = scan.test === true ? 'test' : 'live';
    const record = records[mode];
    const decision = how(world, scanOf(world, one, scan, mode, record));
    const { kind, key } = pointOf(world, scan.check_in_point);
    for (const { person, admitted, day } of decision.people) {
      if (!admitted) continue;
      record.push({ person, check_in_point: key, kind, day, at: instant(scan.at), seq: record.length });
    }
    return decision;
  });
}

export function differences(one: GoldenCase, index: number, answer: Answer): Difference[] {
  const scan = one.scans[index]!;
  const found: Difference[] = [];
  const compare = (what: string, expected: string, got: string | null | undefined): void => {
    if (expected !== got) found.push({ case: one.name, scan: index, what, expected, got: got ?? 'nothing' });
  };
  compare('result', scan.result, answer.result);
  if (scan.reason !== undefined && answer.reason !== undefined) compare('reason', scan.reason, answer.reason);
  for (const [ref, result] of Object.entries(scan.people ?? {})) compare(ref, result, answer.people?.[ref]);
  for (const [ref, first] of Object.entries(scan.first_admission ?? {})) {
    if (answer.first_admission !== undefined)
      compare(`${ref}, first admission`, inWords(first), inWords(answer.first_admission[ref] ?? null));
  }
  return found;
}

const inWords = (first: CaseAdmission | null): string =>
  first === null ? 'nothing' : `${instant(first.at)} ${first.check_in_point} ${first.day}`;

function answerOf({ result, reason, people }: Decision): Answer {
  const each = <T>(what: (person: PersonDecision) => T): Record<string, T> =>
    Object.fromEntries(people.map((person) => [person.person, what(person)]));
  return {
    result,
    reason,
    people: each((person) => person.result),
    first_admission: each(({ first_admission: first }) => first && { ...first, at: new Date(first.at).toISOString() }),
  };
}

function scanOf(world: PreparedWorld, one: GoldenCase, scan: CaseScan, mode: Mode, record: readonly Pass[]): Scan {
  const at = instant(scan.at);
  const shared = { check_in_point: scan.check_in_point, at, mode };
  const ticket = one.tickets.find(({ ref }) => ref === scan.ticket);
  if (ticket === undefined) return { ...shared, ticket: null };
  const everyone = ticket.people.map(({ ref }) => ref);
  return {
    ...shared,
    ticket: ticketOf(ticket, record),
    people_present: scan.people_present ?? null,
    others_inside: insideZone(world, scan.check_in_point, record, at, everyone),
  };
}

function ticketOf(ticket: CaseTicket, record: readonly Pass[]): Ticket {
  const people = ticket.people.map(
    ({ ref, attendee_type, days, group = null, products, status = 'confirmed' }): Person => ({
      id: ref,
      attendee_type,
      group,
      confirmed: status === 'confirmed',
      days,
      products: products ?? [],
      admissions: record.filter((pass) => pass.person === ref),
    }),
  );
  return { status: ticket.status ?? 'valid', test: ticket.test ?? false, people };
}
