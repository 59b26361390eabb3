import { PLANS, ROLES, SCOPES } from '@turnout/contract';
import { describe, test } from 'vitest';
import { operations } from '../../../server/src/areas/index.ts';
import type { Operation } from '../../../server/src/road/operation.ts';
import { isNight } from '../night.ts';
import { type Mount, mountsOf, type Row } from './calls.ts';
import { rowsOf } from './rows.ts';
import type { World } from './world.ts';

/** A missing fixture fails the operation that needs it, not the whole file. */
export function rowsOrFault(op: Operation, mount: Mount): Row[] {
  try {
    return rowsOf(op, mount, operations);
  } catch (error) {
    return [{ name: 'its rows', run: () => Promise.reject(error) }];
  }
}

const VARIANTS = new RegExp(
  `\\b(${[...ROLES, ...SCOPES, ...PLANS.map(({ code }) => code)].join('|')}|by (id|code)( in (lower|another) case)?)\\b`,
  'g',
);
/**
 * What is refused or works in a row, whatever role, scope, plan or spelling it tries it with. The names of references stay: an operation
 * may check one of its references and forget the other.
 */
const kindOf = ({ name }: Row): string => name.replaceAll(VARIANTS, '…');

/** The first row of each kind. */
export function oneOfEachKind(rows: readonly Row[]): Row[] {
  const kinds = new Map<string, Row>();
  for (const row of rows) if (!kinds.has(kindOf(row))) kinds.set(kindOf(row), row);
  return [...kinds.values()];
}

/**
 * The rows that are tested with every change. What is refused before it matters which operation was called is tried on the first operation
 * of each method, and a text that is no reference on the first operation that takes such a reference; that nobody calls an operation
 * without a key or a session is tried on all of them. At night every row is tested.
 */
function chosen(rows: Row[], op: Operation, mount: Mount, tried: Set<object>): Row[] {
  if (isNight) return rows;
  const first = operations.find((one) => one.method === op.method && mountsOf(one).includes(mount));
  const taken = rows.filter(
    ({ beforeOperation, byReference }) =>
      (op === first || beforeOperation !== true) && (byReference === undefined || !tried.has(byReference)),
  );
  for (const { byReference } of taken) if (byReference !== undefined) tried.add(byReference);
  return oneOfEachKind(taken);
}

/** A test for each chosen row of every operation, on the mounts of keys or of members. */
export function runMatrix(by: Mount['by'], world: () => World): void {
  const tried = new Set<object>();
  for (const op of operations) {
    for (const mount of mountsOf(op)) {
      if (mount.by !== by) continue;
      describe.concurrent(`${op.method} ${mount.prefix}${op.path} (${op.id})`, () => {
        for (const row of chosen(rowsOrFault(op, mount), op, mount, tried)) test(row.name, () => row.run(world()));
      });
    }
  }
}
