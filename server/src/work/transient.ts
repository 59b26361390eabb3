import { FilesAway } from '../common/files-away.ts';
import { isUnreachable } from '../road/errors.ts';
import { CommitUnknown } from '../store/tx.ts';

/**
 * Whether a connection, PostgreSQL itself or the store of files went away, or had no room. Then the same step may succeed a moment
 * later.
 */
export function isTransient(error: unknown): boolean {
  if (error instanceof CommitUnknown || error instanceof FilesAway || isUnreachable(error)) return true;
  const { code, syscall } = error as { code?: string; syscall?: string };
  return syscall === 'connect' || /^(08|40|53|57P|55P03)/.test(code ?? '');
}
