import type { EventTemplate } from '@turnout/contract';
import { type Fault, MAX_FAULTS } from '../../common/refusal.ts';
import type { ValidPart } from '../../road/request/valid-part.ts';
import { amountFaults, passFaults, saleFaults } from './attendee-types.ts';
import { policyFaults } from './check-in-points.ts';
import { dayFaults } from './days.ts';
import { eventFaults } from './events.ts';
import { productFaults } from './products.ts';
import { filterableFaults, optionFaults, tooManyFilterable } from './questions.ts';
import { quotaFaults } from './quotas.ts';

type Template = ValidPart<EventTemplate>;

/**
 * All faults inside a template, each with its path: against the rules of each part, and references that lead nowhere. Parts that
 * do not fit the schema are missing here, and nothing is said about what would depend on them.
 */
export function templateFaults({
  event,
  days,
  attendee_types,
  questions,
  check_in_points,
  ...sold
}: Template): Fault[] {
  const { products = [], quotas = [] } = sold;
  const dayCodes = codesOf(days);
  const typeCodes = codesOf(attendee_types);
  const productCodes = codesOf(products);
  // A point whose kind is missing may be the zone that an exit names.
  const zones = codesOf(check_in_points?.filter((point) => point?.kind === undefined || point.kind === 'zone'));
  return [
    ...below('event', timeFaults(event)),
    ...faultsOfEach('days', days, (day) => timesOfDay(event?.timezone, day)),
    ...faultsOfEach('attendee_types', attendee_types, (type) => [
      ...unknown('days', type.days, dayCodes, 'day'),
      ...passFaults(type.pass_days ?? null, type.days ?? null),
      ...saleFaults(type),
      ...amountFaults(type.min_per_registration ?? null, type.max_per_registration ?? null),
    ]),
    ...faultsOfEach('products', products, (product) => [
      ...unknown('attendee_types', product.attendee_types, typeCodes, 'attendee type'),
      ...unknown('days', product.days, dayCodes, 'day'),
      ...productFaults(product),
    ]),
    ...faultsOfEach('quotas', quotas, (quota) => [
      ...unknown('attendee_types', quota.attendee_types, typeCodes, 'attendee type'),
      ...unknown('days', quota.days, dayCodes, 'day'),
      ...unknown('products', quota.products, productCodes, 'product'),
      ...quotaFaults(quota),
    ]),
    ...faultsOfEach('questions', questions, ({ kind, options, filterable, attendee_types: types }) => [
      ...(kind === undefined || options === undefined ? [] : optionFaults(kind, options as string[] | null)),
      ...(kind === undefined ? [] : filterableFaults(kind, filterable)),
      ...unknown('attendee_types', types, typeCodes, 'attendee type'),
    ]),
    ...below('questions', tooManyFilterable(questions ?? [])),
    ...faultsOfEach('check_in_points', check_in_points, ({ kind, policy = {} }) => [
      ...(kind === undefined ? [] : policyFaults(kind, policy)),
      ...unknown('policy/attendee_types', policy.attendee_types, typeCodes, 'attendee type'),
      ...unknown('policy/days', policy.days, dayCodes, 'day'),
      ...unknown('policy/products', policy.products, productCodes, 'product'),
      ...(policy.leaves == null || zones === null || zones.has(policy.leaves.toLowerCase())
        ? []
        : [{ path: 'policy/leaves', message: `no such zone in the template: ${policy.leaves}` }]),
    ]),
  ];
}

const timeFaults = ({ starts_at, ends_at, registration }: NonNullable<Template['event']> = {}): Fault[] =>
  eventFaults({
    starts_at: starts_at ?? null,
    ends_at: ends_at ?? null,
    registration: { opens_at: registration?.opens_at ?? null, closes_at: registration?.closes_at ?? null },
  });

function timesOfDay(
  timezone: string | undefined,
  { date, opens_at, closes_at }: NonNullable<NonNullable<Template['days']>[number]>,
): Fault[] {
  if (timezone === undefined || date === undefined || opens_at === undefined || closes_at === undefined) return [];
  return dayFaults({ timezone }, { date, opens_at, closes_at });
}

interface Coded {
  code?: string;
}
type Parts<Part> = readonly (Part | undefined)[] | undefined;

/** The codes of a list. Null if one of them is missing, because a reference may mean that one. */
function codesOf(parts: Parts<Coded>): ReadonlySet<string> | null {
  const codes = parts?.map((part) => part?.code?.toLowerCase());
  return codes?.every((code) => code !== undefined) ? new Set(codes) : null;
}

export const below = (path: string, faults: readonly Fault[]): Fault[] =>
  faults.map((fault) => ({ ...fault, path: `${path}/${fault.path}` }));

/** The faults of each part, and a fault for each code that an earlier part of the same list has. */
function faultsOfEach<Part extends Coded>(
  name: string,
  parts: Parts<Part>,
  faultsOf: (part: Part) => Fault[],
): Fault[] {
  const taken = new Set<string>();
  return (parts ?? []).flatMap((part, i) => {
    if (part === undefined) return [];
    const code = part.code?.toLowerCase();
    const twice =
      code !== undefined && taken.has(code)
        ? [{ path: 'code', message: `the code ${part.code} is already taken` }]
        : [];
    if (code !== undefined) taken.add(code);
    return below(`${name}/${i}`, [...twice, ...faultsOf(part)]);
  });
}

/** A fault for each reference that is not among the known codes. Where these are not known, there is none. */
export function unknown(
  path: string,
  refs: readonly (string | undefined)[] | null | undefined,
  known: ReadonlySet<string> | null,
  what: string,
): Fault[] {
  const faults: Fault[] = [];
  for (const [i, ref] of (refs ?? []).entries()) {
    if (known === null || ref === undefined || known.has(ref.toLowerCase())) continue;
    faults.push({ path: `${path}/${i}`, message: `no such ${what}: ${ref}` });
    if (faults.length > MAX_FAULTS) break;
  }
  return faults;
}
