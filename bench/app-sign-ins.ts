import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { addMember } from '../server/src/areas/access/index.ts';
import { Passwords } from '../server/src/areas/accounts/index.ts';
import type { Id } from '../server/src/common/ids.ts';
import { sql } from '../server/src/store/sql.ts';
import { type Bench, ms, table, whole } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

interface Size {
  /** The organization that the people belong to. */
  org: string;
  /** A key of another organization, which calls the API meanwhile. */
  key: string;
  password: string;
  people: number;
  seconds: number;
}

/**
 * `GET /v1/me` one after the other on four connections: first alone, then while people sign in. Each has an account and an address of
 * their own and the right password, so none is throttled, and each signs in again as soon as they are in: the queue of hashes is
 * never empty.
 */
export async function measureSignIns(bench: Bench, turnout: BenchTurnout, size: Size): Promise<void> {
  const emails = await addPeople(turnout, size);
  const agent = new Agent({ connections: size.people + 4, pipelining: 1 });
  bench.later(() => agent.close());
  await waits(agent, turnout.url, size.key, sleep(1000));
  const alone = await waits(agent, turnout.url, size.key, sleep(size.seconds * 1000));
  bench.say(`${size.people} people sign in at once, again and again for ${size.seconds} s`);
  const signedIn: number[] = [];
  const end = performance.now() + size.seconds * 1000;
  const person = async (email: string, i: number) => {
    while (performance.now() < end) {
      const began = performance.now();
      await signIn(agent, turnout.url, { email, password: size.password, address: `192.0.2.${i + 1}` });
      signedIn.push(performance.now() - began);
    }
  };
  const began = performance.now();
  const together = Promise.all(emails.map(person));
  const beside = await waits(agent, turnout.url, size.key, together);
  const took = (performance.now() - began) / 1000;
  console.log(`\nGET /v1/me on four connections while ${size.people} people sign in at once, again and again\n`);
  const row = (name: string, of: number[]) => [
    name,
    whole(of.length),
    ...[0.5, 0.99, 1].map((share) => ms(at(of, share))),
  ];
  const hashes = signedIn.sort((a, b) => a - b);
  console.log(
    table(
      ['', 'answers', 'p50', 'p99', 'longest'],
      [row('alone', alone), row('beside the sign-ins', beside), row('the sign-ins', hashes)],
    ),
  );
  console.log(`\n${whole(hashes.length)} sign-ins, each with a hash: ${(hashes.length / took).toFixed(1)} per second`);
}

/** Members with the same password, each with an account of their own. */
async function addPeople(turnout: BenchTurnout, { org, password, people }: Size): Promise<string[]> {
  const hash = await new Passwords().hash(password);
  const emails = Array.from({ length: people }, (_, i) => `person${i}@example.org`);
  await turnout.system(async (tx) => {
    const { id } = await tx.one<{ id: Id }>(sql`select id from organizations where code = ${org}`);
    for (const email of emails) {
      const { account } = await addMember(tx, id, { email, role: 'desk', name: email });
      await tx.run(sql`
        update accounts set password_hash = ${hash}, email_proved_at = ${tx.clock.now()} where id = ${account}`);
    }
  });
  return emails;
}

async function signIn(agent: Agent, url: string, who: { email: string; password: string; address: string }) {
  const { address, ...body } = who;
  const reply = await request(`${url}/app/api/-/sign-in/password`, {
    dispatcher: agent,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  const text = await reply.body.text();
  if (reply.statusCode !== 200) throw new Error(`Signing in failed: ${reply.statusCode} ${text}`);
}

const at = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

/** How long each call takes until `until` is over, sorted. */
async function waits(agent: Agent, url: string, key: string, until: Promise<unknown>): Promise<number[]> {
  let over = false;
  const found: number[] = [];
  const end = until.finally(() => {
    over = true;
  });
  const connection = async () => {
    while (!over) {
      const began = performance.now();
      const reply = await request(`${url}/v1/me`, {
        dispatcher: agent,
        headers: { authorization: `Bearer ${key}` },
      });
      await reply.body.dump();
      if (reply.statusCode !== 200) throw new Error(`GET /v1/me: ${reply.statusCode}`);
      found.push(performance.now() - began);
    }
  };
  await Promise.all([...Array.from({ length: 4 }, connection), end]);
  return found.sort((a, b) => a - b);
}
