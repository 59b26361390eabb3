// Prints "N passed, N failed, N skipped" as the last line of a run, for people and machines that read only the end.
export default class ClosingLine {
  onTestRunEnd(modules) {
    const count = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const state = test.result().state;
        if (state in count) count[state] += 1;
      }
      if (module.state() === 'failed' && module.errors().length > 0) count.failed += 1;
    }
    process.on('exit', () => {
      console.log(`${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
    });
  }
}
