import { setTimeout as sleep } from 'node:timers/promises';
import { fire } from '../test/support/abuse/attacks/fire.ts';
import { type Attack, attacks, type Ground } from '../test/support/abuse/attacks/index.ts';
import { OTHERS, otherParts } from '../test/support/abuse/others.ts';
import { processorTime } from '../test/support/abuse/processor.ts';
import { WAIT_LIMIT_MS } from './abuse-bodies.ts';
import { groundOf } from './abuse-ground.ts';
import { type Others, startOthers, type Wait } from './abuse-others.ts';
import { cpuOfFamily } from './cpu.ts';
import { type Bench, ms, table, whole } from './support.ts';
import type { BenchTurnout } from './turnout.ts';

/** How much more the full attack may cost than its quarter, compared with its size; if the cost is linear, it is about 1. */
const GROWTH_LIMIT = 3;
/** Less than this is noise, in milliseconds. */
const FLOOR_MS = 50;
const KB = 1024;
/** Of 200 people each. Before its cost was bounded, a search among five of them took PostgreSQL three minutes. */
const REGISTRATIONS = 2;
const IDLE_MS = 10_000;

interface Row {
  cells: string[];
  growth: number;
  perKb: number;
  worst: number;
}

/** Each attack at a quarter of its size and at the full one, while others go on with their work. */
export async function benchAttacks(bench: Bench, turnout: BenchTurnout, named: string): Promise<void> {
  const ground = await groundOf(bench, turnout, 'attacker');
  const parts = await otherParts(await groundOf(bench, turnout, 'others'));
  const others = await startOthers(bench, turnout.url, parts, OTHERS);
  await sleep(1000); // the first calls compile and prepare what the later ones use
  const idle = await measureIdle(turnout, others);
  const rows: Row[] = [];
  for (const attack of attacks(REGISTRATIONS).filter(({ name }) => name.includes(named))) {
    bench.say(`${attack.name} …`);
    const row = await measure(attack, ground, turnout, others, idle);
    bench.say(row.cells.join('  '));
    rows.push(row);
  }
  print(rows, idle.waits);
}

/** How it is when nothing else is sent. Times are in milliseconds. */
interface Idle {
  waits: Wait[];
  /** What one request of the others costs, which is left out of what an attack costs. */
  server: number;
  database: number;
}

const metersOf = ({ pid, databasePid }: BenchTurnout) => ({
  server: () => processorTime(pid),
  database: () => cpuOfFamily(databasePid ?? 0) ?? 0,
});
const answered = (waits: readonly Wait[]): number => waits.reduce((sum, one) => sum + one.answered, 0);

async function measureIdle(turnout: BenchTurnout, others: Others): Promise<Idle> {
  const meters = metersOf(turnout);
  others.forget();
  const [server, database] = [meters.server(), meters.database()];
  await sleep(IDLE_MS);
  const waits = await others.waits();
  const requests = Math.max(1, answered(waits));
  return {
    waits,
    server: (meters.server() - server) / requests,
    database: (meters.database() - database) / requests,
  };
}

async function measure(
  attack: Attack,
  ground: Ground,
  turnout: BenchTurnout,
  others: Others,
  idle: Idle,
): Promise<Row> {
  const at = async (share: number) => {
    const volley = await attack.prepare(ground, share);
    await quiet(turnout);
    others.forget();
    const cost = await fire(ground, volley, metersOf(turnout), () => quiet(turnout));
    const waits = await others.waits();
    return {
      ...cost,
      server: Math.max(0, cost.server - answered(waits) * idle.server),
      database: Math.max(0, cost.database - answered(waits) * idle.database),
      size: volley.size,
      waits,
    };
  };
  const quarter = await at(0.25);
  const full = await at(1);
  const cost = (one: typeof full) => one.server + one.database;
  const growth = cost(full) / Math.max(FLOOR_MS, cost(quarter)) / (full.size / quarter.size);
  const perKb = cost(full) / Math.max(1, full.sent / KB);
  const worst = Math.max(...full.waits.map(({ waited }) => waited));
  const ratios = full.waits.map(({ waited }, i) => waited / Math.max(1, idle.waits[i]!.p99));
  const troubled = full.waits.flatMap(({ troubles }) => troubles);
  const ok = worst <= WAIT_LIMIT_MS && growth <= GROWTH_LIMIT && troubled.length === 0;
  return {
    growth,
    perKb,
    worst,
    cells: [
      attack.name,
      [...full.statuses].map(([status, times]) => `${times > 1 ? `${times} × ` : ''}${status || 'gone'}`).join(', '),
      whole(full.sent / KB),
      ms(full.server),
      ms(full.database),
      ms(full.wall),
      whole(full.answered / KB),
      perKb.toFixed(1),
      growth.toFixed(2),
      ...full.waits.map(({ waited }) => ms(waited)),
      Math.max(...ratios).toFixed(1),
      troubled.length > 0 ? `REFUSED: ${troubled[0]}` : ok ? 'ok' : 'OVER',
    ],
  };
}

const QUIET_WITHIN_MS = 600_000;
/** Waits until PostgreSQL has no statement left that takes long: those of callers who have hung up go on without them. */
async function quiet({ pool }: BenchTurnout): Promise<void> {
  let still = 0;
  for (const until = Date.now() + QUIET_WITHIN_MS; Date.now() < until && still < 3; await sleep(100)) {
    const { rows } = await pool.query<{ busy: boolean }>(`
      select exists (select from pg_stat_activity where datname = current_database() and state = 'active'
        and pid <> pg_backend_pid() and query_start < clock_timestamp() - interval '200 ms') as busy`);
    still = rows[0]!.busy ? 0 : still + 1;
  }
}

function print(rows: readonly Row[], idle: readonly Wait[]): void {
  const head = ['attack', 'status', 'KB', 'server', 'PostgreSQL', 'wall', 'answer KB', 'ms/KB', 'growth'];
  console.log('\nAttacks, while others send GET /v1/me, a scan and GET /readyz every 5 ms each\n');
  console.log(
    table(
      [...head, ...OTHERS, 'ratio', ''],
      rows.map(({ cells }) => cells),
    ),
  );
  const most = (pick: (row: Row) => number) => Math.max(0, ...rows.map(pick));
  console.log(
    `\nserver, PostgreSQL: processor time of all requests of the attack, and of what they started in the background, without\n` +
      `what the requests of the others cost when nothing else is sent. KB: all requests; answer KB: the largest answer.\n` +
      `ms/KB: processor time for each kilobyte that the attacker sent (the worst is ${most((row) => row.perKb).toFixed(0)}).\n` +
      `growth: what the full attack costs compared with a quarter of it, divided by their sizes (at most ${GROWTH_LIMIT}; the worst\n` +
      `is ${most((row) => row.growth).toFixed(2)}).\n` +
      `${OTHERS.join(', ')}: the longest that they waited (at most ${WAIT_LIMIT_MS} ms; the worst is ${ms(most((row) => row.worst))}).\n` +
      `ratio: compared with the p99 of the same while nothing else was sent (${idle.map(({ who, p99 }) => `${who} ${ms(p99)}`).join(', ')}).`,
  );
}
