import { writeFileSync } from 'node:fs';

/**
 * Prints "N passed, N failed, N skipped" as the last line of a run, for people and programs that read only the end. If CLOSING_COUNTS
 * names a file, the counts are written there instead: `npm test` adds what failed before the tests and prints the line itself.
 */
export default class ClosingLine {
  onTestRunEnd(modules, unhandled = []) {
    // A hook or an import that failed is not a test, but counts as a failure.
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
