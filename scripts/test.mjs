// `npm test`: types, lint, unused code, generated files, and the usual tests (vitest.config.ts). They run in a random order that stays the
// same, and at 23:59:50 UTC on the last day of the month, when counting hours, days and months goes wrong if it does.
// `npm run test:journeys`: what `.ci/run` runs after that, such as everything that needs a browser.
// `npm run test:night`: what a change seldom breaks, and the usual tests in another random order and a year from now, so that a date which
// will pass is noticed a year before it fails every run. It says how long each file took, and which take more processor time than when
// test/night-times.json was last written.
// `npm run test:night -- -t name`: only these tests of a run.
// `npm test -- test/groups.test.ts -t name`: only these tests. Other arguments are vitest's, except for three of ours:
//   --seed N      runs the tests of each file in the random order that belongs to N
//   --month-end   runs each file at 23:59:50 UTC on the last day of the month (test/support/test-time.ts)
//   --at TIME     runs each file at that time, for example 2031-12-31T23:59:50Z
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildApps } from './apps.mjs';
import { closingLines } from './closing-line.mjs';
import { environment, install, pinnedNode, root, run, say } from './install.mjs';
import { crept, timesOf } from './test-times.mjs';
import { installTools } from './tools.mjs';

/** The order of the tests, if none is asked for. It is fixed, so that a change is never refused because of an order it has nothing to do with. */
const USUAL_SEED = 203926273;
/** At night, other random worlds than the ones of every run. */
const NIGHT_SEEDS = 4;

const { kind, seed, time, args } = readArguments(process.argv.slice(2));
await install('develop');
const node = pinnedNode();
const stdio = ['ignore', 'inherit', 'inherit'];
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** How many seconds each step took, and each file: by the clock, and of processor time where that could be measured. */
const steps = [];
const files = new Map();
let exitCode = 0;

if (kind === 'files') await tests('all', { seed, time });
if (kind === 'usual') {
  await installTools();
  await Promise.all([
    step('types', 'npm', 'run', '--silent', 'types'),
    step('lint', 'npm', 'run', '--silent', 'lint')
      .then(() => step('unused code', node, join(root, 'node_modules', 'knip', 'bin', 'knip.js'), '--no-progress'))
      .then(() => step('generated files', node, join(root, 'scripts', 'generate.mjs'), '--check')),
  ]);
  await tests('usual', { seed: seed ?? USUAL_SEED, time: time ?? 'month-end' });
}
if (kind === 'journeys') {
  await installTools();
  await apps();
  // A file that is named belongs to one of the two.
  const more = args.length > 0 ? ['--passWithNoTests'] : [];
  for (const run of ['journeys', 'alone']) await tests(run, { seed: seed ?? USUAL_SEED, time, more });
  if (count.passed + count.failed === 0) {
    count.failed = 1;
    failures.push('none of the journeys is called so');
  }
}
if (kind === 'night') {
  await installTools('night');
  await apps();
  const order = seed ?? randomInt(1, 1_000_000);
  say(`the tests of each file run in a random order; repeat it with: npm run test:night -- --seed ${order}`);
  const seeds = Array.from({ length: NIGHT_SEEDS }, (_, i) => Number(order) + i);
  const env = { NIGHT: '1', WALLS_SEED: seeds.join(','), MODEL_SEED: String(order) };
  await tests('night', { seed: order, time, env });
  if (args.length === 0) await tests('usual', { seed: order, time: time ?? inAYear() });
}

if (kind === 'night' && args.length === 0 && count.skipped > 0) {
  count.failed += 1;
  failures.push('a test was skipped, and at night none may be: see above which tool is missing');
}
console.log(timesOf(steps, files, { everyFile: kind === 'night' }));
if (kind === 'night' && args.length === 0) console.log(crept(join(root, 'test', 'night-times.json'), files));
console.log(closingLines(count, failures));
process.exit(exitCode !== 0 ? exitCode : Math.min(1, count.failed));

/** The last seconds of the month that is current in a year. */
function inAYear() {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear() + 1, now.getUTCMonth() + 1, 1) - 10_000).toISOString();
}

/** What is ours is taken out of the arguments; vitest gets the rest. */
function readArguments(given) {
  const rest = [...given];
  const has = (flag) => rest.includes(flag) && rest.splice(rest.indexOf(flag), 1).length === 1;
  const optionOf = (flag) => (rest.includes(flag) ? (rest.splice(rest.indexOf(flag), 2)[1] ?? '') : undefined);
  const run = ['journeys', 'night'].find((name) => has(`--${name}`));
  const at = has('--month-end') ? 'month-end' : optionOf('--at');
  const order = optionOf('--seed');
  if (order !== undefined && !/^\d{1,9}$/.test(order)) {
    say('--seed needs a whole number of at most nine digits.');
    process.exit(1);
  }
  if (at !== undefined && at !== 'month-end' && Number.isNaN(Date.parse(at))) {
    say('--at needs a time, for example 2031-12-31T23:59:50Z.');
    process.exit(1);
  }
  return { kind: run ?? (rest.length > 0 ? 'files' : 'usual'), seed: order, time: at, args: rest };
}

/** Builds the apps once; otherwise the two test processes would do so at the same time. */
async function apps() {
  const since = Date.now();
  await buildApps();
  steps.push({ name: 'apps', seconds: (Date.now() - since) / 1000 });
}

async function step(name, command, ...rest) {
  say(`${name} …`);
  const since = Date.now();
  const code = await run(command, rest, { stdio, env: environment() });
  steps.push({ name, seconds: (Date.now() - since) / 1000 });
  // Interrupted: the steps that are left would be, too.
  if (code >= 128) process.exit(code);
  if (code === 0) return;
  count.failed += 1;
  failures.push(`${name}, before the tests`);
}

async function tests(which, { seed: order, time: at, env = {}, more = [] }) {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-run-'));
  const counts = join(folder, 'counts.json');
  const processorTimes = join(folder, 'processor-times.jsonl');
  const since = Date.now();
  const code = await run(node, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args, ...more], {
    stdio,
    env: {
      ...environment(),
      // Shared with the servers that tests start: each of them starts with half of the CPU time, and there are hundreds.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(tmpdir(), 'node-compile-cache'),
      CLOSING_COUNTS: counts,
      PROCESSOR_TIMES: processorTimes,
      TURNOUT_TESTS: which,
      ...(order !== undefined && { TEST_SEED: String(order) }),
      ...(at !== undefined && { TEST_TIME: at }),
      ...env,
    },
  });
  const ended = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : undefined;
  steps.push({ name: `tests (${which})`, seconds: (Date.now() - since) / 1000 });
  for (const [file, seconds] of Object.entries(ended?.seconds ?? {})) addTo(file, { seconds });
  if (existsSync(processorTimes)) {
    for (const line of readFileSync(processorTimes, 'utf8').trimEnd().split('\n')) {
      const { file, seconds } = JSON.parse(line);
      addTo(file, { processor: seconds });
    }
  }
  rmSync(folder, { recursive: true, force: true });
  if (code >= 128) process.exit(code);
  for (const name of Object.keys(count)) count[name] += ended?.count[name] ?? 0;
  failures.push(...(ended?.failures ?? []));
  // vitest may fail without a failed test: if nothing matched, for example.
  if (code !== 0 && (ended?.count.failed ?? 0) === 0) {
    count.failed += 1;
    failures.push(`vitest ended with ${code}`);
  }
  if (code !== 0 && which !== 'all') {
    const options = [order && `--seed ${order}`, at === 'month-end' ? '--month-end' : at && `--at ${at}`];
    say(`repeat a file that failed with: npm test -- FILE ${options.filter(Boolean).join(' ')}`);
  }
  if (exitCode === 0) exitCode = code;
}

function addTo(file, { seconds = 0, processor = 0 }) {
  const known = files.get(file) ?? { seconds: 0, processor: 0 };
  files.set(file, { seconds: known.seconds + seconds, processor: known.processor + processor });
}
