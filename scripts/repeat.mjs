// `npm run test:repeat -- FILE [--times 20] [--busy] [-t name]` runs a test file again and again, each time in another random order, and
// says how often it passed and what failed. With --busy, two programs beside it keep the processor busy: a test that fails only then
// waits for time instead of a state, or the product does.
import { randomInt } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { environment, install, pinnedNode, root, run, say } from './install.mjs';

const BUSY = 2;
const { files, times, busy } = readArguments(process.argv.slice(2));
await install('develop');
const folder = mkdtempSync(join(tmpdir(), 'turnout-repeat-'));
const counts = join(folder, 'counts.json');
const beside = Array.from({ length: busy ? BUSY : 0 }, () => new Worker('for (;;) Math.random();', { eval: true }));
const failures = new Map();
let passed = 0;

for (let round = 1; round <= times; round += 1) {
  const seed = randomInt(1, 1_000_000);
  const since = Date.now();
  const code = await run(pinnedNode(), [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...files], {
    stdio: 'ignore',
    env: { ...environment(), CLOSING_COUNTS: counts, TURNOUT_TESTS: 'all', TEST_SEED: String(seed) },
  });
  if (code >= 128) process.exit(code);
  const found = code === 0 ? [] : readFailures(code);
  if (code === 0) passed += 1;
  for (const failure of found) failures.set(failure, [...(failures.get(failure) ?? []), seed]);
  const outcome = code === 0 ? 'passed' : `FAILED: ${found.join('; ')}`;
  say(`${round} of ${times}, seed ${seed}, ${Math.round((Date.now() - since) / 1000)} s: ${outcome}`);
}
for (const worker of beside) await worker.terminate();
rmSync(folder, { recursive: true, force: true });
for (const [failure, seeds] of failures)
  console.log(`failed ${seeds.length} times (seeds ${seeds.join(', ')}): ${failure}`);
console.log(`${passed} passed, ${times - passed} failed, 0 skipped`);
process.exit(passed === times ? 0 : 1);

/** The names of the tests that failed. Without any, vitest did not come as far as running tests, or found none. */
function readFailures(code) {
  const names = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')).failures : [];
  rmSync(counts, { force: true });
  return names.length > 0 ? names : [`vitest ended with ${code}`];
}

function readArguments(given) {
  const rest = [...given];
  const isBusy = rest.includes('--busy') && rest.splice(rest.indexOf('--busy'), 1).length === 1;
  const wanted = rest.includes('--times') ? rest.splice(rest.indexOf('--times'), 2)[1] : '20';
  if (rest.length === 0 || !/^[1-9]\d{0,3}$/.test(wanted ?? '')) {
    say('npm run test:repeat -- FILE [--times 20] [--busy] [-t name]');
    process.exit(1);
  }
  return { files: rest, times: Number(wanted), busy: isBusy };
}
