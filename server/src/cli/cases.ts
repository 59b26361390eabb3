import { readFileSync } from 'node:fs';
import { type CaseFile, type Difference, parseCases, replayLocally } from '@turnout/checkin';
import { refuse } from '../common/refusal.ts';
import { replayThroughApi, SET_UP } from './replay-api.ts';
import { Interrupted, Refused, Unreachable } from './replay-client.ts';
import { CannotSetUp } from './replay-people.ts';

interface ReplayOptions {
  file?: string | undefined;
  url?: string | undefined;
  key?: string | undefined;
  testKey?: string | undefined;
}
interface Summary {
  ok: boolean;
  cases: number;
  scans: number;
  differences: number;
  skipped?: number;
}

const no = (message: string): never => refuse('validation_failed', { message });
const EXPECTED = [Refused, Unreachable, CannotSetUp, Interrupted];
const say = (line: string): void => console.error(line);

/** Replays the golden cases with the decision in this build or, with an address and two keys, against a running Turnout. */
export async function replayCases({ file: path, url, key, testKey }: ReplayOptions): Promise<Summary> {
  const file = readCases(path);
  if (url === undefined) {
    if (key !== undefined || testKey !== undefined)
      no('--key and --test-key need --url, the address where they are valid.');
    const scans = file.cases.reduce((sum, one) => sum + one.scans.length, 0);
    return reported(replayLocally(file), { cases: file.cases.length, scans });
  }
  if (key === undefined || testKey === undefined) {
    return no('--url needs --key (a live key with the scopes read, write, admin, scanner) and --test-key.');
  }
  const stop = new AbortController();
  const interrupted = () => stop.abort(new Interrupted('interrupted; what had been created was removed'));
  process.once('SIGINT', interrupted);
  try {
    const done = await replayThroughApi(file, { url, key, testKey, say, signal: stop.signal });
    return reported(done.differences, { cases: done.cases, scans: done.scans, skipped: done.skipped });
  } catch (error) {
    if (EXPECTED.some((kind) => error instanceof kind)) no((error as Error).message);
    throw error;
  } finally {
    process.off('SIGINT', interrupted);
  }
}

function readCases(path: string | undefined): CaseFile {
  const from = path ?? new URL(import.meta.resolve('@turnout/checkin/scan-cases.json'));
  let input: unknown;
  try {
    input = JSON.parse(readFileSync(from, 'utf8'));
  } catch (error) {
    return no(error instanceof SyntaxError ? `${path} is not JSON: ${error.message}` : (error as Error).message);
  }
  const read = parseCases(input);
  if (read.ok) return read.value;
  const shown = read.problems.slice(0, 20).map((problem) => `  ${problem.path || 'the file'} ${problem.message}`);
  const more = read.problems.length - shown.length;
  if (more > 0) shown.push(`  and ${more} more`);
  return no(`${path ?? 'scan-cases.json'} is not a file of golden cases:\n${shown.join('\n')}`);
}

/** Prints one line for each case that differs. */
function reported(found: readonly Difference[], counts: Omit<Summary, 'ok' | 'differences'>): Summary {
  for (const [name, ones] of Map.groupBy(found, (one) => one.case)) say(`${name}: ${ones.map(inWords).join('; ')}`);
  return { ok: found.length === 0, ...counts, differences: found.length };
}

function inWords({ scan, what, expected, got }: Difference): string {
  if (what === SET_UP) return `could not be set up: ${got}`;
  return `scan ${scan + 1}${what === 'result' ? '' : ` (${what})`}: expected ${expected}, got ${got}`;
}
