// Bench: registration pages and public JSON beside a bare Fastify route; a rush through the form; size and Lighthouse of the event page
import { parseArgs } from 'node:util';
import { pagesUnderLoad } from './pages-load.ts';
import { lookAtPage } from './pages-look.ts';
import { rushThroughPages } from './pages-rush.ts';
import { benchmark, busy, machine, roundsOf } from './support.ts';
import { call, startBenchTurnout } from './turnout.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: 'load,rush,look' },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '50' },
    people: { type: 'string', default: '5000' },
    places: { type: 'string', default: '1000' },
    clients: { type: 'string', default: '500' },
  },
});
const only = options.only.split(',');

const DESCRIPTION = `Three days of **boats, food and music** on the lake, for everybody who likes water.

- regattas and trips from morning to evening
- a market along the shore
- concerts at the boathouse every night

The jetty holds forty people at a time, so please be patient there. Dogs are welcome on the lead, and the [timetable](https://www.example.org/timetable) tells which boat leaves when.`;

await benchmark(async (bench) => {
  const warning = busy();
  const turnout = await startBenchTurnout(bench, { env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  const { key } = await turnout.org('pages');
  const api = (method: string, path: string, body?: unknown) => call(turnout.url, key, method, `/v1${path}`, body);
  const fair = {
    code: 'fair',
    name: 'Lakeside Fair',
    venue: 'Boathouse, Lake Road 1',
    capacity: 2000,
    description: DESCRIPTION,
  };
  await api('POST', '/events', { ...fair, terms: 'Please bring this ticket. No glass bottles on the jetty.' });
  for (const [code, date] of [
    ['fri', '2027-05-07'],
    ['sat', '2027-05-08'],
    ['sun', '2027-05-09'],
  ]) {
    await api('POST', '/events/fair/days', { code, date, capacity: 900 });
  }
  for (const [code, price_minor] of [
    ['adult', 1800],
    ['child', 600],
    ['vip', 9000],
  ]) {
    await api('POST', '/events/fair/attendee-types', { code, name: code, price_minor });
  }
  await api('POST', '/events/fair/publish');
  console.log(`${machine()}${warning === null ? '' : `\n${warning}`}`);
  if (only.includes('load')) {
    await pagesUnderLoad(bench, turnout, 'fair', {
      rounds: roundsOf(options.rounds),
      seconds: Number(options.seconds),
      connections: Number(options.connections),
    });
  }
  if (only.includes('rush')) {
    const crowd = { people: Number(options.people), places: Number(options.places), clients: Number(options.clients) };
    for (const waitlist of [true, false]) await rushThroughPages(bench, turnout, key, { ...crowd, waitlist });
  }
  if (only.includes('look')) await lookAtPage(bench, turnout, 'fair');
});
