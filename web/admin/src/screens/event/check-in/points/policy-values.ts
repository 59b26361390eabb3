import type { CheckInPoint, CheckInPointChange, Policy } from '@turnout/client';

/** A policy as a form holds it: numbers are texts while they are typed, and nothing chosen means all. */
export interface PolicyValues {
  name: string;
  attendee_types: string[];
  groups: string[];
  days: string[];
  products: string[];
  opens_minutes_before: string;
  closes_minutes_after: string;
  limit: Policy['limit'];
  cooldown_seconds: string;
  requires: NonNullable<Policy['requires']> | '';
  capacity: string;
  leaves: string;
}

export const policyValues = ({ name, policy }: CheckInPoint): PolicyValues => ({
  name,
  attendee_types: policy.attendee_types ?? [],
  groups: policy.groups ?? [],
  days: policy.days ?? [],
  products: policy.products ?? [],
  opens_minutes_before: String(policy.opens_minutes_before),
  closes_minutes_after: String(policy.closes_minutes_after),
  limit: policy.limit,
  cooldown_seconds: String(policy.cooldown_seconds),
  requires: policy.requires ?? '',
  capacity: policy.capacity === null ? '' : String(policy.capacity),
  leaves: policy.leaves ?? '',
});

const orAll = (chosen: readonly string[]): string[] | null => (chosen.length === 0 ? null : [...chosen]);
/** A number that is not whole yet counts as none. */
const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : 0);

/** The policy that the form holds. */
export function policyOf(kind: CheckInPoint['kind'], values: PolicyValues): Policy {
  return {
    attendee_types: orAll(values.attendee_types),
    groups: orAll(values.groups),
    days: orAll(values.days),
    products: orAll(values.products),
    opens_minutes_before: wholeNumber(values.opens_minutes_before),
    closes_minutes_after: wholeNumber(values.closes_minutes_after),
    limit: values.limit,
    cooldown_seconds: wholeNumber(values.cooldown_seconds),
    requires: values.requires === '' ? null : values.requires,
    capacity: kind !== 'zone' || values.capacity.trim() === '' ? null : wholeNumber(values.capacity),
    leaves: kind !== 'exit' || values.leaves === '' ? null : values.leaves,
  };
}

/** Only what was changed is sent, so that two people who edit different rules do not undo each other. */
export function policyChange(point: CheckInPoint, values: PolicyValues): CheckInPointChange {
  const policy = policyOf(point.kind, values);
  const changed = Object.entries(policy).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(point.policy[name as keyof Policy]),
  );
  return {
    ...(values.name !== point.name && { name: values.name }),
    ...(changed.length > 0 && { policy: Object.fromEntries(changed) }),
  };
}
