import { lastAdmission } from './history.ts';
import { keyOf, type PreparedPoint, type PreparedWorld, pointOf } from './prepare.ts';
import { type Case, IN_ORDER, type Rule } from './rules.ts';
import type { Admitted, Decision, Person, PersonDecision, Refused, Scan, Ticket, Verdict } from './scan.ts';
import { type Result, SUCCESS_OF } from './vocabulary.ts';
import { openWindows, outsideWindows, personsWindow } from './windows.ts';

/**
 * The decision. The first row that applies gives the result.
 *
 *   1  the code is not a ticket of this event                       unknown
 *      the ticket is voided                                         voided, each person
 *   2  take the point's days whose window contains `at`, ranked by window start, date, code; when there is none:
 *        one still opens on the local date of `at`                  not_yet_open, each person
 *        one ended on that date                                     closed
 *        one is still to come                                       not_yet_open
 *        otherwise                                                  closed
 *   3  decide for each person present, in ticket order. The day is
 *        the first open day that is on the person's ticket and not locked,
 *        else the first open day that is on the person's ticket, else the first open day;
 *        at an exit with no open day, the day of the person's last admission up to `at`; without one, the result of step 2
 *      the result is that of the first rule in `rules.ts` that refuses, else the success of the point's kind
 *   4  the result of the scan is the success if anyone has it, else the first result in RANK that a person has
 *
 * It depends only on its arguments and changes none of them. It throws only for a mistake of the caller: a point that
 * the world does not have, or a zone with a capacity without the number of others inside.
 */
export function decide(world: PreparedWorld, scan: Scan): Decision {
  return decideBy(IN_ORDER, world, scan);
}

const RANK: readonly Result[] = [
  'duplicate',
  'day_locked',
  'wrong_day',
  'zone_full',
  'rejected',
  'closed',
  'not_yet_open',
];

const UNKNOWN: Decision = { result: 'unknown', reason: 'code_unknown', admitted: false, people: [] };
const VOIDED: Refused = { result: 'voided', reason: 'ticket_voided', admitted: false };
const NOBODY: Decision = { result: 'rejected', reason: 'nobody_present', admitted: false, people: [] };

const ADMITTED: { readonly [K in keyof typeof SUCCESS_OF]: Admitted } = {
  entry: { result: SUCCESS_OF.entry, reason: null, admitted: true },
  pre_check: { result: SUCCESS_OF.pre_check, reason: null, admitted: true },
  zone: { result: SUCCESS_OF.zone, reason: null, admitted: true },
  exit: { result: SUCCESS_OF.exit, reason: null, admitted: true },
};

/** The rules are an argument, so that a test can leave one out or swap two, and check that the golden cases notice. */
export function decideBy(rules: readonly Rule[], world: PreparedWorld, scan: Scan): Decision {
  const point = pointOf(world, scan.check_in_point);
  const { ticket, at } = scan;
  if (ticket === null) return UNKNOWN;
  const present = scan.people_present ?? null;
  const people = present === null ? ticket.people : ticket.people.filter((person) => present.includes(person.id));
  if (ticket.status === 'voided') return sameForAll(people, VOIDED);
  if (people.length === 0) return NOBODY;
  const open = openWindows(point, at);
  const shut = open.length === 0 ? outsideWindows(world, point, at) : null;
  if (shut !== null && point.kind !== 'exit') return sameForAll(people, shut);

  const decided: PersonDecision[] = [];
  for (const person of people) {
    if (shut === null) {
      const window = personsWindow(world, open, person.days, at);
      const { day } = window;
      const verdict = judge(rules, { world, point, scan, ticket, person, day, window, decided });
      decided.push(personDecision(person, verdict, day));
    } else {
      decided.push(leave(rules, world, point, scan, ticket, person, shut, decided));
    }
  }
  return scanResult(decided);
}

/** Decides for one person at an exit while none of its windows is open. */
function leave(
  rules: readonly Rule[],
  world: PreparedWorld,
  point: PreparedPoint,
  scan: Scan,
  ticket: Ticket,
  person: Person,
  shut: Refused,
  decided: readonly PersonDecision[],
): PersonDecision {
  const last = lastAdmission(person.admissions, scan.at);
  if (last === null) return personDecision(person, shut, null);
  const day = last.day === null ? null : keyOf(world.keys.days, last.day);
  return personDecision(person, judge(rules, { world, point, scan, ticket, person, day, window: null, decided }), day);
}

function judge(rules: readonly Rule[], c: Case): Verdict {
  for (const rule of rules) {
    const refused = rule(c);
    if (refused !== null) return refused;
  }
  return ADMITTED[c.point.kind];
}

/** Step 4. The scan's reason is that of the first person who has the scan's result. */
function scanResult(people: readonly PersonDecision[]): Decision {
  let first = people.find((person) => person.admitted);
  for (let i = 0; first === undefined && i < RANK.length; i += 1) {
    first = people.find((person) => person.result === RANK[i]);
  }
  const { result, reason, admitted } = first!;
  return { result, reason, admitted, people };
}

function sameForAll(people: readonly Person[], refused: Refused): Decision {
  return { ...refused, people: people.map((person) => personDecision(person, refused, null)) };
}

function personDecision(person: Person, verdict: Verdict, day: string | null): PersonDecision {
  const { result, reason, admitted } = verdict;
  const first_admission = (!verdict.admitted && verdict.first) || null;
  return { person: person.id, result, reason, admitted, day, first_admission };
}
