import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { GoldenCase } from './case-file.ts';
import { decide, decideBy } from './decide.ts';
import { parseCases } from './parse-cases.ts';
import type { PreparedWorld } from './prepare.ts';
import { replayLocally } from './replay.ts';
import { IN_ORDER, RULES } from './rules.ts';
import type { Scan } from './scan.ts';
import { LIMITS, POINT_KINDS, POLICY_FIELDS, REASONS, REQUIREMENTS, RESULTS, type Result } from './vocabulary.ts';

const published = JSON.parse(readFileSync(new URL('../golden/scan-cases.json', import.meta.url), 'utf8'));
const parsed = parseCases(published);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 2));
const file = parsed.value;
const scans = file.cases.flatMap((one) => one.scans);

describe('the golden cases', () => {
  // claim: golden-cases, golden-cases-locally
  it('replay without a difference', () => {
    expect(replayLocally(file)).toEqual([]);
  });

  it('are at least 120, and nearly all of them can be replayed over the API', () => {
    expect(file.cases.length).toBeGreaterThanOrEqual(120);
    // In a test event everything is a test, so cases that mix test and live can only be replayed locally.
    const apart = (one: GoldenCase) => one.tickets.some(({ test }) => test) || one.scans.some(({ test }) => test);
    expect(file.cases.filter((one) => one.local_only && !apart(one)).length).toBeLessThanOrEqual(3);
    expect(file.cases.filter((one) => one.local_only && apart(one)).length).toBeLessThanOrEqual(14);
  });

  // Over the API all cases share one event, so a case that left people in the zone of another would fail only there.
  it('replay without a difference in one event, one after the other', () => {
    expect(replayLocally({ ...file, cases: [inOne(file.cases)] })).toEqual([]);
  });

  // claim: golden-cases-locally
  it('give a result for every person present where the ticket has several', () => {
    for (const one of file.cases) {
      for (const scan of one.scans) {
        const people = one.tickets.find(({ ref }) => ref === scan.ticket)?.people.map(({ ref }) => ref) ?? [];
        const expected = people.length > 1 ? [...(scan.people_present ?? people)].sort() : [];
        expect(Object.keys(scan.people ?? {}).sort(), one.name).toEqual(expected);
      }
    }
  });
});

// Others have written scanners by these cases. They are never changed: what is new is added behind them, with points of its own.
describe('the 275 golden cases of the first release', () => {
  const { products: _, ...world } = published.world;
  const points = (published.world.check_in_points as { policy: object }[]).filter(
    ({ policy }) => !('products' in policy),
  );
  const first = { ...published, world: { ...world, check_in_points: points }, cases: published.cases.slice(0, 275) };

  it('are word for word what they were', () => {
    expect(createHash('sha256').update(JSON.stringify(first)).digest('hex')).toBe(
      'a5d2c20aa365f2e201da86aa103c37a523f745be112c41e77d69898f4630fcbd',
    );
  });

  it('replay without a difference from a file that knows no products', () => {
    const old = parseCases(first);
    expect(old.ok && old.value).toEqual(first);
    expect(replayLocally(first)).toEqual([]);
  });
});

describe('the golden cases show', () => {
  const results = new Set<Result>(scans.flatMap((scan) => [scan.result, ...Object.values(scan.people ?? {})]));
  const reasons = new Set(scans.map((scan) => scan.reason));
  const used = new Set(scans.map((scan) => scan.check_in_point));
  const points = file.world.check_in_points.filter((point) => used.has(point.code));
  const policies = points.map((point) => point.policy ?? {});

  // claim: scan-results
  it.each(RESULTS)('the result %s', (result) => expect(results).toContain(result));
  // The API refuses a scan that names nobody, so no golden case has this reason; decide.test.ts tests it.
  it.each(REASONS.filter((reason) => reason !== 'nobody_present'))('the reason %s', (reason) =>
    expect(reasons).toContain(reason),
  );
  it.each(POLICY_FIELDS)('the policy field %s', (field) =>
    expect(policies.some((policy) => (policy[field] ?? null) !== null)).toBe(true),
  );
  it.each(POINT_KINDS)('a point of kind %s', (kind) => expect(points.some((point) => point.kind === kind)).toBe(true));
  it.each(LIMITS)('the limit %s', (limit) => expect(policies.some((policy) => policy.limit === limit)).toBe(true));
  it.each(REQUIREMENTS)('the requirement %s', (requires) =>
    expect(policies.some((policy) => policy.requires === requires)).toBe(true),
  );
  it('every point in use', () => {
    expect(file.world.check_in_points.length).toBe(points.length);
  });

  // The rank of results: in some case each one outranks the next.
  it.each([
    ['duplicate', 'day_locked'],
    ['day_locked', 'wrong_day'],
    ['wrong_day', 'zone_full'],
    ['zone_full', 'rejected'],
    ['rejected', 'closed'],
    ['rejected', 'not_yet_open'],
  ] as const)('that %s outranks %s', (first, second) => {
    const both = scans.filter((scan) => {
      const people = Object.values(scan.people ?? {});
      return people.length > 0 && people.every((one) => one === first || one === second) && people.includes(second);
    });
    expect(both.some((scan) => scan.result === first)).toBe(true);
  });
});

// Proves that the cases can fail: leaving out any rule, or swapping any two neighbours, breaks some case.
describe('the golden cases notice', () => {
  const names = Object.keys(RULES) as (keyof typeof RULES)[];

  it.each(names)('when the rule %s is left out', (name) => {
    const rules = IN_ORDER.filter((rule) => rule !== RULES[name]);
    expect(replayLocally(file, (world, scan) => decideBy(rules, world, scan))).not.toEqual([]);
  });

  it('when a duplicate does not name its first admission', () => {
    const silent = (world: PreparedWorld, scan: Scan) => {
      const decision = decide(world, scan);
      return { ...decision, people: decision.people.map((one) => ({ ...one, first_admission: null })) };
    };
    expect(replayLocally(file, silent)).not.toEqual([]);
  });

  it.each(names.slice(1).map((name, i) => [names[i]!, name] as const))('when %s and %s are swapped', (a, b) => {
    const swap = { [a]: RULES[b], [b]: RULES[a] };
    const rules = names.map((name) => swap[name] ?? RULES[name]);
    expect(replayLocally(file, (world, scan) => decideBy(rules, world, scan))).not.toEqual([]);
  });
});

function inOne(cases: readonly GoldenCase[]): GoldenCase {
  return {
    name: 'all',
    tickets: cases.flatMap((one, i) =>
      one.tickets.map((ticket) => ({
        ...ticket,
        ref: `${i} ${ticket.ref}`,
        people: ticket.people.map((person) => ({ ...person, ref: `${i} ${person.ref}` })),
      })),
    ),
    scans: cases.flatMap((one, i) =>
      one.scans.map((scan) => ({
        ...scan,
        ...(scan.ticket === undefined ? {} : { ticket: `${i} ${scan.ticket}` }),
        ...(scan.people_present === undefined
          ? {}
          : { people_present: scan.people_present.map((ref) => `${i} ${ref}`) }),
        ...(scan.people === undefined
          ? {}
          : {
              people: Object.fromEntries(Object.entries(scan.people).map(([ref, result]) => [`${i} ${ref}`, result])),
            }),
        ...(scan.first_admission === undefined
          ? {}
          : {
              first_admission: Object.fromEntries(
                Object.entries(scan.first_admission).map(([ref, first]) => [`${i} ${ref}`, first]),
              ),
            }),
      })),
    ) as GoldenCase['scans'],
  };
}
