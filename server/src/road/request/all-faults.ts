import type { ReferenceKind } from '@turnout/contract';
import { type Fault, MAX_FAULTS } from '../../common/refusal.ts';
import type { Operation, Upload, Work } from '../operation.ts';
import { type AnyReference, words } from './reference.ts';
import { refersToSomething, type Spot, validPartOf } from './valid-part.ts';

/**
 * A call that is refused with 400 is told everything that is wrong with it at once: what does not fit its schema, references to
 * objects that do not exist, and broken rules. This file finds the latter two, in the parts of the call that fit their schema. It
 * runs only when it is already known that the call is refused, so a correct call pays nothing for it.
 */

/** How references are looked up, by their kind. `inside`: only within the event that the path or the body names. */
export type References = Partial<Record<ReferenceKind, { reference: AnyReference; inside: 'event' | null }>>;

/** The most different references that are looked up for one call. */
const MAX_REFERENCES = 200;
/** The most of one kind, where each needs a question of its own to the database. */
const MAX_SINGLE_LOOKUPS = 20;

const computed = new WeakMap<Operation, boolean>();

/**
 * Whether a call of this operation can have faults that its schemas do not find. The answer depends only on the declaration, so it
 * is computed once per operation.
 */
export function canHaveMoreFaults(operation: Operation): boolean {
  const known = computed.get(operation);
  if (known !== undefined) return known;
  const { body, query, rules = [] } = operation;
  const can = rules.length > 0 || refersToSomething(body) || refersToSomething(query);
  computed.set(operation, can);
  return can;
}

/** The faults that are already known, and all others. */
export async function allFaults(
  work: Work,
  operation: Operation,
  at: Record<string, unknown>,
  input: { query: unknown; body: unknown; file: Upload | null },
  known: readonly Fault[],
  references: References,
): Promise<Fault[]> {
  const query = operation.query === undefined ? null : validPartOf(operation.query, input.query, true);
  const body = operation.body === undefined ? null : validPartOf(operation.body, input.body, false);
  const missing = await missingReferences(
    work,
    operation,
    at,
    [...(query?.spots ?? []), ...(body?.spots ?? [])],
    references,
  );
  const faults = mergeFaults(known, missing);
  // Rules look into an object. If the body is not an object, no part of it fits the schema.
  if (body?.valid === undefined) return faults;
  const call = { ...work, at, query: query?.valid, body: body.valid, file: input.file };
  const isFaulty = overlaps(known);
  const rules = (operation.rules ?? []).filter(({ of }) => !of.some(isFaulty));
  const broken = await Promise.all(rules.map((rule) => rule.faults(call)));
  return mergeFaults(faults, broken.flat());
}

async function missingReferences(
  work: Work,
  { refers = {} }: Operation,
  at: Record<string, unknown>,
  spots: readonly Spot[],
  references: References,
): Promise<Fault[]> {
  const lookups = new Map<AnyReference, { refs: Set<string>; inside: 'event' | null }>();
  const declaredAt = ({ field, kind }: Spot): AnyReference | null | undefined =>
    Object.hasOwn(refers, field) ? refers[field] : references[kind]?.reference;
  let count = 0;
  for (const spot of spots) {
    const declared = declaredAt(spot);
    if (declared == null) continue;
    const lookup = lookups.get(declared) ?? { refs: new Set(), inside: references[spot.kind]?.inside ?? null };
    lookups.set(declared, lookup);
    if (lookup.refs.has(spot.ref) || count >= MAX_REFERENCES) continue;
    lookup.refs.add(spot.ref);
    count += 1;
  }
  const event = at.event ?? (await namedEvent(work, spots, references));
  const leads = new Map<AnyReference, (ref: string) => boolean>();
  await Promise.all(
    [...lookups].map(async ([declared, { refs, inside }]) => {
      if (inside === 'event' && event === null) return;
      leads.set(declared, await knownOf(work, declared, [...refs], { ...at, event }));
    }),
  );
  const faults: Fault[] = [];
  for (const spot of spots) {
    if (faults.length > MAX_FAULTS) break;
    const declared = declaredAt(spot);
    const isKnown = declared == null ? undefined : leads.get(declared);
    if (isKnown === undefined || !lookups.get(declared!)!.refs.has(spot.ref) || isKnown(spot.ref)) continue;
    faults.push({ path: spot.path, message: `no such ${words(spot.kind)}: ${spot.ref}` });
  }
  return faults;
}

/** The event, where the body names it and not the path. */
async function namedEvent(work: Work, spots: readonly Spot[], references: References): Promise<unknown> {
  const spot = spots.find((one) => one.field === 'event');
  return spot === undefined ? null : ((await references.event?.reference.find(work, spot.ref, {})) ?? null);
}

async function knownOf(
  work: Work,
  declared: AnyReference,
  refs: readonly string[],
  parents: object,
): Promise<(ref: string) => boolean> {
  if (declared.findMany !== undefined) {
    const find = await declared.findMany(work, refs, parents);
    return (ref) => find(ref) !== null;
  }
  const missed = new Set<string>();
  for (const ref of refs.slice(0, MAX_SINGLE_LOOKUPS))
    if ((await declared.find(work, ref, parents)) === null) missed.add(ref);
  return (ref) => !missed.has(ref);
}

/** Tests whether one of the faults is at a path, below it or above it. */
function overlaps(faults: readonly Fault[]): (path: string) => boolean {
  const faulty = new Set(faults.map((fault) => fault.path));
  const above = new Set(faults.flatMap((fault) => prefixes(fault.path)));
  return (path) => above.has(path) || prefixes(path).some((one) => faulty.has(one));
}

/** Adds faults at places where none is known yet: each place gets the faults of the check that found one first. */
function mergeFaults(known: readonly Fault[], more: readonly Fault[]): Fault[] {
  const all = [...known];
  const isFaulty = overlaps(known);
  const keyOf = ({ path, message }: Fault) => JSON.stringify([path, message]);
  const seen = new Set(known.map(keyOf));
  for (const fault of more) {
    if (all.length > MAX_FAULTS) break;
    const key = keyOf(fault);
    if (seen.has(key) || isFaulty(fault.path)) continue;
    seen.add(key);
    all.push(fault);
  }
  return all;
}

/** No path in our schemas is longer. A field name that a caller makes up may be a megabyte of slashes. */
const LONGEST_PATH = 300;

/** The path itself and all paths above it, except that of the whole body: a fault there says nothing about its parts. */
function prefixes(path: string): string[] {
  const parts = path.slice(0, LONGEST_PATH).split('/');
  return path === '' ? [] : parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
