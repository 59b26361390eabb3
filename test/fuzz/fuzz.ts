import { spawn } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Bench, benchmark } from '../../bench/support.ts';
import { startBenchTurnout } from '../../bench/turnout.ts';
import { withRealIds } from './document.ts';
import { furnish, ticketCodes } from './world.ts';

/**
 * `npm run fuzz`: schemathesis makes tens of thousands of requests from the published document and checks every answer against it.
 * It fails on an answer of 5xx, on an answer that the document does not describe, and on an input that the document calls invalid
 * and the server accepted. Its check `positive_data_acceptance` is left out: a schema cannot say that a reference must exist or that
 * a day must not be full, so the server rightly refuses some requests that are valid by the schema.
 */
const VERSION = '4.32.5';
const CHECK_LEFT_OUT = 'positive_data_acceptance';

/**
 * The statuses with which an invalid request may be answered. Besides 400 these include a body that is too large and a scanner that
 * is too old. A batch with invalid items is accepted, because one of them must not hold up a scanner's queue: each item has its own
 * answer.
 */
const CONFIG = `[checks]
${CHECK_LEFT_OUT}.enabled = false
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 408, 409, 413, 415, 417, 422, 426, 429, 431]
missing_required_header.expected-statuses = [400, 401, 403, 404, 405, 406, 422, 426]

[[operations]]
include-name = "POST /v1/events/{event}/scan/batch"
checks.negative_data_rejection.enabled = false
`;

const { values: options } = parseArgs({
  options: {
    examples: { type: 'string', default: '300' },
    only: { type: 'string' },
    phases: { type: 'string', default: 'examples,coverage,fuzzing,stateful' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'string' },
  },
});

await benchmark(async (bench) => {
  const schemathesis = await installed(bench);
  const turnout = await startBenchTurnout(bench, { env: { ROLES: 'api,worker', LOG_LEVEL: 'error' } });
  const { key } = await turnout.org('fuzz');
  bench.say('making the objects that requests refer to …');
  const pools = await furnish(turnout, key);
  const document = (await (await fetch(`${turnout.url}/v1/openapi.json`)).json()) as object;
  const folder = options.keep ?? bench.folder();
  const file = join(folder, 'openapi.json');
  writeFileSync(file, JSON.stringify(withRealIds(document, pools, await ticketCodes(turnout, key))));

  const report = join(folder, 'report.json');
  rmSync(report, { force: true });
  const config = join(folder, 'schemathesis.toml');
  writeFileSync(config, CONFIG);
  process.env.FUZZ_REAL_IDS = JSON.stringify(Object.values(pools).flatMap(({ stay, spend }) => [...stay, ...spend]));
  process.env.SCHEMATHESIS_HOOKS = join(import.meta.dirname, 'hooks.py');
  const code = await run(
    schemathesis,
    [
      ...['--config-file', config],
      'run',
      file,
      ...['--url', turnout.url, '--header', `Authorization: Bearer ${key}`],
      ...['--phases', options.phases],
      ...['--max-examples', options.examples, '--seed', options.seed, '--workers', '1', '--continue-on-failure'],
      ...['--request-timeout', '30', '--suppress-health-check', 'all', '--generation-database', 'none', '--no-color'],
      ...['--warnings', 'off', '--report', 'json', '--report-json-path', report],
      ...(options.only === undefined ? [] : ['--include-operation-id', options.only]),
    ],
    folder,
  );
  const answers = statuses(await (await fetch(`${turnout.url}/metrics`)).text());
  const total = [...answers.values()].reduce((sum, n) => sum + n, 0);
  console.log('\nanswers by status');
  for (const [status, n] of [...answers].sort()) console.log(`  ${status}  ${n}`);
  console.log(`  all  ${total}`);
  const faults = [...answers].filter(([status]) => status.startsWith('5'));
  if (code !== 0 || faults.length > 0)
    throw new Error(`schemathesis ended with ${code}; ${faults.length} answers were 5xx.`);
  console.log(`${total} requests; no fault was found`);
});

/** How many answers of each status the server has counted. */
function statuses(metrics: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const [, status, count] of metrics.matchAll(/^turnout_requests_total\{.*status="(\d+)".*\} (\d+)$/gm)) {
    found.set(status!, (found.get(status!) ?? 0) + Number(count));
  }
  return found;
}

/** Installs schemathesis from PyPI into a folder of its own, which later runs use again. */
async function installed(bench: Bench): Promise<string> {
  const folder = join(tmpdir(), `turnout-schemathesis-${VERSION}`);
  const command = join(folder, 'bin', 'schemathesis');
  if (existsSync(command)) return command;
  bench.say(`installing schemathesis ${VERSION} …`);
  for (const [program, ...args] of [
    ['python3', '-m', 'venv', folder],
    [join(folder, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`],
  ]) {
    if ((await run(program!, args)) !== 0) {
      rmSync(folder, { recursive: true, force: true });
      throw new Error('schemathesis could not be installed. It needs Python 3 with venv, and access to PyPI.');
    }
  }
  return command;
}

function run(program: string, args: readonly string[], cwd = tmpdir()): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
  });
}
