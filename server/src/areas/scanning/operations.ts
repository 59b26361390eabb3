import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { reference } from '../../road/reference.ts';

/** Check-ins come with scanning; until then none is found. */
const aCheckIn = reference<never>({ kind: 'check_in', byCode: false, find: async () => null });

export const operations = [
  operation({
    id: 'overrideCheckIn',
    method: 'POST',
    path: '/checkins/{check_in}/override',
    hosts: ['scanner'],
    scope: 'scanner',
    entitlement: 'api_scanner',
    member: 'door.override',
    keysRefused: 'api_key_cannot_override',
    audit: 'checkin.overridden',
    at: { check_in: aCheckIn },
    body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500 }) }, { additionalProperties: false }),
    reply: null,
    refusals: ['not_found', 'api_key_cannot_override'],
    tag: 'Scanning',
    summary: 'Admit somebody who was refused',
    description: 'A decision of a person at the check-in point, with a reason. Keys are refused.',
    handle: async () => undefined,
  }),
];
