// `npm run drill`: breaks one part of an installation after the other while calls go on, and looks for what was lost or done twice
import { parseArgs } from 'node:util';
import { benchmark, busy, machine, table, whole } from '../bench/support.ts';
import { FAULTS } from './faults.ts';
import { type Outcome, playRound } from './round.ts';
import { startStage } from './stage.ts';

/** The last failed answer comes at most so many seconds after the new primary has taken a write. */
const LIMIT = 5;

const { values: options } = parseArgs({
  options: {
    faults: { type: 'string', default: FAULTS.map(({ name }) => name).join(',') },
    /** Calls per second. */
    rates: { type: 'string', default: '20,100' },
    rounds: { type: 'string', default: '3' },
    /** Keeps configurations, data and logs. */
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const chosen = options.faults.split(',').map((name) => {
  const fault = FAULTS.find((one) => one.name === name);
  if (fault === undefined) throw new Error(`There is no fault ${name}. Those that there are: npm run drill -- --help`);
  return fault;
});

const seconds = (value: number | null): string => (value === null ? '–' : value.toFixed(1));
const HEAD = [
  'fault',
  'rate',
  'round',
  'calls',
  'failed answers',
  'failing for',
  'new primary after',
  'last failure after it',
  'lost',
  'doubled',
  'oversold',
  'twice',
  'unanswered',
];
const rowOf = (fault: string, rate: number, round: number, one: Outcome): string[] => [
  fault,
  String(rate),
  String(round),
  whole(one.calls),
  whole(one.failed),
  `${seconds(one.failingFor)} s`,
  `${seconds(one.newPrimaryAfter)}${one.newPrimaryAfter === null ? '' : ' s'}`,
  `${seconds(one.lastAfter)}${one.lastAfter === null ? '' : ' s'}`,
  ...[one.lost.length, one.doubled.length, one.oversold, one.twice.length, one.unanswered].map(String),
];
const isSound = ({ lost, doubled, oversold, twice, surprises }: Outcome): boolean =>
  lost.length + doubled.length + oversold + twice.length === 0 && Object.keys(surprises).length === 0;

if (options.help) {
  console.log('npm run drill -- --faults leader-kill,app-kill --rates 20,100 --rounds 3 [--keep]\n');
  for (const { name, about } of FAULTS) console.log(`  ${name.padEnd(12)} ${about}`);
  process.exit(0);
}

await benchmark(async (bench) => {
  const others = busy();
  const stage = await startStage(bench, { isKept: options.keep, withS3: chosen.some(({ jobs }) => jobs === true) });
  const rows: string[][] = [];
  const outcomes: Outcome[] = [];
  const tell = () => {
    if (rows.length > 0) console.log(`\n${table(HEAD, rows)}`);
  };
  bench.later(tell);
  for (const fault of chosen) {
    for (const rate of options.rates.split(',').map(Number)) {
      for (let round = 1; round <= Number(options.rounds); round += 1) {
        const outcome = await playRound(stage, fault, rate, `${fault.name}-${rate}-${round}`);
        outcomes.push(outcome);
        rows.push(rowOf(fault.name, rate, round, outcome));
        bench.say(
          rows
            .at(-1)!
            .map((cell, i) => `${HEAD[i]} ${cell}`)
            .join(', '),
        );
        if (outcome.failed > 0) bench.say(`  failed answers: ${JSON.stringify(outcome.said)}`);
        if (!isSound(outcome)) bench.say(`  NOT SOUND: ${JSON.stringify(outcome).slice(0, 2000)}`);
      }
    }
  }
  const late = outcomes.filter(({ lastAfter }) => lastAfter !== null && lastAfter > LIMIT).length;
  console.log(`\n${machine()}${stage.hasPooler ? '' : ', without PgBouncer'}`);
  if (others !== null) console.log(others);
  if (late > 0)
    console.log(`In ${late} rounds the last failed answer came later than ${LIMIT} s after the new primary.`);
  return outcomes.every(isSound) ? 0 : 1;
}, 'drill');
