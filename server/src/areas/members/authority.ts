import { mayGiveRole, type Role } from '@turnout/contract';
import type { Id } from '../../common/ids.ts';
import { invalid, refuse } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';
import { inBody } from '../../road/request/reference.ts';
import { aGroup } from '../groups/index.ts';

/** Nobody gives or takes a role with more than they have, and only owners make and remove owners. */
export function requireMayGive(own: Role, from: Role | null, to: Role | null): void {
  if (mayGiveRole(own, from, to)) return;
  refuse('permission_required', {
    message:
      from === 'owner' || to === 'owner'
        ? 'Only owners make, change and remove owners. Ask an owner of the organization.'
        : 'You can give and take only roles that allow no more than your own. Ask an owner of the organization.',
  });
}

/**
 * The group that a body names. Whoever is limited to a group gives only that group and those below it, and that group if the body
 * names none.
 */
export async function groupOf(work: Work, ref: string | null | undefined): Promise<Id | null> {
  const { group } = work.caller;
  if (ref === undefined) return group?.id ?? null;
  if (ref !== null) return (await inBody(work, aGroup, ref, 'group', {})).id;
  if (group === null) return null;
  return invalid({ path: 'group', message: 'must not be null, because you are limited to a group' });
}
