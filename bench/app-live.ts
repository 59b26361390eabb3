import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { addMember } from '../server/src/areas/access/index.ts';
import { openSession } from '../server/src/areas/accounts/index.ts';
import { type Id, toUuid } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { cpuOf, cpuOfFamily } from './cpu.ts';
import { arrival, refill, ticketCode } from './scan-fill.ts';
import { type Bench, ms, table, whole } from './support.ts';
import { type BenchTurnout, call } from './turnout.ts';

/** At most so much more of a core than with one viewer, and so long from the scan to the news. */
const LIMITS = { morePercent: 5, newsMs: 2000 };
const VIEWERS = 200;
const OF_ACCOUNT = 8;
const TICKETS = 50_000;
const SCANS_PER_SECOND = 10;
const SECONDS = 20;
const WARM_UP = 300;

/** What a live page costs the server with one viewer and with many, while people are scanned; and how soon they learn of a scan. */
export async function live(bench: Bench, turnout: BenchTurnout): Promise<void> {
  const hall = await open(turnout);
  bench.say(`live: ${whole(TICKETS)} tickets are made`);
  await refill(hall, TICKETS);
  const sessions = await sessionsOf(turnout, VIEWERS / OF_ACCOUNT);
  const scans = new Scans(turnout, hall.key);
  const watching: Watching[] = [];
  const measure = async (viewers: number): Promise<Figures> => {
    while (watching.length < viewers) {
      const one = new Watching(turnout, sessions[Math.floor(watching.length / OF_ACCOUNT)]!, scans);
      watching.push(one);
      await one.ready;
    }
    bench.say(`live: ${viewers} watch for ${SECONDS} seconds`);
    return figuresOf(turnout, scans);
  };
  bench.later(() => {
    for (const one of watching) one.close();
  });
  // The first scans are slower: the server compiles what it runs often.
  for (let n = 0; n < WARM_UP; n += 1) await scans.next();
  const one = await measure(1);
  const many = await measure(VIEWERS);
  for (const viewer of watching) viewer.close();
  const more = (many.server + many.database - one.server - one.database) / 10;
  console.log(
    `\nLive page, ${SCANS_PER_SECOND} scans a second: processor time a second, and from the scan to the news\n`,
  );
  const row = (name: string, { server, database, news }: Figures) => [
    name,
    whole(news.length),
    ms(server),
    ms(database),
    ms(news[Math.floor(news.length / 2)]!),
    ms(news.at(-1)!),
  ];
  console.log(
    table(
      ['viewers', 'news', 'server', 'PostgreSQL', 'news p50', 'longest'],
      [row('1', one), row(String(VIEWERS), many)],
    ),
  );
  console.log(`\n${more.toFixed(1)} % of a core more with ${VIEWERS} viewers (limit ${LIMITS.morePercent} %),`);
  console.log(`news after at most ${ms(many.news.at(-1)!)} (limit ${ms(LIMITS.newsMs)})`);
}

interface Figures {
  /** Processor time a second, in milliseconds. */
  server: number;
  database: number;
  /** From sending a scan until each viewer knows of it, sorted. */
  news: number[];
}

async function figuresOf({ pid, databasePid }: BenchTurnout, scans: Scans): Promise<Figures> {
  await sleep(2000);
  const cpu = () => [cpuOf(pid) ?? 0, databasePid === null ? 0 : (cpuOfFamily(databasePid) ?? 0)] as const;
  scans.news = [];
  const [server, database] = cpu();
  const began = performance.now();
  for (let n = 0; n < SECONDS * SCANS_PER_SECOND; n += 1) {
    await sleep(Math.max(began + (n * 1000) / SCANS_PER_SECOND - performance.now(), 0));
    await scans.next();
  }
  await sleep(LIMITS.newsMs);
  const seconds = (performance.now() - began) / 1000;
  const [serverEnd, databaseEnd] = cpu();
  return {
    server: (serverEnd - server) / seconds,
    database: (databaseEnd - database) / seconds,
    news: scans.news.toSorted((a, b) => a - b),
  };
}

/** An event of today with one gate. */
async function open(turnout: BenchTurnout) {
  const { id: org, key } = await turnout.org('live');
  const make = (path: string, body: object = {}) => call<{ id: string }>(turnout.url, key, 'POST', `/v1${path}`, body);
  const event = await make('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  const day = await make('/events/fair/days', { code: 'today', date: new Date().toISOString().slice(0, 10) });
  const type = await make('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await make('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await make('/events/fair/publish');
  return { url: turnout.adminUrl, org, key, event: toUuid(event.id), day: toUuid(day.id), type: toUuid(type.id) };
}

const sessionsOf = ({ system }: BenchTurnout, accounts: number): Promise<string[]> =>
  system(async (tx) => {
    const { id } = await tx.one<{ id: Id }>(sql`select id from organizations where code = 'live'`);
    const made: string[] = [];
    for (let n = 0; n < accounts; n += 1) {
      const { account } = await addMember(tx, id, { email: `viewer${n}@example.org`, role: 'owner' });
      made.push(await openSession(tx, { account, method: 'password', secondFactor: false }));
    }
    return made;
  });

/** Scans one ticket after the other, and notes when each viewer has heard of it. */
class Scans {
  readonly #turnout: BenchTurnout;
  readonly #key: string;
  /** When each scan was sent. */
  readonly sentAt: number[] = [];
  news: number[] = [];

  constructor(turnout: BenchTurnout, key: string) {
    this.#turnout = turnout;
    this.#key = key;
  }

  async next(): Promise<void> {
    const n = this.sentAt.length;
    this.sentAt.push(performance.now());
    const code = ticketCode(arrival(n, TICKETS));
    const body = { code, check_in_point: 'gate', client_uuid: crypto.randomUUID() };
    const { admitted } = await call<{ admitted: boolean }>(
      this.#turnout.url,
      this.#key,
      'POST',
      '/v1/events/fair/scan',
      body,
    );
    if (!admitted) throw new Error('A scan was refused.');
  }
}

const ADMISSIONS = /"check_in_point":"gate","kind":"entry","admissions":(\d+)/;

class Watching {
  readonly ready: Promise<void>;
  readonly #request: ReturnType<typeof get>;
  #known = -1;

  constructor({ url }: BenchTurnout, session: string, scans: Scans) {
    let began!: () => void;
    this.ready = new Promise((resolve) => {
      began = resolve;
    });
    const headers = { cookie: `turnout_session=${session}` };
    this.#request = get(`${url}/app/api/live/events/fair/live`, { agent: false, headers }, (response) => {
      if (response.statusCode !== 200) throw new Error(`A viewer was answered ${response.statusCode}.`);
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        const admissions = Number(ADMISSIONS.exec(text)?.[1] ?? this.#known);
        const now = performance.now();
        if (this.#known >= 0) for (let n = this.#known; n < admissions; n += 1) scans.news.push(now - scans.sentAt[n]!);
        if (admissions >= 0) {
          this.#known = admissions;
          began();
        }
      });
    });
    this.#request.on('error', () => {});
  }

  close(): void {
    this.#request.destroy();
  }
}
