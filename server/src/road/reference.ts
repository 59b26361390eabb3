import type { Mode, ReferenceKind } from '@turnout/contract';
import { type Id, parseRef } from '../store/ids.ts';
import type { Tx } from '../store/tx.ts';
import type { Caller } from './caller.ts';
import { invalid, refuse, requireValid } from './refusal.ts';

/** With what authority something is looked for. */
export interface Reach {
  tx: Tx;
  org: Id;
  caller: Caller;
  mode: Mode;
}

/**
 * How an object named in a path is found. The road resolves every `{name}` of a path through one of these before the work
 * runs, outermost first, so an operation cannot forget to look inside its own organization and group.
 * `find` answers null for what the caller must not know about: that is 404, never 403.
 */
export interface Reference<Found, Parents = unknown> {
  kind: ReferenceKind;
  /** Whether a code is taken beside the id. */
  byCode: boolean;
  find(reach: Reach, ref: string, parents: Parents): Promise<Found | null>;
  /** Whether what was found makes a test of all that is done to it, whoever does it: a test event, and what is in one. */
  isTest?(found: Found): boolean;
  /** Which of these lead to something that the caller knows of, asked at once. */
  known?(reach: Reach, refs: readonly string[], parents: Parents): Promise<(ref: string) => boolean>;
}

/** Many references as a statement asks for them. */
export function sought(refs: readonly string[]): { ids: Id[]; codes: string[] } {
  const parsed = refs.map((ref) => parseRef(ref));
  return {
    ids: parsed.flatMap(({ id }) => (id === null ? [] : [id])),
    codes: parsed.flatMap(({ code }) => (code === null ? [] : [code.toLowerCase()])),
  };
}

/** Whether a reference is to one of these. */
export function among(rows: readonly { id: Id; code: string }[]): (ref: string) => boolean {
  const there = new Set(rows.flatMap((row) => [row.id, row.code.toLowerCase()]));
  return (ref) => {
    const { id, code } = parseRef(ref);
    return there.has(id ?? code!.toLowerCase());
  };
}

export const reference = <Found, Parents = unknown>(definition: Reference<Found, Parents>): Reference<Found, Parents> =>
  definition;

// biome-ignore lint/suspicious/noExplicitAny: the parents of a reference are checked where it is declared
export type AnyReference = Reference<any, any>;
export type Found<At extends Record<string, AnyReference>> = {
  [Name in keyof At]: At[Name] extends Reference<infer F, infer _> ? F : never;
};

export const words = (kind: ReferenceKind): string => kind.replaceAll('_', ' ');

export async function findAll(
  reach: Reach,
  at: Record<string, AnyReference>,
  params: Record<string, string>,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const [name, declared] of Object.entries(at)) {
    const one = await declared.find({ ...reach, mode: modeAt(reach.mode, at, found) }, params[name]!, found);
    if (one === null)
      refuse('not_found', { message: `There is no such ${words(declared.kind)} in this organization.` });
    found[name] = one;
  }
  return found;
}

/** The mode of a call once it is known what its path names: in a test event, a live key makes tests, too. */
export const modeAt = (mode: Mode, at: Record<string, AnyReference>, found: Record<string, unknown>): Mode =>
  Object.entries(found).some(([name, one]) => at[name]?.isTest?.(one) === true) ? 'test' : mode;

/** A reference in a body: unknown is 400 with its path. */
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

/** All references of a list in a body, every unknown one named. */
export async function allInBody<F, P>(
  reach: Reach,
  declared: Reference<F, P>,
  refs: readonly string[],
  path: string,
  parents: P,
): Promise<F[]> {
  const found: F[] = [];
  const faults: { path: string; message: string }[] = [];
  for (const [i, ref] of refs.entries()) {
    const one = await declared.find(reach, ref, parents);
    if (one === null) faults.push({ path: `${path}/${i}`, message: `no such ${words(declared.kind)}: ${ref}` });
    else found.push(one);
  }
  requireValid(faults);
  return found;
}
