// Bench: the organizer's app: how soon one can sign in, what each screen loads, whether sign-ins hold up other requests, what a live page costs, how soon one screen follows another, and the list of a million people
import { parseArgs } from 'node:util';
import { buildApp } from '../scripts/apps.mjs';
import { addMember } from '../server/src/areas/access/index.ts';
import { makeWelcomeLinks, openSession } from '../server/src/areas/accounts/index.ts';
import { systemClock } from '../server/src/clock.ts';
import { measureChanges } from './app-changes.ts';
import { live } from './app-live.ts';
import { measurePeople } from './app-people.ts';
import { measureScreens } from './app-screens.ts';
import { measureSignIns } from './app-sign-ins.ts';
import { bigEvent, keptEvent } from './lists-event.ts';
import { type Bench, benchmark, busy, machine, roundsOf } from './support.ts';
import { type BenchTurnout, startBenchTurnout } from './turnout.ts';

const PASSWORD = 'a passphrase for the bench';
const EMAIL = 'owner@example.org';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    /** How many people sign in at once while others call the API, and for how many seconds they do so again and again. */
    'sign-ins': { type: 'string', default: '50' },
    seconds: { type: 'string', default: '10' },
    only: { type: 'string', default: 'screens,sign-ins,live,changes,people' },
    /** How many people the large event has. */
    attendees: { type: 'string', default: '1000000' },
    /** With `--only changes,people`: keeps the data in this folder, so that the next run need not fill the event again. */
    keep: { type: 'string' },
  },
});
const only = options.only.split(',');

/** The first organization and its owner, made by the link that `npm start` prints. */
async function start(turnout: BenchTurnout): Promise<string> {
  const { first } = await makeWelcomeLinks(turnout.pool, systemClock, false);
  const reply = await fetch(`${turnout.url}/app/api/-/start`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: JSON.stringify({
      token: first!.split('#')[1],
      organization: { code: 'bench', name: 'Bench', timezone: 'Europe/Berlin' },
      name: 'Ada Lovelace',
      email: EMAIL,
      password: PASSWORD,
    }),
  });
  if (reply.status !== 200) throw new Error(`The organization could not be made: ${await reply.text()}`);
  return 'bench';
}

/** The session of an owner of the large event, which is filled if it was not kept. */
async function ownerOfLargeEvent(bench: Bench, turnout: BenchTurnout, attendees: number): Promise<string> {
  const org = (await keptEvent(turnout, attendees)) ?? (await bigEvent(bench, turnout, attendees)).org;
  return turnout.system(async (tx) => {
    // Data that was kept has the members of earlier runs.
    const { account } = await addMember(tx, org, { email: `people-${Date.now()}@example.org`, role: 'owner' });
    return openSession(tx, { account, method: 'password', secondFactor: false });
  });
}

await benchmark(async (bench) => {
  const warning = busy();
  // The live page is measured without its screen.
  if (options.only !== 'live' && (await buildApp('admin')) === null) throw new Error('The app could not be built.');
  // The people who sign in come from addresses of their own, as if through a proxy.
  const turnout = await startBenchTurnout(bench, {
    env: { TRUSTED_PROXIES: '127.0.0.1,::1' },
    ...(options.keep !== undefined && { dataDir: options.keep }),
  });
  // The large event is in an organization of its own.
  const isSmall = only.some((part) => part !== 'changes' && part !== 'people');
  const org = isSmall ? await start(turnout) : '';
  console.log(`\n${machine()}${warning === null ? '' : `\nNote: ${warning}`}`);
  if (only.includes('screens')) {
    const owner = { email: EMAIL, password: PASSWORD };
    await measureScreens(bench, { url: turnout.url, org, owner, rounds: roundsOf(options.rounds) });
  }
  if (only.includes('sign-ins')) {
    const { key } = await turnout.org('caller');
    const size = { people: Number(options['sign-ins']), seconds: Number(options.seconds) };
    await measureSignIns(bench, turnout, { org, key, password: PASSWORD, ...size });
  }
  if (only.includes('live')) await live(bench, turnout);
  if (!only.includes('changes') && !only.includes('people')) return;
  const size = { attendees: Number(options.attendees), rounds: roundsOf(options.rounds) };
  const large = { url: turnout.url, session: await ownerOfLargeEvent(bench, turnout, size.attendees), ...size };
  if (only.includes('changes')) await measureChanges(bench, large);
  if (only.includes('people')) await measurePeople(bench, large);
});
