import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { afterAll, expect } from 'vitest';

/**
 * Loaded before each test file. Notes how many seconds of processor time the file took, in the file that PROCESSOR_TIMES names
 * (scripts/test.mjs prints the ten longest): those of the process that runs the tests, and of every process that it started and that
 * has ended, such as servers and browsers. PostgreSQL serves all files and is not included.
 */
const notes = process.env.PROCESSOR_TIMES;

/** Linux counts processor time in hundredths of a second. The fields follow the name of the program, which may contain anything. */
const TICKS_A_SECOND = 100;
function processorSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').replace(/.*\) /s, '').split(' ').map(Number);
  const [ofUser, ofSystem, childrenUser, childrenSystem] = fields.slice(11, 15) as [number, number, number, number];
  return (ofUser + ofSystem + childrenUser + childrenSystem) / TICKS_A_SECOND;
}

if (notes !== undefined && process.platform === 'linux') {
  const before = processorSeconds();
  // Hooks run in the reverse order of their declaration, so this one comes last, when a file has stopped its servers.
  afterAll(() => {
    const file = relative(process.cwd(), expect.getState().testPath ?? '');
    appendFileSync(notes, `${JSON.stringify({ file, seconds: processorSeconds() - before })}\n`);
  });
}
