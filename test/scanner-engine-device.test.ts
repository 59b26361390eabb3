import { beforeAll, expect, test } from 'vitest';
import { VERSION } from '../web/scan/src/engine/index.ts';
import { engineWorld, isBatch, told } from './support/scanner/engine-world.ts';
import { PASS } from './support/scanner/gate.ts';

/** A device has a clock of its own, is unlocked by members, and tells the server how it is doing. */
const world = engineWorld();
const pin = '739154';
const HOUR = 3_600_000;
const serverTime = () => world.fair.t.clock.now().getTime();

/** Of all members, one has set a PIN. */
beforeAll(async () => {
  expect((await world.fair.app(world.manager, 'PUT', '/membership/pin', { pin })).status).toBe(204);
});

test('a member unlocks the device, overrides and undoes, and the device knows of it', async () => {
  const [wrongDay, right] = [await world.fair.register({ days: ['d2'] }), await world.fair.register()];
  const one = await world.device();
  const codeOf = (refusal: unknown) => (refusal as { code: string | null }).code;
  const tried = (work: 'unlock' | 'override' | 'undo', ...[what, more]: [string, string]) =>
    one.engine[work](what, more).then(() => null, codeOf);
  const admittedHere = async () => (await one.engine.counts('gate')).point;
  // An answer that is under way may bring back an admission that was just undone.
  const counted = (people: number) => world.devices.until(async () => (await admittedHere()) === people);
  const refused = told(await one.scan({ code: wrongDay.code }));
  expect(refused).toMatchObject({ by: 'server', result: 'wrong_day', checkins: [{ admitted: false }] });
  const checkin = refused.checkins[0]!.id;
  expect(await tried('override', checkin, 'Known to us')).toBe('permission_required');

  // Only who has set a PIN is offered.
  const members = await one.engine.members();
  expect(members).toHaveLength(1);
  const me = members[0]!;
  expect(await tried('unlock', me.id, '000000')).toBe('pin_wrong');
  const unlocked = await one.engine.unlock(me.id, pin);
  expect(unlocked.name).toBe(me.name);
  expect(Date.parse(unlocked.expires_at)).toBeGreaterThan(world.fair.t.clock.now().getTime());

  const before = await admittedHere();
  expect(await tried('override', checkin, 'Known to us')).toBeNull();
  await counted(before + 1);
  const all = (await world.fair.get('/events/fair/checkins?limit=100')).body.data;
  const written = all.find((row: { override: { of: string } | null }) => row.override?.of === checkin);
  expect(written).toMatchObject({ admitted: true, override: { reason: 'Known to us' } });

  const admitted = told(await one.scan({ code: right.code }));
  await counted(before + 2);
  expect(await tried('undo', admitted.checkins[0]!.id, 'The wrong person')).toBeNull();
  await world.devices.newestChanges();
  await counted(before + 1);
  expect(await world.recorded(admitted.client_uuid)).toMatchObject([{ undone_at: expect.any(String) }]);
  await one.offline();
  expect(told(await one.scan({ code: right.code }))).toMatchObject({ by: 'device', result: 'accepted' });
  await one.online();
  expect(one.disagreements).toEqual([]);
});

test('an admission that was decided without the server is undone once it was uploaded', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  const here = told(await one.scan({ code }));
  expect(here).toMatchObject({ by: 'device', result: 'accepted', checkins: [] });
  await one.online();
  await one.until(({ queue }) => queue === 0);
  const [last] = await one.engine.lastScans();
  expect(last).toMatchObject({ sent: true, told: { by: 'device', checkins: [{ admitted: true }] } });
  const [member] = await one.engine.members();
  await one.engine.unlock(member!.id, pin);
  await one.engine.undo(last!.told.checkins[0]!.id, 'The wrong person');
  expect(await world.recorded(here.client_uuid)).toMatchObject([{ undone_at: expect.any(String) }]);
  expect((await one.engine.lastScans())[0]!.told).toMatchObject({ result: 'undone', admitted: false });
  // The device knows it, too.
  await world.devices.newestChanges();
  await one.offline();
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'accepted' });
});

test('tells the server how it is doing: its queue, its battery and its version', async () => {
  const { code } = await world.fair.register();
  const one = await world.device();
  await one.offline();
  await one.scan({ code });
  one.engine.close();
  // Batches have to wait, so the scan stays in the queue while everything else is answered.
  const busy = '{"error":{"code":"batch_in_progress","message":"Wait."}}';
  const wait = { status: 409, type: 'application/json', body: busy, headers: { 'retry-after': '3600' } };
  world.devices.fault = (asked) => (isBatch(asked) ? { do: 'answer', ...wait } : PASS);
  expect(await one.open()).toBeNull();
  const before = world.sent(({ path }) => path.endsWith('/heartbeat')).length;
  const listed = async () => {
    const { body } = await world.fair.app(world.manager, 'GET', '/events/fair/devices');
    return body.data.find(({ id }: { id: string }) => id === one.id);
  };
  await one.until(() => world.sent(({ path }) => path.endsWith('/heartbeat')).length > before);
  await expect.poll(listed).toMatchObject({ queue_length: 1, battery: 42, version: VERSION });
  expect(one.status().queue).toBe(1);
});

test('a clock that is wrong by two hours is set right by the server', async () => {
  const { code } = await world.fair.register();
  const { time } = world.devices;
  time.wrongBy = -2 * HOUR;
  const one = await world.device();
  const wrongBy = time.wall() - serverTime();
  expect(Math.abs(one.status().clockOff! - wrongBy)).toBeLessThan(60_000);
  await one.offline();
  const first = told(await one.scan({ code }));
  expect(first.result).toBe('accepted');
  expect(Math.abs(first.scanned_at - serverTime())).toBeLessThan(60_000);
  // The difference is kept for the next time.
  one.engine.close();
  expect(await one.open()).toBeNull();
  expect(Math.abs(told(await one.scan({ code })).scanned_at - serverTime())).toBeLessThan(60_000);
  await one.online();
  expect(await world.recorded(first.client_uuid)).toMatchObject([{ skewed: false }]);
});

test('a slow clock that is set right while the app is in the background changes the time of no scan', async () => {
  const { code } = await world.fair.register();
  const { time } = world.devices;
  time.wrongBy = -2 * HOUR;
  const one = await world.device();
  world.devices.show('hidden');
  time.wrongBy = 0;
  world.devices.show('visible');
  await one.until(({ clockOff }) => Math.abs(clockOff! - (time.wall() - serverTime())) < 60_000);
  await one.offline();
  const { scanned_at } = told(await one.scan({ code }));
  expect(Math.abs(scanned_at - serverTime())).toBeLessThan(60_000);
  await one.online();
});
