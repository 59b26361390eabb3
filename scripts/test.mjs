// `npm test`: everything but what takes minutes, which is `npm run test:long` (vitest.config.ts).
// `npm test -- test/groups.test.ts -t name`: only these tests, arguments as vitest takes them.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closingLine } from './closing-line.mjs';
import { environment, install, pinnedNode, root, run, say } from './install.mjs';
import { installTools } from './tools.mjs';

const long = process.argv[2] === '--long';
const args = process.argv.slice(long ? 3 : 2);
await install('develop');
const node = pinnedNode();
const stdio = ['ignore', 'inherit', 'inherit'];

const failed = [];
async function step(name, command, ...rest) {
  say(`${name} …`);
  const code = await run(command, rest, { stdio, env: environment() });
  // Interrupted: what is left would not run to its end either.
  if (code >= 128) process.exit(code);
  if (code !== 0) failed.push(name);
}

if (args.length === 0 && !long) {
  await installTools();
  await step('types', 'npm', 'run', '--silent', 'types');
  await step('lint', 'npm', 'run', '--silent', 'lint');
  const generate = join(root, 'scripts', 'generate.mjs');
  if (existsSync(generate)) await step('generated files', node, generate, '--check');
}

const folder = mkdtempSync(join(tmpdir(), 'turnout-run-'));
const counts = join(folder, 'counts.json');
const code = await run(node, [join(root, 'node_modules', 'vitest', 'vitest.mjs'), 'run', ...args], {
  stdio,
  env: { ...environment(), CLOSING_COUNTS: counts, TURNOUT_TESTS: long ? 'long' : args.length === 0 ? 'usual' : 'all' },
});
const count = existsSync(counts) ? JSON.parse(readFileSync(counts, 'utf8')) : { passed: 0, failed: 0, skipped: 0 };
rmSync(folder, { recursive: true, force: true });

if (failed.length > 0) say(`failed before the tests: ${failed.join(', ')}`);
// vitest may fail without a failed test: nothing matched, an error outside of every test.
count.failed = Math.max(count.failed, code === 0 ? 0 : 1) + failed.length;
console.log(closingLine(count));
process.exit(code !== 0 ? code : Math.min(1, count.failed));
