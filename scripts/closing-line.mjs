import { writeFileSync } from 'node:fs';

/**
 * "N passed, N failed, N skipped" as the last line of a run, for people and machines that read only the end. Under
 * `npm test`, which adds what failed before the tests, the counts go to the file CLOSING_COUNTS names.
 */
export default class ClosingLine {
  onTestRunEnd(modules, unhandled = []) {
    // A hook or an import that failed is no test of its own, and still is a failure.
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === 'pending' ? 'failed' : state] += 1;
      }
      for (const part of [module, ...module.children.allSuites()]) if (part.errors().length > 0) count.failed += 1;
    }
    const file = process.env.CLOSING_COUNTS;
    if (file !== undefined) writeFileSync(file, JSON.stringify(count));
    else process.on('exit', () => console.log(closingLine(count)));
  }
}

export const closingLine = ({ passed, failed, skipped }) => `${passed} passed, ${failed} failed, ${skipped} skipped`;
