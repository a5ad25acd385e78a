import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Prints the one line that every continuous integration can read, last: `N passed, N failed, N skipped`. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = { passed: 0, failed: 0, skipped: 0 };
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state !== 'pending') counts[state] += 1;
      }
      if (module.state() === 'failed' && [...module.children.allTests()].every((test) => test.result().state !== 'failed'))
        counts.failed += 1;
    }
    const { FACTOTUM_TEST_COUNTS: file } = process.env;
    if (file !== undefined) writeFileSync(file, JSON.stringify(counts));
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}
