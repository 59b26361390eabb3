import { refuse } from '../../common/refusal.ts';
import type { Actor, Caller, MemberActor } from '../caller.ts';
import type { Operation } from '../operation.ts';

/** Whether this kind of caller may use the operation at all: a key by its scopes, a member by its permissions, a device or a
 * visitor of the pages by name. */
export function requireAccess(caller: Caller, operation: Operation, now: Date): void {
  const { actor, group } = caller;
  if (actor.kind === 'key') requireScope(actor, group, operation);
  if (actor.kind === 'member') requirePermission(actor, group, operation, now);
  if (actor.kind === 'device' && operation.device !== true) refuse('not_found');
  if (actor.kind === 'visitor' && operation.visitor !== true) refuse('not_found');
}

function requireScope(
  { scopes }: Extract<Actor, { kind: 'key' }>,
  group: Caller['group'],
  { keysRefused, scope, organizationWide }: Operation,
): void {
  if (keysRefused !== undefined) refuse(keysRefused);
  if (!scopes.includes(scope)) {
    const has = scopes.length === 0 ? 'no scope' : `only ${scopes.join(', ')}`;
    refuse('api_key_scope', {
      message: `This call needs the scope \`${scope}\`; the key has ${has}. No scope includes another one.`,
    });
  }
  if (organizationWide === true && group !== null) {
    refuse('api_key_scope', {
      message: 'This call needs a key that is not limited to a group; this key is limited to one.',
    });
  }
}

function requirePermission(
  { permissions, session }: MemberActor,
  group: Caller['group'],
  { member, organizationWide, proved }: Operation,
  now: Date,
): void {
  if (member === null) return;
  if (!permissions.includes(member)) {
    refuse('permission_required', {
      message: `Your role does not include the permission \`${member}\`. Ask an owner of the organization for it.`,
    });
  }
  if (organizationWide === true && group !== null) {
    refuse('permission_required', {
      message: 'Only members who are not limited to a group may do this; you are limited to one.',
    });
  }
  if (proved === true && !isProved(session.provedAt, now)) refuse('sign_in_again');
}

/** How long a proof of who somebody is holds for operations that could take an account or an organization away. */
export const PROOF_MS = 10 * 60_000;
export const isProved = (provedAt: string, now: Date): boolean => now.getTime() - Date.parse(provedAt) < PROOF_MS;
