import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CaseFile, type Difference, differences, fullPolicy, type GoldenCase, parseCases } from '@turnout/checkin';
import { Formats } from '@turnout/words/scanner';
import words from '../../../packages/words/src/en/results.ts';
import { PRODUCTS_SCANNER_VERSION } from '../../../server/src/road/gate/scanners.ts';
import { ROOT } from '../running.ts';
import type { Shown, Step } from './held-door.ts';

/** Before everything that happens in the cases. */
export const BEFORE = '2027-01-01T00:00:00Z';

export function readCases(): CaseFile {
  const read = parseCases(JSON.parse(readFileSync(join(ROOT, 'packages/checkin/golden/scan-cases.json'), 'utf8')));
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.value;
}

/**
 * The golden cases as a manifest and a roster: all cases in one event, as the README of packages/checkin says it is possible. People
 * and tickets of different cases get different names.
 */
export const codeOf = (one: number, ref: string): string => `CASE${one}X${Buffer.from(ref).toString('hex')}`;
const personOf = (one: number, ref: string): string => `${one}:${ref}`;

export function manifestOf({ world }: CaseFile, rosterUrl: string, count: number): Record<string, unknown> {
  const named = <T extends { code: string }>(things: readonly T[]) =>
    things.map((thing) => ({ name: thing.code, ...thing }));
  return {
    event: {
      ...{ id: 'EVENT', code: 'cases', name: 'Cases', status: 'published', test: false, timezone: world.timezone },
      door: { name_search: false, kiosk: false },
    },
    group: null,
    days: named(world.days),
    attendee_types: named(world.attendee_types),
    groups: named(world.groups),
    products: named(world.products ?? []).map(({ code, name }) => ({ code, name })),
    // The cases leave out what is as usual; a manifest says everything.
    check_in_points: named(world.check_in_points).map((point) => ({
      ...point,
      policy: fullPolicy(point.kind, point.policy),
    })),
    roster: { url: rosterUrl, expires_at: '2030-01-01T00:00:00Z', count, as_of: BEFORE },
    min_sw_version: PRODUCTS_SCANNER_VERSION,
    server_time: BEFORE,
  };
}

/** Live and test rosters are the same here: the cases try a test ticket at a live gate, which a live roster does not hold. */
export function rosterOf({ cases }: CaseFile): { as_of: string; data: unknown[] } {
  const data = cases.flatMap((one, i) =>
    one.tickets.map((ticket) => ({
      code_sha256: createHash('sha256').update(codeOf(i, ticket.ref).toUpperCase()).digest('hex'),
      ticket_id: `${i}:${ticket.ref}`,
      status: ticket.status ?? 'valid',
      test: ticket.test ?? false,
      people: ticket.people.map((person) => ({
        id: personOf(i, person.ref),
        first_name: person.ref,
        last_name: `Case${i}`,
        attendee_type: person.attendee_type,
        group: person.group ?? null,
        confirmed: (person.status ?? 'confirmed') === 'confirmed',
        days: person.days,
        products: person.products ?? [],
        admissions: [],
      })),
    })),
  );
  return { as_of: BEFORE, data };
}

/** What is held up in a case. `codeOf` tells the code of a ticket by its `ref`. */
export function stepsOf(one: GoldenCase, code: (ref: string) => string): Step[] {
  return one.scans.map((scan) => {
    const ticket = one.tickets.find(({ ref }) => ref === scan.ticket);
    return {
      code: scan.code ?? code(scan.ticket!),
      point: scan.check_in_point,
      at: Date.parse(scan.at),
      test: scan.test ?? false,
      here: scan.people_present ?? ticket?.people.map(({ ref }) => ref) ?? [],
    };
  });
}

/** Where the screen said something else than the case expects: in its marks, or in its words. */
export function differencesShown(
  one: GoldenCase,
  index: number,
  shown: Shown,
  { by, timezone }: { by: 'server' | 'device'; timezone: string },
): Difference[] {
  const scan = one.scans[index]!;
  const people = Object.fromEntries(shown.people.map(({ first_name, result }) => [first_name, result]));
  const found = differences(one, index, { result: shown.result, reason: shown.reason, people });
  const compare = (what: string, expected: string, got: string, same = expected === got): void => {
    if (!same) found.push({ case: one.name, scan: index, what, expected, got });
  };
  compare('who decided', by, shown.by ?? 'nobody');
  if (!shown.mixed) compare('title', wordOf(scan.result), shown.title);
  for (const [ref, first] of Object.entries(scan.first_admission ?? {})) {
    const said = shown.people.find(({ first_name }) => first_name === ref)?.said ?? 'nothing';
    const expected = firstAdmitted(first, scan.at, timezone);
    compare(`${ref}, first admission`, expected, said, said.includes(expected));
  }
  for (const { first_name, result, said } of shown.people) {
    const expected = wordOf(scan.people?.[first_name] ?? result);
    if (shown.people.length > 1) compare(`${first_name}, in words`, expected, said, said.includes(expected));
  }
  return found;
}

const wordOf = (result: string): string => String((words as Record<string, unknown>)[`result.${result}`] ?? result);

/** When and where somebody was admitted first; the date only if it was on another day. */
function firstAdmitted(first: { at: string; check_in_point: string }, at: string, timezone: string): string {
  const formats = new Formats('en-GB');
  const [day, today] = [first.at, at].map((moment) =>
    formats.when(moment, { day: 'numeric', month: 'short' }, timezone),
  );
  const time = formats.time(first.at, timezone).replaceAll(' ', '\u00a0');
  return `First admitted ${day === today ? time : `${day}, ${time}`}, ${first.check_in_point}`;
}
