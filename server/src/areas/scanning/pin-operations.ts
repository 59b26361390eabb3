import { PinChange } from '@turnout/contract';
import { operation } from '../../road/operation.ts';
import { hashPin, removePin, setPin } from './pins.ts';

/** For members in the admin app only, about themselves. */
const own = {
  path: '/membership/pin',
  hosts: [],
  scope: 'admin',
  entitlement: null,
  member: 'door.override',
  proved: true,
  at: {},
  reply: null,
  status: 204,
  refusals: [],
  tag: 'Profile',
} as const;

export const pinOperations = [
  operation({
    ...own,
    id: 'setDoorPin',
    method: 'PUT',
    audit: 'member.pin_set',
    body: PinChange,
    summary: 'Set your PIN for the door',
    description:
      'With the PIN you unlock a paired scanner, at which you may then override and undo for 15 minutes. Scanners that you have unlocked with an earlier PIN are locked again.',
    // Hashing takes a moment, in which no transaction should be open.
    before:
      async ({ secrets, org, caller, body }) =>
      () =>
        hashPin(secrets, org, caller.actor.id!, body.pin),
    handle: (call) => setPin(call, call.beforeResult),
  }),
  operation({
    ...own,
    id: 'removeDoorPin',
    method: 'DELETE',
    audit: 'member.pin_removed',
    summary: 'Remove your PIN for the door',
    description: 'Scanners that you have unlocked are locked again.',
    handle: (call) => removePin(call),
  }),
];
