import { type Decision, parseCases, replayLocally, type Scan } from '@turnout/checkin';
import golden from '@turnout/checkin/scan-cases.json';
import { describe, expect, test } from 'vitest';
import { RULES as DOOR_RULES } from '../../../../../../../packages/checkin/src/rules.ts';
import { fullPolicy } from '../../../../../../../packages/checkin/src/world.ts';
import { type Parts, RULES, type Rule, simulate, worldOf } from './simulate.ts';

const parsed = parseCases(golden);
if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
const file = parsed.value;

/** The golden world as the server would tell it: every field filled in, and ids that the simulator must not go by. */
const world = worldOf({
  timezone: file.world.timezone,
  days: file.world.days.map((day) => ({ id: `id-${day.code}`, ...day })),
  types: file.world.attendee_types.map((type) => ({ id: `id-${type.code}`, ...type })),
  groups: file.world.groups.map((group) => ({ id: `id-${group.code}`, parent: null, ...group })),
  products: (file.world.products ?? []).map((product) => ({ ...product, id: `id-${product.code}` })),
  points: file.world.check_in_points.map((point) => ({
    ...{ id: `id-${point.code}`, code: point.code, name: point.name ?? point.code, kind: point.kind },
    policy: fullPolicy(point.kind, point.policy),
  })),
} as unknown as Parts);

describe('the simulator answers as the door', () => {
  test('in every golden case', () => {
    expect(file.cases.length).toBeGreaterThanOrEqual(120);
    expect(replayLocally(file, (_world, scan) => simulate(world, scan).decision)).toEqual([]);
  });

  test('the control: a simulator that forgets earlier admissions would be noticed', () => {
    const forgetful = (scan: Scan): Scan => ({
      ...scan,
      ticket: scan.ticket && {
        ...scan.ticket,
        people: scan.ticket.people.map((person) => ({ ...person, admissions: [] })),
      },
    });
    expect(replayLocally(file, (_world, scan) => simulate(world, forgetful(scan)).decision)).not.toEqual([]);
  });
});

describe('the rule that decided', () => {
  const seen = new Map<Rule | null, number>();
  replayLocally(file, (_world, scan): Decision => {
    const { decision, rule, steps, tone } = simulate(world, scan);
    seen.set(rule, (seen.get(rule) ?? 0) + 1);
    const refused = steps.filter(({ outcome }) => outcome === 'refused').map((step) => step.rule);
    expect(refused).toEqual(rule === null ? [] : [rule]);
    expect(rule === null).toBe(decision.admitted);
    if (rule === null) expect(steps.every(({ outcome }) => outcome === 'passed')).toBe(true);
    if (!decision.admitted) expect(tone).not.toBe('good');
    return decision;
  });

  test('each one decides some golden case, and in some none does', () => {
    expect([...seen.keys()].filter((rule) => rule !== null).sort()).toEqual([...RULES].sort());
    expect(seen.get(null)).toBeGreaterThan(50);
  });

  test('rules are told in the order in which the door asks them', () => {
    const names: Readonly<Record<keyof typeof DOOR_RULES, Rule>> = {
      dayLocked: 'locked',
      notConfirmed: 'confirmed',
      testTicket: 'test',
      typeNotAdmitted: 'type',
      groupNotAdmitted: 'group',
      productMissing: 'product',
      wrongDay: 'day',
      passUsed: 'pass',
      requirementUnmet: 'requirement',
      limit: 'limit',
      cooldown: 'cooldown',
      zoneFull: 'capacity',
    };
    const asked = (Object.keys(DOOR_RULES) as (keyof typeof DOOR_RULES)[]).map((rule) => names[rule]);
    expect(RULES.slice(-asked.length)).toEqual(asked);
  });
});
