import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EventbriteDouble } from '../../../test/support/eventbrite-double.ts';
import { startTest, type TestTurnout } from '../../../test/support/turnout.ts';
import { impatient, Organizer } from '../areas/transfers/platform.support.ts';
import { readConfig } from '../config.ts';
import type { OptionValues } from './command.ts';
import { platformCommands } from './platform.ts';

let t: TestTurnout;
let double: EventbriteDouble;
let acme: Organizer;
beforeAll(async () => {
  double = await EventbriteDouble.start();
  t = await startTest({ eventbrite: impatient(double) });
  await t.org('acme');
  acme = await Organizer.of(t, 'acme');
  process.env.THEIR_TOKEN = double.token;
});
afterAll(async () => {
  delete process.env.THEIR_TOKEN;
  expect(double.changes).toBe(0);
  await t.stop();
  await double.stop();
});

const env = () => ({
  DATABASE_URL: t.database.url,
  DATA_DIR: t.dataDir,
  SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
});
// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
function turnout(words: string, given: OptionValues, options: { argument?: string; env?: object } = {}): Promise<any> {
  const command = platformCommands({ eventbrite: impatient(double) }).find((one) => one.words === `platform ${words}`)!;
  return command.run(readConfig({ ...env(), ...options.env }), { org: 'acme', ...given }, options.argument);
}

test('connect, look, map, start, wait, disconnect', async () => {
  await expect(turnout('events', {})).rejects.toThrow('No account is connected.');
  const connection = await turnout('connect', { 'token-env': 'THEIR_TOKEN' });
  expect(connection).toMatchObject({ platform: 'eventbrite', account: { name: 'Olga Owner' } });

  const source = double.addEvent('Fair', ['Early bird = cheap', 'Child', 'Press']);
  const [early, child] = source.ticket_classes;
  expect((await turnout('events', {})).data).toContainEqual(expect.objectContaining({ id: source.id, name: 'Fair' }));
  expect((await turnout('classes', { 'source-event': source.id })).data).toHaveLength(3);

  await acme.event('fair');
  await acme.make('/events/fair/days', { code: 'sun', date: '2055-05-02' });
  const people = ['Early bird = cheap', 'Child', 'Press'].map((ticket_class, i) => ({
    ticket_class,
    first_name: 'Ada',
    last_name: `No${i}`,
  }));
  double.addOrder(source, people);
  const wanted = { event: 'fair', 'source-event': source.id };
  await expect(turnout('import', { ...wanted, map: ['Child=child:sat+sun'] })).rejects.toThrow(
    `lacks the ticket class ${early!.id} (Early bird = cheap)`,
  );
  const started = turnout('import', {
    ...wanted,
    map: ['early bird = CHEAP=adult:sat', `${child!.id}=child:sat+sun`],
    skip: ['Press'],
    wait: true,
  });
  for (let ran = 0; ran === 0; ) ran = await t.step.jobs();
  expect(await started).toMatchObject({
    kind: 'platform_import',
    status: 'succeeded',
    actor: { kind: 'system', name: 'operator' },
    counts: { created: 2, existing: 0, skipped: 1, rejected: 0 },
  });
  const attendees = await acme.all('/events/fair/attendees');
  expect(attendees.map(({ attendee_type, days }) => [attendee_type, days])).toEqual([
    ['adult', ['sat']],
    ['child', ['sat', 'sun']],
  ]);

  expect((await turnout('disconnect', {}, { argument: connection.id })).id).toBe(connection.id);
  await expect(turnout('events', {})).rejects.toThrow('No account is connected.');
  const { data: log } = await acme.get('/audit-log?limit=100');
  const own = log.filter((entry: { source: string }) => entry.source === 'cli');
  expect(own.map((entry: { action: string }) => entry.action)).toEqual([
    'platform.disconnected',
    'platform.import_started',
    'platform.connected',
  ]);
  expect(JSON.stringify(log)).not.toContain(double.token);
});

describe('what is refused', () => {
  test('an organization, a plan, an event, an account, a mapping that is not there', async () => {
    await t.org('small', 'free');
    await t.org('large');
    await expect(turnout('events', { org: 'nobody' })).rejects.toThrow('There is no organization nobody.');
    await expect(turnout('connect', { org: 'small', 'token-env': 'THEIR_TOKEN' })).rejects.toMatchObject({
      code: 'entitlement_required',
    });
    await turnout('connect', { org: 'large', 'token-env': 'THEIR_TOKEN' });
    const source = double.addEvent('Other', ['Adult']);
    const wanted = { org: 'large', event: 'nowhere', 'source-event': source.id, map: ['Adult=adult'] };
    await expect(turnout('import', wanted)).rejects.toThrow('There is no event nowhere.');
    await expect(turnout('import', { ...wanted, connection: 'x' })).rejects.toThrow(
      'Choose an account with --connection: ',
    );
    await expect(turnout('import', { ...wanted, map: ['Adult'] })).rejects.toThrow(
      '--map Adult is not of the form CLASS=TYPE',
    );
  });

  test('a token that is none, two ways to give it, one that is not known', async () => {
    for (const given of [{}, { 'token-env': 'THEIR_TOKEN', 'token-stdin': true }]) {
      await expect(turnout('connect', given)).rejects.toThrow('either by --token-env NAME or by --token-stdin');
    }
    await expect(turnout('connect', { 'token-env': 'NO_SUCH_VARIABLE' })).rejects.toThrow('The token is empty.');
    process.env.OTHER_TOKEN = 'two words';
    await expect(turnout('connect', { 'token-env': 'OTHER_TOKEN' })).rejects.toThrow('This is not a token');
    process.env.OTHER_TOKEN = 'NOBODYS';
    await expect(turnout('connect', { 'token-env': 'OTHER_TOKEN' })).rejects.toThrow('does not accept this token');
    delete process.env.OTHER_TOKEN;
  });

  test('another secret than the server’s: nothing is sealed that it could not open', async () => {
    const secret = { SECRET_KEY: Buffer.alloc(32, 8).toString('base64') };
    const message = /The secret key of this installation was not found/;
    await expect(turnout('connect', { 'token-env': 'THEIR_TOKEN' }, { env: secret })).rejects.toThrow(message);
    const DATA_DIR = mkdtempSync(join(tmpdir(), 'turnout-cli-'));
    const elsewhere = { SECRET_KEY: '', DATA_DIR };
    await expect(turnout('connect', { 'token-env': 'THEIR_TOKEN' }, { env: elsewhere })).rejects.toThrow(message);
    rmSync(DATA_DIR, { recursive: true });
  });
});
