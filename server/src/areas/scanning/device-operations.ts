import {
  Body,
  Device,
  DeviceMembers,
  DeviceUnlock,
  DeviceUnlocked,
  Heartbeat,
  Manifest,
  Name,
  PairingCode,
  RosterChanges,
  Timestamp,
} from '@turnout/contract';
import Type from 'typebox';
import { operation } from '../../road/operation.ts';
import { anEvent, ownEvent } from '../events/index.ts';
import { worldFor } from './checkins.ts';
import { aDevice, heartbeat, listDevices, revokeDevice } from './devices.ts';
import { manifest, manifestTag, reachOf } from './manifest.ts';
import { inMode, TestQuery } from './mode.ts';
import { makePairingCode } from './pairing.ts';
import { doorEvent } from './references.ts';
import { asOf, rosterSince } from './roster.ts';
import { checkPin, listUnlockers, unlock } from './unlock.ts';

const tag = 'Scanning';
const scanning = {
  scope: 'scanner',
  entitlement: 'api_scanner',
  member: 'door.scan',
  device: true,
  hosts: ['api', 'scanner'],
  tag,
} as const;
/** What a paired device does about itself. */
const ofDevice = { ...scanning, hosts: ['scanner'], member: null, onlyDevices: true } as const;
/** For members in the admin app only. Without a host, no API key can call these. */
const organizing = { scope: 'admin', entitlement: null, member: 'door.devices', hosts: [], tag: 'Devices' } as const;

export const deviceOperations = [
  operation({
    ...scanning,
    id: 'getManifest',
    method: 'GET',
    path: '/events/{event}/scan/manifest',
    at: { event: doorEvent },
    query: Body({
      test: TestQuery('True: the roster of test mode, with test tickets and test admissions. Default: the live one.'),
    }),
    reply: Manifest,
    refusals: ['not_found'],
    summary: 'Get what a scanner needs to know',
    description:
      'Days, check-in points and their policies, attendee types, groups, and a signed link to the roster. Send the last `ETag` as `If-None-Match`: the answer is 304 when nothing changed. After a new `ETag`, fetch the whole roster again, because its entries name things by codes, which may have changed.',
    etag: (call) => manifestTag(inMode(call, call.query.test)),
    handle: (call) => manifest(inMode(call, call.query.test)),
  }),
  operation({
    ...scanning,
    id: 'getRosterChanges',
    method: 'GET',
    path: '/events/{event}/scan/roster',
    at: { event: doorEvent },
    query: Body({
      since: Timestamp('`as_of` from the last answer, or from the manifest’s roster. Inclusive.'),
      test: TestQuery('True: what changed in the roster of test mode. Send it with its own `as_of`.'),
    }),
    reply: RosterChanges,
    refusals: ['not_found'],
    summary: 'Get what changed in the roster',
    description:
      'Covers the whole event, or the group that the caller is limited to. Send the `as_of` of this answer as `since` the next time, and no change is missed.',
    handle: async (call) => {
      const reach = reachOf(inMode(call, call.query.test));
      const as_of = await asOf(call.tx, reach);
      return { ...(await rosterSince(call.tx, await worldFor(call, call.at.event), reach, call.query.since)), as_of };
    },
  }),
  operation({
    ...organizing,
    id: 'createPairingCode',
    method: 'POST',
    path: '/events/{event}/devices/pairing-codes',
    audit: 'device.pairing_code_made',
    at: { event: ownEvent },
    body: Body({ name: Type.Optional(Name(100, { description: 'The name of the device.' })) }),
    reply: PairingCode,
    status: 201,
    secretAnswer: true,
    refusals: ['not_found'],
    summary: 'Create a pairing code for a scanner',
    handle: (call) => makePairingCode(call, call.at.event, call.body.name),
  }),
  operation({
    ...organizing,
    id: 'listDevices',
    method: 'GET',
    path: '/events/{event}/devices',
    at: { event: anEvent },
    reply: Type.Object({ data: Type.Array(Device) }),
    refusals: ['not_found'],
    summary: 'List paired scanners',
    handle: async (call) => ({ data: await listDevices(call, call.at.event) }),
  }),
  operation({
    ...organizing,
    id: 'revokeDevice',
    method: 'DELETE',
    path: '/events/{event}/devices/{device}',
    audit: 'device.revoked',
    at: { event: ownEvent, device: aDevice },
    reply: null,
    status: 204,
    refusals: ['not_found'],
    summary: 'Unpair a scanner',
    handle: (call) => revokeDevice(call, call.at.event, call.at.device),
  }),
  operation({
    ...ofDevice,
    id: 'sendHeartbeat',
    method: 'PUT',
    path: '/devices/self/heartbeat',
    audit: 'device.heartbeat',
    unaudited: true,
    at: {},
    body: Heartbeat,
    reply: Device,
    refusals: ['not_found'],
    summary: 'Report the state of a paired scanner',
    handle: (call) => heartbeat(call, call.body),
  }),
  operation({
    ...ofDevice,
    id: 'listUnlockable',
    method: 'GET',
    path: '/devices/self/members',
    at: {},
    reply: DeviceMembers,
    refusals: ['not_found'],
    summary: 'List who can unlock a paired scanner',
    description:
      'The members who have set a PIN for the door and may override where this scanner is used, by name. At most 200.',
    handle: (call) => listUnlockers(call),
  }),
  operation({
    ...ofDevice,
    id: 'unlockDevice',
    method: 'POST',
    path: '/devices/self/unlock',
    audit: 'device.unlocked',
    devicePace: { callsPerSecond: 2 },
    at: {},
    body: DeviceUnlock,
    secretBody: true,
    reply: DeviceUnlocked,
    refusals: ['not_found', 'pin_wrong', 'sign_in_throttled'],
    summary: 'Unlock a paired scanner with a PIN',
    description:
      'The member may then override refusals and undo admissions at this scanner for 15 minutes. It ends before if the member is removed, loses the permission or changes the PIN, and if somebody else unlocks the scanner. After five wrong PINs at one scanner, or 20 at all scanners within an hour, the member is refused there for 15 minutes (429 `sign_in_throttled`).',
    before: (call) => checkPin(call),
    handle: (call) => unlock(call, call.body, call.beforeResult),
  }),
];
