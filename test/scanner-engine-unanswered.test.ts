import { describe, expect, test } from 'vitest';
import { ANSWER_MS } from '../web/scan/src/engine/times.ts';
import { engineWorld, isBatch, isScan, told } from './support/scanner/engine-world.ts';
import { type Fault, PASS } from './support/scanner/gate.ts';

const world = engineWorld();
const DROP: Fault = { do: 'drop' };
const PORTAL: Fault = { do: 'answer', status: 200, type: 'text/html', body: '<h1>Welcome to the hotel</h1>' };
const DOWN: Fault = {
  do: 'answer',
  status: 503,
  type: 'application/json',
  body: '{"error":{"code":"unavailable","message":"Down."}}',
};

test('online, the server answers, and nothing stays in the queue', async () => {
  const { code, people } = await world.fair.register();
  const one = await world.device();
  const first = told(await one.scan({ code }));
  expect(first).toMatchObject({
    by: 'server',
    result: 'accepted',
    admitted: true,
    tone: 'success',
    point_kind: 'entry',
  });
  expect(first.people).toMatchObject([{ id: people[0], attendee_type: 'Adult', result: 'accepted' }]);
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'server', result: 'duplicate', tone: 'warning' });
  expect(one.status()).toMatchObject({ connection: 'online', queue: 0 });
  expect(await world.recorded(first.client_uuid)).toHaveLength(1);
});

describe('the server does not answer', () => {
  test('silent for longer than 400 ms: the device decides, and the scan goes up once, with what was told', async () => {
    const { code } = await world.fair.register();
    const one = await world.device();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    world.devices.fault = (asked) => (isScan(asked) ? { do: 'hold', until: released } : isBatch(asked) ? DROP : PASS);
    const asking = one.scan({ code });
    await expect.poll(() => world.sent(isScan).length).toBe(1);
    world.devices.time.move(ANSWER_MS - 1);
    await expect(Promise.race([asking, nothingYet()])).resolves.toBe('nothing yet');
    world.devices.time.move(1);
    const answer = told(await asking);
    expect(answer).toMatchObject({ by: 'device', result: 'accepted', admitted: true });
    expect(one.status().queue).toBe(1);
    world.devices.fault = () => PASS;
    release();
    await one.until(({ queue }) => queue === 0);
    const rows = await world.recorded(answer.client_uuid);
    expect(rows).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
    const sent = world.sent(isBatch).map(({ body }) => JSON.parse(body).scans);
    expect(sent.at(-1)).toMatchObject([{ client_uuid: answer.client_uuid, offline_result: 'accepted' }]);
    expect(one.disagreements).toEqual([]);
  });

  test('after two calls without an answer it is not asked before deciding, and the first answer brings it back', async () => {
    const [a, b] = [await world.fair.register(), await world.fair.register()];
    const one = await world.device();
    await one.offline();
    const before = world.sent(isScan).length;
    expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'device', result: 'accepted' });
    expect(told(await one.scan({ code: a.code }))).toMatchObject({ by: 'device', result: 'duplicate' });
    expect(world.sent(isScan).length).toBe(before);
    expect(one.status().queue).toBe(2);
    await one.online();
    expect(told(await one.scan({ code: b.code }))).toMatchObject({ by: 'server', result: 'accepted' });
    expect(one.disagreements).toEqual([]);
  });

  test.each([
    ['503', DOWN],
    ['a captive portal: 200 with HTML', PORTAL],
    ['JSON of somebody else', { do: 'answer', status: 200, type: 'application/json', body: '{"ok":true}' } as Fault],
    ['401 of a proxy', { do: 'answer', status: 401, type: 'text/html', body: 'Sign in' } as Fault],
    [
      'a redirect',
      { do: 'answer', status: 302, type: 'text/html', body: '', headers: { location: '/scan/' } } as Fault,
    ],
  ])('%s is no answer', async (_, fault) => {
    const { code } = await world.fair.register();
    const one = await world.device();
    world.devices.fault = () => fault;
    const first = told(await one.scan({ code }));
    expect(first).toMatchObject({ by: 'device', result: 'accepted' });
    await one.until(({ connection }) => connection === 'offline');
    expect(one.status().queue).toBe(1);
    await one.online();
    expect(await world.recorded(first.client_uuid)).toMatchObject([{ offline_result: 'accepted' }]);
  });

  test('an answer that was lost on its way: the retry gets the same one', async () => {
    const { code } = await world.fair.register();
    const one = await world.device();
    world.devices.fault = (asked) => (isScan(asked) || isBatch(asked) ? { do: 'lose answer' } : PASS);
    const first = told(await one.scan({ code }));
    expect(first).toMatchObject({ by: 'device', result: 'accepted' });
    await one.until(() => world.sent(isBatch).length > 1);
    const keys = world.sent(isBatch).map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(1);
    await one.online();
    expect(await world.recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
    expect(one.disagreements).toEqual([]);
  });

  test('the roster tells of a scan whose answer was lost: it is no duplicate of itself, but the next one is', async () => {
    const { code, people } = await world.fair.register();
    const one = await world.device();
    const count = async () => (await one.engine.counts('gate')).point;
    const before = await count();
    const { promise: noticed, resolve: notice } = Promise.withResolvers<void>();
    world.devices.fault = (asked) =>
      isScan(asked) ? { do: 'lose answer', after: noticed } : isBatch(asked) ? DROP : PASS;
    const asking = one.scan({ code });
    world.devices.networkBack();
    await world.devices.until(async () => {
      const found = await one.engine.search('Pat');
      return found.people.some(({ person, inside }) => person === people[0] && inside !== null);
    });
    notice();
    const first = told(await asking);
    expect(first).toMatchObject({ by: 'device', result: 'accepted', admitted: true });
    await one.offline();
    expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'duplicate' });
    expect(await count()).toBe(before + 1);
    await one.online();
    expect(await world.recorded(first.client_uuid)).toMatchObject([{ result: 'accepted', offline_result: 'accepted' }]);
    expect(one.disagreements).toEqual([]);
  });
});

test('two devices without a network admit the same ticket: told to whoever holds the second, and in reconciliation', async () => {
  const { code } = await world.fair.register();
  const [one, two] = [await world.device(), await world.device()];
  await one.offline();
  await two.until(({ connection }) => connection === 'offline');
  expect(told(await one.scan({ code }))).toMatchObject({ by: 'device', result: 'accepted' });
  const second = told(await two.scan({ code }));
  expect(second).toMatchObject({ by: 'device', result: 'accepted' });
  two.engine.close();
  await one.online();
  expect(await two.open()).toBeNull();
  await two.online();
  // It is told a moment after the queue has become empty.
  await two.until(() => two.disagreements.length > 0);
  expect(one.disagreements).toEqual([]);
  const [difference] = two.disagreements;
  expect(difference).toMatchObject({ client_uuid: second.client_uuid, told: 'accepted', recorded: 'duplicate' });
  expect(difference!.names).toHaveLength(1);
  expect(await two.engine.disagreements()).toEqual([difference]);
  const { data } = (await world.fair.get('/events/fair/checkins/reconciliation')).body;
  const rows = data.filter((row: { client_uuid: string }) => row.client_uuid === second.client_uuid);
  expect(rows).toMatchObject([{ result: 'duplicate', offline_result: 'accepted' }]);
  await two.engine.disagreementSeen(second.client_uuid);
  expect(await two.engine.disagreements()).toEqual([]);
});

/** What comes later than everything that could come by itself. */
const nothingYet = () => new Promise((resolve) => setTimeout(resolve, 20, 'nothing yet'));
