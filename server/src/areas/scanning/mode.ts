import Type from 'typebox';
import { invalid } from '../../common/refusal.ts';
import type { Work } from '../../road/operation.ts';

/** Members and devices choose between live and test with each call; keys have a mode of their own. */
export const TestQuery = (description: string, forWhom = 'For members and paired devices.') =>
  Type.Optional(Type.Boolean({ description: `${forWhom} ${description}` }));

/** The call in test mode, if a member or device asks for it. */
export function inMode<C extends Work>(call: C, testParameter: boolean | undefined): C {
  if (testParameter === undefined) return call;
  if (call.caller.actor.kind === 'key')
    return invalid({ path: 'test', message: 'cannot be sent by keys: they have a mode of their own' });
  return testParameter ? { ...call, mode: 'test' } : call;
}

/**
 * The same for lists and counts of check-ins. A live key gets live ones only, so in a test event, where everything is a test, it gets none
 * unless it asks for them.
 */
export function inModeOfCheckIns<C extends Work>(call: C, testParameter: boolean | undefined): C {
  const liveKeyInTestEvent = call.caller.actor.kind === 'key' && call.caller.mode === 'live' && call.mode === 'test';
  if (!liveKeyInTestEvent) return inMode(call, testParameter);
  return testParameter === true ? call : { ...call, mode: 'live' };
}
