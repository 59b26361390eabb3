import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { runSql } from './database.ts';
import { call, type Reply } from './turnout.ts';

/** What was sent and did not get the answer that it should have got. */
interface Failed {
  what: string;
  /** The status, or what became of the connection. */
  why: string;
  /** Seconds since the load began. */
  at: number;
}

interface Person {
  id: string;
  email: string;
  code: string;
}

/**
 * More calls than these are not on their way at once. On a machine that is busy with other work, the servers would rightly refuse some.
 */
const AT_ONCE = 10;
const PEOPLE = 300;
const TOGETHER = 50;

/** The event `fair`, in which people who are there today can be registered and scanned, with people in it. */
export async function openFair(url: string, key: string): Promise<Person[]> {
  const post = async (path: string, body: unknown = {}) => {
    const reply = await call(url, 'POST', `/v1${path}`, { key, body });
    if (reply.status >= 300) throw new Error(`${path}: ${reply.status} ${reply.text}`);
    return reply.body;
  };
  await post('/events', { code: 'fair', name: 'Fair', timezone: 'UTC' });
  const day = (after: number) => new Date(Date.now() + after * 86_400_000).toISOString().slice(0, 10);
  // The load may go on over midnight.
  for (const after of [0, 1]) await post('/events/fair/days', { code: `d${after}`, date: day(after) });
  await post('/events/fair/attendee-types', { code: 'adult', name: 'Adult' });
  await post('/events/fair/check-in-points', { code: 'gate', name: 'Gate', kind: 'entry' });
  await post('/events/fair/publish');
  const people: Person[] = [];
  for (let i = 0; i < PEOPLE; i += TOGETHER) {
    const attendees = Array.from({ length: TOGETHER }, (_, n) => personOf(`early-${i + n}`));
    people.push(...peopleIn(await post('/events/fair/registrations', { attendees, send_emails: false })));
  }
  return people;
}

const personOf = (name: string) => ({
  attendee_type: 'adult',
  first_name: 'Ada',
  last_name: name,
  email: `${name}@example.org`,
  days: ['d0', 'd1'],
});
const peopleIn = (registration: Reply['body']): Person[] =>
  registration.attendees.map((one: Reply['body']) => ({ id: one.id, email: one.email, code: one.tickets[0].code }));

/** Calls of all kinds at a steady pace. */
export class SteadyLoad {
  readonly failed: Failed[] = [];
  answered = 0;
  readonly #url: string;
  readonly #key: string;
  /** Who has not been scanned yet, and who has not been changed. */
  readonly #toScan: Person[];
  readonly #toChange: Person[] = [];
  readonly #registered: string[] = [];
  readonly #scans = new Map<string, Person>();
  readonly #changed = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();
  readonly #began = performance.now();
  readonly #timer: NodeJS.Timeout;
  #turn = 0;

  constructor(url: string, key: string, people: readonly Person[], perSecond = 40) {
    this.#url = url;
    this.#key = key;
    this.#toScan = [...people];
    const kinds = [
      () => this.#scan(),
      () => this.#read('/events/fair/attendees?limit=20'),
      () => this.#register(),
      () => this.#read('/events/fair'),
      () => this.#change(),
      () => this.#read('/events/fair/availability'),
    ];
    this.#timer = setInterval(() => {
      if (this.#running.size >= AT_ONCE) return;
      const running = kinds[this.#turn++ % kinds.length]!().finally(() => this.#running.delete(running));
      this.#running.add(running);
    }, 1000 / perSecond);
  }

  /** Sends nothing more and waits for what is on the way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#running);
  }

  async #call(method: string, path: string, body?: unknown): Promise<Reply | null> {
    const at = Math.round(performance.now() - this.#began) / 1000;
    const what = `${method} ${path.replace(/[0-9A-Z]{26}/, '{id}')}`;
    try {
      const reply = await call(this.#url, method, `/v1${path}`, { key: this.#key, body });
      if (reply.status < 300) {
        this.answered += 1;
        return reply;
      }
      this.failed.push({ what, why: `${reply.status} ${reply.text.slice(0, 300)}`, at });
    } catch (error) {
      this.failed.push({ what, why: String((error as Error).cause ?? error), at });
    }
    return null;
  }

  async #read(path: string): Promise<void> {
    await this.#call('GET', path);
  }

  async #register(): Promise<void> {
    const { email } = personOf(`late-${this.#turn}`);
    const body = { attendees: [personOf(`late-${this.#turn}`)], send_emails: false };
    const reply = await this.#call('POST', '/events/fair/registrations', body);
    if (reply === null) return;
    this.#registered.push(email);
    this.#toScan.push(...peopleIn(reply.body));
  }

  async #scan(): Promise<void> {
    const person = this.#toScan.shift();
    if (person === undefined) return this.#read('/events/fair');
    const scan = { code: person.code, check_in_point: 'gate', client_uuid: randomUUID() };
    const reply = await this.#call('POST', '/events/fair/scan', scan);
    if (reply === null) return;
    if (reply.body.result !== 'accepted') this.failed.push({ what: 'scan', why: reply.text.slice(0, 300), at: 0 });
    this.#scans.set(scan.client_uuid, person);
    this.#toChange.push(person);
  }

  async #change(): Promise<void> {
    const person = this.#toChange.shift();
    if (person === undefined) return this.#read('/events/fair');
    const last_name = `Changed ${this.#turn}`;
    const reply = await this.#call('PATCH', `/events/fair/attendees/${person.id}`, { last_name });
    if (reply !== null) this.#changed.set(person.email, last_name);
  }

  /** Whatever was answered is there once in this organization, and nothing else is. For a load of which no call failed. */
  async expectAllThereOnce(adminUrl: string, org: string): Promise<void> {
    const rows = (text: string) => runSql(adminUrl, text, [org]);
    const people = `attendees a join organizations o on o.id = a.org_id and o.code = $1`;
    const registered = await rows(`select a.email from ${people} where a.email like 'late-%'`);
    expect(registered.map(({ email }) => email).toSorted()).toEqual(this.#registered.toSorted());
    const scanned = await rows(
      `select c.client_uuid, a.email from ${people} join checkins c on c.org_id = a.org_id and c.attendee_id = a.id where c.admitted and a.email ~ '^(early|late)-'`,
    );
    const pairs = [...this.#scans].map(([client_uuid, { email }]) => `${client_uuid} ${email}`);
    expect(scanned.map(({ client_uuid, email }) => `${client_uuid} ${email}`).toSorted()).toEqual(pairs.toSorted());
    const changed = await rows(`select a.email, a.last_name from ${people} where a.last_name like 'Changed %'`);
    expect(new Map(changed.map(({ email, last_name }) => [email, last_name]))).toEqual(this.#changed);
  }

  get written(): number {
    return this.#registered.length + this.#scans.size + this.#changed.size;
  }
}
