import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Abuser } from './support/abuse/abuser.ts';
import { fire } from './support/abuse/attacks/fire.ts';
import { type Attack, attacks, type Ground } from './support/abuse/attacks/index.ts';
import { groundIn } from './support/abuse/attacks/test-ground.ts';
import { DatabaseTime, processorTime } from './support/abuse/processor.ts';
import { Target } from './support/abuse/target.ts';
import { startTest, type TestTurnout } from './support/turnout.ts';

/**
 * What costs much with little, because two bounds are multiplied (people × days, endpoints × people, types × questions) or because a
 * text grows on its way (normalising, parsing). Each largest thing is made and then read back by everything that shows it. The cost of
 * the whole is compared with that of a quarter: processor time of the server and of PostgreSQL, so a busy machine changes nothing.
 * `npm run bench -- abuse --only attacks` measures the same, and how long others wait.
 */

/** How much more the whole may cost than its quarter, compared with their sizes. For linear cost it is 1, for quadratic cost 4. */
const GROWTH = 2.5;
/** Less than this is no cost, in milliseconds: so short a time says nothing about how it grows. */
const UNSUSPICIOUS_MS = 400;
/** Processor time of one piece of work of the main thread, for which everybody else has to wait. */
const STALL_MS = 500;
/** Processor time of all requests of one attack, with what they started in the background. */
const SERVER_MS = 12_000;
const DATABASE_MS = 12_000;
/** The largest answer: a page of a list ends before it is larger. Files are larger, but nobody reads a file of this attack. */
const ANSWER_BYTES = 6 * 1024 * 1024;
/** More would take the unbounded search minutes; one registration of 200 people shows the same. */
const REGISTRATIONS = 1;
const PATIENCE_MS = 240_000;
const timeout = 600_000;

const warm = new Set<Attack>();
let t: TestTurnout;
let target: Target;
let databaseTime: DatabaseTime;
let abuser: Abuser;
let ground: Ground;

beforeAll(async () => {
  const env = { TRUSTED_PROXIES: '127.0.0.1' };
  t = await startTest({ env });
  await t.org('attacker');
  await t.plan('attacker', 'scale', [
    ['api_rate_per_min', '1000000'],
    ['attendees_per_event', '1000000'],
  ]);
  target = await Target.start({
    ...env,
    PORT: '0',
    DATA_DIR: t.dataDir,
    DATABASE_URL: t.database.url,
    FILES_URL: t.database.files,
    DATABASE_POOL: '12',
    SANDBOX: 'off',
    ROLES: 'api,worker',
    SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  databaseTime = await DatabaseTime.open(t.database.adminUrl);
  abuser = new Abuser(target.url, PATIENCE_MS, 32);
  ground = await groundIn(t, 'attacker', (outgoing) => abuser.send(outgoing));
});
afterAll(async () => {
  await abuser?.close();
  await databaseTime?.close();
  await target?.stop();
  await t?.stop();
});

/** Waits until PostgreSQL works for nobody: statements of callers who have hung up may go on without them. */
async function quiet(): Promise<void> {
  for (let before = await databaseTime.used(), still = 0; still < 3; ) {
    await sleep(100);
    const used = await databaseTime.used();
    still = used - before < 20 ? still + 1 : 0;
    before = used;
  }
}

async function measured(attack: Attack, share: number) {
  // Fonts are read, code is compiled and statements are prepared by the first one.
  if (!warm.has(attack)) {
    warm.add(attack);
    await measured(attack, 0.02);
  }
  const volley = await attack.prepare(ground, share);
  await quiet();
  await target.longest(); // starts measuring anew
  const meters = { server: () => processorTime(target.pid), database: () => databaseTime.used() };
  const cost = await fire(ground, volley, meters, quiet);
  return { ...cost, size: volley.size, stall: await target.longest() };
}

type Measured = Awaited<ReturnType<typeof measured>>;
const SIDES = ['server', 'database'] as const;

/**
 * How fast the cost grows, if it grows faster than the size: of the server and of PostgreSQL by themselves, because the one may hide
 * what the other does. Whatever seems too fast is measured once more, and the least counts.
 */
async function growthTroubles(attack: Attack, whole: Measured): Promise<string[]> {
  if (SIDES.every((side) => whole[side] <= UNSUSPICIOUS_MS)) return [];
  const quarter = await measured(attack, 0.25);
  const growths = SIDES.map((side) => growthOf(whole, quarter, side));
  if (growths.every((growth) => growth <= GROWTH)) return [];
  const [again, quarterAgain] = [await measured(attack, 1), await measured(attack, 0.25)];
  return SIDES.flatMap((side, i) => {
    const growth = Math.min(growths[i]!, growthOf(again, quarterAgain, side));
    const times = `${Math.round(quarter[side])} ms, then ${Math.round(whole[side])} ms`;
    return growth > GROWTH
      ? [`the cost of the ${side} grows ${growth.toFixed(1)} times as fast as its size (${times})`]
      : [];
  });
}

const growthOf = (whole: Measured, quarter: Measured, side: (typeof SIDES)[number]): number =>
  whole[side] <= UNSUSPICIOUS_MS
    ? 0
    : whole[side] / Math.max(UNSUSPICIOUS_MS / 8, quarter[side]) / (whole.size / quarter.size);

/** What is wrong with the cost of the whole, compared with that of a share measured before and after it. */
async function besideTroubles(attack: Attack): Promise<string[]> {
  if (attack.beside === undefined) return [];
  const { share, times } = attack.beside;
  const before = await measured(attack, share);
  const whole = await measured(attack, 1);
  const after = await measured(attack, share);
  const [ms, shareMs] = [whole.server, (before.server + after.server) / 2];
  const ratio = ms / Math.max(1, shareMs);
  if (process.env.ABUSE_COSTS !== undefined) console.log(attack.name, { ms, shareMs, ratio });
  return ratio > times
    ? [
        `ms of the server: ${Math.round(ms)}, ${ratio.toFixed(1)} instead of at most ${times} times those of a small one (${Math.round(shareMs)})`,
      ]
    : [];
}

/** What is wrong with the cost of an attack, in words. */
async function troublesOf(attack: Attack): Promise<string[]> {
  const troubles: string[] = await besideTroubles(attack);
  const whole = await measured(attack, 1);
  const too = (what: string, value: number, most: number) => {
    if (value > most) troubles.push(`${what}: ${Math.round(value)} instead of at most ${most}`);
  };
  too('ms of work at a stretch', whole.stall, STALL_MS);
  too('ms of the server', whole.server, attack.serverMs ?? SERVER_MS);
  too('ms of PostgreSQL', whole.database, DATABASE_MS);
  too('bytes in an answer', whole.answered, ANSWER_BYTES);
  troubles.push(...whole.faults);
  troubles.push(...(await growthTroubles(attack, whole)));
  if (process.env.ABUSE_COSTS !== undefined) console.log(attack.name, whole, troubles);
  return troubles;
}

describe('costs others nothing', () => {
  test.each(attacks(REGISTRATIONS).map((attack) => [attack.name, attack] as const))(
    '%s',
    { timeout },
    async (_name, attack) => {
      expect(await troublesOf(attack)).toEqual([]);
    },
  );
});
