import { expect, test } from 'vitest';
import { forget, pairedEvents } from '../web/scan/src/engine/index.ts';
import type { BareDevice } from './support/scanner/bare-device.ts';
import { engineWorld, isBatch, isScan, told } from './support/scanner/engine-world.ts';
import { PASS } from './support/scanner/gate.ts';

/** What becomes of scanning, and of the scans that wait, when the server refuses something. */
const world = engineWorld();
const stopped = (one: BareDevice, refusal: string) =>
  one.until(({ connection, refusal: why }) => connection === 'refused' && why === refusal);
const handed = async (one: BareDevice) => JSON.parse(await (await one.engine.handOver()).text());

test('a token that was revoked while offline: scanning stops, the queue stays and can be handed over', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  const first = told(await one.scan({ code }));
  expect((await world.fair.app(world.manager, 'DELETE', `/events/fair/devices/${one.id}`)).status).toBe(204);
  world.devices.fault = () => PASS;
  world.devices.networkBack();
  await stopped(one, 'device_revoked');
  expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
  expect(one.status().queue).toBe(1);
  const file = await handed(one);
  expect(file).toMatchObject({ turnout: 'scans', version: 1, device: { id: one.id }, event: { name: 'Fair' } });
  expect(file.scans).toMatchObject([
    { client_uuid: first.client_uuid, code, offline_result: 'accepted', not_recorded: null },
  ]);
  // An organizer uploads it.
  const scans = file.scans.map(({ not_recorded: _, ...scan }: { not_recorded: unknown }) => scan);
  expect((await world.fair.app(world.manager, 'POST', '/events/fair/scan/batch', { scans })).status).toBe(200);
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
  // It is not forgotten by accident.
  await expect(forget(one.id)).rejects.toMatchObject({ fault: 'waiting' });
  await forget(one.id, { force: true });
  expect(await pairedEvents()).toEqual([]);
});

// claim: old-scanner-stops
test('426: scanning stops, the queue stays; with a new enough version it goes on by itself', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  const first = told(await one.scan({ code }));
  world.devices.fault = () => ({ do: 'pass', headers: { 'x-scanner-version': '0.1.0' } });
  world.devices.networkBack();
  await one.until(({ connection }) => connection === 'too_old');
  expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
  expect(one.status().queue).toBe(1);
  await one.online();
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'duplicate' });
});

test('a scan that the server refuses to take is not recorded later', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  const old = { do: 'pass', headers: { 'x-scanner-version': '0.1.0' } } as const;
  world.devices.fault = (asked) => (isScan(asked) ? old : PASS);
  expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
  expect(one.status().queue).toBe(0);
  await one.online();
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'accepted' });
  expect(world.sent(isBatch)).toEqual([]);
});

test('an archived event: the queue is kept until an organizer opens it again', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  const first = told(await one.scan({ code }));
  const change = async (how: string) => expect((await world.fair.post(`/events/fair/${how}`)).status).toBe(200);
  await change('close');
  await change('archive');
  world.devices.fault = () => PASS;
  world.devices.networkBack();
  await stopped(one, 'event_archived');
  expect(await one.tryScan({ code })).toMatchObject({ fault: 'stopped' });
  expect(one.status().queue).toBe(1);
  await change('close');
  await change('publish');
  await one.online();
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
  expect(new Set(world.sent(isBatch).map(({ headers }) => headers['idempotency-key'])).size).toBeGreaterThan(1);
});

test('a scan that cannot be recorded goes to the kept list with its reason', async () => {
  const [a, b] = [await world.fair.register(), await world.fair.register()];
  const one = await world.device();
  // Online: somebody who is not on the ticket.
  expect(await one.tryScan({ code: a.code, people: b.people })).toMatchObject({
    fault: 'not_recorded',
    code: 'validation_failed',
  });
  // Offline: a point that is removed before the scan goes up.
  await one.offline();
  expect(told(await one.scan({ code: a.code, people: a.people }))).toMatchObject({
    by: 'device',
    result: 'accepted',
  });
  expect(told(await one.scan({ code: b.code, people: a.people }))).toMatchObject({
    by: 'device',
    result: 'rejected',
  });
  await one.online();
  expect(one.status().notRecorded).toBe(2);
  const kept = await one.engine.notRecorded();
  expect(kept).toMatchObject([
    { code: 'validation_failed', told: null },
    { code: 'validation_failed', told: 'rejected' },
  ]);
  expect((await handed(one)).scans).toMatchObject([
    { not_recorded: { code: 'validation_failed' } },
    { not_recorded: {} },
  ]);
  one.engine.close();
  expect(await one.open()).toBeNull();
  expect(one.status().notRecorded).toBe(2);
});

test('429: the device decides meanwhile, is not offline, and does not ask before it may', async () => {
  const [a, b] = [await world.fair.register(), await world.fair.register()];
  const one = await world.device();
  const slow = '{"error":{"code":"rate_limited","message":"Slow down."}}';
  world.devices.fault = (asked) =>
    isScan(asked)
      ? { do: 'answer', status: 429, type: 'application/json', body: slow, headers: { 'retry-after': '3600' } }
      : PASS;
  const first = told(await one.scan({ code: a.code }));
  const second = told(await one.scan({ code: b.code }));
  expect([first, second]).toMatchObject([
    { by: 'device', result: 'accepted' },
    { by: 'device', result: 'accepted' },
  ]);
  expect(world.sent(isScan)).toHaveLength(1);
  expect(one.status().connection).toBe('online');
  await one.until(({ queue }) => queue === 0);
  for (const { client_uuid } of [first, second]) expect(await world.recorded(client_uuid)).toHaveLength(1);
});

test('a batch that the server wants later goes up later, the same bytes under the same key', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  const first = told(await one.scan({ code }));
  const busy = '{"error":{"code":"batch_in_progress","message":"Wait."}}';
  let refused = 0;
  world.devices.fault = (asked) => {
    if (!isBatch(asked) || refused === 2) return PASS;
    refused += 1;
    return { do: 'answer', status: 409, type: 'application/json', body: busy, headers: { 'retry-after': '1' } };
  };
  world.devices.networkBack();
  await one.until(({ queue, connection }) => queue === 0 && connection === 'online');
  const batches = world.sent(isBatch).slice(-3);
  expect(new Set(batches.map(({ body }) => body)).size).toBe(1);
  expect(new Set(batches.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(await world.recorded(first.client_uuid)).toHaveLength(1);
});
