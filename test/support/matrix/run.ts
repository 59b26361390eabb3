import { describe, test } from 'vitest';
import { operations } from '../../../server/src/areas/index.ts';
import type { Operation } from '../../../server/src/road/operation.ts';
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

/** A test for every row of every operation, on the mounts of keys or of members. */
export function runMatrix(by: Mount['by'], world: () => World): void {
  for (const op of operations) {
    for (const mount of mountsOf(op)) {
      if (mount.by !== by) continue;
      describe.concurrent(`${op.method} ${mount.prefix}${op.path} (${op.id})`, () => {
        for (const row of rowsOrFault(op, mount)) test(row.name, () => row.run(world()));
      });
    }
  }
}
