import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { type Fair, openFair } from '../../../server/src/areas/scanning/fair.support.ts';
import type { ScanAnswer } from '../../../web/scan/src/engine/index.ts';
import { type BareDevice, BareDevices } from './bare-device.ts';
import type { Asked } from './gate.ts';

export const isScan = ({ path }: Asked): boolean => path.endsWith('/scan');
export const isBatch = ({ path }: Asked): boolean => path.endsWith('/scan/batch');
export const told = (answer: unknown): ScanAnswer => answer as ScanAnswer;

/** A fair for the tests of a file, and devices for each test that know nothing of those before. */
export interface EngineWorld {
  fair: Fair;
  /** The session of an owner. */
  manager: string;
  devices: BareDevices;
  pairingCode(session?: string, event?: string): Promise<string>;
  device(session?: string): Promise<BareDevice>;
  /** All calls of one kind so far. */
  sent(kind: (asked: Asked) => boolean): Asked[];
  /** What is on record about one scan. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  recorded(client_uuid: string, key?: string): Promise<any[]>;
}

export function engineWorld(): EngineWorld {
  const world = {
    pairingCode: async (session = world.manager, event = 'fair') => {
      const made = await world.fair.app(session, 'POST', `/events/${event}/devices/pairing-codes`, {});
      expect(made.status).toBe(201);
      return made.body.code;
    },
    device: async (session) => world.devices.pair(await world.pairingCode(session)),
    sent: (kind) => world.devices.gate.calls.filter(kind),
    recorded: async (client_uuid, key = world.fair.key) => {
      const { body } = await world.fair.get('/events/fair/checkins?limit=100', key);
      return body.data.filter((row: { client_uuid: string }) => row.client_uuid === client_uuid);
    },
  } as EngineWorld;
  beforeAll(async () => {
    world.fair = await openFair();
    world.manager = await world.fair.t.session('acme', 'owner');
  });
  beforeEach(async () => {
    world.devices = await BareDevices.start(world.fair.t.url);
  });
  afterEach(async () => {
    await world.devices.stop();
    expect(world.devices.errors).toEqual([]);
  });
  afterAll(() => world.fair?.t.stop());
  return world;
}
