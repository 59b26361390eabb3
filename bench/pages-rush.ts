import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { type Bench, ms, table, whole } from './support.ts';
import { type BenchTurnout, call } from './turnout.ts';

/** The page while everybody sends the form, in milliseconds: at most. */
const PAGE_LIMIT = 1000;

/** People fill in the form first, all of them, and then send it at the same time. */
export async function rushThroughPages(
  bench: Bench,
  turnout: BenchTurnout,
  key: string,
  { people, places, clients, waitlist }: { people: number; places: number; clients: number; waitlist: boolean },
): Promise<void> {
  const code = waitlist ? 'rush-waitlist' : 'rush-full';
  const event = await newEvent(turnout, key, code, places, waitlist);
  const agent = new Agent({ connections: clients, pipelining: 1 });
  bench.later(() => agent.close());
  const address = `${turnout.url}/o/pages/${code}/register`;
  bench.say(`${people} people open the form of ${code} and fill it in …`);
  const forms = await inTurns(people, clients, (i) => fillIn(agent, address, i));
  await sleep(2100); // a form that nobody had the time to read is not taken
  bench.say('… and send it');
  let isOver = false;
  const pages = watchPage(turnout, code, () => isOver);
  const started = performance.now();
  const times: number[] = [];
  const outcomes = await inTurns(people, clients, async (i) => {
    const at = performance.now();
    const outcome = await send(agent, address, forms[i]!, i);
    times.push(performance.now() - at);
    return outcome;
  });
  const seconds = (performance.now() - started) / 1000;
  isOver = true;
  const seen = await pages;
  times.sort((a, b) => a - b);
  const told = outcomes.filter((one) => one === 'told').length;
  const sent = outcomes.filter((one) => one === 'sent').length;
  const lost = people - told - sent;
  const counts = await turnout.system((tx) =>
    tx.one<{ holding: number; waiting: number; paid: number; twice: number; taken: number }>(sql`
      select count(*) filter (where status in ('confirmed', 'pending_payment'))::int as holding,
        count(*) filter (where status = 'waitlisted')::int as waiting,
        (select count(*)::int from payments p where p.event_id = ${event}) as paid,
        (count(*) - count(distinct email))::int as twice,
        (select taken from places where event_id = ${event} and scope_id = ${event} and not test) as taken
      from registrations where event_id = ${event}`),
  );
  const worst = Math.max(...seen);
  const rows = [
    ['forms sent, of which told that it is full', `${whole(sent + told)}, ${whole(told)}`, '', ''],
    [
      'registrations with a place',
      whole(counts.holding),
      `exactly ${whole(places)}`,
      counts.holding === places && counts.taken === places ? 'met' : 'MISSED',
    ],
    [
      'waitlisted or told',
      `${whole(counts.waiting)}, ${whole(told)}`,
      `together ${whole(people - places)}`,
      counts.waiting + told === people - places && lost === 0 ? 'met' : 'MISSED',
    ],
    ['registered twice', whole(counts.twice), '0', counts.twice === 0 ? 'met' : 'MISSED'],
    ['charged without a place', whole(counts.paid), '0', counts.paid === 0 ? 'met' : 'MISSED'],
    ['forms a second', whole(people / seconds), '', ''],
    [
      'answer to a form, p50, p99',
      `${ms(times[times.length >> 1]!)}, ${ms(times[Math.floor(times.length * 0.99)]!)}`,
      '',
      '',
    ],
    [
      `the event page meanwhile, longest of ${seen.length}`,
      ms(worst),
      `at most ${ms(PAGE_LIMIT)}`,
      worst <= PAGE_LIMIT ? 'met' : 'MISSED',
    ],
  ];
  console.log(
    `\nA rush through the form: ${whole(people)} people, ${whole(places)} places, ${waitlist ? 'with' : 'without'} a waitlist, ${clients} at a time`,
  );
  console.log(table(['', 'seen', 'limit', ''], rows));
}

async function newEvent(
  { url }: BenchTurnout,
  key: string,
  code: string,
  places: number,
  waitlist: boolean,
): Promise<Id> {
  const body = { code, name: 'Rush', capacity: places, registration: { waitlist } };
  const { id } = await call<{ id: string }>(url, key, 'POST', '/v1/events', body);
  await call(url, key, 'POST', `/v1/events/${code}/days`, { code: 'd1', date: '2027-05-01' });
  await call(url, key, 'POST', `/v1/events/${code}/attendee-types`, {
    code: 'adult',
    name: 'Adult',
    price_minor: 1500,
  });
  await call(url, key, 'POST', `/v1/events/${code}/publish`);
  return toUuid(id);
}

/** Runs a piece of work for each number, so many at a time. */
async function inTurns<T>(count: number, atATime: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const done: T[] = new Array(count);
  let next = 0;
  await Promise.all(
    Array.from({ length: atATime }, async () => {
      for (let i = next++; i < count; i = next++) done[i] = await work(i);
    }),
  );
  return done;
}

/** Everybody has an address of their own. */
const from = (i: number) => ({ 'x-forwarded-for': `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255 || 1}` });

const FIELD = /<input type="hidden" name="([^"]*)" value="([^"]*)">/g;
const fieldsOf = (page: string): [string, string][] => [...page.matchAll(FIELD)].map((match) => [match[1]!, match[2]!]);

/** Opens the form, fills it in and looks at the summary: what is sent then. */
async function fillIn(agent: Agent, address: string, i: number): Promise<string> {
  const opened = await request(`${address}?n-adult=1`, { dispatcher: agent, headers: from(i) });
  const form = new URLSearchParams(fieldsOf(await opened.body.text()));
  for (const [name, value] of Object.entries({
    'c-first': 'Ada',
    'c-last': `Visitor ${i}`,
    'c-email': `visitor${i}@example.org`,
  })) {
    form.set(name, value);
  }
  const summary = await request(address, post(agent, form.toString(), i));
  const text = await summary.body.text();
  if (summary.statusCode !== 200 || !text.includes('value="book"'))
    throw new Error(`The form of visitor ${i} was not taken: ${summary.statusCode}`);
  const booked = new URLSearchParams(fieldsOf(text));
  booked.set('do', 'book');
  return booked.toString();
}

const post = (agent: Agent, body: string, i: number) => ({
  dispatcher: agent,
  method: 'POST' as const,
  headers: { ...from(i), 'content-type': 'application/x-www-form-urlencoded' },
  body,
});

async function send(agent: Agent, address: string, form: string, i: number): Promise<'sent' | 'told' | 'lost'> {
  const answer = await request(address, post(agent, form, i));
  await answer.body.dump();
  if (answer.statusCode === 303) return 'sent';
  return answer.statusCode === 409 || answer.statusCode === 422 ? 'told' : 'lost';
}

/** Opens the event page again and again, and says how long each time took. */
async function watchPage({ url }: BenchTurnout, code: string, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (!isOver()) {
    const at = performance.now();
    const response = await fetch(`${url}/o/pages/${code}`);
    await response.arrayBuffer();
    if (response.status !== 200) throw new Error(`the event page: ${response.status}`);
    times.push(performance.now() - at);
    await sleep(50);
  }
  return times;
}
