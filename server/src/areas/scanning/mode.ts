import Type from 'typebox';
import type { Work } from '../../road/operation.ts';
import { invalid } from '../../road/refusal.ts';

/** Members and devices choose between live and test with each call; keys have a mode of their own. */
export const TestQuery = (description: string) =>
  Type.Optional(Type.Boolean({ description: `For members and paired devices. ${description}` }));

/** The call in test mode, if a member or device asks for it. */
export function inMode<C extends Work>(call: C, asked: boolean | undefined): C {
  if (asked === undefined) return call;
  if (call.caller.actor.kind === 'key')
    return invalid({ path: 'test', message: 'cannot be sent by keys: they have a mode of their own' });
  return asked ? { ...call, mode: 'test' } : call;
}
