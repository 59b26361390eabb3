import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Attendee, Turnout } from '@turnout/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BadProxy } from '../packages/sdk/src/proxy.support.ts';
import { pythonForTests } from '../scripts/python.mjs';
import { sql } from '../server/src/store/sql.ts';
import { cloneDatabase, type TestDatabase } from './support/database.ts';
import {
  Authority,
  answer,
  type Behaviour,
  type Credentials,
  type Received,
  startReceiver,
} from './support/receivers.ts';
import { cleanUp, freePort, newFolder, Program, ROOT, type Server, serve } from './support/running.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/** Each is run as examples/integration/README.md describes. */
const python = await pythonForTests();
const PROGRAMS = [
  {
    language: 'typescript',
    command: [process.execPath, '--conditions=turnout-source', 'examples/integration/typescript/main.ts'],
  },
  {
    language: 'python',
    // Without an environment for Python the test fails: none may be left out.
    command: ['env', 'PYTHONPATH=packages/python/src', `${python?.python}`, 'examples/integration/python/main.py'],
  },
];

const PEOPLE = 40;
/** So few calls per minute that the program is refused in each run. */
const CALLS_PER_MINUTE = 100;
const SECRET_KEY = Buffer.alloc(32, 7).toString('base64');

let database: TestDatabase;
/** Another process of the same installation, which nobody kills. It prepares the events, and looks at the outcome. */
let observer: TestTurnout;
let certificate: Credentials;
let killable: { env: Record<string, string>; running: Server };
beforeAll(async () => {
  database = await cloneDatabase();
  observer = await startTest({ database });
  const authority = await Authority.make();
  certificate = await authority.issue(['127.0.0.1']);
  const folder = newFolder();
  writeFileSync(join(folder, 'ca.pem'), authority.pem);
  const env = {
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    FILES_URL: database.files,
    DATABASE_POOL: '8',
    SANDBOX: 'off',
    SECRET_KEY,
    PORT: String(await freePort()),
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
    WEBHOOK_CA_FILE: join(folder, 'ca.pem'),
  };
  killable = { env, running: await serve(env) };
});
afterAll(async () => {
  await cleanUp();
  await observer?.stop();
  await database?.drop();
});

async function killServer(): Promise<void> {
  killable.running.signalGroup('SIGKILL');
  await killable.running.ended;
  await sleep(1000);
  killable.running = await serve(killable.env);
}

/** What a proxy with TLS is to a receiver. Every third envelope is passed on twice, as a network may do it. */
function passTo(port: number, passed: { twice: number }): Behaviour {
  const pass = ({ path, headers, body }: Received) =>
    new Promise<number>((resolve) => {
      const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers }, (reply) => {
        reply.resume().on('end', () => resolve(reply.statusCode!));
      });
      sent.on('error', () => resolve(502)).end(body);
    });
  let serial = 0;
  return async (socket, received, tcp) => {
    serial += 1;
    const status = await pass(received);
    if (status === 204 && serial % 3 === 0 && (await pass(received)) === 204) passed.twice += 1;
    if (!socket.destroyed) answer(status, '')(socket, received, tcp);
  };
}

/** How many envelopes still wait to be sent. */
const notYetSent = () =>
  observer.system(async (tx) => {
    const { outbox, queue } = await tx.one<{ outbox: number; queue: number }>(sql`
      select (select count(*)::int from outbox) as outbox, (select count(*)::int from webhook_queue) as queue`);
    return outbox + queue;
  });

const person = (number: number) => ({
  attendee_type: 'adult',
  first_name: 'Person',
  last_name: `Number ${number}`,
  email: `person-${number}@example.org`,
  external_id: `crm-${number}`,
});

/** An organization with an event that is open today. */
async function makeWorld(code: string) {
  await observer.org(code);
  await observer.plan(code, 'scale', [['api_rate_per_min', '1000000']]);
  const turnout = new Turnout({ key: (await observer.key(code)).secret, baseUrl: observer.url });
  await turnout.events.create({ code: 'fair', name: 'Fair', timezone: 'UTC' });
  const now = observer.clock.now().getTime();
  const at = (hours: number) => new Date(now + hours * 3_600_000).toISOString();
  const date = at(0).slice(0, 10);
  await turnout.days.create('fair', { code: 'day', name: 'Day', date, opens_at: at(-1), closes_at: at(12) });
  await turnout.attendeeTypes.create('fair', { code: 'adult', name: 'Adult' });
  await turnout.checkInPoints.create('fair', { code: 'gate', name: 'Gate', kind: 'entry' });
  await turnout.events.publish('fair');
  const key = await observer.key(code, { scopes: ['read', 'write', 'scanner'], rpm: CALLS_PER_MINUTE });
  return { turnout, key: key.secret };
}

describe.each(PROGRAMS)('the integration program in $language', ({ language, command }) => {
  test('loses nothing and does nothing twice, although server and program are killed and calls are refused', async () => {
    const { turnout, key } = await makeWorld(`org-${language}`);
    const store = newFolder();
    const peopleFile = join(newFolder(), 'people.jsonl');
    const wanted = Array.from({ length: PEOPLE }, (_, i) => person(i));
    writeFileSync(peopleFile, wanted.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const webhookPort = await freePort();
    const passed = { twice: 0 };
    const receiver = await startReceiver(certificate, { behaviour: passTo(webhookPort, passed) });
    const proxy = await BadProxy.before(killable.running.url);
    const start = () =>
      new Program(
        command,
        {
          TURNOUT_URL: proxy.url,
          TURNOUT_KEY: key,
          EVENT: 'fair',
          CHECK_IN_POINT: 'gate',
          PEOPLE_FILE: peopleFile,
          STORE_DIR: store,
          WEBHOOK_PORT: String(webhookPort),
          WEBHOOK_URL: receiver.url(),
        },
        ROOT,
      ).says(/^ready$/m);

    let program = await start();
    const registered = async () => (await turnout.attendees.list('fair').toArray()).length;
    const reach = (count: number) =>
      expect.poll(registered, { timeout: 150_000, interval: 200 }).toBeGreaterThanOrEqual(count);

    await reach(8);
    await killServer();
    // Others work in the same event.
    const others = await turnout.registrations.create('fair', {
      attendees: [person(900), person(901)],
      send_emails: false,
    });
    for await (const attendee of turnout.attendees.list('fair')) {
      if (/^crm-[0-4]$/.test(attendee.external_id ?? '')) {
        await turnout.attendees.update('fair', attendee.id, { first_name: 'Renamed' });
      }
    }
    await reach(18);
    program.signalGroup('SIGKILL');
    await program.ended;
    await turnout.attendees.cancel('fair', others.attendees[0]!.id);
    program = await start();
    await reach(28);
    await killServer();
    await program.says(/^scanned \d+$/m, 200_000);
    expect(program.stdout).toContain(`scanned ${PEOPLE}\n`);

    await expect.poll(notYetSent, { timeout: 150_000, interval: 500 }).toBe(0);
    const listed = Object.fromEntries(
      (await turnout.attendees.list('fair').toArray()).map((one): [string, Attendee] => [one.id, one]),
    );
    const stored = () =>
      JSON.parse(readFileSync(join(store, 'people.json'), 'utf8')).people as Record<string, Attendee>;
    // The program may be waiting for its next minute of calls.
    await expect.poll(stored, { timeout: 90_000, interval: 500 }).toEqual(listed);

    program.signal('SIGTERM');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    await proxy.stop();
    await receiver.stop();

    const ids = Object.values(listed).map(({ external_id }) => external_id);
    expect(ids.sort()).toEqual([...wanted.map((one) => one.external_id), 'crm-900', 'crm-901'].sort());
    const checkIns = await turnout.checkIns.list('fair').toArray();
    expect(checkIns.map(({ result }) => result)).toEqual(Array(PEOPLE).fill('accepted'));
    expect(new Set(checkIns.map(({ attendee_id }) => attendee_id)).size).toBe(PEOPLE);

    const handled = readFileSync(join(store, 'envelopes.jsonl'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).id as string);
    expect(handled.length).toBe(new Set(handled).size);
    const [endpoint] = await turnout.webhooks.list().toArray();
    const deliveries = await turnout.webhooks.listDeliveries(endpoint!.id, { limit: 200 }).toArray();
    expect(handled.sort()).toEqual(deliveries.map(({ envelope_id }) => envelope_id).sort());
    // Each person is registered, confirmed, gets a ticket and is checked in.
    expect(handled.length).toBeGreaterThan(PEOPLE * 4);

    // The run was as hard as it was meant to be.
    expect(proxy.seen.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
    expect(proxy.seen.filter(({ status }) => status === null).length).toBeGreaterThan(0);
    expect(passed.twice).toBeGreaterThan(0);
  }, 400_000);
});
