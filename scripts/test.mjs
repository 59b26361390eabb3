// `npm test`: types, lint, generated files, and every test but the ones that take minutes.
// `npm test -- test/groups.test.ts -t name`: only these tests. Other arguments are vitest's, except for three of ours:
//   --seed N      runs the tests of each file in the random order that belongs to N
//   --month-end   runs each file at 23:59:50 UTC on the last day of the month (test/support/test-time.ts)
//   --at TIME     runs each file at that time, for example 2031-12-31T23:59:50Z
// `npm run test:long [-- --seed N]`: the tests that take minutes (vitest.config.ts), then those that a calendar matters to again
// at the end of the month; all of them in a random order, by the seed given or a new one, which is printed.
// `npm run test:long -- -t name`: only these tests among the ones that take minutes.
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLines } from './closing-line.mjs';
import { environment, install, pinnedNode, root, run, say } from './install.mjs';
import { timesOf } from './test-times.mjs';
import { installTools } from './tools.mjs';

const { long, seed, time, args } = readArguments(process.argv.slice(2));
await install('develop');
const node = pinnedNode();
const stdio = ['ignore', 'inherit', 'inherit'];
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
/** How many seconds each step took, and each file: by the clock, and of processor time where that could be measured. */
const steps = [];
const files = new Map();
let exitCode = 0;

if (args.length === 0 && !long) {
  await installTools();
  await step('types', 'npm', 'run', '--silent', 'types');
  await step('lint', 'npm', 'run', '--silent', 'lint');
  const generate = join(root, 'scripts', 'generate.mjs');
  if (existsSync(generate)) await step('generated files', node, generate, '--check');
}

if (!long) await tests(args.length === 0 ? 'usual' : 'all', { seed, time });
else {
  const order = seed ?? randomInt(1, 1_000_000);
  say(`the tests of each file run in a random order; repeat it with: npm run test:long -- --seed ${order}`);
  await tests('long', { seed: order, time });
  if (args.length === 0) {
    say('now the tests that a calendar matters to, in a random order, at 23:59:50 UTC on the last day of the month …');
    await tests('calendar', { seed: order, time: 'month-end' });
  }
  if (exitCode !== 0) {
    say(`repeat a file with: npm test -- FILE --seed ${order} (and --month-end if it failed at the end of the month)`);
  }
}

console.log(timesOf(steps, files, { everyFile: long }));
console.log(closingLines(count, failures));
process.exit(exitCode !== 0 ? exitCode : Math.min(1, count.failed));

/** What is ours is taken out of the arguments; vitest gets the rest. */
function readArguments(given) {
  const rest = [...given];
  const has = (flag) => rest.includes(flag) && rest.splice(rest.indexOf(flag), 1).length === 1;
  const optionOf = (flag) => (rest.includes(flag) ? (rest.splice(rest.indexOf(flag), 2)[1] ?? '') : undefined);
  const isLong = has('--long');
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
  return { long: isLong, seed: order, time: at, args: rest };
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

async function tests(which, { seed: order, time: at }) {
  const folder = mkdtempSync(join(tmpdir(), 'turnout-run-'));
  const counts = join(folder, 'counts.json');
  const processorTimes = join(folder, 'processor-times.jsonl');
  const since = Date.now();
  const code = await run(node, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
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
  if (exitCode === 0) exitCode = code;
}

function addTo(file, { seconds = 0, processor = 0 }) {
  const known = files.get(file) ?? { seconds: 0, processor: 0 };
  files.set(file, { seconds: known.seconds + seconds, processor: known.processor + processor });
}
