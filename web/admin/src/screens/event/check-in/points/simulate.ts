import {
  type Decision,
  decide,
  messageFor,
  type PreparedWorld,
  prepareWorld,
  type Reason,
  type Scan,
  type Tone,
  type World,
} from '@turnout/checkin';
import type { AttendeeType, CheckInPoint, Day, Group, Product } from '@turnout/client';

/** The rules of the door, in the order in which they are asked. The first that refuses decides. */
export const RULES = [
  'code',
  'ticket',
  'window',
  'locked',
  'confirmed',
  'test',
  'type',
  'group',
  'product',
  'day',
  'pass',
  'requirement',
  'limit',
  'cooldown',
  'capacity',
] as const;
export type Rule = (typeof RULES)[number];

/** Each reason belongs to one rule, so the reason of a decision tells which rule made it. */
const RULE_OF: Readonly<Record<Reason, Rule>> = {
  code_unknown: 'code',
  ticket_voided: 'ticket',
  nobody_present: 'ticket',
  before_opening: 'window',
  after_closing: 'window',
  locked: 'locked',
  not_confirmed: 'confirmed',
  test_ticket: 'test',
  type_not_admitted: 'type',
  group_not_admitted: 'group',
  product_missing: 'product',
  day_not_on_ticket: 'day',
  pass_used: 'pass',
  pre_check_required: 'requirement',
  entry_required: 'requirement',
  limit: 'limit',
  cooldown: 'cooldown',
  capacity: 'capacity',
};

/** Whoever leaves is not asked these. */
const NOT_AT_EXITS: readonly Rule[] = ['locked', 'day', 'pass'];

export type DoorTone = 'good' | 'warn' | 'bad';
/** The colours of an answer. Where some of a ticket are admitted and others are not, somebody has to look. */
export const TONE_OF: Readonly<Record<Tone, DoorTone>> = {
  success: 'good',
  warning: 'warn',
  danger: 'bad',
  mixed: 'warn',
};

export interface Simulation {
  decision: Decision;
  tone: DoorTone;
  /** The rule that refused; null: none did. */
  rule: Rule | null;
  /** Every rule that counts at this point, and what it said. */
  steps: { rule: Rule; outcome: 'passed' | 'refused' | 'not_asked' }[];
}

/** What the door would answer: by the function that the door itself asks, with the rule that decided. */
export function simulate(world: PreparedWorld, scan: Scan): Simulation {
  const decision = decide(world, scan);
  const rule = decision.reason === null ? null : RULE_OF[decision.reason];
  const isExit = world.points.get(scan.check_in_point)?.kind === 'exit';
  const rules = RULES.filter((one) => !isExit || one === rule || !NOT_AT_EXITS.includes(one));
  const at = rule === null ? rules.length : rules.indexOf(rule);
  return {
    decision,
    tone: TONE_OF[messageFor(decision).tone],
    rule,
    steps: rules.map((one, i) => ({ rule: one, outcome: i < at ? 'passed' : i === at ? 'refused' : 'not_asked' })),
  };
}

export interface Parts {
  timezone: string;
  days: readonly Day[];
  types: readonly AttendeeType[];
  groups: readonly Group[];
  products: readonly Pick<Product, 'code' | 'name'>[];
  points: readonly CheckInPoint[];
}

/** The event as the decision takes it. Everything is named by its code, so the ids are left out. */
export function worldOf({ timezone, days, types, groups, products, points }: Parts): PreparedWorld {
  const world = {
    timezone,
    days: days.map(({ code, name, date, opens_at, closes_at, locked_at }) => ({
      ...{ code, name, date, opens_at, closes_at, locked_at },
    })),
    attendee_types: types.map(({ code, name, days: offered, pass_days }) => ({ code, name, days: offered, pass_days })),
    groups: groups.map(({ code, name, parent }) => ({ code, name, parent })),
    products: products.map(({ code, name }) => ({ code, name })),
    check_in_points: points.map(({ code, name, kind, policy }) => ({ code, name, kind, policy })),
  };
  // The types of the decision know which fields a kind of point can have; the server has made sure of the same.
  return prepareWorld(world as World);
}
