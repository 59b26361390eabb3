import { expect, test } from 'vitest';
import type { call as Call } from './call.ts';

// Nothing here runs. `npm run types` reads it: where a line after `@ts-expect-error` compiles, that is an error.
async function calls(call: typeof Call): Promise<void> {
  const { data } = await call('listMembers', { org: 'acme' });
  const role: 'owner' | 'admin' | 'developer' | 'manager' | 'desk' | 'door' | 'viewer' = data[0]!.role;
  await call('changeMember', { org: 'acme', member: 'M1', body: { role } });

  // @ts-expect-error There is no such operation.
  await call('listMember', { org: 'acme' });
  // @ts-expect-error The organization is missing.
  await call('listMembers', {});
  // @ts-expect-error There is no parameter of this name.
  await call('listMembers', { org: 'acme', member: 'M1' });
  // @ts-expect-error There is no such role.
  await call('changeMember', { org: 'acme', member: 'M1', body: { role: 'boss' } });
  // @ts-expect-error The body has no such field.
  await call('changeMember', { org: 'acme', member: 'M1', body: { rôle: 'owner' } });
  // @ts-expect-error The body is missing.
  await call('changeMember', { org: 'acme', member: 'M1' });
  // @ts-expect-error A required field of the body is missing.
  await call('createKey', { org: 'acme', body: { name: 'CRM', mode: 'live' } });
  // @ts-expect-error The answer has no such field.
  data[0]!.rolle;
  // @ts-expect-error This operation answers without a body.
  (await call('signOut', {})).status;
}

test('a wrong field does not compile', () => expect(calls).toBeTypeOf('function'));
