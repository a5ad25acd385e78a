import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** A test that failed, or something around tests that did. */
interface Failure {
  readonly file: string;
  readonly name: string;
  /** The first line of the error. */
  readonly error: string;
}

/** A test that was not run: its name says what it needs, or its note does. */
interface Skipped {
  readonly file: string;
  readonly name: string;
  readonly note: string | undefined;
}

/** Prints the one line that every continuous integration can read, last: `N passed, N failed, N skipped`. */
export default class CountingReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresIn),
      ...unhandled.map((error) => ({ file: '-', name: 'outside of all tests', error: firstLineOf([error]) })),
    ];
    const states = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state));
    const count = (wanted: string) => states.filter((state) => state === wanted).length;
    const counts = { passed: count('passed'), failed: failures.length, skipped: count('skipped') };
    const { FACTOTUM_TEST_COUNTS: place } = process.env;
    const report = { counts, failures, skipped: modules.flatMap(skippedIn), files: modules.map(timeOf) };
    if (place !== undefined) writeFileSync(place, JSON.stringify(report));
    console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  }
}

/** The failed tests of a file, its hooks that failed, and the file itself where it could not be loaded. */
const failuresIn = (module: TestModule): Failure[] => {
  const file = relative(process.cwd(), module.moduleId);
  const failures: Failure[] = [];
  for (const test of module.children.allTests('failed'))
    failures.push({ file, name: test.fullName, error: firstLineOf(test.result().errors) });
  for (const suite of module.children.allSuites())
    if (suite.errors().length > 0) failures.push({ file, name: suite.fullName, error: firstLineOf(suite.errors()) });
  if (module.errors().length > 0 || (module.state() === 'failed' && failures.length === 0))
    failures.push({ file, name: 'the file as a whole', error: firstLineOf(module.errors()) });
  return failures;
};

const skippedIn = (module: TestModule): Skipped[] =>
  [...module.children.allTests('skipped')].map((test) => {
    const result = test.result();
    return {
      file: relative(process.cwd(), module.moduleId),
      name: test.fullName,
      note: result.state === 'skipped' ? result.note : undefined,
    };
  });

/** What a file took, from the start of its process to its last hook. */
const timeOf = (module: TestModule): { readonly file: string; readonly ms: number } => {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } = module.diagnostic();
  const ms = environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration;
  return { file: relative(process.cwd(), module.moduleId), ms: Math.round(ms) };
};

const firstLineOf = (errors: readonly SerializedError[] | undefined): string =>
  errors?.[0]?.message?.split('\n', 1)[0]?.slice(0, 300) ?? 'no error told';
