// Bench: a simulation, without a server: organizations with a heavy-tailed load on several clusters, placed and moved by several policies
import { parseArgs } from 'node:util';
import { benchmark, median, table, whole } from './support.ts';

/*
 * Half a year, hour by hour. Every number of attendances, every event and every rush is drawn from the seed, so the same seed prints the same
 * table. What is assumed stands in `ASSUMED`. Only `bytesPerAttendance` was measured: attendees, registrations, tickets and contacts of
 * `bench/lists-fill.ts`, with their indexes, took up 2,521 bytes for each attendee. Check-ins, the audit log, mails and webhooks add to it.
 */
const ASSUMED = {
  attendancesPerYear: 20_000_000,
  /** The attendances of the n-th largest organization are proportional to 1/n (Zipf). */
  exponent: 1,
  /** Registrations of an event come in its last weeks; this part comes in the first hour of its sale. */
  weeksOfSale: 6,
  rush: 0.3,
  /** How the scans of an event are spread over its hours. */
  door: [0.5, 0.3, 0.2],
  /** On which day an event is, Monday first. */
  days: [0.03, 0.04, 0.06, 0.07, 0.15, 0.45, 0.2],
  /** In which hours it begins: in the morning, or (two thirds) in the evening. */
  morning: [8, 11],
  evening: [17, 21],
  /** Besides: reads and changes that spread over the hours of work, for each attendance of a year. */
  otherCalls: 4,
  bytesPerAttendance: 2_500,
  /** How far the forecast of an event is off: a factor e^±this. */
  forecastError: 0.4,
};
const HOURS = 168;
/** A cluster is relieved only if its busiest hour is above the mean of all by this factor. */
const TOLERATED = 1.1;
const MOVES_A_WEEK = 20;

const { values: options } = parseArgs({
  options: {
    organizations: { type: 'string', default: '10000' },
    clusters: { type: 'string', default: '2,4,8,16' },
    weeks: { type: 'string', default: '26' },
    seed: { type: 'string', default: '1' },
  },
});
const organizations = Number(options.organizations);
const weeks = Number(options.weeks);

/** Mulberry32: small, fast and the same everywhere. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Burst {
  /** The hour of the week. */
  hour: number;
  calls: number;
  /** What the calendar said beforehand. */
  expected: number;
}
interface Organization {
  /** Calls in an hour of mean work. */
  base: number;
  attendances: number;
  bytes: number;
  bursts: Burst[][];
}

function world(seed: number): Organization[] {
  const random = generator(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const pick = (weights: readonly number[]) => {
    let left = random() * weights.reduce((sum, one) => sum + one, 0);
    const found = weights.findIndex((one) => {
      left -= one;
      return left < 0;
    });
    return found < 0 ? weights.length - 1 : found;
  };
  const between = ([from, to]: readonly number[]) => from! + Math.floor(random() * (to! - from! + 1));
  const weights = Array.from({ length: organizations }, (_, i) => 1 / (i + 1) ** ASSUMED.exponent);
  const all = weights.reduce((sum, one) => sum + one, 0);
  const made = weights.map((weight): Organization => {
    const attendances = (ASSUMED.attendancesPerYear * weight) / all;
    const events = Math.max(1, Math.round(Math.sqrt(attendances / 50)));
    const bursts: Burst[][] = Array.from({ length: weeks }, () => []);
    for (let n = 0; n < events; n += 1) {
      const people = (attendances / events) * Math.exp(0.5 * normal() - 0.125);
      const week = Math.floor(random() * 52);
      const begins = pick(ASSUMED.days) * 24 + between(random() < 1 / 3 ? ASSUMED.morning : ASSUMED.evening);
      const known = Math.exp(ASSUMED.forecastError * normal());
      const add = (at: number, hour: number, calls: number) =>
        bursts[at]?.push({ hour: hour % HOURS, calls, expected: calls * known });
      for (const [i, part] of ASSUMED.door.entries()) add(week, begins + i, people * part);
      // Sales begin on a working day at ten.
      add(week - ASSUMED.weeksOfSale, Math.floor(random() * 5) * 24 + 10, people * ASSUMED.rush);
    }
    return {
      base: (attendances * (ASSUMED.otherCalls + 1 - ASSUMED.rush)) / (52 * HOURS),
      attendances,
      bytes: attendances * ASSUMED.bytesPerAttendance,
      bursts,
    };
  });
  // Organizations come in no order of size.
  for (let i = made.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [made[i], made[j]] = [made[j]!, made[i]!];
  }
  return made;
}

/** How busy an hour of the week is, besides events: five times as busy in the hours of work. Its mean is 1. */
const RHYTHM = (() => {
  const raw = Array.from({ length: HOURS }, (_, h) => (h < 120 && h % 24 >= 8 && h % 24 < 18 ? 5 : 1));
  const mean = raw.reduce((sum, one) => sum + one, 0) / HOURS;
  return raw.map((one) => one / mean);
})();

const burstsOf = (one: Organization, week: number): Burst[] => one.bursts[week] ?? [];

/** The load of each cluster in each hour of a week. */
function loads(orgs: Organization[], at: readonly number[], k: number, week: number, of: 'calls' | 'expected') {
  const clusters = Array.from({ length: k }, () => new Float64Array(HOURS));
  const bases = new Float64Array(k);
  for (const [i, one] of orgs.entries()) {
    bases[at[i]!]! += one.base;
    for (const burst of burstsOf(one, week)) clusters[at[i]!]![burst.hour]! += burst[of];
  }
  for (const [c, hours] of clusters.entries()) for (let h = 0; h < HOURS; h += 1) hours[h]! += bases[c]! * RHYTHM[h]!;
  return clusters;
}

const ownLoad = (one: Organization, week: number, of: 'calls' | 'expected'): Float64Array => {
  const own = Float64Array.from(RHYTHM, (rhythm) => one.base * rhythm);
  for (const burst of burstsOf(one, week)) own[burst.hour]! += burst[of];
  return own;
};

const peakOf = (hours: Float64Array): number => hours.reduce((most, one) => Math.max(most, one), 0);

/** What each cluster needs at least in that week: what all do in their busiest hour, divided equally. */
function fairPeak(clusters: Float64Array[]): number {
  let most = 0;
  for (let h = 0; h < HOURS; h += 1)
    most = Math.max(
      most,
      clusters.reduce((sum, hours) => sum + hours[h]!, 0),
    );
  return most / clusters.length;
}

interface Moves {
  organizations: number;
  bytes: number;
}

/** Moves organizations from the cluster with the busiest hour, until it is tolerable or enough were moved. */
function relieve(orgs: Organization[], at: number[], k: number, week: number, of: 'calls' | 'expected'): Moves {
  const clusters = loads(orgs, at, k, week, of);
  const limit = fairPeak(clusters) * TOLERATED;
  const moves: Moves = { organizations: 0, bytes: 0 };
  while (moves.organizations < MOVES_A_WEEK) {
    const peaks = clusters.map(peakOf);
    const hot = peaks.indexOf(Math.max(...peaks));
    if (peaks[hot]! <= limit) break;
    const hour = clusters[hot]!.indexOf(peaks[hot]!);
    const there = orgs
      .flatMap((one, i) => {
        if (at[i] !== hot) return [];
        const bursts = burstsOf(one, week).filter((burst) => burst.hour === hour);
        return { i, load: one.base * RHYTHM[hour]! + bursts.reduce((sum, burst) => sum + burst[of], 0) };
      })
      .sort((a, b) => b.load - a.load)
      .slice(0, 30);
    let best: { i: number; to: number; peak: number } | null = null;
    for (const { i } of there) {
      const own = ownLoad(orgs[i]!, week, of);
      const left = peakOf(clusters[hot]!.map((load, h) => load - own[h]!));
      for (let to = 0; to < k; to += 1) {
        if (to === hot) continue;
        const peak = Math.max(left, peakOf(clusters[to]!.map((load, h) => load + own[h]!)));
        if (peak < (best?.peak ?? peaks[hot]! * 0.999)) best = { i, to, peak };
      }
    }
    if (best === null) break;
    const own = ownLoad(orgs[best.i]!, week, of);
    for (let h = 0; h < HOURS; h += 1) {
      clusters[hot]![h]! -= own[h]!;
      clusters[best.to]![h]! += own[h]!;
    }
    at[best.i] = best.to;
    moves.organizations += 1;
    moves.bytes += orgs[best.i]!.bytes;
  }
  return moves;
}

type Placing = 'hash' | 'least loaded';
function place(orgs: Organization[], k: number, by: Placing, random: () => number): number[] {
  if (by === 'hash') return orgs.map(() => Math.floor(random() * k));
  // Nobody knows yet how large a new organization will be: it comes where those that are there do least.
  const sums = new Float64Array(k);
  return orgs.map((one) => {
    const to = sums.indexOf(sums.reduce((least, sum) => Math.min(least, sum)));
    sums[to]! += one.attendances;
    return to;
  });
}

const POLICIES: { name: string; placing: Placing; moving: null | 'last week' | 'calendar' }[] = [
  { name: 'hash', placing: 'hash', moving: null },
  { name: 'least loaded', placing: 'least loaded', moving: null },
  { name: 'least loaded, move the hottest of last week', placing: 'least loaded', moving: 'last week' },
  { name: 'hash, move by the calendar', placing: 'hash', moving: 'calendar' },
  { name: 'least loaded, move by the calendar', placing: 'least loaded', moving: 'calendar' },
];

await benchmark(async () => {
  const seed = Number(options.seed);
  const orgs = world(seed);
  const sorted = orgs.map((one) => one.attendances).sort((a, b) => b - a);
  const part = (n: number) =>
    `${((100 * sorted.slice(0, n).reduce((sum, one) => sum + one, 0)) / ASSUMED.attendancesPerYear).toFixed(0)} %`;
  console.log(
    `\n${whole(organizations)} organizations, ${whole(ASSUMED.attendancesPerYear)} attendances a year, ${weeks} weeks, seed ${seed}. The largest has ${part(1)} of them, the ten largest ${part(10)}, the hundred largest ${part(100)}.`,
  );
  const rows: string[][] = [];
  for (const k of options.clusters.split(',').map(Number)) {
    for (const { name, placing, moving } of POLICIES) {
      const at = place(orgs, k, placing, generator(seed + 1));
      const ratios: number[] = [];
      const moved: Moves[] = [];
      for (let week = 0; week < weeks; week += 1) {
        if (moving === 'calendar') moved.push(relieve(orgs, at, k, week, 'expected'));
        if (moving === 'last week' && week > 0) moved.push(relieve(orgs, at, k, week - 1, 'calls'));
        const clusters = loads(orgs, at, k, week, 'calls');
        ratios.push(Math.max(...clusters.map(peakOf)) / fairPeak(clusters));
      }
      const mean = (of: (one: Moves) => number) =>
        moved.length === 0 ? 0 : moved.reduce((sum, one) => sum + of(one), 0) / moved.length;
      rows.push([
        name,
        String(k),
        median(ratios).toFixed(2),
        Math.max(...ratios).toFixed(2),
        mean((one) => one.organizations).toFixed(1),
        `${(mean((one) => one.bytes) / 1e9).toFixed(2)} GB`,
      ]);
    }
    const largest = Array.from({ length: weeks }, (_, week) => {
      const fair =
        fairPeak(
          loads(
            orgs,
            orgs.map(() => 0),
            1,
            week,
            'calls',
          ),
        ) / k;
      return (
        Math.max(
          ...orgs
            .slice()
            .sort((a, b) => b.attendances - a.attendances)
            .slice(0, 50)
            .map((one) => peakOf(ownLoad(one, week, 'calls'))),
        ) / fair
      );
    });
    rows.push([
      '(one organization alone)',
      String(k),
      median(largest).toFixed(2),
      Math.max(...largest).toFixed(2),
      '',
      '',
    ]);
  }
  console.log(
    `\nThe busiest hour of the busiest cluster, relative to what each would have if all were divided equally in the busiest hour of the week.\n`,
  );
  console.log(table(['policy', 'clusters', 'median week', 'worst week', 'moved a week', 'bytes a week'], rows));
});
