import type { Mode, ReferenceKind } from '@turnout/contract';
import { type Id, parseRef } from '../../common/ids.ts';
import { invalid, refuse, requireValid } from '../../common/refusal.ts';
import type { Tx } from '../../store/tx.ts';
import type { Caller } from '../caller.ts';

/** The authority with which something is looked up. */
export interface Reach {
  tx: Tx;
  org: Id;
  caller: Caller;
  mode: Mode;
}

/**
 * How an object that a path names is found. The road finds every `{name}` of a path through one of these before the work runs,
 * outermost first, so no operation can forget to look only inside the caller's organization and group.
 * `find` returns null for objects that the caller must not know about: the answer is then 404, never 403.
 */
export interface Reference<Found, Parents = unknown> {
  kind: ReferenceKind;
  /** Whether a code is accepted as well as an id. */
  byCode: boolean;
  find(reach: Reach, ref: string, parents: Parents): Promise<Found | null>;
  /** Whether everything done to the object is a test, whoever does it. That is so for a test event and for everything in it. */
  isTest?(found: Found): boolean;
  /** Looks up many references with one statement. The function that it returns gives null for what the caller must not know about. */
  findMany?(reach: Reach, refs: readonly string[], parents: Parents): Promise<(ref: string) => Coded | null>;
}

export interface Coded {
  id: Id;
  code: string;
}

/** Splits references into ids and codes, for use in a statement. */
export function idsAndCodes(refs: readonly string[]): { ids: Id[]; codes: string[] } {
  const parsed = refs.map((ref) => parseRef(ref));
  return {
    ids: parsed.flatMap(({ id }) => (id === null ? [] : [id])),
    codes: parsed.flatMap(({ code }) => (code === null ? [] : [code.toLowerCase()])),
  };
}

/** Finds the row that a reference leads to. */
export function among(rows: readonly Coded[]): (ref: string) => Coded | null {
  const [byId, byCode] = [new Map<string, Coded>(), new Map<string, Coded>()];
  for (const row of rows) {
    byId.set(row.id, row);
    byCode.set(row.code.toLowerCase(), row);
  }
  return (ref) => {
    const { id, code } = parseRef(ref);
    return (id === null ? byCode.get(code!.toLowerCase()) : byId.get(id)) ?? null;
  };
}

/** A reference of which a body may have a list. */
export type ReferenceToMany<Parents> = Pick<Required<Reference<unknown, Parents>>, 'kind' | 'findMany'>;

export function reference<Found, Parents = unknown>(
  definition: Reference<Found, Parents> & ReferenceToMany<Parents>,
): Reference<Found, Parents> & ReferenceToMany<Parents>;
export function reference<Found, Parents = unknown>(definition: Reference<Found, Parents>): Reference<Found, Parents>;
export function reference(definition: AnyReference): AnyReference {
  return definition;
}

// biome-ignore lint/suspicious/noExplicitAny: the parents of a reference are checked where it is declared
export type AnyReference = Reference<any, any>;
export type FoundObjects<At extends Record<string, AnyReference>> = {
  [Name in keyof At]: At[Name] extends Reference<infer F, infer _> ? F : never;
};

export const words = (kind: ReferenceKind): string => kind.replaceAll('_', ' ');

export async function findAll(
  reach: Reach,
  { at, method }: { at: Record<string, AnyReference>; method: string },
  params: Record<string, string>,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(at)) {
    const one = await declared.find({ ...reach, mode: modeAt(reach.mode, at, found) }, params[name]!, found);
    if (one === null) {
      refuse('not_found', {
        message: `There is no such ${words(declared.kind)} ${whereSought(reach.caller, method)}.`,
      });
    }
    found[name] = one;
  }
  return found;
}

/** Whoever is limited to a group may read some objects and not change them, so for them it is not the whole organization. */
function whereSought({ group, actor }: Caller, method: string): string {
  if (group === null) return 'in this organization';
  return `that ${actor.kind === 'key' ? 'this key' : 'you'} may ${method === 'GET' ? 'read' : 'change'}`;
}

/** The mode of a call once the objects in its path are found: in a test event, a live key creates test objects, too. */
export const modeAt = (mode: Mode, at: Record<string, AnyReference>, found: Record<string, unknown>): Mode =>
  Object.entries(found).some(([name, one]) => at[name]?.isTest?.(one) === true) ? 'test' : mode;

/** Finds the object that a reference in a body leads to. If there is none, the answer is 400 with the path of the field. */
export async function inBody<F, P>(
  reach: Reach,
  declared: Reference<F, P>,
  ref: string,
  path: string,
  parents: P,
): Promise<F> {
  const one = await declared.find(reach, ref, parents);
  if (one === null) return invalid({ path, message: `no such ${words(declared.kind)}: ${ref}` });
  return one;
}

/**
 * Finds the objects of a list of references in a body, each once. The refusal names every reference that leads nowhere. A template has
 * tens of thousands of references, so they are not looked up one by one.
 */
export async function allInBody<P>(
  reach: Reach,
  declared: ReferenceToMany<P>,
  refs: readonly string[],
  path: string,
  parents: P,
): Promise<Coded[]> {
  const find = await declared.findMany(reach, refs, parents);
  const found = new Set<Coded>();
  const faults: { path: string; message: string }[] = [];
  for (const [i, ref] of refs.entries()) {
    const one = find(ref);
    if (one === null) faults.push({ path: `${path}/${i}`, message: `no such ${words(declared.kind)}: ${ref}` });
    else found.add(one);
  }
  requireValid(faults);
  return [...found];
}
