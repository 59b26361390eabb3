import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';

/** A message may be as long as a page of a browser: its beginning is enough at the end of a run, the whole of it is printed above. */
const MESSAGE = 600;

/**
 * Prints what failed and "N passed, N failed, N skipped" as the last lines of a run, for people and programs that read only the end.
 * If CLOSING_COUNTS names a file, both are written there instead: `npm test` has several runs, adds what failed before the tests and
 * prints the lines itself.
 */
export default class ClosingLine {
  onTestRunEnd(modules, unhandled = []) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    const failures = [];
    const seconds = {};
    const fail = (name, error) => {
      count.failed += 1;
      failures.push(`${name}: ${String(error?.message ?? 'did not end').slice(0, MESSAGE)}`);
    };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      seconds[file] = secondsOf(module.diagnostic());
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'failed' || state === 'pending') fail(`${file} > ${test.fullName}`, errors?.[0]);
        else count[state] += 1;
      }
      // A hook or an import that failed is not a test, but counts as a failure.
      for (const part of [module, ...module.children.allSuites()]) {
        if (part.errors().length > 0) fail(part === module ? file : `${file} > ${part.fullName}`, part.errors()[0]);
      }
    }
    for (const error of unhandled) fail('outside of every test', error);
    const file = process.env.CLOSING_COUNTS;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ count, failures, seconds }));
    else process.on('exit', () => console.log(closingLines(count, failures)));
  }
}

/** How long a file took, from loading it to its last hook. */
const secondsOf = ({ environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration }) =>
  (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;

export function closingLines({ passed, failed, skipped }, failures) {
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  return [...failures.map((failure) => `failed: ${failure}`), counts].join('\n');
}
