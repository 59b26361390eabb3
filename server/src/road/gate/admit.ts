import type { Clock } from '../../clock.ts';
import type { Caller } from '../caller.ts';
import type { Operation } from '../operation.ts';
import { requireAccess } from './access.ts';
import { requireClientApps, requireEntitlement } from './entitlements.ts';
import type { License } from './license.ts';

/** Checks that every caller has to pass before the rest of the call is read: access, entitlements and, for a change, the license. */
export async function admit(
  { clock, license }: { clock: Clock; license: License },
  operation: Operation,
  caller: Caller,
  client: string | null,
): Promise<void> {
  requireAccess(caller, operation, clock.now());
  requireClientApps(caller, client);
  if (operation.entitlement !== null) requireEntitlement(caller, operation.entitlement);
  if (operation.method !== 'GET' && operation.whenReadOnly !== 'allowed') await license.requireWritable();
}
