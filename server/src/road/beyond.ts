import type { ReferenceKind } from '@turnout/contract';
import type { Operation, Work } from './operation.ts';
import { type AnyReference, words } from './reference.ts';
import { type Fault, MOST_FAULTS } from './refusal.ts';
import { refersToSomething, type Spot, soundOf } from './sound.ts';

/**
 * A call that is refused with 400 is told everything that is wrong with it, not what happened to be looked at first: what its
 * schema says, references that lead nowhere, and rules over its body. This looks for the latter two in what of the call fits its
 * schema, once it is known that the call is refused: one that is right pays nothing for it.
 */
export type References = Partial<Record<ReferenceKind, { reference: AnyReference; inside: 'event' | null }>>;

/** So many different references are looked up; of those that can only be asked for one by one, so many. */
const MOST_REFERENCES = 200;
const MOST_SINGLE = 20;

const looked = new WeakMap<Operation, boolean>();
/** Told by its declaration, so looked at once. */
export function mayHaveMore(operation: Operation): boolean {
  const known = looked.get(operation);
  if (known !== undefined) return known;
  const { body, query, rules = [] } = operation;
  const may = rules.length > 0 || refersToSomething(body) || refersToSomething(query);
  looked.set(operation, may);
  return may;
}

/** These and all others. */
export async function faultsBeyond(
  work: Work,
  operation: Operation,
  at: Record<string, unknown>,
  given: { query: unknown; body: unknown },
  known: readonly Fault[],
  references: References,
): Promise<Fault[]> {
  const query = operation.query === undefined ? null : soundOf(operation.query, given.query, true);
  const body = operation.body === undefined ? null : soundOf(operation.body, given.body, false);
  const misses = await missing(work, operation, at, [...(query?.spots ?? []), ...(body?.spots ?? [])], references);
  const faults = together(known, misses);
  // Rules look into an object; what is none has no part that fits.
  if (body?.sound === undefined) return faults;
  const call = { ...work, at, query: query?.sound, body: body.sound, file: null };
  const isTold = tellsOf(known);
  const asked = (operation.rules ?? []).filter(({ of }) => !of.some(isTold));
  const broken = await Promise.all(asked.map((rule) => rule.faults(call)));
  return together(faults, broken.flat());
}

async function missing(
  work: Work,
  { refers = {} }: Operation,
  at: Record<string, unknown>,
  spots: readonly Spot[],
  references: References,
): Promise<Fault[]> {
  const asked = new Map<AnyReference, { refs: Set<string>; inside: 'event' | null }>();
  const declaredAt = ({ field, kind }: Spot): AnyReference | null | undefined =>
    Object.hasOwn(refers, field) ? refers[field] : references[kind]?.reference;
  let count = 0;
  for (const spot of spots) {
    const declared = declaredAt(spot);
    if (declared == null) continue;
    const ask = asked.get(declared) ?? { refs: new Set(), inside: references[spot.kind]?.inside ?? null };
    asked.set(declared, ask);
    if (ask.refs.has(spot.ref) || count >= MOST_REFERENCES) continue;
    ask.refs.add(spot.ref);
    count += 1;
  }
  const event = at.event ?? (await namedEvent(work, spots, references));
  const leads = new Map<AnyReference, (ref: string) => boolean>();
  await Promise.all(
    [...asked].map(async ([declared, { refs, inside }]) => {
      if (inside === 'event' && event === null) return;
      leads.set(declared, await knownOf(work, declared, [...refs], { ...at, event }));
    }),
  );
  const faults: Fault[] = [];
  for (const spot of spots) {
    if (faults.length > MOST_FAULTS) break;
    const declared = declaredAt(spot);
    const isKnown = declared == null ? undefined : leads.get(declared);
    if (isKnown === undefined || !asked.get(declared!)!.refs.has(spot.ref) || isKnown(spot.ref)) continue;
    faults.push({ path: spot.path, message: `no such ${words(spot.kind)}: ${spot.ref}` });
  }
  return faults;
}

/** Where the body names the event, and not the path. */
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
  if (declared.known !== undefined) return declared.known(work, refs, parents);
  const missed = new Set<string>();
  for (const ref of refs.slice(0, MOST_SINGLE)) if ((await declared.find(work, ref, parents)) === null) missed.add(ref);
  return (ref) => !missed.has(ref);
}

/** Whether something is told of this place, of a part of it or of what it is a part of. */
function tellsOf(faults: readonly Fault[]): (path: string) => boolean {
  const told = new Set(faults.map((fault) => fault.path));
  const above = new Set(faults.flatMap((fault) => prefixes(fault.path)));
  return (path) => above.has(path) || prefixes(path).some((one) => told.has(one));
}

/** With those that tell anything new: what is wrong at a place is told once, by whoever looked first. */
function together(known: readonly Fault[], more: readonly Fault[]): Fault[] {
  const all = [...known];
  const isTold = tellsOf(known);
  const keyOf = ({ path, message }: Fault) => JSON.stringify([path, message]);
  const seen = new Set(known.map(keyOf));
  for (const fault of more) {
    if (all.length > MOST_FAULTS) break;
    const key = keyOf(fault);
    if (seen.has(key) || isTold(fault.path)) continue;
    seen.add(key);
    all.push(fault);
  }
  return all;
}

/** No place that a schema knows has a longer path; a caller's own key may be a megabyte of slashes. */
const LONGEST_PATH = 300;

/** The path itself and all above it, but for the whole body: that something is wrong there says nothing of its parts. */
function prefixes(path: string): string[] {
  const parts = path.slice(0, LONGEST_PATH).split('/');
  return path === '' ? [] : parts.map((_, i) => parts.slice(0, i + 1).join('/'));
}
